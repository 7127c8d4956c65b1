import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

let site: TestSite
let edith: Requester
let arthur: Requester
beforeAll(async () => {
  site = await createTestSite()
  edith = site.as('edith')
  arthur = site.as('arthur')
})
afterAll(() => site.dispose())

const hello = () => `/cms/v2/posts/${site.ids['post.hello']}/revisions`
const revision = (n: number) => site.ids[`revision.hello.${n}`]
const filled = (query: string) => query.replace(/\{(\d)\}/g, (_, n: string) => String(revision(Number(n))))

async function numbers(query = ''): Promise<number[]> {
  const { status, body } = await edith('GET', hello(), { query: filled(query) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ id }: { id: number }) => [1, 2, 3].find((n) => revision(n) === id))
}

describe('listing', () => {
  test.each([
    ['', [3, 2, 1]],
    ['order=asc', [1, 2, 3]],
    ['orderby=id&order=asc', [1, 2, 3]],
    ['orderby=title&order=asc', [1, 2, 3]],
    ['per_page=2', [3, 2]],
    ['per_page=2&page=2', [1]],
    ['per_page=1&offset=1', [2]],
    ['offset=1', [3, 2, 1]],
    ['include={1},{3}', [3, 1]],
    ['include={1},{3}&orderby=include', [1, 3]],
    ['exclude={2}', [3, 1]],
    ['search=second', [2]],
    ['search=wording%20-first', [3, 2]],
    ['orderby=relevance&search=quay', [3]],
  ])('%s', async (query, expected) => {
    if (query.includes('relevance')) expect((await numbers(query))[0] ?? 3).toBe(3)
    else if (query.includes('orderby=title')) expect((await numbers(query)).toSorted()).toEqual(expected)
    else expect(await numbers(query)).toEqual(expected)
  })

  test.each([
    ['per_page=2&page=3', 'rest_revision_invalid_page_number'],
    ['page=2', 'rest_revision_invalid_page_number'],
    ['per_page=2&offset=3', 'rest_revision_invalid_offset_number'],
    ['orderby=include', 'rest_orderby_include_missing_include'],
    ['orderby=relevance', 'rest_no_search_term_defined'],
    ['per_page=101', 'rest_invalid_param'],
  ])('refuses %s', async (query, code) => {
    expect(await edith('GET', hello(), { query })).toMatchObject({ status: 400, body: { code } })
  })

  test('returns each revision with its author and date, and raw texts in the edit context only', async () => {
    const { body, headers } = await edith('GET', hello(), { query: 'per_page=2&page=2&context=edit' })
    expect(headers.get('x-cms-total')).toBe('3')
    expect(body[0]).toMatchObject({
      id: revision(1),
      parent: site.ids['post.hello'],
      author: site.ids['user.admin'],
      date: '2024-01-20T09:00:00',
      slug: `${site.ids['post.hello']}-revision-v1`,
      title: { raw: 'Hello', rendered: 'Hello' },
      content: { raw: '<p>First wording.</p>' },
      _links: { parent: [{ href: `https://quay.example/api/cms/v2/posts/${site.ids['post.hello']}` }] },
    })
    expect((await edith('GET', hello())).body[0].title).not.toHaveProperty('raw')
  })
})

describe('permissions', () => {
  test.each([
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 200],
  ])('%s reads revisions of another author', async (login, status) => {
    for (const path of [hello(), `${hello()}/${revision(1)}`]) {
      const response = await site.as(login)('GET', path)
      expect(response.status).toBe(status)
      if (status !== 200) expect(response.body.code).toBe('rest_cannot_read')
    }
  })

  test('finds a revision only below its own post', async () => {
    const other = `/cms/v2/posts/${site.ids['post.ferry']}/revisions/${revision(1)}`
    for (const [method, query] of [
      ['GET', ''],
      ['DELETE', 'force=true'],
    ] as const) {
      expect(await edith(method, other, { query })).toMatchObject({
        status: 404,
        body: { code: 'rest_revision_parent_id_mismatch' },
      })
    }
    expect((await edith('GET', '/cms/v2/posts/99999/revisions')).body.code).toBe('rest_post_invalid_parent')
    expect((await edith('GET', `${hello()}/99999`)).body.code).toBe('rest_post_invalid_id')
    expect((await edith('GET', `${hello()}/${site.ids['post.ferry']}`)).body.code).toBe('rest_post_invalid_id')
    expect(await numbers()).toEqual([3, 2, 1])
  })
})

