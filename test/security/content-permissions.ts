/** The expected permission decisions of the routes that only profiles with `contentFeatures` have. */
import {
  administrators,
  anybody,
  authorAndEditors,
  contributorAndEditors,
  type Decisions,
  EDITABLE,
  type Entry,
  editors,
  signedIn,
  writers,
} from './permission-actors.ts'

/** `publish_posts`. */
const publishers: Decisions = [401, 403, 403, 'ok', 'ok', 'ok', 401]
/** The commenter, and those who may edit the post. */
const commenterAndModerators: Decisions = [401, 'ok', 403, 'ok', 'ok', 'ok', 401]

const pages: readonly Entry[] = [
  ['GET', '/cms/v2/pages', anybody],
  ['GET', '/cms/v2/pages', editors, { query: 'context=edit' }],
  ['POST', '/cms/v2/pages', editors, { body: { title: 'New {serial}' } }],
  ['GET', '/cms/v2/pages/{id}', anybody, { on: 'a published page' }],
  [`${EDITABLE} DELETE`, '/cms/v2/pages/{id}', editors, { on: 'a published page', body: { title: 'Changed' } }],
  ['GET', '/cms/v2/pages/{parent}/revisions', editors, { on: 'a revision of a page' }],
  ['GET', '/cms/v2/pages/{parent}/revisions/{id}', editors, { on: 'a revision of a page' }],
  ['DELETE', '/cms/v2/pages/{parent}/revisions/{id}', editors, { on: 'a revision of a page', body: { force: true } }],
  ['GET', '/cms/v2/pages/{id}/autosaves', editors, { on: 'a published page' }],
  ['POST', '/cms/v2/pages/{id}/autosaves', editors, { on: 'a published page', body: { title: 'Draft' } }],
  ['GET', '/cms/v2/pages/{parent}/autosaves/{id}', editors, { on: 'an autosave of a page' }],
]

const blocks: readonly Entry[] = [
  // Others than writers get no rows.
  ['GET', '/cms/v2/blocks', anybody],
  ['GET', '/cms/v2/blocks', writers, { query: 'context=edit' }],
  ['POST', '/cms/v2/blocks', publishers, { body: { title: 'New {serial}' } }],
  ['GET', '/cms/v2/blocks/{id}', writers, { on: 'a block of the author' }],
  [
    `${EDITABLE} DELETE`,
    '/cms/v2/blocks/{id}',
    authorAndEditors,
    { on: 'a block of the author', body: { title: 'Changed' } },
  ],
  ['GET', '/cms/v2/blocks/{parent}/revisions', authorAndEditors, { on: 'a revision of a block' }],
  ['GET', '/cms/v2/blocks/{parent}/revisions/{id}', authorAndEditors, { on: 'a revision of a block' }],
  [
    'DELETE',
    '/cms/v2/blocks/{parent}/revisions/{id}',
    authorAndEditors,
    { on: 'a revision of a block', body: { force: true } },
  ],
  ['GET', '/cms/v2/blocks/{id}/autosaves', authorAndEditors, { on: 'a block of the author' }],
  ['POST', '/cms/v2/blocks/{id}/autosaves', authorAndEditors, { on: 'a block of the author', body: { title: 'x' } }],
  ['GET', '/cms/v2/blocks/{parent}/autosaves/{id}', authorAndEditors, { on: 'an autosave of a block' }],
]

const comments: readonly Entry[] = [
  ['GET', '/cms/v2/comments', anybody],
  ['GET', '/cms/v2/comments', writers, { query: 'status=hold' }],
  // `moderate_comments`.
  ['GET', '/cms/v2/comments', editors, { query: 'context=edit' }],
  // Visitors only where the site takes their comments.
  ['POST', '/cms/v2/comments', signedIn, { on: 'a published post', body: { post: '{id}', content: 'Words {serial}' } }],
  ['GET', '/cms/v2/comments/{id}', anybody, { on: 'an approved comment' }],
  ['GET', '/cms/v2/comments/{id}', editors, { on: 'an approved comment', query: 'context=edit' }],
  ['GET', '/cms/v2/comments/{id}', commenterAndModerators, { on: 'a held comment of the subscriber' }],
  [
    `${EDITABLE} DELETE`,
    '/cms/v2/comments/{id}',
    authorAndEditors,
    { on: 'an approved comment', body: { content: 'Changed' } },
  ],
]

