/** Makes each storage call of each write fail in turn; afterwards the site is unchanged or completely changed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../support/site.ts'
import { spied } from '../support/spied-storage.ts'
import { signedInBefore } from './signed-in-before.ts'

let site: TestSite
/** The number of the storage call that fails, from 1; 0 for none. */
let failAt: number
let seen: number
let emitted: string[]
let variableId: string

beforeEach(async () => {
  failAt = 0
  const wrap = (storage: Parameters<typeof spied>[0]) =>
    spied(storage, ({ name }) => {
      seen++
      if (seen === failAt) throw new Error(`disk full at ${name}`)
    })
  site = await signedInBefore(await createTestSite({ storage: wrap }))
  emitted = []
  for (const name of [
    'post.created',
    'post.updated',
    'post.published',
    'post.trashed',
    'post.deleted',
    'revision.created',
    'globals.changed',
    'variable.created',
    'variable.updated',
    'variable.deleted',
    'variable.restored',
  ] as const) {
    site.api.on(name, () => emitted.push(name))
  }
})
afterEach(() => site.dispose())

interface Write {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly query?: string
  /** Requests that have to run first. */
  readonly before?: readonly Omit<Write, 'before'>[]
}

const full = {
  ...{
    title: 'All fields',
    content: '<p>New</p>',
    excerpt: 'Short',
    slug: 'all-fields',
    status: 'publish',
    author: '{user.editor}',
  },
  ...{
    date: '2024-02-03T10:00:00',
    password: 'sesame',
    featured_media: '{media.pier}',
    comment_status: 'closed',
    format: 'aside',
  },
  ...{ template: 'narrow.php', categories: ['{category.news}'], tags: ['{tag.red}', '{tag.rare}'] },
  meta: {
    footnotes: '[{"id":"a","content":"b"}]',
    _builder_edit_mode: 'builder',
    _builder_page_settings: { hide_title: 'yes' },
  },
}
const variable = { type: 'global-color-variable', label: 'ink', value: '#000' }
const create = { method: 'POST', path: '/builder/v1/variables/create', body: variable }
const color = { method: 'POST', path: '/builder/v1/globals/colors/abc1234', body: { title: 'Ink', value: '#000000' } }
const typography = {
  method: 'POST',
  path: '/builder/v1/globals/typography/abc1234',
  body: { title: 'Body', value: { typography_typography: 'custom' } },
}
/** `{variable}` is the id of the variable created in `before`. */
const onVariable = (verb: string, more: object = {}) => ({
  method: 'POST',
  path: `/builder/v1/variables/${verb}`,
  body: { id: '{variable}', ...more },
})

const event = { method: 'POST', path: '/builder/v1/send-event', body: { event_data: { event_name: 'open' } } }
const elementDefaults = {
  method: 'PUT',
  path: '/builder/v1/kit-elements-defaults/heading',
  body: { settings: { gap: 'no' } },
}

