/** An agent writes pages from Markdown, with the tools by task. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpServer, type McpServerOptions } from '../../../src/mcp/index.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { agentIn, callTool } from '../agent.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: full })
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const agent = async (options: McpServerOptions = {}) =>
  agentIn(await createMcpServer(site.api, { as: site.ids['user.editor'] ?? 0, write: ['*'], ...options }))

const markdown = [
  '# Low tide',
  '',
  'Walk to the **island**, and [read more](/tide/).',
  '',
  '## What to bring',
  '',
  '- Boots',
  '- A <lamp>',
].join('\n')

test('makes a page of some words in one call', async () => {
  const { structured, isError } = await callTool(await agent(), 'write_page', { markdown, status: 'publish' })
  expect(isError).toBeUndefined()
  expect(structured).toMatchObject({ created: true, type: 'pages', status: 'publish', link: expect.any(String) })
  const page = (await site.visitor('GET', `/cms/v2/pages/${structured['id']}`)).body
  expect(page.title.rendered).toBe('Low tide')
  expect(page.content.rendered).toContain('<a href="/tide/">read more</a>')
  expect(page.content.rendered).toContain('What to bring')
  expect(page.content.rendered).toContain('A &lt;lamp&gt;')
  expect(page.content.rendered).not.toContain('Low tide')
})

test('writes nothing in a dry run, and shows what it would write', async () => {
  const count = async () => (await site.as('edith')('GET', '/cms/v2/pages', { query: 'status=any' })).body.length
  const before = await count()
  const { structured } = await callTool(await agent(), 'write_page', { markdown, dry_run: true })
  expect(structured).toMatchObject({ dry_run: true, would_create: { title: 'Low tide', status: 'draft' } })
  expect(structured['difference']).toContain('+ ## What to bring')
  expect(await count()).toBe(before)
})

test('builds a post of elements where it is asked for', async () => {
  const one = await agent()
  const { structured } = await callTool(one, 'write_page', { markdown, type: 'posts', form: 'builder' })
  const post = (await site.as('edith')('GET', `/cms/v2/posts/${structured['id']}`, { query: 'context=edit' })).body
  expect(post.meta._builder_edit_mode).toBe('builder')
  const elements = JSON.parse(post.meta._builder_data)
  expect(elements.map(({ elType }: { elType: string }) => elType)).toEqual(['container', 'container'])
  const { structured: seen } = await callTool(one, 'outline', { page: structured['id'] })
  expect(seen['outline']).toMatch(/\n {2}\[\w{7}\] heading h2: What to bring\n/)
})

test('adds a text to the end of a page, and says what differs', async () => {
  const one = await agent()
  const made = await callTool(one, 'write_page', { markdown, type: 'posts' })
  const { id } = made.structured
  const { structured } = await callTool(one, 'write_page', { page: id, place: 'end', markdown: '## Tickets\n\nNone.' })
  expect(structured['difference']).toMatch(/^ {2}.*\n\+ \n\+ ## Tickets\n\+ \n\+ None\.$/)
  const { structured: text } = await callTool(one, 'read', { page: id })
  expect(text['markdown']).toMatch(/Boots[\s\S]*## Tickets\n\nNone\.$/)
})

test('refuses with the rights of the user', async () => {
  const one = await agent({ as: site.ids['user.subscriber'] ?? 0 })
  const refused = await callTool(one, 'write_page', { markdown })
  expect(refused).toMatchObject({ isError: true, text: { status: 403, message: expect.stringContaining('right') } })
})

test('is offered only where the host names a write, and makes no other writes', async () => {
  const names = async (options: McpServerOptions) =>
    (await (await agent(options)).listTools()).tools.map(({ name }) => name)
  expect(await names({ write: [] })).not.toContain('write_page')
  const one = await agent({ write: ['posts_create'] })
  expect(await callTool(one, 'write_page', { markdown, type: 'posts' })).toMatchObject({
    structured: { created: true },
  })
  expect(await callTool(one, 'write_page', { markdown, type: 'pages' })).toMatchObject({
    isError: true,
    text: { code: 'mcp_invalid_argument' },
  })
  const { structured } = await callTool(one, 'write_page', { markdown, type: 'posts' })
  const rewritten = await callTool(one, 'write_page', { markdown: 'Other', page: structured['id'] })
  expect(rewritten).toMatchObject({ isError: true, text: { code: 'mcp_not_allowed', status: 403 } })
})

test('says all wrong arguments at once', async () => {
  const refused = await callTool(await agent(), 'write_page', { text: 'x', status: 'gone' })
  expect(refused).toMatchObject({
    isError: true,
    text: {
      code: 'mcp_invalid_argument',
      params: { text: expect.stringContaining('markdown'), status: expect.any(String), markdown: expect.any(String) },
    },
  })
})