/** `upload_files`. */
const uploaders: Decisions = [401, 403, 403, 'ok', 'ok', 'ok', 401]

const media: readonly Entry[] = [
  ['GET', '/cms/v2/media', anybody],
  ['GET', '/cms/v2/media', writers, { query: 'context=edit' }],
  ['POST', '/cms/v2/media', uploaders, { body: { title: 'New {serial}' } }],
  // Attaching a file needs the right to edit the post.
  ['POST', '/cms/v2/media', authorAndEditors, { on: 'a published post of the author', body: { post: '{id}' } }],
  ['POST', '/cms/v2/media', editors, { on: 'a published post of the contributor', body: { post: '{id}' } }],
  ['GET', '/cms/v2/media/{id}', anybody, { on: 'a file of the author' }],
  ['GET', '/cms/v2/media/{id}', authorAndEditors, { on: 'a file of the author', query: 'context=edit' }],
  // A file has the visibility of its post; its author always sees it.
  ['GET', '/cms/v2/media/{id}', authorAndEditors, { on: 'a file of the author below a private post of the editor' }],
  [
    `${EDITABLE} DELETE`,
    '/cms/v2/media/{id}',
    authorAndEditors,
    { on: 'a file of the author', query: 'force=true', body: { title: 'Changed' } },
  ],
  [
    'POST',
    '/cms/v2/media/{id}/post-process',
    authorAndEditors,
    { on: 'a file of the author', body: { action: 'create-image-subsizes' } },
  ],
  [
    'POST',
    '/cms/v2/media/{id}/edit',
    authorAndEditors,
    { on: 'a file of the author', body: { src: 'https://quay.example/x.png', rotation: 90 } },
  ],
]

/** `edit_theme_options`. Menus and items are read by those who may edit any content. */
const menus: readonly Entry[] = [
  ['GET', '/cms/v2/menus', writers],
  ['GET', '/cms/v2/menus', administrators, { query: 'context=edit' }],
  ['POST', '/cms/v2/menus', administrators, { body: { name: 'Menu {serial}' } }],
  ['GET', '/cms/v2/menus/{id}', writers, { on: 'a menu' }],
  [`${EDITABLE} DELETE`, '/cms/v2/menus/{id}', administrators, { on: 'a menu', body: { auto_add: true, force: true } }],
  ['GET', '/cms/v2/menu-items', writers],
  ['GET', '/cms/v2/menu-items', administrators, { query: 'context=edit' }],
  ['POST', '/cms/v2/menu-items', administrators, { body: { title: 'Item', url: 'https://a.example/{serial}' } }],
  ['GET', '/cms/v2/menu-items/{id}', writers, { on: 'a menu item' }],
  [
    `${EDITABLE} DELETE`,
    '/cms/v2/menu-items/{id}',
    administrators,
    { on: 'a menu item', body: { title: 'x', force: true } },
  ],
  ['GET', '/cms/v2/menu-items/{id}/autosaves', administrators, { on: 'a menu item' }],
  ['POST', '/cms/v2/menu-items/{id}/autosaves', administrators, { on: 'a menu item', body: { title: 'x' } }],
  ['GET', '/cms/v2/menu-items/{parent}/autosaves/{id}', administrators, { on: 'an autosave of a menu item' }],
  ['GET', '/cms/v2/menu-locations', administrators],
  ['GET', '/cms/v2/menu-locations/{location}', administrators, { at: { location: 'primary' } }],
]

/** Whoever writes posts creates flat terms; editors create the others, and they change, remove and see all of each. */
const termsOf = (restBase: string, creators: Decisions): readonly Entry[] => [
  ['GET', `/cms/v2/${restBase}`, anybody],
  ['GET', `/cms/v2/${restBase}`, editors, { query: 'context=edit' }],
  ['GET', `/cms/v2/${restBase}`, contributorAndEditors, { on: 'a draft of the contributor', query: 'post={id}' }],
  ['POST', `/cms/v2/${restBase}`, creators, { body: { name: 'New {serial}' } }],
  ['GET', `/cms/v2/${restBase}/{id}`, anybody, { on: `a term of ${restBase}` }],
  ['GET', `/cms/v2/${restBase}/{id}`, editors, { on: `a term of ${restBase}`, query: 'context=edit' }],
  [EDITABLE, `/cms/v2/${restBase}/{id}`, editors, { on: `a term of ${restBase}`, body: { description: 'Changed' } }],
  ['DELETE', `/cms/v2/${restBase}/{id}`, editors, { on: `a term of ${restBase}`, query: 'force=true' }],
]