const writes: readonly [string, Write][] = [
  ['create a post', { method: 'POST', path: '/cms/v2/posts', body: full }],
  ['create a post without a name', { method: 'POST', path: '/cms/v2/posts', body: { title: '!!', status: 'publish' } }],
  ['change every field of a post', { method: 'POST', path: '/cms/v2/posts/{post.tide}', body: full }],
  [
    'change a title, which saves a version',
    { method: 'PATCH', path: '/cms/v2/posts/{post.hello}', body: { title: 'Other' } },
  ],
  ['publish a draft', { method: 'PUT', path: '/cms/v2/posts/{post.draft}', body: { status: 'publish' } }],
  ['trash a post', { method: 'DELETE', path: '/cms/v2/posts/{post.tide}' }],
  [
    'restore a post',
    { method: 'POST', path: '/cms/v2/posts/{post.trashed}', body: { status: 'publish', title: 'Back' } },
  ],
  ['remove a post with its versions', { method: 'DELETE', path: '/cms/v2/posts/{post.hello}', query: 'force=true' }],
  [
    'save an autosave',
    { method: 'POST', path: '/cms/v2/posts/{post.tide}/autosaves', body: { title: 'Auto', content: 'Saved' } },
  ],
  [
    'remove a version',
    { method: 'DELETE', path: '/cms/v2/posts/{post.hello}/revisions/{revision.hello.1}', query: 'force=true' },
  ],
  ['add a color', color],
  ['replace a color', { ...color, body: { title: 'Snow', value: '#ffffff' }, before: [color] }],
  ['remove a color', { method: 'DELETE', path: color.path, before: [color] }],
  ['add typography', typography],
  ['add a favorite', { method: 'POST', path: '/builder/v1/favorites/widgets', body: { favorite: 'heading' } }],
  [
    'remove a favorite',
    {
      method: 'DELETE',
      path: '/builder/v1/favorites/widgets',
      body: { favorite: 'heading' },
      before: [{ method: 'POST', path: '/builder/v1/favorites/widgets', body: { favorite: 'heading' } }],
    },
  ],
  ['write a setting', { method: 'POST', path: '/builder/v1/settings/builder_key', body: { value: { a: 1 } } }],
  ['record an event', { ...event, before: [event] }],
  ['send feedback', { method: 'POST', path: '/builder/v1/feedback/submit', body: { description: 'Fine' } }],
  ['set element defaults', elementDefaults],
  ['remove element defaults', { method: 'DELETE', path: elementDefaults.path, before: [elementDefaults] }],
  [
    'dismiss messages',
    { method: 'PATCH', path: '/builder/v1/user-data/current-user', body: { suppressedMessages: ['welcome'] } },
  ],
  ['begin a document', { method: 'POST', path: '/builder/v1/site-navigation/add-new-post', body: {} }],
  ['remove typography', { method: 'DELETE', path: typography.path, before: [typography] }],
  ['create a variable', create],
  ['change a variable', { ...onVariable('update', { label: 'snow', value: '#fff' }), before: [create] }],
  ['delete a variable', { ...onVariable('delete'), before: [create] }],
  ['restore a variable', { ...onVariable('restore'), before: [create, onVariable('delete')] }],
  [
    'change variables at once',
    {
      method: 'POST',
      path: '/builder/v1/variables/batch',
      body: {
        watermark: 0,
        operations: [
          { type: 'create', variable: { ...variable, id: 't1' } },
          { type: 'create', variable: { ...variable, label: 'snow', id: 't2' } },
        ],
      },
    },
  ],
  [
    'run a batch',
    {
      method: 'POST',
      path: '/batch/v1',
      body: {
        requests: [
          { path: '/cms/v2/posts', body: { title: 'One', tags: ['{tag.red}'] } },
          { path: '/cms/v2/posts', body: { title: 'Refused', status: 'bogus' } },
          { path: '/cms/v2/posts/{post.tide}', body: { title: 'Two' } },
          { method: 'DELETE', path: '/cms/v2/posts/{post.ferry}' },
        ],
      },
    },
  ],
  [
    'run a batch, all or nothing',
    {
      method: 'POST',
      path: '/batch/v1',
      body: {
        atomic: true,
        validation: 'require-all-validate',
        requests: [
          { path: '/cms/v2/posts', body: { title: 'One' } },
          { path: '/cms/v2/posts/{post.tide}', body: { title: 'Two', status: 'draft' } },
        ],
      },
    },
  ],
]

/** Replaces `{post.tide}` in a path, or as a complete value of a body, by the id. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value === '{variable}') return variableId
    const whole = /^\{([\w.-]+)\}$/.exec(value)?.[1]
    return whole ? site.ids[whole] : value.replace(/\{(\w+\.[\w.-]+)\}/g, (_, key: string) => String(site.ids[key]))
  }
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]))
}

const send = ({ method, path, body, query }: Write) =>
  site.as('ada')(method, String(filled(path)), {
    ...(body === undefined ? {} : { body: filled(body) }),
    ...(query === undefined ? {} : { query }),
  })

/** The stored data and the responses made from it: no cache may hold data that was rolled back. */
async function state() {
  const stored = await site.api.site.export()
  const { body: shown } = await site.as('ada')('GET', '/cms/v2/posts', {
    query: 'status=any,trash&per_page=100&orderby=id',
  })
  const seenByVisitors = (await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=100' })).body
  const globals = (await site.as('ada')('GET', '/builder/v1/globals')).body
  const variables = (await site.as('ada')('GET', '/builder/v1/variables/list')).body
  return { stored, shown, seenByVisitors, globals, variables }
}

describe('a failing storage call', () => {
  test.each(writes)('changes nothing in a request to %s', async (_, write) => {
    for (const step of write.before ?? []) {
      const { status, body } = await send(step)
      expect(status).toBeLessThan(300)
      variableId = body.data?.variable?.id ?? ''
    }
    const before = await state()
    emitted.length = 0
    for (let at = 1; ; at++) {
      seen = 0
      failAt = at
      const response = await send(write)
      const isComplete = seen < at
      failAt = 0
      if (isComplete) {
        expect({ at, status: response.status }).toEqual({ at, status: response.status < 300 ? response.status : 200 })
        // The write made more than three calls, each of which failed once before this run.
        expect(at).toBeGreaterThan(3)
        expect(await state()).not.toEqual(before)
        break
      }
      expect(response).toMatchObject({
        status: 500,
        body: { code: 'internal_server_error', data: { id: expect.any(String) } },
      })
      expect(site.failures).toHaveLength(at)
      expect({ at, state: await state() }).toEqual({ at, state: before })
      expect(emitted).toEqual([])
    }
  })
})
