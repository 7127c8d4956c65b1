/** The expected permission decisions of the routes that only profiles with `contentFeatures` have. */
import {
  anybody,
  authorAndEditors,
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
  ['GET', '/cms/v2/blocks', writers],
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
  ['GET', '/cms/v2/comments/{id}', commenterAndModerators, { on: 'a held comment of the subscriber' }],
  [
    `${EDITABLE} DELETE`,
    '/cms/v2/comments/{id}',
    authorAndEditors,
    { on: 'an approved comment', body: { content: 'Changed' } },
  ],
]

export const contentPermissions: readonly Entry[] = [...pages, ...blocks, ...comments]
