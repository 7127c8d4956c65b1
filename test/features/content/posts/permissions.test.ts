/** Who may read, change and remove a post: by the capabilities of the user, the author and the status of the post. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { ApiError } from '../../../../src/core/declare/errors.ts'
import { trashStatusKey } from '../../../../src/site/post-keys.ts'
import { createTestSite, type Received, type Requester, type TestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { recorded } from '../../../support/spied-storage.ts'

const posts = '/cms/v2/posts'
const statuses = ['publish', 'future', 'draft', 'pending', 'private']
/** The author of half of the posts has one capability more or less in each request. */
const authors = { own: 'author', other: 'author2' }

const entry = (whose: keyof typeof authors, status: string, more: object = {}) => ({
  ...{ key: `${whose}-${status}`, slug: `${whose}-${status}`, title: `${whose} ${status}`, content: 'Words.' },
  ...{ status, author: authors[whose], date: status === 'future' ? '2098-01-01T00:00:00' : '2024-01-01T00:00:00' },
  ...more,
})
const trashed = (whose: keyof typeof authors, from: string) => {
  const key = `${whose}-trash-from-${from}`
  return entry(whose, 'trash', { key, slug: `${key}__trashed`, status_before_trash: from, desired_slug: key })
}
const entriesOf = (whose: keyof typeof authors) => [
  ...statuses.map((status) => entry(whose, status)),
  ...['publish', 'future', 'draft', 'pending', 'private', 'nothing'].map((from) => trashed(whose, from)),
]

const locked = entry('other', 'publish', { key: 'locked', slug: 'locked', password: 'sesame' })
const unowned = entry('other', 'draft', { key: 'unowned', slug: 'unowned' })

