/** A header cannot list all that a hundred posts are made from: it names each of them as a whole there, and the list still lasts. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'

const posts = '/cms/v2/posts'
const list = `${posts}?per_page=100&orderby=id&order=asc&before=1999-01-01T00:00:00`

async function openLongList() {
  const site = await createTestSite({ profile: full, cacheTags: {}, checkResponses: false })
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  const bodyOf = (at: number) => ({
    title: `Neap ${at}`,
    content: 'One',
    status: 'publish',
    date: '1998-01-01T00:00:00',
  })
  const ids: number[] = []
  for (let begin = 0; begin < 125; begin += 25) {
    const requests = Array.from({ length: 25 }, (_, at) => ({ path: posts, method: 'POST', body: bodyOf(begin + at) }))
    const { body } = await ada('POST', '/batch/v1', { body: { requests } })
    ids.push(...body.responses.map((one: { body: { id: number } }) => one.body.id))
  }
  const changed: string[] = []
  site.api.on('tags.changed', ({ tags }) => void changed.push(...tags))
  const tagsOfList = async () => {
    const { headers } = await site.visitor('GET', list)
    return (headers.get('cache-tag') ?? '').split(',')
  }
  // The list is known after the second answer.
  for (let times = 0; times < 4; times++) await tagsOfList()
  /** Whether the list has one of the tags that these writes touch. */
  const ends = async (write: () => Promise<unknown>) => {
    const tags = new Set(await tagsOfList())
    changed.length = 0
    await write()
    expect(changed).not.toEqual([])
    return changed.some((tag) => tags.has(tag))
  }
  const update = (id: number, body: object) => () => ada('POST', `${posts}/${id}`, { body })
  return { ada, ids, tagsOfList, ends, update }
}

test('a list of a hundred posts has one tag for each', async () => {
  const { ids, tagsOfList } = await openLongList()
  const tags = await tagsOfList()
  expect(tags).toEqual(expect.arrayContaining(['all', ...ids.slice(0, 100).map((id) => `post:${id}/*`)]))
  expect(tags).not.toContain('site')
  expect(tags.join().length).toBeLessThan(7000)
  expect(tags.filter((tag) => tag.startsWith(`post:${ids[0]}`))).toEqual([`post:${ids[0]}/*`])
})

test('each change that the list shows ends it', async () => {
  const { ada, ids, ends, update } = await openLongList()
  const [first = 0, second = 0, third = 0, fourth = 0] = ids
  const { body: term } = await ada('POST', '/cms/v2/categories', { body: { name: 'Tides' } })
  const newer = await ends(update(second, { content: 'Two' }))
  const { body: revisions } = await ada('GET', `${posts}/${second}/revisions`)
  const writes = {
    title: update(first, { title: 'Spring' }),
    terms: update(first, { categories: [term.id] }),
    'name of a term': () => ada('POST', `/cms/v2/categories/${term.id}`, { body: { slug: 'ebb' } }),
    meta: update(first, { meta: { footnotes: '[{"content":"a","id":"b"}]' } }),
    revision: () => ada('DELETE', `${posts}/${second}/revisions/${revisions.at(-1).id}`, { query: { force: true } }),
    status: update(third, { status: 'draft' }),
    removal: () => ada('DELETE', `${posts}/${fourth}`, { query: { force: true } }),
  }
  const ended: { [name: string]: boolean } = { newer }
  for (const [name, write] of Object.entries(writes)) ended[name] = await ends(write)
  expect(ended).toEqual(Object.fromEntries(['newer', ...Object.keys(writes)].map((name) => [name, true])))
})

test('changes of other posts do not end it', async () => {
  const { ada, ids, ends, update } = await openLongList()
  const last = ids.at(-1) ?? 0
  expect(await ends(update(last, { title: 'Spring', content: 'Two' }))).toBe(false)
  expect(await ends(() => ada('POST', posts, { body: { title: 'Draft' } }))).toBe(false)
  expect(await ends(() => ada('POST', '/cms/v2/tags', { body: { name: 'Tides' } }))).toBe(false)
})
