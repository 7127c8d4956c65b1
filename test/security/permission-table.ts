/**
 * The expected permission decision of each route and method for each of the seven actors. Written by hand from the
 * interface, never from the code; `permission-table.test.ts` compares it with the decisions of the service.
 */
import { contentPermissions } from './content-permissions.ts'
import { documentPermissions } from './document-permissions.ts'
import {
  administrators,
  administratorsNo401,
  anybody,
  authorAndEditors,
  contributorAndEditors,
  EDITABLE,
  type Entry,
  editors,
  signedIn,
  writers,
  writersOr401,
} from './permission-actors.ts'

const page = 'https://quay.example/ferry/'
const sender = { subject: 's', title: 't', description: 'd', product: 'p' }
const component = { uid: 'uid-{serial}', title: 'Card {serial}', elements: [] }
const templateFile = { title: 'Top', type: 'header', content: [], page_settings: {} }

const namespaceIndexes = (...namespaces: readonly string[]): readonly Entry[] =>
  namespaces.map((namespace) => ['GET', `/${namespace}`, anybody])

/** Connecting an account: `manage_options`. */
const connections = (namespace: string): readonly Entry[] => [
  ['POST', `/${namespace}/connect/authorize`, administrators, { body: { clearSession: true } }],
  ['POST', `/${namespace}/connect/disconnect`, administrators],
  ['POST', `/${namespace}/connect/switch-domain`, administrators],
  ['POST', `/${namespace}/connect/deactivate`, administrators],
]

