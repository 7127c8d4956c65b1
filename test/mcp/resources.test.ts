/** Reads the texts of a site as resources, with the client of the official SDK. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpHandler } from '../../src/mcp/index.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { full } from '../../src/profiles/full.ts'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'
import { agentOf } from './agent.ts'

const basic = (login: string) => ({ authorization: `Basic ${btoa(`${login}:${passwordOf(login)}`)}` })

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: full })
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

type Agent = Awaited<ReturnType<typeof agentOf>>

/** All pages of the list. */
async function listed(agent: Agent) {
  const found: Awaited<ReturnType<Agent['listResources']>>['resources'] = []
  let cursor: string | undefined
  do {
    const page = await agent.listResources(cursor === undefined ? {} : { cursor })
    found.push(...page.resources)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

async function read(agent: Agent, uri: string): Promise<string> {
  const { contents } = await agent.readResource({ uri })
  expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }])
  const [first] = contents
  return first && 'text' in first ? first.text : ''
}

test('lists the published posts and pages, once each', async () => {
  const agent = await agentOf(createMcpHandler(site.api))
  const uris = (await listed(agent)).map(({ uri }) => uri)
  const idsOf = async (path: string) =>
    (await site.visitor('GET', path, { query: { per_page: 100 } })).body.map(({ id }: { id: number }) => id)
  const expected = [
    ...(await idsOf('/cms/v2/posts')).map((id: number) => `site://posts/${id}`),
    ...(await idsOf('/cms/v2/pages')).map((id: number) => `site://pages/${id}`),
  ]
  expect(uris.toSorted()).toEqual(expected.toSorted())
  expect(await listed(agent)).toContainEqual({
    uri: `site://posts/${site.ids['post.tide']}`,
    name: 'tide',
    title: 'Reading the tide',
    description: expect.stringMatching(/\/tide\/$/),
    mimeType: 'text/markdown',
    annotations: { lastModified: expect.stringMatching(/^2024-01-14T\d\d:00:00Z$/) },
  })
})

test('lists more records than a page has', async () => {
  const many = await createTestSite({ profile: full })
  for (let at = 0; at < 120; at++) {
    await many.api.call('POST', '/cms/v2/posts', { title: `Post ${at}`, status: 'publish' }, { as: 'system' })
  }
  const uris = (await listed(await agentOf(createMcpHandler(many.api)))).map(({ uri }) => uri)
  expect(uris.length).toBeGreaterThan(120)
  expect(new Set(uris).size).toBe(uris.length)
  await many.dispose()
})

test('reads a text as Markdown, with its address and dates', async () => {
  const agent = await agentOf(createMcpHandler(site.api))
  const content = '<h2>Boats</h2><ul><li>Ada &amp; co</li></ul><script>x()</script>'
  const { data } = await site.api.call<{ readonly id: number; readonly link: string }>(
    'POST',
    '/cms/v2/posts',
    { title: 'Low &amp; high', status: 'publish', date_gmt: '2024-06-01T08:00:00', content },
    { as: site.ids['user.author'] ?? 0 },
  )
  const text = await read(agent, `site://posts/${data.id}`)
  expect(text).toMatch(
    /^# Low & high\n\n- Address: \S+\n- Published: 2024-06-01T08:00:00Z\n- Changed: \S+Z\n\n## Boats\n\n- Ada & co\n/,
  )
  expect(text).toContain(data.link)
})

test('reads what a page of the builder shows', async () => {
  const elements = [
    containerElement('aaaaaa1', {}, [
      widgetElement('aaaaaa2', 'heading', { title: 'Moorings' }),
      widgetElement('aaaaaa3', 'text-editor', { editor: '<p>Ask <em>first</em>.</p>' }),
    ]),
  ]
  const id = await storeDocument(site, elements)
  expect(await read(await agentOf(createMcpHandler(site.api)), `site://posts/${id}`)).toMatch(
    /\n\n## Moorings\n\nAsk _first_\.\n$/,
  )
})

test('shows what the caller may read, and refuses the rest', async () => {
  const handler = createMcpHandler(site.api)
  const draft = await site.api.call<{ readonly id: number }>(
    'POST',
    '/cms/v2/posts',
    { title: 'Not yet', status: 'draft' },
    { as: site.ids['user.editor'] ?? 0 },
  )
  const uri = `site://posts/${draft.data.id}`
  const visitor = await agentOf(handler)
  expect(await read(await agentOf(handler, basic('edith')), uri)).toContain('- Status: draft\n')
  await expect(visitor.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { status: 401 } })
  expect((await listed(visitor)).map((one) => one.uri)).not.toContain(uri)
  const wrong = await agentOf(handler, { authorization: `Basic ${btoa('edith:wrong')}` })
  await expect(wrong.listResources()).rejects.toMatchObject({ code: -32602, data: { status: 401 } })
})

test.each([
  'site://posts/999999',
  'site://users/1',
  'site://posts/one',
  'https://quay.example/',
  'site://posts/1/../2',
])('answers -32002 to %s', async (uri) => {
  const agent = await agentOf(createMcpHandler(site.api))
  await expect(agent.readResource({ uri })).rejects.toMatchObject({ code: -32002, data: { uri, status: 404 } })
})

test('refuses a cursor that it did not give', async () => {
  const agent = await agentOf(createMcpHandler(site.api))
  for (const cursor of ['users:1', 'posts:0', 'x']) {
    await expect(agent.listResources({ cursor }), cursor).rejects.toMatchObject({ code: -32602 })
  }
})

test('offers templates of the kinds whose tools the host allows', async () => {
  const templates = async (read?: readonly string[]) => {
    const agent = await agentOf(createMcpHandler(site.api, read ? { read } : {}))
    return (await agent.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)
  }
  expect(await templates()).toEqual(expect.arrayContaining(['site://posts/{id}', 'site://pages/{id}']))
  expect(await templates(['pages_*'])).toEqual(['site://pages/{id}'])
  expect(await templates(['posts_list'])).toEqual([])
  const agent = await agentOf(createMcpHandler(site.api, { read: ['posts_list'] }))
  expect(await agent.listResources()).toEqual({ resources: [] })
})

test('lists all pages under a word map', async () => {
  const mapped = await createTestSite({ names: wordpress, profile: full })
  const uris = (await listed(await agentOf(createMcpHandler(mapped.api)))).map(({ uri }) => uri)
  expect(uris.filter((uri) => uri.startsWith('site://pages/')).length).toBeGreaterThan(0)
  await mapped.dispose()
})
