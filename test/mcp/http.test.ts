/** Calls the tools over Streamable HTTP, with the client of the official SDK. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpHandler, type McpApi, type McpHandlerOptions } from '../../src/mcp/index.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'
import { agentOf, callTool } from './agent.ts'

const basic = (login: string) => ({ authorization: `Basic ${btoa(`${login}:${passwordOf(login)}`)}` })

/** A tool for each route, as `tools: 'routes'` offers them. */
const routesOf = (api: McpApi, options: McpHandlerOptions = {}) =>
  createMcpHandler(api, { tools: 'routes', ...options })

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

test('offers reading tools alone unless the host names a write', async () => {
  const { tools } = await (await agentOf(routesOf(site.api))).listTools()
  expect(tools.map(({ name }) => name)).toContain('posts_list')
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
})

test('names, describes and annotates a tool from the declaration of its endpoint', async () => {
  const agent = await agentOf(routesOf(site.api, { write: ['posts_*'] }))
  const { tools } = await agent.listTools()
  const tool = (name: string) => tools.find((one) => one.name === name)
  expect(tool('posts_list')).toMatchObject({
    title: 'List posts',
    inputSchema: {
      type: 'object',
      properties: {
        per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        status: { type: 'array' },
        _fields: { type: 'string', description: expect.stringContaining('title') },
      },
      additionalProperties: false,
    },
    outputSchema: { required: ['items', 'total', 'total_pages'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  })
  expect(tool('posts_get')?.inputSchema.required).toEqual(['id'])
  expect(tool('posts_create')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(tool('posts_update')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  expect(tool('posts_delete')?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true })
})

test('reads page by page, with totals, and only the members that are asked for', async () => {
  const agent = await agentOf(routesOf(site.api))
  const args = { per_page: 2, page: 2, order: 'asc', _fields: 'id,slug' }
  const { structured, text } = await callTool(agent, 'posts_list', args)
  const listed = await site.visitor('GET', '/cms/v2/posts', { query: args })
  expect(structured).toEqual({
    items: listed.body,
    total: Number(listed.headers.get('x-cms-total')),
    total_pages: Number(listed.headers.get('x-cms-totalpages')),
  })
  expect(text).toEqual(structured)
  expect(listed.body).toHaveLength(2)
})

test('passes lists and objects as they are', async () => {
  const agent = await agentOf(routesOf(site.api), basic('edith'))
  const { structured } = await callTool(agent, 'posts_list', {
    context: 'edit',
    status: ['draft', 'pending'],
    tax_relation: 'AND',
    _fields: 'status',
  })
  const expected = await site.as('edith')('GET', '/cms/v2/posts', {
    query: 'context=edit&status=draft,pending&tax_relation=AND&_fields=status',
  })
  expect(structured['items']).toEqual(expected.body)
  expect(expected.body.length).toBeGreaterThan(0)
})

test('writes with the rights of the caller and no others', async () => {
  const handler = routesOf(site.api, { write: ['posts.create', 'posts.update'] })
  const [visitor, arthur, edith] = await Promise.all([
    agentOf(handler),
    agentOf(handler, basic('arthur')),
    agentOf(handler, basic('edith')),
  ])
  expect(await callTool(visitor, 'posts_create', { title: 'Nobody' })).toMatchObject({
    isError: true,
    text: { code: 'rest_cannot_create', status: 401 },
  })
  const made = await callTool(edith, 'posts_create', { title: 'By an agent', status: 'publish' })
  expect(made).toMatchObject({ structured: { title: { raw: 'By an agent' }, status: 'publish' } })
  const { id } = made.structured
  expect(await callTool(arthur, 'posts_update', { id, title: 'Not mine' })).toMatchObject({
    isError: true,
    text: { code: 'rest_cannot_edit', status: 403 },
  })
  await callTool(edith, 'posts_update', { id, title: 'Changed' })
  expect((await site.visitor('GET', `/cms/v2/posts/${id}`)).body.title.rendered).toBe('Changed')
})

test('refuses a write that the host did not name, and a batch, and an unknown tool', async () => {
  const agent = await agentOf(routesOf(site.api, { write: ['posts_create'] }), basic('ada'))
  const target = site.ids['post.hello'] ?? Object.entries(site.ids).find(([key]) => key.startsWith('post.'))?.[1]
  for (const name of ['posts_delete', 'batch', 'batch_v1', 'nothing']) {
    await expect(agent.callTool({ name, arguments: { id: target } }), name).rejects.toThrow(/there is no tool/)
  }
  expect((await site.visitor('GET', `/cms/v2/posts/${target}`)).status).toBe(200)
})

test('gives errors to the agent with code, status and the wrong arguments', async () => {
  const agent = await agentOf(routesOf(site.api))
  expect(await callTool(agent, 'posts_get', { id: 999_999 })).toMatchObject({
    isError: true,
    text: { code: 'rest_post_invalid_id', status: 404 },
  })
  expect(await callTool(agent, 'posts_list', { per_page: 1000 })).toMatchObject({
    isError: true,
    text: { code: 'rest_invalid_param', status: 400, params: { per_page: expect.any(String) } },
  })
  expect(await callTool(agent, 'posts_list', { perPage: 5 })).toMatchObject({
    isError: true,
    text: { code: 'mcp_unknown_argument', message: expect.stringMatching(/perPage.*per_page/) },
  })
  expect(await callTool(agent, 'posts_get', {})).toMatchObject({ isError: true })
  const wrong = await agentOf(routesOf(site.api), { authorization: `Basic ${btoa('ada:wrong')}` })
  expect(await callTool(wrong, 'posts_list')).toMatchObject({ isError: true, text: { status: 401 } })
})

test('passes no other headers of the agent than its credentials and those that the host names', async () => {
  const seen: (string | null)[][] = []
  const guarded = await createTestSite({
    authenticate: ({ header }) => {
      seen.push(['cookie', 'x-session', 'if-match'].map((name) => header(name) ?? null))
      return null
    },
  })
  const headers = { cookie: 'session=1', 'x-session': 'abc', 'if-match': '"1"' }
  await callTool(await agentOf(routesOf(guarded.api), headers), 'posts_list')
  await callTool(await agentOf(routesOf(guarded.api, { forwardHeaders: ['x-session'] }), headers), 'posts_list')
  expect(seen).toEqual([
    [null, null, null],
    [null, 'abc', null],
  ])
  await guarded.dispose()
})

test('refuses pages of other origins, and methods other than POST', async () => {
  const handler = routesOf(site.api, { origins: ['https://agent.example'] })
  const send = (method: string, headers: { readonly [name: string]: string }) =>
    handler(
      new Request('https://quay.example/mcp', {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) } : {}),
      }),
    ).then(({ status }) => status)
  expect(await send('POST', {})).toBe(200)
  expect(await send('POST', { origin: 'https://quay.example' })).toBe(200)
  expect(await send('POST', { origin: 'https://agent.example' })).toBe(200)
  expect(await send('POST', { origin: 'https://evil.example' })).toBe(403)
  expect(await send('GET', {})).toBe(405)
  expect(await send('DELETE', {})).toBe(405)
})