test('deletes a revision only with force, and updates the count of the post', async () => {
  const { body: post } = await arthur('POST', '/cms/v2/posts', {
    body: { title: 'Counted', content: 'a', status: 'publish' },
  })
  await arthur('POST', `/cms/v2/posts/${post.id}`, { body: { content: 'b' } })
  const path = `/cms/v2/posts/${post.id}/revisions`
  const [{ id }] = (await arthur('GET', path)).body
  const count = async () =>
    (await site.visitor('GET', `/cms/v2/posts/${post.id}`)).body._links['version-history'][0].count
  expect(await count()).toBe(1)
  expect(await arthur('DELETE', `${path}/${id}`)).toMatchObject({
    status: 501,
    body: { code: 'rest_trash_not_supported' },
  })
  expect((await site.as('aiko')('DELETE', `${path}/${id}`, { query: 'force=1' })).body.code).toBe('rest_cannot_delete')
  const removed = await arthur('DELETE', `${path}/${id}`, { query: 'force=1' })
  expect(removed.body).toMatchObject({ deleted: true, previous: { id } })
  expect(await count()).toBe(0)
})

test('limits revisions as configured, and stores one autosave for each user', async () => {
  const capped = await createTestSite({ limits: { revisions: 3 } })
  const by = capped.as('edith')
  const path = `/cms/v2/posts/${capped.ids['post.ferry']}`
  for (let i = 0; i < 20; i++) await by('POST', path, { body: { content: `text ${i}` } })
  for (let i = 0; i < 20; i++) await by('POST', `${path}/autosaves`, { body: { content: `auto ${i}` } })
  await capped.as('ada')('POST', `${path}/autosaves`, { body: { content: 'hers' } })
  const { body } = await by('GET', `${path}/revisions`, { query: 'context=edit' })
  const texts = body.map(({ content }: { content: { raw: string } }) => content.raw)
  expect(texts.toSorted()).toEqual(['auto 19', 'hers', 'text 17', 'text 18', 'text 19'])
  await capped.dispose()
})

describe('a save that changes nothing that revisions tell apart makes none', () => {
  const elements = (text: string) =>
    JSON.stringify([
      { id: 'aaaaaaa', elType: 'widget', widgetType: 'heading', settings: { title: text }, elements: [] },
    ])
  const opened = async () => {
    const input = { title: 'One', content: 'a', excerpt: 'e', status: 'publish' }
    const { id } = (await edith('POST', '/cms/v2/posts', { body: input })).body
    const path = `/cms/v2/posts/${id}`
    const count = async () => {
      const { body } = await edith('GET', `${path}/revisions`)
      const { _links: links } = (await site.visitor('GET', path)).body
      expect(links['version-history'][0].count).toBe(body.length)
      return body.length
    }
    const save = async (body: object, login = 'edith') => {
      const { status, body: saved } = await site.as(login)('POST', path, { body })
      expect(status, JSON.stringify(saved)).toBe(200)
      return saved
    }
    await save({ content: 'b\n\nc d' })
    expect(await count()).toBe(1)
    return { save, count, path }
  }

  test('the same texts, blanks and line ends', async () => {
    const { save, count } = await opened()
    for (const body of [
      { content: 'b\n\nc d' },
      { title: 'One ' },
      { title: '  One' },
      { excerpt: 'e ' },
      { excerpt: 'e\n' },
      { excerpt: '\te\r\n\r\n' },
      { content: 'b\r\n\r\nc d' },
      { content: 'b\n\nc  d\n' },
      { content: 'b\nc\td' },
      { title: 'One', content: 'b\n\nc d', excerpt: 'e' },
    ]) {
      await save(body)
      expect([body, await count()]).toEqual([body, 1])
    }
    // The text itself is stored as it was sent.
    await save({ content: 'b\n\nc d \n' })
    expect((await save({})).content.raw).toBe('b\n\nc d \n')
    for (const [at, body] of [{ content: 'b\n\ncd' }, { title: 'On e' }, { excerpt: 'E' }].entries()) {
      await save(body)
      expect([body, await count()]).toEqual([body, at + 2])
    }
  })

  test('meta that is not versioned, and the same elements saved by another user', async () => {
    const { save, count } = await opened()
    for (const meta of [
      { _builder_page_settings: { hide_title: 'yes' } },
      { _builder_page_settings: { padding: 4 } },
      { _builder_page_settings: null },
      { _builder_template_type: 'wp-post' },
      { _builder_edit_mode: 'builder' },
    ]) {
      await save({ meta })
      expect([meta, await count()]).toEqual([meta, 1])
    }
    await save({ meta: { _builder_data: elements('Tides') } })
    const built = await count()
    expect(built).toBeGreaterThan(1)
    await save({ meta: { _builder_data: elements('Tides') } }, 'ada')
    await save({ meta: { _builder_page_settings: { hide_title: 'yes' } } }, 'ada')
    expect(await count()).toBe(built)
    await save({ meta: { _builder_data: elements('Ebb') } })
    expect(await count()).toBe(built + 1)
    await save({ meta: { footnotes: '[{"content":"n","id":"1"}]' } })
    expect(await count()).toBe(built + 2)
  })

  test('terms, the format, the place among others and what readers may do', async () => {
    const { save, count } = await opened()
    for (const body of [
      { tags: [site.ids['tag.red']] },
      { format: 'quote' },
      { sticky: true },
      { comment_status: 'closed' },
      {},
    ])
      await save(body)
    expect(await count()).toBe(1)
  })
})

