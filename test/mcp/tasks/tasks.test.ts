/** An agent finds, reads and keeps pages and files, and calls routes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpHandler, createMcpServer, type McpServerOptions } from '../../../src/mcp/index.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { full } from '../../../src/profiles/full.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import { createTestSite } from '../../support/site.ts'
import { passwordOf } from '../../support/small-site.ts'
import { agentIn, agentOf, callTool } from '../agent.ts'
import { type AgentSiteUnderTest, openAgentSite } from './sites.ts'

let opened: AgentSiteUnderTest
beforeAll(async () => {
  opened = await openAgentSite()
})
afterAll(async () => {
  expect(opened.site.failures).toEqual([])
  await opened.site.dispose()
})

const toolNames = async (options: McpServerOptions) => {
  const agent = await agentIn(await createMcpServer(opened.site.api, options))
  return (await agent.listTools()).tools.map(({ name }) => name)
}
const reading = [
  'about_site',
  'find',
  'read',
  'outline',
  'media',
  'history',
  'where_used',
  'describe_route',
  'call_route',
]

test('says which tools only read, and gives all others a dry run', async () => {
  const views = async (options: McpServerOptions) =>
    (await (await agentIn(await createMcpServer(opened.site.api, options))).listTools()).tools
  for (const { name, annotations } of await views({})) expect(annotations?.readOnlyHint, name).toBe(true)
  for (const { name, annotations, inputSchema } of await views({ write: ['*'] })) {
    expect(annotations?.readOnlyHint, name).toBe(!Object.hasOwn(inputSchema.properties ?? {}, 'dry_run'))
  }
})

test('offers tools that write only where the host names writes', async () => {
  expect((await toolNames({})).toSorted()).toEqual(reading.toSorted())
  expect(await toolNames({ write: ['*'] })).toEqual(
    expect.arrayContaining([...reading, 'write_page', 'change_text', 'change_style', 'publish']),
  )
  expect(await toolNames({ read: ['posts_*'] })).not.toContain('media')
  await expect(createMcpServer(opened.site.api, { tools: 'all' as never })).rejects.toThrow(/^tools: all is neither/)
})

test('writes nothing through any tool without a write of the host', async () => {
  const { site, built } = opened
  const as = site.ids['user.admin'] ?? 0
  const before = await opened.elements(built)
  const calls: readonly (readonly [string, object])[] = [
    ['call_route', { route: 'posts_create', arguments: { title: 'No' } }],
    ['call_route', { route: 'DELETE /cms/v2/pages/1' }],
    ['history', { page: built, version: 1, restore: true }],
    ['media', { id: site.ids['media.pier'], alt_text: 'No' }],
    ['media', { id: site.ids['media.pier'], remove: true }],
  ]
  for (const [tool, args] of calls) {
    expect(await opened.call(tool, args, { as, write: [] }), JSON.stringify(args)).toMatchObject({ isError: true })
  }
  const agent = await agentIn(await createMcpServer(site.api, { as }))
  await expect(agent.callTool({ name: 'write_page', arguments: { markdown: 'No' } })).rejects.toThrow(
    /there is no tool/,
  )
  await expect(agent.callTool({ name: 'posts_create', arguments: { title: 'No' } })).rejects.toThrow(/there is no tool/)
  expect(await opened.elements(built)).toBe(before)
})

test('calls the tool of a route by its name, where the list has the tools by task, within what the host allows', async () => {
  const { site } = opened
  const as = site.ids['user.admin'] ?? 0
  const reading = await agentIn(await createMcpServer(site.api, { as }))
  const listed = (await reading.listTools()).tools.map(({ name }) => name)
  expect(listed).not.toContain('posts_list')
  expect(await reading.callTool({ name: 'posts_list', arguments: { per_page: 1 } })).not.toHaveProperty('isError', true)
  const some = await agentIn(await createMcpServer(site.api, { as, read: ['pages_*'] }))
  await expect(some.callTool({ name: 'posts_list', arguments: {} })).rejects.toThrow(/there is no tool/)
})

test('finds drafts for who may edit them, and published pages for visitors', async () => {
  await opened.site.api.call('POST', '/cms/v2/posts', { title: 'Zephyr', status: 'draft' }, { as: 'system' })
  const titles = async (options: object) => (await opened.call('find', { text: 'Zephyr' }, options)).structured.pages
  expect(await titles({})).toMatchObject([{ type: 'posts', title: 'Zephyr', status: 'draft' }])
  const { structured } = await callTool(await agentIn(await createMcpServer(opened.site.api)), 'find', {
    text: 'Zephyr',
  })
  expect(structured).toMatchObject({ pages: [], total: 0 })
  const visitor = await agentIn(await createMcpServer(opened.site.api))
  expect(await callTool(visitor, 'find', { status: 'draft' })).toMatchObject({ isError: true })
})

test('names a page by id, slug, address and resource', async () => {
  const { built } = opened
  const { link } = (await opened.call('read', { page: built })).structured
  for (const page of [built, `${built}`, 'the-moorings', link, `pages/${built}`, `site://pages/${built}`]) {
    const { structured } = await opened.call('read', { page })
    expect(structured, page).toMatchObject({
      id: built,
      title: 'The moorings',
      markdown: expect.stringContaining('## Moorings'),
    })
  }
  const missing = await opened.call('read', { page: 'nowhere' })
  expect(missing).toMatchObject({
    isError: true,
    text: { code: 'mcp_no_page', status: 404, message: expect.stringContaining('find') },
  })
})

test('lists the parts of a page, and shows one with its settings', async () => {
  const { structured } = await opened.call('outline', { page: opened.built })
  expect(structured.outline.split('\n')).toEqual([
    '[bbbbbb1] container',
    '  [bbbbbb2] heading h2: Moorings',
    '  [bbbbbb3] text-editor: Ask at the [center](/pier/) first & _early_.',
    '  [bbbbbb4] button: Moorings today',
  ])
  const one = await opened.call('outline', { page: opened.built, part: 'bbbbbb4' })
  expect(one.structured.part).toMatchObject({
    settings: { link: { url: '/pier/' } },
    texts: [{ setting: 'text', text: 'Moorings today' }],
  })
})

test('restores a version, and shows before what that changes', async () => {
  const { data } = await opened.site.api.call<{ readonly id: number }>(
    'POST',
    '/cms/v2/posts',
    { title: 'First', content: '<p>Old</p>' },
    { as: 'system' },
  )
  const page = data.id
  await opened.call('write_page', { page, markdown: 'Middle' })
  await opened.call('write_page', { page, markdown: 'New', title: 'Second' })
  const { versions } = (await opened.call('history', { page })).structured
  const old = versions.at(-1).version
  const seen = await opened.call('history', { page, version: old })
  expect(seen.structured.difference).toBe('- # Second\n+ # First\n  \n- New\n+ Old')
  await opened.call('history', { page, version: old, restore: true, dry_run: true })
  expect((await opened.call('read', { page })).structured.markdown).toBe('New')
  await opened.call('history', { page, version: old, restore: true })
  expect((await opened.call('read', { page })).structured).toMatchObject({ title: 'First', markdown: 'Old' })
})

test('restores the elements of a built page', async () => {
  const { structured } = await opened.call('write_page', {
    markdown: '# Berths\n\nOne.\n\n## Two',
    form: 'builder',
    type: 'pages',
  })
  const page = structured.id
  const before = await opened.elements(page)
  await opened.call('write_page', { page, markdown: 'Other' })
  expect(await opened.elements(page)).not.toBe(before)
  const { versions } = (await opened.call('history', { page })).structured
  await opened.call('history', { page, version: versions.at(-1).version, restore: true })
  expect(await opened.elements(page)).toBe(before)
})

test('publishes, and moves to the trash and back', async () => {
  const { structured } = await opened.call('write_page', { markdown: '# Plan\n\nWords.' })
  const page = structured.id
  const status = async () => (await opened.call('find', { text: 'Plan' })).structured.pages[0]?.status
  expect((await opened.call('publish', { page, dry_run: true })).structured.difference).toBe(
    '- status: draft\n+ status: publish',
  )
  expect(await status()).toBe('draft')
  await opened.call('publish', { page })
  expect(await status()).toBe('publish')
  const trashed = await opened.call('publish', { page, status: 'trash' })
  expect(await status()).toBeUndefined()
  const { tool, arguments: args } = trashed.structured.undo
  await opened.call(tool, args)
  expect(await status()).toBe('publish')
})

test('tells what checks have found in a page that is written and published', async () => {
  const checked = await openAgentSite({ profile: full, publishing: { checks: 'warn' } })
  try {
    const codesOf = ({ structured }: Awaited<ReturnType<typeof checked.call>>) =>
      structured.warnings?.map(({ code }: { code: string }) => code)
    const made = await checked.call('write_page', { markdown: '# Plan\n\nWords.' })
    expect([made.structured.created, codesOf(made)]).toEqual([true, undefined])
    const page = made.structured.id
    const published = await checked.call('publish', { page })
    expect([published.structured.status, codesOf(published)]).toEqual([
      'publish',
      expect.arrayContaining(['missing-excerpt']),
    ])
    expect(new Set(codesOf(published)).size).toBe(codesOf(published)?.length)
    const changed = await checked.call('write_page', { page, markdown: 'More words.', place: 'end' })
    expect(codesOf(changed)).toContain('missing-excerpt')
    const route = await checked.call('call_route', {
      route: 'POST /cms/v2/pages/{id}',
      arguments: { id: page, title: 'A' },
    })
    expect([codesOf(route), JSON.stringify(route.structured)]).toEqual([
      undefined,
      expect.stringContaining('missing-excerpt'),
    ])
    const mended = await checked.call('write_page', { page, markdown: 'Words.', place: 'end', excerpt: 'A plan.' })
    expect(codesOf(mended) ?? []).not.toContain('missing-excerpt')
  } finally {
    await checked.site.dispose()
  }
})

test('describes pictures, and finds where they are used', async () => {
  const { structured } = await opened.call('media', {})
  const { id, address } = structured.files[0]
  const words = await opened.call('media', { id, alt_text: 'A long pier', dry_run: true })
  expect(words.structured.difference).toContain('+ alt_text: A long pier')
  await opened.call('media', { id, alt_text: 'A long pier' })
  expect((await opened.call('media', { id })).structured.alt_text).toBe('A long pier')
  const { structured: page } = await opened.call('write_page', { markdown: `# Look\n\n![Pier](media:${id})` })
  const uses = (await opened.call('where_used', { kind: 'media', what: id })).structured.uses
  expect(uses).toContainEqual(expect.objectContaining({ id: page.id, widget: 'image', setting: 'image.id' }))
  expect(await opened.elements(page.id)).toContain(address)
  expect(await opened.call('write_page', { markdown: '![No](media:99999)' })).toMatchObject({
    isError: true,
    text: { code: 'mcp_no_media' },
  })
})

test.each([
  [{ kind: 'widget', what: 'button' }, 'bbbbbb4'],
  [{ kind: 'link', what: '/pier/' }, 'bbbbbb3'],
  [{ kind: 'text', what: 'moorings TODAY' }, 'bbbbbb4'],
  [{ kind: 'color', what: '#aa0011' }, 'bbbbbb2'],
])('finds where %o is used', async (args, part) => {
  const { structured } = await opened.call('where_used', args)
  expect(structured.uses.map((use: { readonly part?: string }) => use.part)).toContain(part)
  expect(structured.total).toBeGreaterThan(0)
})

test('describes a route, and calls it by name and by method and path', async () => {
  const { routes } = (await opened.call('describe_route', { text: 'list categories' })).structured
  expect(routes).toContainEqual(expect.stringMatching(/^categories_list: /))
  const described = (await opened.call('describe_route', { route: 'categories_list' })).structured
  expect(described).toMatchObject({
    route: 'GET /cms/v2/categories',
    arguments: { properties: { per_page: {} } },
    answer: expect.arrayContaining(['slug']),
  })
  const byName = await opened.call('call_route', {
    route: 'categories_list',
    arguments: { per_page: 1, _fields: 'slug' },
  })
  expect(byName.structured).toMatchObject({
    status: 200,
    total: expect.any(Number),
    answer: [{ slug: expect.any(String) }],
  })
  const byPath = await opened.call('call_route', { route: `GET /cms/v2/pages/${opened.built}` })
  expect(byPath.structured.answer.id).toBe(opened.built)
  expect(await opened.call('call_route', { route: 'categories_lst' })).toMatchObject({
    isError: true,
    text: { code: 'mcp_no_route', message: expect.stringContaining('categories_list') },
  })
})

test('keeps a write in a release that is named, and reads the site with it', async () => {
  const { structured } = await opened.call('call_route', {
    route: 'POST /site-api/v1/releases',
    arguments: { name: 'Summer' },
  })
  const release = structured.answer.id
  const page = `/cms/v2/pages/${opened.built}`
  const written = await opened.call('call_route', {
    ...{ route: `POST ${page}`, arguments: { title: 'Summer' }, release },
  })
  expect(written.structured).toMatchObject({ status: 200, answer: { title: { raw: 'Summer' } } })
  const titleIn = async (args: object) =>
    (await opened.call('call_route', { route: `GET ${page}`, ...args })).structured.answer.title.rendered
  expect([await titleIn({ release }), await titleIn({})]).toEqual(['Summer', expect.not.stringContaining('Summer')])
})

test('shows what a write would change before it is sent', async () => {
  const args = { route: `POST /cms/v2/pages/${opened.built}`, arguments: { title: 'Other' } }
  const { structured } = await opened.call('call_route', { ...args, dry_run: true })
  expect(structured.difference).toMatch(
    new RegExp(`^posts ${opened.built} page\\n- title: "The moorings"\\n\\+ title: "Other"\\n`),
  )
  expect(structured['would_answer']).toBe(200)
  expect((await opened.call('read', { page: opened.built })).structured.title).toBe('The moorings')
})

test('explains why a call would be refused, also with arguments that do not fit', async () => {
  const route = `DELETE /cms/v2/pages/${opened.built}`
  const agent = await agentIn(await createMcpServer(opened.site.api, { write: ['*'] }))
  const refused = await callTool(agent, 'call_route', { route, explain: true })
  expect(refused.structured).toMatchObject({ status: 401, error: { code: 'rest_cannot_delete' } })
  const wrong = { route: 'posts_list', arguments: { per_page: 1000 }, explain: true }
  expect((await opened.call('call_route', wrong)).structured['toPass']).toContain('per_page')
})

test('writes where each write has to name the state that it changes', async () => {
  const strict = await createTestSite({ profile: withDocuments, conditionalWrites: 'required' })
  const as = strict.ids['user.admin'] ?? 0
  const handler = createMcpHandler(strict.api, { write: ['*'] })
  const agent = await agentOf(handler, { authorization: `Basic ${btoa(`ada:${passwordOf('ada')}`)}` })
  const made = await callTool(agent, 'write_page', { markdown: '# Kelp\n\nWords of kelp.' })
  const page = made.structured['id']
  const calls: readonly (readonly [string, object])[] = [
    ['change_text', { find: 'kelp', replace: 'wrack' }],
    ['write_page', { page, place: 'end', markdown: 'More.' }],
    ['publish', { page }],
    ['media', { id: strict.ids['media.pier'], alt_text: 'A pier' }],
    ['call_route', { route: `POST /cms/v2/pages/${page}`, arguments: { slug: 'wrack' } }],
    ['change_style', { from: 'accent', to: '#123' }],
  ]
  for (const [tool, args] of calls) {
    const { isError, text } = await callTool(agent, tool, args)
    expect(isError, `${tool}: ${JSON.stringify(text)}`).toBeUndefined()
  }
  const { data } = await strict.api.call<{ readonly slug: string; readonly content: { readonly rendered: string } }>(
    'GET',
    '/cms/v2/pages/{id}'.replace('{id}', `${page}`),
    {},
    { as },
  )
  expect(data.slug).toBe('wrack')
  expect(data.content.rendered).toMatch(/Words of wrack[\s\S]*More/)
  await strict.dispose()
})

test('refuses to write over a change that it has not read', async () => {
  const { structured } = await opened.call('write_page', { markdown: '# Shared\n\nOne.', type: 'posts' })
  const page = structured.id
  const server = await createMcpServer(
    {
      ...opened.site.api,
      async call(method, path, args, options) {
        const answer = await opened.site.api.call(method, path, args, options)
        // Another user writes between the read and the write of the tool.
        if (method === 'GET' && path.startsWith(`/cms/v2/posts/${page}?context=edit`)) {
          await opened.site.api.call('POST', `/cms/v2/posts/${page}`, { content: '<p>Theirs.</p>' }, { as: 'system' })
        }
        return answer
      },
    },
    { as: opened.site.ids['user.admin'] ?? 0, write: ['*'] },
  )
  const refused = await callTool(await agentIn(server), 'write_page', { page, markdown: 'Mine.' })
  expect(refused).toMatchObject({
    isError: true,
    text: { status: 409, message: expect.stringContaining('Read the page anew') },
  })
  expect((await opened.call('read', { page })).structured.markdown).toBe('Theirs.')
})

test('acts on a site of posts alone, and under a word map', async () => {
  const small = await createTestSite({ profile: d1 })
  const mapped = await createTestSite({ profile: withDocuments, names: wordpress })
  for (const site of [small, mapped]) {
    const agent = await agentIn(await createMcpServer(site.api, { as: site.ids['user.admin'] ?? 0, write: ['*'] }))
    for (const form of ['builder', 'blocks']) {
      const made = await callTool(agent, 'write_page', { markdown: '# Kelp\n\n## Two\n\nWords.', type: 'posts', form })
      const { structured } = await callTool(agent, 'read', { page: made.structured['id'] })
      expect(structured).toMatchObject({ title: 'Kelp', markdown: '## Two\n\nWords.' })
      const { structured: seen } = await callTool(agent, 'outline', { page: made.structured['id'] })
      expect(seen).toMatchObject({ form, outline: expect.stringContaining('Two') })
    }
    expect((await callTool(agent, 'about_site')).structured).toMatchObject({ user: { roles: ['administrator'] } })
    await site.dispose()
  }
})
