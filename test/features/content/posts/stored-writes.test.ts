/** Tests which columns and meta a write of a post stores, which it leaves unchanged, and which events it emits. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PostChange } from '../../../../src/features/content/posts/model.ts'
import { desiredSlugKey, trashStatusKey } from '../../../../src/site/post-keys.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import { isWrite, recorded, type StorageCall } from '../../../support/spied-storage.ts'

const { calls, wrap } = recorded()
/** The titles that a hook of the host has seen. */
const saving: string[] = []
let site: TestSite
let arthur: Requester
let edith: Requester
beforeEach(async () => {
  const hooks = { 'post.saving': ({ values }: PostChange) => void saving.push(values.title) }
  site = await createTestSite({ storage: wrap, hooks })
  arthur = site.as('arthur')
  edith = site.as('edith')
  calls.length = 0
  saving.length = 0
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const posts = '/cms/v2/posts'
const create = async (by: Requester, body: object) => (await by('POST', posts, { body })).body
const stored = async (id: number) => (await edith('GET', `${posts}/${id}`, { query: 'context=edit' })).body
const refusal = ({ status, body }: { status: number; body: { code?: string; message?: string } }) => [
  status,
  body.code,
  body.message,
]
const elements = (title: string) => ({
  _builder_edit_mode: 'builder',
  _builder_data: JSON.stringify([
    { id: 'abc1234', elType: 'widget', widgetType: 'heading', settings: { title }, elements: [] },
  ]),
})

/** Names and payloads of the events from now on. */
function listen() {
  const events: [name: string, payload: { readonly [member: string]: unknown }][] = []
  const names = ['post.created', 'post.updated', 'post.published', 'post.trashed', 'revision.created'] as const
  for (const name of names) site.api.on(name, (payload) => void events.push([name, { ...payload }]))
  return events
}

describe('may be refused, in words', () => {
  test('in the name of another user, or by those who may not write', async () => {
    const others = { title: 'x', author: site.ids['user.editor'] }
    expect(refusal(await arthur('POST', posts, { body: others }))).toEqual([
      403,
      'rest_cannot_edit_others',
      'You may not write in the name of another user.',
    ])
    expect(refusal(await site.as('sam')('POST', posts, { body: { title: 'x' } }))).toEqual([
      403,
      'rest_cannot_create',
      'You may not create posts.',
    ])
    expect(refusal(await arthur('POST', `${posts}/${site.ids['post.pinned']}`, { body: { title: 'x' } }))).toEqual([
      403,
      'rest_cannot_edit',
      'You may not edit this post.',
    ])
    const own = await create(arthur, { title: 'x', author: site.ids['user.author'] })
    expect(own.author).toBe(site.ids['user.author'])
  })

  test('for a change of sticky, and not for what is so already', async () => {
    const refused = [403, 'rest_cannot_assign_sticky', 'You may not change whether a post is sticky.']
    const ferry = `${posts}/${site.ids['post.ferry']}`
    expect((await create(arthur, { title: 'x', sticky: false })).sticky).toBe(false)
    expect(refusal(await arthur('POST', posts, { body: { title: 'x', sticky: true } }))).toEqual(refused)
    expect(refusal(await arthur('POST', ferry, { body: { sticky: true } }))).toEqual(refused)
    await edith('POST', ferry, { body: { sticky: true } })
    expect((await arthur('POST', ferry, { body: { sticky: true } })).body.sticky).toBe(true)
    expect(refusal(await arthur('POST', ferry, { body: { sticky: false } }))).toEqual(refused)
  })
})

describe('store', () => {
  test('the id as the slug of a post without words', async () => {
    const { id, slug } = await create(edith, { content: 'x', status: 'publish' })
    expect(slug).toContain(String(id))
    expect(await stored(id)).toMatchObject({ slug })
  })

  test('the columns that change, and no meta where none is sent', async () => {
    await edith('POST', `${posts}/${site.ids['post.ferry']}`, { body: { title: 'Late', slug: 'ferry' } })
    const updates = calls.filter(({ name }) => name === 'posts.update').flatMap(({ args: [rows] }) => rows) as {
      id: number
      changes: object
    }[]
    expect(
      updates.filter(({ id }) => id === site.ids['post.ferry']).map(({ changes }) => Object.keys(changes)),
    ).toEqual([['title', 'modified', 'modifiedGmt']])
    const meta = calls
      .filter(({ name }) => name === 'meta.write')
      .flatMap(({ args: [, rows] }) => rows) as typeof updates
    expect(meta.filter(({ id }) => id === site.ids['post.ferry'])).toEqual([])
    const isEmpty = ({ name, args }: StorageCall) => name === 'terms.assign' || args.some((rows) => String(rows) === '')
    expect(calls.filter(isWrite).filter(isEmpty)).toEqual([])
  })

  test('a search text only where it is another one', async () => {
    const { id } = await create(edith, { title: 'x', meta: elements('Built') })
    calls.length = 0
    await edith('POST', `${posts}/${id}`, { body: { title: 'y', meta: elements('Built') } })
    const changes = calls.flatMap(({ name, args: [rows] }) =>
      name === 'posts.update' ? (rows as { changes: object }[]) : [],
    )
    expect(changes.map((row) => Object.keys(row.changes))).toEqual([['title']])
  })

  test('a version whose tag the answer has, for the condition of the next write', async () => {
    const { id } = await create(edith, { title: 'x', status: 'publish' })
    let tag = ''
    const bodies = [
      ...[{ title: 'Renamed' }, { meta: elements('Built') }, { meta: elements('Built again') }],
      ...[{ meta: { footnotes: '[]' } }, { meta: { footnotes: null } }, {}],
    ]
    for (const body of bodies) {
      const headers: { [name: string]: string } = tag === '' ? {} : { 'if-match': tag }
      const written = await edith('POST', `${posts}/${id}`, { body, headers })
      expect(written.status).toBe(200)
      tag = written.headers.get('etag') ?? ''
      expect(tag).not.toBe('')
    }
  })

  test('no search text over a text that was written beside the elements', async () => {
    const { id } = await create(edith, { title: 'x', content: 'By hand.', meta: elements('Built') })
    expect((await stored(id)).content.raw).toBe('By hand.')
    await edith('POST', `${posts}/${id}`, { body: { title: 'y' } })
    expect((await stored(id)).content.raw).toBe('By hand.')
    await edith('POST', `${posts}/${id}`, { body: { meta: elements('Rebuilt') } })
    expect((await stored(id)).content.raw).toContain('Rebuilt')
  })

  test('what was written as a revision when elements take over, and nothing of an empty text', async () => {
    const revisions = async (content: string) => {
      const { id } = await create(edith, { title: 'x', content, status: 'publish' })
      await edith('POST', `${posts}/${id}`, { body: { meta: elements('Built') } })
      return (await edith('GET', `${posts}/${id}/revisions`, { query: 'context=edit' })).body.length
    }
    expect([await revisions(''), await revisions('Written.')]).toEqual([1, 2])
  })

  test('an autosave of one’s own draft without its terms, and of its meta the elements only', async () => {
    const [guides, red] = [site.ids['category.guides'], site.ids['tag.red']]
    const { id } = await create(arthur, { title: 'Mine', categories: [guides], tags: [red] })
    const events = listen()
    const meta = { ...elements('Built'), footnotes: '[{"content":"n","id":"1"}]', of_nobody: 1 }
    const saved = await arthur('POST', `${posts}/${id}/autosaves`, { body: { title: 'Mine too', meta } })
    expect(JSON.stringify(saved.body._warnings)).toContain('of_nobody')
    expect(await stored(id)).toMatchObject({
      title: { raw: 'Mine too' },
      categories: [guides],
      tags: [red],
      meta: { footnotes: '', _builder_edit_mode: 'builder' },
    })
    expect(saving).toEqual(['Mine', 'Mine too'])
    expect(events).toEqual([
      ['post.updated', expect.objectContaining({ changedMeta: expect.arrayContaining(['_builder_data']) })],
    ])
  })
})

describe('the trash', () => {
  test('is said to have a post already', async () => {
    const path = `${posts}/${site.ids['post.trashed']}`
    const refused = [410, 'rest_already_trashed', 'The post is in the trash already.']
    expect(refusal(await edith('DELETE', path))).toEqual(refused)
  })

  test('is left for good with all revisions', async () => {
    const id = site.ids['post.hello'] ?? 0
    const revisions = (await edith('GET', `${posts}/${id}/revisions`)).body.map((row: { id: number }) => row.id)
    const removed: unknown[] = []
    site.api.on('post.deleted', ({ post }) => void removed.push(post))
    const { posts: rows } = site.api['~parts'].storage
    const before = await rows.read([id])
    await edith('DELETE', `${posts}/${id}`, { query: 'force=true' })
    expect([revisions.length, await rows.read([id, ...revisions])]).toEqual([3, []])
    expect(removed).toEqual(before)
  })

  test('keeps a post whose text is changed in it, with the slug and the status from before', async () => {
    const ferry = `${posts}/${site.ids['post.ferry']}`
    await edith('DELETE', ferry)
    const events = listen()
    const changed = await edith('POST', ferry, { body: { title: 'In the trash' } })
    expect(changed.body).toMatchObject({ status: 'trash', slug: 'ferry__trashed', title: { raw: 'In the trash' } })
    expect(events[0]).toEqual([
      'post.updated',
      expect.objectContaining({ post: expect.objectContaining({ trashedFrom: 'publish' }) }),
    ])
    events.length = 0
    const restored = await edith('POST', ferry, { body: { status: 'publish' } })
    expect(restored.body).toMatchObject({ status: 'publish', slug: 'ferry' })
    expect(events.map(([name]) => name)).toEqual(['post.updated', 'post.published'])
    expect(events[0]?.[1]['post']).not.toHaveProperty('trashedFrom')
    const { meta } = site.api['~parts'].storage
    expect(await meta.read('post', [Number(site.ids['post.ferry'])], [desiredSlugKey, trashStatusKey])).toEqual([])
  })
})

describe('events', () => {
  test('have the post as it is stored', async () => {
    const events = listen()
    const last = async (name: string) => {
      const post = events.findLast(([event]) => event === name)?.[1]['post'] as { id: number; trashedFrom?: string }
      const { trashedFrom, ...row } = post
      expect([row]).toEqual(await site.api['~parts'].storage.posts.read([post.id]))
      return [post.id, trashedFrom]
    }
    const { id } = await create(edith, { title: 'Plain', status: 'draft', meta: elements('Built') })
    const path = `${posts}/${id}`
    expect(await last('post.created')).toEqual([id, undefined])
    await edith('POST', path, { body: { status: 'publish', meta: elements('Built again') } })
    expect([await last('post.updated'), await last('post.published')]).toEqual([
      [id, undefined],
      [id, undefined],
    ])
    await edith('DELETE', path)
    expect([await last('post.updated'), await last('post.trashed')]).toEqual([
      [id, 'publish'],
      [id, 'publish'],
    ])
  })

  test('tell of a published post once, and of each revision by its id', async () => {
    const events = listen()
    await create(edith, { title: 'Draft' })
    const { id } = await create(edith, { title: 'Out', status: 'publish' })
    expect(events.map(([name, { post }]) => [name, (post as { title: string }).title])).toEqual([
      ['post.created', 'Draft'],
      ['post.created', 'Out'],
      ['post.published', 'Out'],
    ])
    events.length = 0
    await edith('POST', `${posts}/${id}`, { body: { title: 'Out again' } })
    const [revision] = (await edith('GET', `${posts}/${id}/revisions`)).body
    expect(events.map(([name]) => name).toSorted()).toEqual(['post.updated', 'revision.created'])
    expect(events.find(([name]) => name === 'revision.created')?.[1]).toEqual({ id: revision.id, post: id })
    events.length = 0
    const draft = `${posts}/${site.ids['post.draft']}`
    await edith('POST', draft, { body: { status: 'publish' } })
    const published = events.find(([name]) => name === 'post.published')?.[1]
    expect(published).toEqual({ post: expect.objectContaining({ id: site.ids['post.draft'], status: 'publish' }) })
  })
})
