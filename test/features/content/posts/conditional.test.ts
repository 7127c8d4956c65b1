import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let arthur: Requester
let edith: Requester
beforeEach(async () => {
  site = await createTestSite()
  arthur = site.as('arthur')
  edith = site.as('edith')
})
afterEach(() => site.dispose())

const path = (id: number | undefined) => `/cms/v2/posts/${id}`
const ferry = () => path(site.ids['post.ferry'])

const tagOf = async (query = '', by = arthur): Promise<string> => {
  const { headers } = await by('GET', ferry(), { query })
  return headers.get('etag') as string
}

describe('reading', () => {
  test('responds with 304, the tag and no body when the tag matches', async () => {
    const tag = await tagOf()
    const again = await arthur('GET', ferry(), { headers: { 'if-none-match': `W/${tag}, "other"` } })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag])
    expect((await arthur('GET', ferry(), { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('changes the tag with text, terms, meta, autosaves and settings', async () => {
    const tags = [await tagOf()]
    await arthur('POST', ferry(), { body: { content: 'new' } })
    tags.push(await tagOf())
    await arthur('POST', ferry(), { body: { tags: [] } })
    tags.push(await tagOf())
    await arthur('POST', ferry(), { body: { meta: { footnotes: '[{"id":"1","content":"n"}]' } } })
    tags.push(await tagOf())
    await edith('POST', `${ferry()}/autosaves`, { body: { content: 'half a thought' } })
    tags.push(await tagOf())
    await site.api.site.options.write({ permalink: '/{year}/{slug}/' })
    tags.push(await tagOf())
    expect(new Set(tags).size).toBe(tags.length)
  })

  test('gives each representation a tag of its own, which matches no other', async () => {
    const queries = ['', '_fields=id', '_fields=id,title', '_embed', '_embed=author', 'context=edit', '%5Ffields=slug']
    // The first sign-in of a day stores its time, and any write makes other tags with `_embed`.
    await tagOf('', edith)
    const tags = await Promise.all(queries.map((query) => tagOf(query, edith)))
    expect(new Set(tags).size).toBe(queries.length)
    const again = await Promise.all(
      queries.map((query, at) => edith('GET', ferry(), { query, headers: { 'if-none-match': tags[at] as string } })),
    )
    // Without a token of changes a storage can not tell whether embedded records are the same.
    const isUnknown = (query: string) => query.startsWith('_embed') && !site.api['~parts'].storage.changes
    expect(again.map(({ status }) => status)).toEqual(queries.map((query) => (isUnknown(query) ? 200 : 304)))
    const others = await Promise.all(
      queries
        .slice(1)
        .map((query) => edith('GET', ferry(), { query, headers: { 'if-none-match': tags[0] as string } })),
    )
    expect(others.every(({ status }) => status === 200)).toBe(true)
  })

  test('changes the tag of an embedding read with the embedded record', async () => {
    const tag = await tagOf('_embed')
    const author = await site.api.site.users.find({ login: 'arthur' })
    await site.api.site.users.update(author?.id as number, { displayName: 'Arthur the Author' })
    const read = await arthur('GET', ferry(), { query: '_embed', headers: { 'if-none-match': tag } })
    expect(read.status).toBe(200)
  })

  test('an error has no tag', async () => {
    const { status, headers } = await site.visitor('GET', path(site.ids['post.draft']))
    expect([status, headers.get('etag')]).toEqual([401, null])
  })
})

describe('writing', () => {
  test.each(['', 'context=edit', '_fields=id', 'context=embed'])('accepts the tag of any read: %s', async (query) => {
    const tag = await tagOf(query, edith)
    const saved = await edith('POST', ferry(), { body: { title: 'Mine' }, headers: { 'if-match': tag } })
    expect(saved.status).toBe(200)
    const late = await arthur('POST', ferry(), { body: { title: 'Late' }, headers: { 'if-match': tag } })
    expect(late).toMatchObject({ status: 412, body: { code: 'rest_precondition_failed' } })
    expect((await edith('GET', ferry())).body.title.rendered).toBe('Mine')
  })

  test('a write returns the tag for the next write', async () => {
    const first = await edith('POST', ferry(), { body: { title: 'One' } })
    const tag = first.headers.get('etag') as string
    expect((await edith('POST', ferry(), { body: { title: 'Two' }, headers: { 'if-match': tag } })).status).toBe(200)
    const created = await edith('POST', '/cms/v2/posts', { body: { title: 'New' } })
    const match = { 'if-match': created.headers.get('etag') as string }
    expect((await edith('DELETE', path(created.body.id), { headers: match })).status).toBe(200)
  })

  test('the autosave of an editor does not fail the save of the author', async () => {
    const tag = await tagOf()
    await edith('POST', `${ferry()}/autosaves`, { body: { content: 'other' } })
    expect((await arthur('POST', ferry(), { body: { title: 'Mine' }, headers: { 'if-match': tag } })).status).toBe(200)
  })

  test('of two writes with the same tag exactly one succeeds, and no revision is lost', async () => {
    const tag = await tagOf()
    const responses = await Promise.all(
      ['one', 'two'].map((content) => edith('POST', ferry(), { body: { content }, headers: { 'if-match': tag } })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    await edith('POST', ferry(), { body: { content: 'three' } })
    const { body } = await edith('GET', `${ferry()}/revisions`, { query: 'context=edit' })
    expect(body.map((revision: { content: { raw: string } }) => revision.content.raw)).toContain('three')
    expect(body).toHaveLength(2)
  })

  test('`*` matches any existing post; a missing one is 404', async () => {
    expect((await edith('POST', ferry(), { body: { title: 'x' }, headers: { 'if-match': '*' } })).status).toBe(200)
    expect((await edith('POST', path(99999), { body: { title: 'x' }, headers: { 'if-match': '*' } })).status).toBe(404)
  })

  test('responds with 428 to a write without the condition when the host requires it', async () => {
    const strict = await createTestSite({ conditionalWrites: 'required' })
    const post = path(strict.ids['post.ferry'])
    const by = strict.as('edith')
    expect(await by('POST', post, { body: { title: 'x' } })).toMatchObject({
      status: 428,
      body: { code: 'rest_precondition_required' },
    })
    const tag = (await by('GET', post)).headers.get('etag') as string
    expect((await by('POST', post, { body: { title: 'x' }, headers: { 'if-match': tag } })).status).toBe(200)
    expect((await by('POST', '/cms/v2/posts', { body: { title: 'Nothing to match' } })).status).toBe(201)
    await strict.dispose()
  })

  test('checks the condition of each item of a batch', async () => {
    const tag = await tagOf()
    const item = (title: string) => ({ path: ferry(), body: { title }, headers: { 'If-Match': tag } })
    const { body } = await edith('POST', '/batch/v1', { body: { requests: [item('One'), item('Two')] } })
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 412])
  })
})
