/** Values that a write could not use are named in `_warnings` of its response, or refused where the host chooses so. */
import { afterEach, expect, test } from 'vitest'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

async function open(options: TestSiteOptions = {}) {
  site = await createTestSite(options)
  return site.as('ada')
}
const posts = '/cms/v2/posts'
const misspelt = { title: 'Tide', meta: { footnote: '[]', mood: 1, footnotes: '' } }
const warnings = [
  { code: 'unknown_meta', param: 'meta.footnote', message: 'There is no meta field footnote: did you mean footnotes?' },
  {
    code: 'unknown_meta',
    param: 'meta.mood',
    message: expect.stringMatching(/^There is no meta field mood: the fields are /),
  },
]

test('names each meta field that the type does not declare, and stores the others', async () => {
  const ada = await open()
  const created = await ada('POST', posts, { body: misspelt })
  expect(created.status).toBe(201)
  expect(created.body._warnings).toEqual(warnings)
  const path = `${posts}/${created.body.id}`
  const updated = await ada('PUT', path, { body: { meta: { mood: 2 } } })
  expect(updated.body._warnings).toEqual([warnings[1]])
  expect((await ada('PUT', path, { body: { meta: { footnotes: '' } } })).body).not.toHaveProperty('_warnings')
  expect((await ada('GET', path, { query: 'context=edit' })).body).not.toHaveProperty('_warnings')
})

test('names them in autosaves, and in each item of a batch', async () => {
  const ada = await open()
  const { body } = await ada('POST', posts, { body: { title: 'Tide' } })
  const autosave = await ada('POST', `${posts}/${body.id}/autosaves`, { body: { title: 'Ebb', meta: { mood: 1 } } })
  expect(autosave.body._warnings).toEqual([warnings[1]])
  const requests = [
    { method: 'POST', path: posts, body: { title: 'One', meta: { mood: 1 } } },
    { method: 'POST', path: posts, body: { title: 'Two' } },
  ]
  const { responses } = (await ada('POST', '/batch/v1', { body: { requests } })).body
  expect(responses.map(({ body: item }: { body: { _warnings?: unknown } }) => item._warnings)).toEqual([
    [warnings[1]],
    undefined,
  ])
})

test('lists no more than twenty, whatever was sent', async () => {
  const ada = await open()
  const meta = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field-${index}`, 1]))
  const { body } = await ada('POST', posts, { body: { title: 'Tide', meta } })
  expect(body._warnings).toHaveLength(20)
})

test('leaves them out when the client asks for other members only', async () => {
  const ada = await open()
  const { body } = await ada('POST', posts, { query: '_fields=status', body: misspelt })
  expect(body).toEqual({ status: 'draft' })
})

test('refuses the request where the host refuses unknown arguments', async () => {
  const ada = await open({ unknownArguments: 'refuse' })
  expect(await ada('POST', posts, { body: misspelt })).toMatchObject({
    status: 400,
    body: {
      data: {
        params: { 'meta.footnote': warnings[0]?.message },
        details: { 'meta.mood': { code: 'rest_unknown_argument' } },
      },
    },
  })
})
