/** Pages of the features that only profile d2 has. */
import { d2 } from '../../src/index.ts'
import type { Group } from './group.ts'
import { siteUrl } from './scene.ts'

const root = '/builder/v1'

const noteGroup: Group = {
  slug: 'notes',
  title: 'Notes',
  intro:
    'Comments on elements of a page, with replies, mentions and read marks. Notes have their own capabilities, which\n' +
    'only administrators have by default. The element must be in the document `post_id`, and its position is in percent.\n' +
    'A note is public unless `is_public` is false; a reply inherits this from its thread and must not have the member.',
  features: ['notes'],
  profile: d2,
  async run({ ask, id }) {
    const path = `${root}/notes`
    const note = {
      ...{ post_id: id('page.welcome'), element_id: '7c1d0a2', position: { x: 12.5, y: 40 } },
      content: 'Shall we say fortnightly?',
    }
    const reply = { ...note, content: 'Every other Friday is clearer.' }
    const made = await ask({
      says: 'Create a note.',
      as: 'ada',
      method: 'POST',
      path,
      body: { ...note, is_public: true },
    })
    await ask({
      says: 'Reply to it.',
      as: 'ada',
      method: 'POST',
      path,
      body: { ...reply, parent_id: Number(made.at('data', 'id')) },
      shows: ['id', 'post_id', 'content', 'parent_id', 'status'],
    })
    await ask({
      says: 'Mark it as resolved.',
      as: 'ada',
      method: 'PATCH',
      path: `${path}/${made.at('data', 'id')}`,
      body: { is_resolved: true },
      shows: ['id', 'is_resolved', 'updated_at'],
    })
    await ask({ says: 'Editors need the capability.', as: 'tomas', method: 'GET', path })
  },
}

const submissionGroup: Group = {
  slug: 'form-submissions',
  title: 'Form submissions',
  intro:
    'Data that visitors have sent with public forms: list, mark as read, change, export and remove. These routes do not\n' +
    'accept new submissions: the host receives a form and calls `api.site.submissions.add`. DELETE moves to the trash\n' +
    'unless `force` is true. Dates in filters are days in the time zone of the site.',
  features: ['form-submissions'],
  profile: d2,
  async run({ api, ask, id, clock }) {
    const path = `${root}/form-submissions`
    const form = { postId: id('page.support'), elementId: '476d0ce', formName: 'Write to the desk' }
    const senders = [
      ['M. Aldous', 'aldous@mail.example'],
      ['B. Reyes', 'reyes@mail.example'],
    ] as const
    for (const [name, email] of senders) {
      await api.site.submissions.add({
        ...form,
        fields: [
          { id: 'name', type: 'text', label: 'Name', value: name },
          { id: 'email', type: 'email', label: 'E-mail', value: email },
        ],
        referer: `${siteUrl}/support/`,
        refererTitle: 'Support the Letter',
      })
      clock.now += 1000
    }
    const list = await ask({ says: 'The newest one.', as: 'ada', method: 'GET', path: `${path}?per_page=1` })
    await ask({
      says: 'Mark it as read.',
      as: 'ada',
      method: 'PATCH',
      path: `${path}/${list.at('data', 0, 'id')}`,
      body: { is_read: true },
      shows: ['id', 'is_read', 'status', 'updated_at_gmt'],
    })
    await ask({ says: 'All of them as CSV.', as: 'ada', method: 'GET', path: `${path}/export` })
    await ask({ says: 'Several go to the trash.', as: 'ada', method: 'DELETE', path: `${path}?ids=1,2` })
    await ask({ says: 'Not for editors.', as: 'tomas', method: 'GET', path })
  },
}

const editorGroup: Group = {
  slug: 'site-editor',
  title: 'Site editor',
  intro:
    'Templates for headers, footers and pages of a site, and the conditions for where each is shown. A condition has up\n' +
    'to four parts: `include` or `exclude`, a place, a place within it, an id. The most specific condition wins; among\n' +
    'equal ones, the newest template. A write replaces all conditions of a template; with an empty list it is not shown.',
  features: ['site-editor'],
  profile: d2,
  async run({ ask }) {
    const path = `${root}/site-editor`
    const file = { title: 'Masthead', type: 'header', content: [{ id: '1a2b3c4', elType: 'container', elements: [] }] }
    const made = await ask({
      says: 'A template from a file: its JSON in base64.',
      as: 'ada',
      method: 'POST',
      path: `${path}/templates`,
      body: { fileName: 'masthead.json', fileData: btoa(JSON.stringify(file)) },
    })
    const id = made.at(0, 'id')
    await ask({
      says: 'It is shown on the whole site, except on the front page.',
      as: 'ada',
      method: 'PUT',
      path: `${path}/templates-conditions/${id}`,
      body: {
        conditions: [
          { type: 'include', name: 'general', sub: '', subId: '' },
          { type: 'exclude', name: 'singular', sub: 'front_page', subId: '' },
        ],
      },
    })
    await ask({
      says: 'Its conditions.',
      as: 'ada',
      method: 'GET',
      path: `${path}/templates-conditions/${id}`,
    })
    await ask({
      says: 'Neither included nor excluded.',
      as: 'ada',
      method: 'PUT',
      path: `${path}/templates-conditions/${id}`,
      body: { conditions: [{ type: 'perhaps', name: 'general' }] },
    })
  },
}