const both: readonly Entry[] = [
  // The indexes of the site and of the namespaces are public, and the same for all.
  ['GET', '/', anybody],
  ...namespaceIndexes('oembed/1.0', 'builder-one/v1', 'builder/v1/documents', 'builder/v1', 'builder-ai/v1'),
  ...namespaceIndexes('builder/v1/feedback', 'cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1'),

  // A batch is public: each item has the permission of its route.
  ['POST', '/batch/v1', anybody, { body: { requests: [{ path: '/cms/v2/posts', body: { title: 'In a batch' } }] } }],

  // Embeds are public, for published posts alone; the proxy needs edit_posts.
  ['GET', '/oembed/1.0/embed', anybody, { query: `url=${encodeURIComponent(page)}` }],
  ['GET', '/oembed/1.0/proxy', writers, { query: `url=${encodeURIComponent(page)}` }],

  // Posts: everybody reads published ones; who may edit reads drafts; private posts are for editors and their author.
  ['GET', '/cms/v2/posts', anybody],
  ['POST', '/cms/v2/posts', writers, { body: { title: 'A draft' } }],
  ['GET', '/cms/v2/posts/{id}', anybody, { on: 'a published post of the author' }],
  ['GET', '/cms/v2/posts/{id}', authorAndEditors, { on: 'a published post of the author', query: 'context=edit' }],
  ['GET', '/cms/v2/posts/{id}', contributorAndEditors, { on: 'a draft of the contributor' }],
  ['GET', '/cms/v2/posts/{id}', editors, { on: 'a private post of the editor' }],
  // Own posts; all others with edit_others_posts. A contributor cannot edit their own post once it is published.
  [EDITABLE, '/cms/v2/posts/{id}', authorAndEditors, { on: 'a published post of the author', body: { title: 'New' } }],
  [EDITABLE, '/cms/v2/posts/{id}', editors, { on: 'a published post of the contributor', body: { title: 'New' } }],
  [EDITABLE, '/cms/v2/posts/{id}', contributorAndEditors, { on: 'a draft of the contributor', body: { title: 'New' } }],
  [EDITABLE, '/cms/v2/posts/{id}', editors, { on: 'a private post of the editor', body: { title: 'New' } }],
  // Publishing needs publish_posts, whoever the author is.
  [EDITABLE, '/cms/v2/posts/{id}', editors, { on: 'a draft of the contributor', body: { status: 'publish' } }],
  ['DELETE', '/cms/v2/posts/{id}', authorAndEditors, { on: 'a published post of the author' }],
  ['DELETE', '/cms/v2/posts/{id}', editors, { on: 'a published post of the contributor' }],
  ['DELETE', '/cms/v2/posts/{id}', contributorAndEditors, { on: 'a draft of the contributor', query: 'force=true' }],
  ['DELETE', '/cms/v2/posts/{id}', editors, { on: 'a private post of the editor', query: 'force=true' }],
  // Revisions and autosaves are for those who may edit the post.
  ['GET', '/cms/v2/posts/{parent}/revisions', authorAndEditors, { on: 'a revision of a post of the author' }],
  ['GET', '/cms/v2/posts/{parent}/revisions/{id}', authorAndEditors, { on: 'a revision of a post of the author' }],
  [
    'DELETE',
    '/cms/v2/posts/{parent}/revisions/{id}',
    authorAndEditors,
    { on: 'a revision of a post of the author', query: 'force=true' },
  ],
  ['GET', '/cms/v2/posts/{id}/autosaves', authorAndEditors, { on: 'a published post of the author' }],
  [
    'POST',
    '/cms/v2/posts/{id}/autosaves',
    authorAndEditors,
    { on: 'a published post of the author', body: { title: 'x' } },
  ],
  ['GET', '/cms/v2/posts/{parent}/autosaves/{id}', authorAndEditors, { on: 'an autosave of a post of the author' }],

  // Types and taxonomies are public; their edit context is for users who write.
  ['GET', '/cms/v2/types', anybody],
  ['GET', '/cms/v2/types', writers, { query: 'context=edit' }],
  ['GET', '/cms/v2/types/{type}', anybody, { at: { type: 'page' } }],
  ['GET', '/cms/v2/types/{type}', writers, { at: { type: 'post' }, query: 'context=edit' }],
  ['GET', '/cms/v2/types/{type}', editors, { at: { type: 'page' }, query: 'context=edit' }],
  ['GET', '/cms/v2/taxonomies', anybody],
  ['GET', '/cms/v2/taxonomies', writers, { query: 'context=edit' }],
  ['GET', '/cms/v2/taxonomies/{taxonomy}', anybody, { at: { taxonomy: 'category' } }],
  ['GET', '/cms/v2/taxonomies/{taxonomy}', writers, { at: { taxonomy: 'category' }, query: 'context=edit' }],
  ['GET', '/cms/v2/users/me', signedIn],
  // Drawn from the letters in the address.
  ['GET', '/avatars/{initials}', anybody, { at: { initials: 'AB' } }],

  // Accounts and the bar at the top: manage_options.
  ...connections('builder-one/v1'),
  // The way back from the account's own site: a browser brings it, without credentials; state and proof decide.
  ['GET', '/connect/return', anybody, { query: 'state=unknown&code=x' }],
  ['GET', '/builder-one/v1/top-bar/notifications', administrators, { query: 'app_name=a&app_version=1' }],
  ['POST', '/builder-one/v1/top-bar/feedback', administrators, { body: sender }],
  // Themes: install_themes and switch_themes, else 403, for visitors too.
  ['POST', '/builder-one/v1/themes', administratorsNo401, { body: { slug: 'builder-theme-biz' } }],
  ['POST', '/builder-one/v1/themes/{slug}/activate', administratorsNo401, { at: { slug: 'builder-theme-biz' } }],
  // Plugins: activate_plugins lists and upgrades, install_plugins installs, manage_options does the rest.
  ['GET', '/builder-one/v1/plugins', administrators],
  ['POST', '/builder-one/v1/plugins', administrators, { body: { slug: 'assistant' } }],
  ['POST', '/builder-one/v1/plugins/{slug}/activate', administrators, { at: { slug: 'site-mailer' } }],
  ['POST', '/builder-one/v1/plugins/{slug}/deactivate', administrators, { at: { slug: 'site-mailer' } }],
  ['POST', '/builder-one/v1/plugins/{slug}/upgrade', administrators, { at: { slug: 'site-mailer' } }],
  ['POST', '/builder-one/v1/plugins/{slug}/migration/run', administrators, { at: { slug: 'site-mailer' } }],
  ['POST', '/builder-one/v1/plugins/{slug}/migration/rollback', administrators, { at: { slug: 'site-mailer' } }],
  // Settings of the account pages: manage_options for both verbs.
  ['GET', '/builder-one/v1/settings', administrators],
  [EDITABLE, '/builder-one/v1/settings', administrators, { body: { welcomeScreenCompleted: true } }],

  // Media of a document: manage_options, and the right to edit it. The cache: manage_options.
  ['POST', '/builder/v1/documents/{id}/media/import', administrators, { on: 'a builder document of the editor' }],
  ['DELETE', '/builder/v1/cache', administrators],
  // Globals: reading edit_posts; adding and removing manage_options.
  ['GET', '/builder/v1/globals', writers],
  ['GET', '/builder/v1/globals/colors', writers],
  ['GET', '/builder/v1/globals/typography', writers],
  ['GET', '/builder/v1/globals/colors/{id}', writers, { on: 'a custom color' }],
  ['GET', '/builder/v1/globals/typography/{id}', writers, { on: 'a custom typography' }],
  [
    'POST',
    '/builder/v1/globals/colors/{id}',
    administrators,
    { at: { id: 'a1b2c3d' }, body: { title: 'Sea', value: '#2F6B4F' } },
  ],
  [
    'POST',
    '/builder/v1/globals/typography/{id}',
    administrators,
    { at: { id: 'a1b2c3d' }, body: { title: 'Sea', value: {} } },
  ],
  ['DELETE', '/builder/v1/globals/colors/{id}', administrators, { on: 'a custom color' }],
  ['DELETE', '/builder/v1/globals/typography/{id}', administrators, { on: 'a custom typography' }],
  // Settings by key: manage_options.
  ['GET', '/builder/v1/settings/{key}', administrators, { at: { key: 'builder_a_key' } }],
  [EDITABLE, '/builder/v1/settings/{key}', administrators, { at: { key: 'builder_a_key' }, body: { value: 'x' } }],
  // Pickers: edit_posts.
  ['GET', '/builder/v1/post', writers, { query: 'term=a' }],
  ['GET', '/builder/v1/term', writers, { query: 'term=a' }],
  ['GET', '/builder/v1/user', writers, { query: 'term=a' }],
  // A probe for manage_options.
  ['GET', '/builder-ai/v1/permissions', administrators],
  // Favorites, one's own: edit_posts.
  ['GET', '/builder/v1/favorites', writers],
  ['POST', '/builder/v1/favorites/{id}', writers, { at: { id: 'widgets' }, body: { favorite: 'heading' } }],
  ['DELETE', '/builder/v1/favorites/{id}', writers, { at: { id: 'widgets' }, query: 'favorite=heading' }],
  // Defaults of elements: reading edit_posts, writing manage_options.
  ['GET', '/builder/v1/kit-elements-defaults', writers],
  [
    EDITABLE,
    '/builder/v1/kit-elements-defaults/{type}',
    administrators,
    { at: { type: 'heading' }, body: { settings: {} } },
  ],
  ['DELETE', '/builder/v1/kit-elements-defaults/{type}', administrators, { at: { type: 'heading' } }],
  // Site navigation needs edit_posts; adding needs the capability to edit the type, and is 401 for known users too.
  ['GET', '/builder/v1/site-navigation/recent-posts', writers, { query: 'posts_per_page=3' }],
  ['POST', '/builder/v1/site-navigation/add-new-post', writersOr401, { body: { post_type: 'post' } }],
  // The checklist: manage_options everywhere.
  ['GET', '/builder/v1/checklist', administrators],
  ['GET', '/builder/v1/checklist/{id}', administrators, { at: { id: 1 } }],
  ['GET', '/builder/v1/checklist/steps', administrators],
  ['GET', '/builder/v1/checklist/steps/{id}', administrators, { at: { id: 1 } }],
  [
    EDITABLE,
    '/builder/v1/checklist/steps/{id}',
    administrators,
    { at: { id: 'add_logo' }, body: { is_marked_completed: true } },
  ],
  ['GET', '/builder/v1/checklist/user-progress', administrators],
  [EDITABLE, '/builder/v1/checklist/user-progress', administrators, { body: { is_popup_minimized: true } }],
  // Templates of the library: edit_posts, for adding too.
  ['GET', '/builder/v1/template-library/templates', writers],
  ['POST', '/builder/v1/template-library/templates', writers, { body: { title: 'Top', type: 'page', content: {} } }],
  // Who sees a template in the library takes its file.
  ['GET', '/builder/v1/template-library/templates/{id}/export', writers, { on: 'a template of the library' }],
  [
    'GET',
    '/builder/v1/template-library/templates/export',
    writers,
    { on: 'a template of the library', query: 'ids={id}' },
  ],
  ['GET', '/builder/v1/template-library/catalogue/{id}', writers, { at: { id: 'price-table' } }],
  // One's own data: any user.
  ['GET', '/builder/v1/user-data/current-user', signedIn],
  ['PATCH', '/builder/v1/user-data/current-user', signedIn, { body: { suppressedMessages: ['welcome'] } }],
  // The library's account, and events (reading what was recorded too): manage_options.
  ['POST', '/builder/v1/library/connect', administrators, { body: { token: 'a-token' } }],
  ['DELETE', '/builder/v1/library/connect', administrators],
  ['GET', '/builder/v1/send-event', administrators],
  ['POST', '/builder/v1/send-event', administrators, { body: { event_data: { name: 'opened', ts: 1_700_000_000 } } }],
  // Feedback: public.
  ['POST', '/builder/v1/feedback/submit', anybody, { body: { description: 'Good' } }],

  // Components: the list, the styles and the overridable properties edit_posts; everything else manage_options.
  ['GET', '/builder/v1/components', writers],
  ['GET', '/builder/v1/components/styles', writers],
  ['GET', '/builder/v1/components/overridable-props', writers, { on: 'a component', query: 'componentId={id}' }],
  ['POST', '/builder/v1/components', administrators, { body: { status: 'draft', items: [component] } }],
  ['POST', '/builder/v1/components/create-validate', administrators, { body: { items: [component] } }],
  ['GET', '/builder/v1/components/lock-status', administrators, { on: 'a component', query: 'componentId={id}' }],
  ['POST', '/builder/v1/components/lock', administrators, { on: 'a component', body: { componentId: '{id}' } }],
  [
    'POST',
    '/builder/v1/components/unlock',
    administrators,
    { on: 'a component that the administrator holds', body: { componentId: '{id}' } },
  ],
  [
    'PUT',
    '/builder/v1/components/status',
    administrators,
    { on: 'a component', body: { status: 'publish', ids: ['{id}'] } },
  ],
  [
    'POST',
    '/builder/v1/components/archive',
    administrators,
    { on: 'a component', body: { componentIds: ['{id}'], status: 'publish' } },
  ],
  [
    'POST',
    '/builder/v1/components/update-titles',
    administrators,
    { on: 'a component', body: { components: [{ componentId: '{id}', title: 'New {serial}' }], status: 'publish' } },
  ],
]

