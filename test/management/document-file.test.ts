/** Documents that are read from files, part by part. */
import { expect, test } from 'vitest'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

const seeded = async (document: unknown) => {
  const site = await createTestSite({ seed: false, profile: d2 })
  try {
    const ids = await site.api.site.seed(document)
    return { ids, text: JSON.stringify(await site.api.site.export()) }
  } finally {
    await site.dispose()
  }
}

const notes = [{ content: 'One "quoted" \\ { [ ,' }, { content: 'Zwei — ⚓' }]

test.each([
  ['as a program writes it', JSON.stringify({ ...smallSite, records: { notes } })],
  ['with indentation', JSON.stringify({ ...smallSite, records: { notes } }, null, '\t')],
  [
    'with its members in another order',
    JSON.stringify(Object.fromEntries(Object.entries({ ...smallSite, records: { notes } }).reverse())),
  ],
  ['with a byte order mark', `\uFEFF${JSON.stringify({ ...smallSite, records: { notes } })}\r\n`],
  [
    'with a member twice, of which the last counts',
    JSON.stringify({ ...smallSite, records: { notes } }).replace('{', '{"posts":[7],'),
  ],
])('a file %s gives the same site as the value', async (_, text) => {
  expect(await seeded(new Blob([text]))).toEqual(await seeded({ ...smallSite, records: { notes } }))
})

test('files and values complete each other', async () => {
  const { ids } = await seeded([
    { users: [{ key: 'ann', login: 'ann' }] },
    new Blob(['{"posts":[{"key":"a","author":"ann"}]}']),
  ])
  expect(Object.keys(ids)).toEqual(['user.ann', 'post.a'])
})

test('reads a file of more than one part, with an entry that is longer than a part', async () => {
  const posts = Array.from({ length: 700 }, (_, n) => ({
    key: `p${n}`,
    content: 'ä'.repeat(n === 300 ? 1_500_000 : 3000),
  }))
  const site = await createTestSite({ seed: false })
  await site.api.site.seed(new Blob([JSON.stringify({ posts })]))
  const again = await createTestSite({ seed: false })
  await again.api.site.seed(await new Response(site.api.site.exportStream()).blob())
  expect((await again.api.site.export()).posts?.map(({ key, content }) => [key, content?.length])).toEqual(
    posts.map(({ key, content }) => [key, content.length]),
  )
  await site.dispose()
  await again.dispose()
})

test.each([
  ['nothing', '', 'unexpected end'],
  ['a list that does not end', '{"posts":[{"key":"a"}', 'unexpected end'],
  ['a text that does not end', '{"posts":[{"key":"a}]}', 'unexpected end'],
  ['an escape at the end', '{"posts":["\\', 'unexpected end'],
  ['no comma between members', '{"posts":[] "pages":[]}', 'unexpected character "\\""'],
  ['a comma too many', '{"posts":[{"key":"a"},]}', 'unexpected character "]"'],
  ['no comma between entries', '{"posts":[{} {}]}', 'unexpected character "{"'],
  ['more after its end', '{"posts":[]}x', 'unexpected character "x"'],
  ['a name without quotes', '{posts:[]}', 'unexpected character "p"'],
  ['an entry that is no JSON', '{"posts":[{"key":a}]}', 'posts[0] is not valid JSON'],
  ['an option that is no JSON', '{"options":{"name":}}', 'options is not valid JSON'],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'no UTF-8'],
  ['another value than an object', '[]', 'unexpected character "["'],
  ['an entry of another type', '{"posts":[7]}', 'posts[0] must be'],
  ['a list in place of an object', '{"options":[]}', 'options must be'],
  ['an unknown member', '{"postings":[{}]}', 'postings'],
  ['a collection that is no list', '{"records":{"notes":{}}}', 'records.notes must be a list'],
  ['records that are a list', '{"records":[]}', 'records must be'],
  ['a NUL', '{"posts":[{"key":"a","content":"\\u0000"}]}', 'posts[0].content holds a NUL'],
])('refuses a file with %s and writes nothing', async (_, text, message) => {
  const site = await createTestSite({ seed: false })
  await expect(site.api.site.seed(new Blob([text]))).rejects.toThrow(message)
  expect(await site.api.site.isEmpty()).toBe(true)
  await site.dispose()
})