describe('autosaves', () => {
  const autosaves = (id: number | undefined) => `/cms/v2/posts/${id}/autosaves`

  test('of several users are each read by their id', async () => {
    const { body: post } = await edith('POST', '/cms/v2/posts', { body: { title: 'Shared', status: 'publish' } })
    const id: number = post.id
    const saved = await edith('POST', autosaves(id), { body: { content: 'of edith' } })
    const other = await site.as('ada')('POST', autosaves(id), { body: { content: 'of ada' } })
    expect(other.body.id).not.toBe(saved.body.id)
    for (const { body } of [saved, other]) {
      const single = await edith('GET', `${autosaves(id)}/${body.id}`, { query: 'context=edit' })
      expect(single.body).toMatchObject({ id: body.id, author: body.author, content: { raw: body.content.raw } })
    }
    const missing = await edith('GET', `${autosaves(id)}/${revision(1)}`)
    expect([missing.status, missing.body.code]).toEqual([404, 'rest_post_no_autosave'])
  })

  test('an autosave of a published post is stored separately', async () => {
    const id = site.ids['post.ferry']
    const saved = await arthur('POST', autosaves(id), { body: { content: 'half a thought' } })
    expect(saved.body).toMatchObject({
      parent: id,
      slug: `${id}-autosave-v1`,
      title: { raw: '' },
      content: { raw: 'half a thought' },
    })
    expect((await arthur('GET', `/cms/v2/posts/${id}`)).body.content.rendered).toContain('Plain words of ferry.')
    const again = await arthur('POST', autosaves(id), { body: { content: 'a whole one' } })
    expect(again.body.id).toBe(saved.body.id)
    const single = await arthur('GET', `${autosaves(id)}/${saved.body.id}`, { query: 'context=edit' })
    expect(single.body.content.raw).toBe('a whole one')
    expect(single.headers.get('allow')).toBe('GET')
    expect((await arthur('GET', autosaves(id))).headers.get('allow')).toBe('GET, POST')
  })

  test('an autosave preserves texts that are not sent, and copies revisioned meta from the post', async () => {
    const footnotes = '[{"content":"n","id":"1"}]'
    const input = { title: 'Noted', content: 'C', status: 'publish', meta: { footnotes } }
    const { id } = (await edith('POST', '/cms/v2/posts', { body: input })).body
    const first = await edith('POST', autosaves(id), { body: { title: 'T', excerpt: 'E' } })
    expect(first.body).toMatchObject({ title: { raw: 'T' }, content: { raw: '' }, meta: { footnotes } })
    const second = await edith('POST', autosaves(id), { body: { content: 'two', meta: { footnotes: '' } } })
    expect(second.body).toMatchObject({
      title: { raw: 'T' },
      content: { raw: 'two' },
      excerpt: { raw: 'E' },
      meta: { footnotes: '' },
    })
    const third = await edith('POST', autosaves(id), { body: { content: 'three' } })
    expect(third.body).toMatchObject({ title: { raw: 'T' }, content: { raw: 'three' }, meta: { footnotes: '' } })
    const same = await edith('POST', autosaves(id), { body: { content: 'C' } })
    expect(same.body).toMatchObject({ id: first.body.id, content: { raw: 'three' } })
  })

  test('texts that were never sent are empty, and meta is what was sent', async () => {
    const input = { title: 'Full', content: 'C', excerpt: 'E', status: 'publish', meta: { footnotes: '[]' } }
    const { id } = (await edith('POST', '/cms/v2/posts', { body: input })).body
    const footnotes = '[{"content":"n","id":"1"}]'
    const first = await edith('POST', autosaves(id), { body: { content: 'one', meta: { footnotes } } })
    expect(first.body).toMatchObject({
      title: { raw: '' },
      content: { raw: 'one' },
      excerpt: { raw: '' },
      meta: { footnotes },
    })
    const second = await edith('POST', autosaves(id), { body: { meta: { footnotes: null } } })
    expect(second.body).toMatchObject({ id: first.body.id, content: { raw: 'one' }, meta: { footnotes: '' } })
  })

  test('are listed newest first, told as events, and refused in words', async () => {
    const { id } = (await edith('POST', '/cms/v2/posts', { body: { title: 'Told', status: 'publish' } })).body
    const events: unknown[] = []
    const stop = site.api.on('autosave.saved', (event) => void events.push(event))
    const first = await edith('POST', autosaves(id), { body: { content: 'of edith' } })
    site.clock.now += 60_000
    const second = await site.as('ada')('POST', autosaves(id), { body: { content: 'of ada' } })
    stop()
    const saved = [first.body.id, second.body.id]
    expect(events).toEqual(saved.map((autosave) => ({ id: autosave, post: id })))
    const listed = (await edith('GET', autosaves(id))).body.map((row: { id: number }) => row.id)
    expect(listed).toEqual(saved.toReversed())
    const { body } = await site.as('connie')('GET', autosaves(id))
    expect(body.message).toBe('You may not read the autosaves of this post.')
  })

  test('two editors have one autosave each, and never get the text of the other', async () => {
    const id = site.ids['post.tide']
    const mine = await edith('POST', autosaves(id), { body: { content: 'of edith' } })
    const hers = await site.as('ada')('POST', autosaves(id), { body: { content: 'of ada' } })
    expect(mine.body.id).not.toBe(hers.body.id)
    expect((await edith('POST', autosaves(id), { body: { content: 'still of edith' } })).body.id).toBe(mine.body.id)
    expect((await edith('GET', autosaves(id))).body).toHaveLength(2)
    for (const login of ['arthur', 'connie', 'sam', null]) {
      const by = site.as(login)
      expect((await by('POST', autosaves(id), { body: { content: 'x' } })).body.code).toBe('rest_cannot_edit')
      expect((await by('GET', autosaves(id))).body.code).toBe('rest_cannot_read')
      expect((await by('GET', `${autosaves(id)}/${mine.body.id}`)).body.code).toBe('rest_cannot_read')
    }
    const foreign = `/cms/v2/posts/${site.ids['post.knots']}/autosaves/${mine.body.id}`
    expect(await edith('GET', foreign)).toMatchObject({ status: 404, body: { code: 'rest_post_no_autosave' } })
  })

  test("writes an autosave of one's own draft to the post, without a revision, and checks permissions", async () => {
    const { body: draft } = await site.as('connie')('POST', '/cms/v2/posts', { body: { title: 'Mine', content: 'a' } })
    const saved = await site.as('connie')('POST', autosaves(draft.id), { body: { content: 'b' } })
    expect(saved.body).toMatchObject({ id: draft.id, parent: 0, content: { raw: 'b' }, title: { raw: 'Mine' } })
    expect((await edith('GET', `/cms/v2/posts/${draft.id}/revisions`)).body).toEqual([])
    const refused = await site.as('connie')('POST', autosaves(draft.id), { body: { status: 'publish' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_cannot_publish' } })
    const foreign = await edith('POST', autosaves(draft.id), { body: { content: 'by the editor' } })
    expect(foreign.body.parent).toBe(draft.id)
  })

  test("writes an autosave of one's own post that was opened, but never saved, to the post", async () => {
    const opened = { key: 'opened', slug: '', status: 'auto-draft', author: 'author', date: '2024-06-01T09:00:00' }
    const own = await createTestSite({ seed: { ...smallSite, posts: [opened] } })
    const id = own.ids['post.opened']
    const saved = await own.as('arthur')('POST', autosaves(id), { body: { content: 'first words' } })
    expect(saved.body).toMatchObject({ id, parent: 0, content: { raw: 'first words' } })
    await own.dispose()
  })
})
