/** An agent changes words and addresses, in one page and everywhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentSiteUnderTest, openAgentSite } from './sites.ts'

let opened: AgentSiteUnderTest
beforeAll(async () => {
  opened = await openAgentSite()
})
afterAll(async () => {
  expect(opened.site.failures).toEqual([])
  await opened.site.dispose()
})

const post = async (title: string, content: string): Promise<number> => {
  const values = { title, content, status: 'publish' }
  return (await opened.site.api.call<{ readonly id: number }>('POST', '/cms/v2/posts', values, { as: 'system' })).data
    .id
}
const contentOf = async (id: number): Promise<string> =>
  (await opened.site.as('ada')('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })).body.content.raw

test('shows in a dry run each place that changes, and writes nothing', async () => {
  const before = await opened.elements(opened.built)
  const { structured } = await opened.call('change_text', { find: 'Moorings', replace: 'Berths', dry_run: true })
  expect(structured).toMatchObject({
    dry_run: true,
    changes: 2,
    pages: [
      {
        id: opened.built,
        changes: [
          { part: 'bbbbbb2', setting: 'title', before: 'Moorings', after: 'Berths' },
          { part: 'bbbbbb4', setting: 'text', before: 'Moorings today', after: 'Berths today' },
        ],
      },
    ],
  })
  expect(await opened.elements(opened.built)).toBe(before)
})

test('replaces words in texts only: no option, tag, address or comment changes', async () => {
  const id = await post(
    'A pier',
    '<!-- cms:paragraph {"align":"center"} -->\n<p class="center">The center of <a href="/center/">it</a> all</p>\n<!-- /cms:paragraph -->',
  )
  await opened.call('change_text', { find: 'center', replace: 'middle' })
  expect(await contentOf(id)).toBe(
    '<!-- cms:paragraph {"align":"center"} -->\n<p class="center">The middle of <a href="/center/">it</a> all</p>\n<!-- /cms:paragraph -->',
  )
  const elements = await opened.elements(opened.built)
  expect(elements).toContain('"align":"center"')
  expect(elements).toContain('>middle</a> first')
})

test('writes signs as text, and finds them as readers see them', async () => {
  const id = await post('Signs', '<p>Fish &amp; chips, rum</p>')
  await opened.call('change_text', { page: id, find: 'Fish & chips', replace: 'Salt & <b>pepper</b>' })
  expect(await contentOf(id)).toBe('<p>Salt &amp; &lt;b&gt;pepper&lt;/b&gt;, rum</p>')
})

test('changes whole words unless it is told otherwise', async () => {
  const id = await post('Words', '<p>Rum, rums, RUM</p>')
  const changed = async (args: object) => {
    const { structured } = await opened.call('change_text', {
      page: id,
      find: 'rum',
      replace: 'tea',
      dry_run: true,
      ...args,
    })
    return structured.pages[0]?.changes[0]?.after
  }
  expect(await changed({})).toBeUndefined()
  expect(await changed({ whole_words: false })).toBe('<p>Rum, teas, RUM</p>')
  expect(await changed({ ignore_case: true })).toBe('<p>tea, rums, tea</p>')
})

test('replaces addresses of links where it is asked to', async () => {
  const { structured } = await opened.call('change_text', { in: 'links', find: '/pier/', replace: '/quay/' })
  expect(structured.written).toContain(opened.built)
  const elements = await opened.elements(opened.built)
  expect(elements).toContain('"url":"/quay/"')
  expect(elements).toContain('href=\\"/quay/\\"')
  const refused = await opened.call('change_text', { in: 'links', find: '/quay/', replace: 'javascript:alert(1)' })
  expect(refused).toMatchObject({ isError: true, text: { code: 'mcp_invalid_argument' } })
})

test('writes one part of a built page, and of a page of blocks', async () => {
  await opened.call('change_text', { page: opened.built, part: 'bbbbbb3', replace: 'Ask **there**.\n\n- Now' })
  expect(await opened.elements(opened.built)).toContain('<p>Ask <strong>there</strong>.</p>\\n<ul><li>Now</li></ul>')
  const id = await post(
    'Parts',
    '<!-- cms:paragraph -->\n<p>One</p>\n<!-- /cms:paragraph -->\n\n<!-- cms:paragraph -->\n<p>Two</p>\n<!-- /cms:paragraph -->',
  )
  const { structured } = await opened.call('change_text', { page: id, part: 2, replace: 'Three' })
  expect(structured.difference).toContain('- <p>Two</p>\n+ <p>Three</p>')
  expect(await contentOf(id)).toContain('<p>One</p>\n<!-- /cms:paragraph -->\n\n<!-- cms:paragraph -->\n<p>Three</p>')
})

test('names the parts and the way out of an error', async () => {
  const missing = await opened.call('change_text', { page: opened.built, part: 'none', replace: 'x' })
  expect(missing).toMatchObject({
    isError: true,
    text: { code: 'mcp_no_part', message: expect.stringContaining('outline') },
  })
  const silent = await opened.call('change_text', { page: opened.built, part: 'bbbbbb1', replace: 'x' })
  expect(silent).toMatchObject({ isError: true, text: { code: 'mcp_no_text' } })
  expect(await opened.call('change_text', { replace: 'x' })).toMatchObject({ isError: true })
})

test('changes the pages that the user may change, and says which kinds are left out', async () => {
  const as = opened.site.ids['user.author'] ?? 0
  const own = await opened.site.api.call<{ readonly id: number }>(
    'POST',
    '/cms/v2/posts',
    { title: 'Mine', content: '<p>Lanterns</p>', status: 'publish' },
    { as },
  )
  const other = await post('Not mine', '<p>Lanterns</p>')
  const { structured } = await opened.call('change_text', { find: 'Lanterns', replace: 'Lamps' }, { as })
  expect(structured.written).toEqual([own.data.id])
  expect(structured.left_out).toContain('pages')
  expect(await contentOf(other)).toBe('<p>Lanterns</p>')
})