test('refuses a name in read or write that no tool has', async () => {
  const request = () => new Request('https://quay.example/mcp', { method: 'POST' })
  await expect(routesOf(site.api, { write: ['posts_creat'] })(request())).rejects.toThrow(
    /^write: no tool has the name posts_creat; there are .*posts_create/,
  )
  await expect(routesOf(site.api, { write: ['posts_list'] })(request())).rejects.toThrow(/^write: no tool/)
  const { tools } = await (await agentOf(routesOf(site.api, { read: ['posts_*'] }))).listTools()
  expect(tools.every(({ name }) => name.startsWith('posts_'))).toBe(true)
})

test('names are the same under a word map, and totals are counted', async () => {
  const mapped = await createTestSite({ names: wordpress })
  const agent = await agentOf(routesOf(mapped.api))
  expect((await callTool(agent, 'posts_list', { per_page: 1 })).structured['total']).toBeGreaterThan(1)
  await mapped.dispose()
})

test('every tool of d2 has a name of its own that agents accept, and a schema without references', async () => {
  const builder = await createTestSite({ profile: d2 })
  const { tools } = await (await agentOf(routesOf(builder.api, { write: ['*'] }))).listTools()
  const names = tools.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(150)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z0-9_]{1,60}$/.test(name))).toEqual([])
  expect(JSON.stringify(tools)).not.toContain('$ref')
  expect(names).toEqual(expect.arrayContaining(['builder_notes_list', 'builder_notes_get', 'builder_components_lock']))
  await builder.dispose()
})

test('answers 503 while the tools of a closed site are not known', async () => {
  const closing = await createTestSite()
  const [first, later] = [routesOf(closing.api), routesOf(closing.api)]
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const ask = (handler: typeof first) =>
    handler(
      new Request('https://quay.example/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(list),
      }),
    )
  expect((await ask(first)).status).toBe(200)
  await closing.dispose()
  const response = await ask(later)
  expect([response.status, response.headers.get('retry-after'), (await response.json()).error.code]).toEqual([
    503,
    '5',
    -32000,
  ])
})