const presetGroup: Group = {
  slug: 'image-presets-and-hub-connector',
  title: 'Image presets and hub connector',
  intro:
    'Presets of the image optimization, a list that is read and replaced as a whole; and the connection to a hub that\n' +
    'manages several sites. A preset that is not in the list is removed, including the built-in one. The hub connector\n' +
    'answers 200 even if it fails; `success` has the outcome.',
  features: ['image-presets', 'hub-connector'],
  profile: d2,
  async run({ api, ask }) {
    const path = '/imgopt/v1/preset_configs'
    await ask({
      says: 'Replace the list.',
      as: 'ada',
      method: 'POST',
      path,
      body: [
        {
          id: 2,
          name: 'Print',
          note: 'Nothing is lost',
          config: { configs: { settings: { lossy: 0, backup: true } } },
        },
      ],
    })
    await ask({ says: 'Something else than a list.', as: 'ada', method: 'POST', path })
    const sync = '/hub-connector/v1/sync'
    await ask({ says: 'A site without a connection.', as: 'ada', method: 'POST', path: sync })
    await api.site.options.write({ hub_connector_key: 'key' })
    await ask({ says: 'The same with one.', as: 'ada', method: 'POST', path: sync, body: { force: true } })
  },
}

const accessibilityGroup: Group = {
  slug: 'accessibility',
  title: 'Accessibility',
  intro:
    'Problems that a scan found on a page, and their remediations. A remediation applies to one URL, or with `global` to\n' +
    'all pages; a page can turn off a global one. URLs are compared in the normalised form of browsers, so always send\n' +
    'the same one. An unknown id changes nothing and is not an error. The pages of `site-api/pages` apply remediations; a\n' +
    'host with pages of its own does it with `api.site.accessibility`, which scans pages too\n' +
    '([accessibility.md](../accessibility.md)).',
  features: ['accessibility'],
  profile: d2,
  async run({ ask, id }) {
    const url = `${siteUrl}/welcome/`
    const root = '/a11y/v1/remediation'
    await ask({
      says: 'Register a page that was scanned.',
      as: 'ada',
      method: 'POST',
      path: `${root}/register`,
      body: {
        ...{ url, title: 'Welcome', object_id: id('page.welcome') },
        ...{ object_type: 'post', object_type_name: 'page', summary: { counts: { altText: 1 } } },
      },
    })
    await ask({
      says: 'Add an alternative text to an image.',
      as: 'ada',
      method: 'POST',
      path: `${root}/item`,
      body: {
        ...{ url, rule: 'img_alt_missing', group: 'altText' },
        remediation: {
          ...{ type: 'ATTRIBUTE', category: 'A', xpath: '/html/body/img[1]' },
          ...{ action: 'add', attribute_name: 'alt', attribute_value: 'The weir in March' },
        },
      },
    })
    await ask({
      says: 'The remediations of the page.',
      as: 'ada',
      method: 'GET',
      path: `${root}/items?url=${encodeURIComponent(url)}`,
    })
    await ask({ says: 'The address is missing.', as: 'ada', method: 'DELETE', path: `${root}/items` })
  },
}

const liveGroup: Group = {
  slug: 'live-and-global-widgets',
  title: 'Live widgets, global widgets and the license',
  intro:
    'Requests of pages that are already open: a list of posts with other filters, or search results while the user\n' +
    'types. Visitors get the stored element; only editors of the document can render an unsaved one. Global widgets are\n' +
    'templates that many pages use, with new ids on each read. The license lists what the host allows; no other server\n' +
    'is contacted.',
  features: ['live-widgets', 'global-widgets', 'license'],
  profile: d2,
  async run({ ask, api, id, hide }) {
    const post = id('post.swifts')
    const list = { id: 'b2c3d4e', elType: 'widget', widgetType: 'posts', settings: { posts_per_page: 2 }, elements: [] }
    const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([list]) }
    await api.call('PATCH', `/cms/v2/posts/${post}`, { meta }, { as: 'system' })
    const path = '/builder-pro/v1'
    await ask({
      says: 'The second page of a list of posts on a page.',
      as: null,
      method: 'GET',
      path: `${path}/posts-widget?post_id=${post}&element_id=${list.id}&page=2`,
    })
    await ask({
      says: 'An element that is not in the document.',
      as: null,
      method: 'GET',
      path: `${path}/posts-widget?post_id=${post}&element_id=0000000`,
    })
    const saved = await api.call<{ template_id: number }>(
      'POST',
      `${root}/template-library/templates`,
      {
        title: 'Banner',
        type: 'page',
        content: { 0: { ...list, widgetType: 'heading', settings: { title: 'Letters' } } },
      },
      { as: 'system' },
    )
    const widget = saved.data.template_id
    const read = await ask({
      says: 'A global widget. Its ids are new with each read.',
      as: 'tomas',
      method: 'GET',
      path: `${root}/global-widget/templates?ids=${widget}`,
    })
    hide(read.at(widget, 'id'), 'ELEMENT_ID')
    await ask({ says: 'The license.', as: 'june', method: 'GET', path: `${path}/license/get-license-status` })
  },
}

export const plusGroups: readonly Group[] = [
  noteGroup,
  submissionGroup,
  editorGroup,
  presetGroup,
  accessibilityGroup,
  liveGroup,
]