const { calls, wrap } = recorded()
let site: TestSite
let storage: Storage
let arthur: Requester
beforeAll(async () => {
  const keep = () => {
    throw new ApiError('kept', 'The host keeps all posts as they are.', 409)
  }
  site = await createTestSite({
    seed: { ...smallSite, posts: [...entriesOf('own'), ...entriesOf('other'), locked, unowned] },
    hooks: { 'post.saving': keep, 'post.removing': keep },
    storage: (opened) => {
      storage = opened
      return wrap(opened)
    },
  })
  const unknown = [idOf('own-trash-from-nothing'), idOf('other-trash-from-nothing')]
  await storage.meta.write(
    'post',
    unknown.map((id) => ({ id, key: trashStatusKey, value: null })),
  )
  await storage.posts.update([{ id: idOf('unowned'), changes: { author: 0 } }])
  await site.api.site.users.update(site.ids['user.author'] ?? 0, { roles: [] })
  arthur = site.as('arthur')
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const idOf = (key: string) => site.ids[`post.${key}`] ?? 0
const pathOf = (key: string) => `${posts}/${idOf(key)}`
const told = ({ status, body }: Received) => [status, body.code, body.message]

const verbs = ['edit', 'delete']
const capabilities = [
  ...['read', 'read_private_posts'],
  ...verbs.flatMap((verb) => ['', 'others_', 'published_', 'private_'].map((kind) => `${verb}_${kind}posts`)),
]

/** The user has these capabilities from now on, and no others. */
async function grant(names: readonly string[]) {
  const granted = Object.fromEntries(names.map((name) => [name, true]))
  await site.api.site.users.update(site.ids['user.author'] ?? 0, { capabilities: granted })
}

const acts = {
  read: {
    send: (key: string) => arthur('GET', pathOf(key)),
    refused: [403, 'rest_forbidden', 'You may not do this.'],
    done: [200, undefined, undefined],
  },
  // The host refuses both after the permission: no post changes.
  edit: {
    send: (key: string) => arthur('POST', pathOf(key), { body: { title: 'Changed' } }),
    refused: [403, 'rest_cannot_edit', 'You may not edit this post.'],
    done: [409, 'kept', 'The host keeps all posts as they are.'],
  },
  delete: {
    send: (key: string) => arthur('DELETE', pathOf(key), { query: 'force=true' }),
    refused: [403, 'rest_cannot_delete', 'You may not remove this post.'],
    done: [409, 'kept', 'The host keeps all posts as they are.'],
  },
} as const

/** For each kind of post what reading it takes, and what changing or removing it takes. */
const needed: readonly [key: string, read: readonly string[], write: readonly string[]][] = [
  ['own-publish', [], ['published_posts']],
  ['own-future', ['read'], ['published_posts']],
  ['own-draft', ['read'], ['posts']],
  ['own-pending', ['read'], ['posts']],
  ['own-private', ['read'], ['posts']],
  ['own-trash-from-publish', ['read'], ['published_posts']],
  ['own-trash-from-future', ['read'], ['published_posts']],
  ['own-trash-from-draft', ['read'], ['posts']],
  ['own-trash-from-private', ['read'], ['posts']],
  ['own-trash-from-nothing', ['read'], ['posts']],
  ['other-publish', [], ['others_posts', 'published_posts']],
  ['other-future', ['edit_others_posts', 'edit_published_posts'], ['others_posts', 'published_posts']],
  ['other-draft', ['edit_others_posts'], ['others_posts']],
  ['other-pending', ['edit_others_posts'], ['others_posts']],
  ['other-private', ['read_private_posts'], ['others_posts', 'private_posts']],
  ['other-trash-from-publish', ['edit_others_posts'], ['others_posts']],
  ['other-trash-from-private', ['edit_others_posts'], ['others_posts']],
  ['other-trash-from-nothing', ['edit_others_posts'], ['others_posts']],
]

describe.each(needed)('the post %s', (key, read, write) => {
  test.each([
    ['read', read],
    ['edit', write.map((name) => `edit_${name}`)],
    ['delete', write.map((name) => `delete_${name}`)],
  ] as const)('takes to %s it: %j', async (act, names) => {
    const { send, done, refused } = acts[act]
    await grant(names)
    expect(told(await send(key))).toEqual(done)
    for (const missing of names) {
      await grant(capabilities.filter((name) => name !== missing))
      expect([missing, ...told(await send(key))]).toEqual([missing, ...refused])
    }
  })
})

test('a post without an author belongs to no visitor, and not to the host either', async () => {
  const path = pathOf('unowned')
  expect(told(await site.visitor('GET', path))).toEqual([401, 'rest_forbidden', 'You may not do this.'])
  // An autosave of one's own draft would be written to the draft itself.
  const { data } = await site.api.call('POST', `${path}/autosaves`, { title: 'Saved' }, { as: 'system' })
  expect(data).toMatchObject({ parent: idOf('unowned'), title: { raw: 'Saved' } })
})

test('the trash lists in each context what the status from before lets one see', async () => {
  await grant(['read', 'edit_posts'])
  const listed = async (query: string) =>
    (await arthur('GET', posts, { query: `per_page=100&${query}` })).body.map(({ id }: { id: number }) => id)
  const own = (...from: string[]) => from.map((status) => idOf(`own-trash-from-${status}`))
  const query = 'status=trash&orderby=id&order=asc'
  expect(await listed(query)).toEqual(own('publish', 'future', 'draft', 'pending', 'private', 'nothing'))
  expect(await listed(`${query}&context=edit`)).toEqual(own('draft', 'pending', 'private', 'nothing'))
})

test('nothing is read of the trash for a list without trashed posts', async () => {
  await site.visitor('GET', posts)
  calls.length = 0
  expect((await site.visitor('GET', posts, { query: 'per_page=1' })).body).toHaveLength(1)
  expect(calls.map(({ name }) => name)).toContain('posts.query')
  expect(calls.filter(({ args }) => JSON.stringify(args).includes(trashStatusKey))).toEqual([])
})

describe('is refused in words', () => {
  test.each([
    ['a post that is not there', `${posts}/999999`, '', [404, 'rest_post_invalid_id', 'There is no such post.']],
    ['a page', `${posts}/{page.about}`, '', [404, 'rest_post_invalid_id', 'There is no such post.']],
    ['revisions of none', `${posts}/999999/revisions`, '', [404, 'rest_post_invalid_parent', 'There is no such post.']],
    [
      'the edit context',
      `${posts}/{post.other-publish}`,
      'context=edit',
      [401, 'rest_forbidden_context', 'You may not edit this post.'],
    ],
    [
      'a wrong password',
      `${posts}/{post.locked}`,
      'password=x',
      [403, 'rest_post_incorrect_password', 'The password of the post is wrong.'],
    ],
    [
      'a password of none',
      `${posts}/{post.other-publish}`,
      'password=x',
      [403, 'rest_post_incorrect_password', 'The password of the post is wrong.'],
    ],
  ] as const)('%s', async (_, path, query, refusal) => {
    const filled = path.replace(/\{(.+)\}/, (_all, key: string) => String(site.ids[key]))
    expect(told(await site.visitor('GET', filled, { query }))).toEqual(refusal)
  })
})