const onlyD1: readonly Entry[] = [
  ...namespaceIndexes('builder-theme/v1'),
  // The theme: manage_options on every route.
  ['GET', '/builder-theme/v1/promotions', administrators],
  ['GET', '/builder-theme/v1/admin-settings', administrators],
  ['GET', '/builder-theme/v1/whats-new', administrators],
  ['GET', '/builder-theme/v1/theme-settings', administrators],
  [EDITABLE, '/builder-theme/v1/theme-settings', administrators, { body: { settings: { SKIP_LINK: true } } }],
  // Global classes: any signed-in user reads, a capability of administrators writes, usage needs manage_options.
  ['GET', '/builder/v1/global-classes', signedIn],
  [
    'PUT',
    '/builder/v1/global-classes',
    administrators,
    { body: { changes: { added: [], deleted: [], modified: [] }, items: {}, order: [] } },
  ],
  ['GET', '/builder/v1/global-classes/usage', administrators],
  // Variables: the list edit_posts, all writes manage_options.
  ['GET', '/builder/v1/variables/list', writers],
  [
    'POST',
    '/builder/v1/variables/create',
    administrators,
    { body: { type: 'global-color-variable', label: 'new-{serial}', value: '#ffffff' } },
  ],
  [
    EDITABLE,
    '/builder/v1/variables/update',
    administrators,
    { on: 'a variable', body: { id: '{id}', label: 'other-{serial}', value: '#000000' } },
  ],
  [EDITABLE, '/builder/v1/variables/delete', administrators, { on: 'a variable', body: { id: '{id}' } }],
  [EDITABLE, '/builder/v1/variables/restore', administrators, { on: 'a deleted variable', body: { id: '{id}' } }],
  [
    'POST',
    '/builder/v1/variables/batch',
    administrators,
    { on: 'a variable', body: { watermark: '{watermark}', operations: [{ type: 'delete', id: '{id}' }] } },
  ],
  // The synced style sheet: edit_posts. Switching the new editor on: manage_options.
  ['POST', '/builder/v1/design-system-sync/stylesheet', writers],
  ['POST', '/builder/v1/operations/opt-in-v4', administrators],
  // Onboarding: manage_options everywhere; installing a theme needs install_themes and switch_themes besides.
  ['GET', '/builder/v1/onboarding', administrators],
  ['GET', '/builder/v1/onboarding/user-progress', administrators],
  [EDITABLE, '/builder/v1/onboarding/user-progress', administrators, { body: { start: true } }],
  ['GET', '/builder/v1/onboarding/user-choices', administrators],
  [EDITABLE, '/builder/v1/onboarding/user-choices', administrators, { body: { building_for: 'myself' } }],
  ['GET', '/builder/v1/onboarding/pro-install-screen', administrators],
  ['GET POST', '/builder/v1/onboarding/install-pro', administrators],
  ['GET', '/builder/v1/onboarding/install-theme', administrators],
  ['POST', '/builder/v1/onboarding/install-theme', administrators, { body: { theme_slug: 'builder-theme' } }],
]