const catalogue: readonly Entry[] = [
  ['GET', '/cms/v2/search', anybody],
  ['GET', '/cms/v2/statuses', anybody],
  ['GET', '/cms/v2/statuses', writers, { query: 'context=edit' }],
  ['GET', '/cms/v2/statuses/{status}', anybody, { at: { status: 'publish' } }],
  ['GET', '/cms/v2/statuses/{status}', writers, { at: { status: 'draft' } }],
  ['GET', '/cms/v2/themes', writers, { query: 'context=edit&status=active' }],
  // `manage_options`.
  ['GET', '/cms/v2/settings', administrators],
  [EDITABLE, '/cms/v2/settings', administrators, { body: { description: 'Changed' } }],
]

/** The author, and those with `edit_users`. */
const authorAndAdministrators: Decisions = [401, 403, 403, 'ok', 403, 'ok', 401]
const newUser = { username: 'new{serial}', email: 'new{serial}@example.test', password: 'open sesame' }
const passwords = '/cms/v2/users/{user_id}/application-passwords'

const users: readonly Entry[] = [
  // Users with published posts; all of them, and filters that tell more, with `list_users`.
  ['GET', '/cms/v2/users', anybody],
  ['GET', '/cms/v2/users', administrators, { query: 'roles=author' }],
  ['GET', '/cms/v2/users', administrators, { query: 'capabilities=edit_posts' }],
  ['GET', '/cms/v2/users', administrators, { query: 'orderby=email' }],
  ['GET', '/cms/v2/users', writers, { query: 'who=authors' }],
  ['GET', '/cms/v2/users', administrators, { query: 'context=edit' }],
  ['POST', '/cms/v2/users', administrators, { body: newUser }],
  ['GET', '/cms/v2/users/{id}', anybody, { on: 'the author' }],
  ['GET', '/cms/v2/users/{id}', authorAndAdministrators, { on: 'the author', query: 'context=edit' }],
  ['GET', '/cms/v2/users/{id}', administrators, { on: 'a new user' }],
  [EDITABLE, '/cms/v2/users/{id}', authorAndAdministrators, { on: 'the author', body: { first_name: 'Arthur' } }],
  // Users cannot give roles to themselves.
  [EDITABLE, '/cms/v2/users/{id}', administrators, { on: 'the author', body: { roles: ['author'] } }],
  ['DELETE', '/cms/v2/users/{id}', administrators, { on: 'a new user', query: 'force=true&reassign=false' }],
  [EDITABLE, '/cms/v2/users/me', signedIn, { body: { last_name: 'Changed' } }],
  [EDITABLE, '/cms/v2/users/me', administrators, { body: { roles: ['administrator'] } }],
  // No user gets the posts: the request is refused after the permission.
  ['DELETE', '/cms/v2/users/me', administrators, { on: 'the administrator', query: 'force=true&reassign={id}' }],
  // Application passwords: one's own, and those of all with `edit_users`.
  ['GET', passwords, authorAndAdministrators, { on: 'the author' }],
  ['POST', passwords, authorAndAdministrators, { on: 'the author', body: { name: 'Reader' } }],
  ['DELETE', passwords, administrators, { on: 'a password of a new user' }],
  ['GET', `${passwords}/introspect`, signedIn, { at: { user_id: 'me' } }],
  ['GET', `${passwords}/introspect`, [401, 403, 403, 'ok', 403, 403, 401], { on: 'the author' }],
  ['GET', `${passwords}/{uuid}`, administrators, { on: 'a password of a new user' }],
  [EDITABLE, `${passwords}/{uuid}`, administrators, { on: 'a password of a new user', body: { name: 'Writer' } }],
  ['DELETE', `${passwords}/{uuid}`, administrators, { on: 'a password of a new user' }],
]

export const contentPermissions: readonly Entry[] = [
  ...pages,
  ...blocks,
  ...comments,
  ...termsOf('categories', editors),
  ...termsOf('tags', writers),
  ...termsOf('cms_pattern_category', writers),
  ...menus,
  ...users,
  ...catalogue,
  ...media,
]