const onNote = { on: 'a note of the administrator' }
const onSubmission = { on: 'a form submission' }
const onTemplate = { on: 'a template of the site editor' }
const onRemediation = { on: 'a remediation of a page' }
const note = { post_id: '{post}', element_id: 'a1b2c3d', content: 'Nice', position: { x: 1, y: 2 } }
const remediation = {
  ...{ url: page, rule: 'img_alt_missing', group: 'altText' },
  remediation: { type: 'ATTRIBUTE', category: 'A', xpath: '/html/body' },
}

const onlyD2: readonly Entry[] = [
  ...namespaceIndexes('builder-theme-plus/v1', 'builder-theme-biz/v1', 'builder-pro/v1', 'a11y/v1', 'imgopt/v1'),
  ...namespaceIndexes('hub-connector/v1', 'crosssell/v1'),
  // Both themes: manage_options on every route.
  ['GET', '/builder-theme-plus/v1/onboarding-settings', administrators],
  ['GET', '/builder-theme-plus/v1/whats-new', administrators],
  ['GET', '/builder-theme-biz/v1/promotions', administrators],
  ['GET', '/builder-theme-biz/v1/admin-settings', administrators],
  ['GET', '/builder-theme-biz/v1/whats-new', administrators],
  ['GET', '/builder-theme-biz/v1/theme-settings', administrators],
  [EDITABLE, '/builder-theme-biz/v1/theme-settings', administrators, { body: { settings: { skip_link: true } } }],
  ['POST', '/builder-theme-biz/v1/install-confirmation/dismiss', administrators],

  // The site editor: edit_theme_options and the right to edit the kit, one check for all methods.
  ['GET', '/builder/v1/site-editor', administrators],
  ['GET', '/builder/v1/site-editor/conditions-config', administrators],
  [
    'GET',
    '/builder/v1/site-editor/templates-conditions-conflicts',
    administrators,
    { ...onTemplate, query: 'post_id={id}&condition=include/general' },
  ],
  ['GET', '/builder/v1/site-editor/templates', administrators],
  [
    'POST',
    '/builder/v1/site-editor/templates',
    administrators,
    { body: { fileName: 'top.json', fileData: btoa(JSON.stringify(templateFile)) } },
  ],
  [EDITABLE, '/builder/v1/site-editor/templates/{id}', administrators, { ...onTemplate, body: { post_title: 'New' } }],
  ['DELETE', '/builder/v1/site-editor/templates/{id}', administrators, onTemplate],
  ['GET', '/builder/v1/site-editor/templates-conditions/{id}', administrators, onTemplate],
  [
    EDITABLE,
    '/builder/v1/site-editor/templates-conditions/{id}',
    administrators,
    { ...onTemplate, body: { conditions: [['include', 'general', '', '']] } },
  ],

  // The license is for any signed-in user, the posts widget is public, and the taxonomies of a type need edit_posts.
  ['GET', '/builder-pro/v1/license/tier-features', signedIn],
  ['GET', '/builder-pro/v1/license/get-license-status', signedIn],
  [
    'GET',
    '/builder-pro/v1/posts-widget',
    anybody,
    { on: 'a builder document of the editor', query: 'post_id={id}&element_id=10091d0&page=1' },
  ],
  ['POST', '/builder-pro/v1/get-post-type-taxonomies', writers, { body: { post_type: 'post' } }],
  // Refreshing: who may edit the document; all others only a published one's own loop (or search) widget.
  [
    'POST',
    '/builder-pro/v1/refresh-loop',
    anybody,
    { on: 'a builder document of the editor', body: { post_id: '{id}', widget_id: '10091d0', widget_filters: {} } },
  ],
  [
    'POST',
    '/builder-pro/v1/refresh-loop',
    editors,
    { on: 'a builder document of the editor', body: { post_id: '{id}', widget_id: 'a1b2c3d', widget_filters: {} } },
  ],
  [
    'POST',
    '/builder-pro/v1/refresh-loop',
    editors,
    {
      on: 'a private builder document of the editor',
      body: { post_id: '{id}', widget_id: '10091d0', widget_filters: {} },
    },
  ],
  [
    'POST',
    '/builder-pro/v1/refresh-search',
    anybody,
    { on: 'a builder document of the editor', body: { post_id: '{id}', widget_id: '5ea2c40' } },
  ],
  [
    'POST',
    '/builder-pro/v1/refresh-search',
    editors,
    { on: 'a builder document of the editor', body: { post_id: '{id}', widget_id: 'a1b2c3d' } },
  ],
  // Templates of global widgets: edit_posts.
  ['GET', '/builder/v1/global-widget/templates', writers],

  // Forms and submissions: manage_options on every route.
  ['GET', '/builder/v1/forms', administrators],
  ['GET', '/builder/v1/form-submissions', administrators],
  ['DELETE', '/builder/v1/form-submissions', administrators, { ...onSubmission, query: 'ids[]={id}&force=true' }],
  [
    EDITABLE,
    '/builder/v1/form-submissions',
    administrators,
    { ...onSubmission, body: { ids: ['{id}'], is_read: true } },
  ],
  ['GET', '/builder/v1/form-submissions/{id}', administrators, onSubmission],
  ['DELETE', '/builder/v1/form-submissions/{id}', administrators, onSubmission],
  [EDITABLE, '/builder/v1/form-submissions/{id}', administrators, { ...onSubmission, body: { is_read: true } }],
  [EDITABLE, '/builder/v1/form-submissions/restore/{id}', administrators, { on: 'a form submission in the trash' }],
  [
    EDITABLE,
    '/builder/v1/form-submissions/restore',
    administrators,
    { on: 'a form submission in the trash', body: { ids: ['{id}'] } },
  ],
  ['GET', '/builder/v1/form-submissions/export', administrators, onSubmission],
  ['GET', '/builder/v1/form-submissions/referer', administrators],

  // Notes have separate capabilities, which administrators have and no other role has until it is given them.
  ['GET', '/builder/v1/notes', administrators],
  [
    'POST',
    '/builder/v1/notes',
    administrators,
    { on: 'a builder document of the editor', body: { ...note, post_id: '{id}' } },
  ],
  ['POST', '/builder/v1/notes', administrators, { ...onNote, body: { ...note, parent_id: '{id}' } }],
  ['POST', '/builder/v1/notes/read-status', administrators, { ...onNote, body: { ids: ['{id}'] } }],
  ['DELETE', '/builder/v1/notes/read-status', administrators, { ...onNote, query: 'ids[]={id}' }],
  ['GET', '/builder/v1/notes/summary', administrators],
  ['GET', '/builder/v1/notes/users', administrators],
  ['GET', '/builder/v1/notes/{id}', administrators, onNote],
  [EDITABLE, '/builder/v1/notes/{id}', administrators, { ...onNote, body: { content: 'Better' } }],
  ['DELETE', '/builder/v1/notes/{id}', administrators, onNote],

  // Accessibility: any signed-in user passes the gate, then manage_options; 403 for those without it.
  ...connections('a11y/v1'),
  ['GET', '/a11y/v1/settings/get-settings', administrators],
  ['GET', '/a11y/v1/analytics/statistic', administrators, { query: 'period=7' }],
  ['POST', '/a11y/v1/settings/get-media', administrators, { body: '"https://quay.example/nothing.svg"' }],
  [
    'POST',
    '/a11y/v1/remediation/register',
    administrators,
    { body: { url: page, title: 'Ferry', object_id: '1', object_type: 'post', object_type_name: 'post', summary: {} } },
  ],
  ['POST', '/a11y/v1/remediation/set-alt-text', administrators, { body: { url: `${page}pier.jpg`, alt_text: 'Pier' } }],
  [
    'POST',
    '/a11y/v1/remediation/trigger-save',
    administrators,
    { on: 'a published post of the author', body: { object_id: '{id}', object_type: 'post' } },
  ],
  [
    'POST',
    '/a11y/v1/remediation/heading-level',
    administrators,
    { body: { url: page, xpath: '/html/body/h2', level: 'h3', rule: 'heading' } },
  ],
  [
    'POST',
    '/a11y/v1/remediation/dismiss-heading-issue',
    administrators,
    { body: { pageId: 1, xpath: '/html/body/h2' } },
  ],
  ['POST', '/a11y/v1/reviews/review', administrators, { body: { rating: 5, feedback: 'Good' } }],
  ['GET', '/a11y/v1/remediation/items', administrators, { query: `url=${encodeURIComponent(page)}` }],
  ['PATCH', '/a11y/v1/remediation/items', administrators, { ...onRemediation, body: { url: page, active: false } }],
  [
    'DELETE',
    '/a11y/v1/remediation/items',
    administrators,
    { ...onRemediation, query: `url=${encodeURIComponent(page)}` },
  ],
  ['POST', '/a11y/v1/remediation/item', administrators, { body: remediation }],
  [
    'PUT',
    '/a11y/v1/remediation/item',
    administrators,
    { ...onRemediation, body: { id: '{id}', url: page, content: '{}' } },
  ],
  [
    'PATCH',
    '/a11y/v1/remediation/item',
    administrators,
    { ...onRemediation, body: { id: '{id}', url: page, active: true } },
  ],
  [
    'DELETE',
    '/a11y/v1/remediation/item',
    administrators,
    { ...onRemediation, query: `id={id}&url=${encodeURIComponent(page)}` },
  ],
  ['POST', '/a11y/v1/remediation/global-item', administrators, { ...onRemediation, body: { id: '{id}' } }],
  [
    'PUT PATCH',
    '/a11y/v1/remediation/global-item',
    administrators,
    { on: 'a global remediation', body: { id: '{id}', url: page, active: false } },
  ],
  ['DELETE', '/a11y/v1/remediation/global-item', administrators, { on: 'a global remediation', query: 'id={id}' }],
  ['PUT PATCH', '/a11y/v1/remediation/global-items', administrators, { body: { url: page, active: false } }],
  ['DELETE', '/a11y/v1/remediation/global-items', administrators, { on: 'a global remediation' }],
  [
    'PUT PATCH',
    '/a11y/v1/remediation/global-items-group',
    administrators,
    { body: { url: page, group: 'altText', active: false } },
  ],
  ['DELETE', '/a11y/v1/remediation/clear-cache', administrators],

  // Presets of pictures: manage_options. The hub: manage_options.
  ['GET', '/imgopt/v1/preset_configs', administrators],
  ['POST', '/imgopt/v1/preset_configs', administrators, { body: [{ id: 1, name: 'Small', settings: {} }] }],
  [EDITABLE, '/hub-connector/v1/sync', administrators, { body: { force: true } }],
  [EDITABLE, '/hub-connector/v1/logout', administrators],
  // Other plugins: install_plugins and activate_plugins.
  [
    EDITABLE,
    '/crosssell/v1/plugincrosssell/install_plugin',
    administrators,
    { body: { plugin_slug: 'image-optimization' } },
  ],
  [
    EDITABLE,
    '/crosssell/v1/plugincrosssell/activate_plugin',
    administrators,
    { body: { plugin_slug: 'image-optimization' } },
  ],
]

export const permissionTable: { readonly [profile in 'd1' | 'd2' | 'content' | 'documents']: readonly Entry[] } = {
  d1: [...both, ...onlyD1],
  d2: [...both, ...onlyD2],
  /** Without the routes that D1 has too. */
  content: contentPermissions,
  /** The table has no routes of `full`. */
  documents: documentPermissions,
}
