/** `site-api mcp`, run as an agent runs it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main, run } from '../cli/process.ts'
import { smallSite } from '../support/small-site.ts'
import { agentOn, callTool } from './agent.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-mcp-'))
const storage = `sqlite:${join(folder, 'site.db')}`

beforeAll(async () => {
  const file = join(folder, 'site.json')
  writeFileSync(file, JSON.stringify(smallSite))
  const { code, err } = await run('seed', file, '--storage', storage, '--url', 'https://quay.example')
  expect(err).toBe('')
  expect(code).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const agentFor = (...args: readonly string[]) =>
  agentOn(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', main, 'mcp', '--storage', storage, '--tools', 'routes', ...args],
    }),
  )

test('serves the tools of a site with the rights of a user', async () => {
  const agent = await agentFor('--user', 'edith', '--write', 'posts_create', '--read', 'posts_*', '--read', 'users_*')
  expect((await agent.listTools()).tools.map(({ name }) => name)).toContain('posts_create')
  const made = await callTool(agent, 'posts_create', { title: 'From a terminal', status: 'draft' })
  expect(made.structured).toMatchObject({ status: 'draft', author: expect.any(Number) })
  const drafts = await callTool(agent, 'posts_list', { status: ['draft'], context: 'edit', _fields: 'title' })
  expect(drafts.structured['items']).toContainEqual({ title: expect.objectContaining({ raw: 'From a terminal' }) })
  await agent.close()
})

test('is a visitor without --user, and reads only', async () => {
  const agent = await agentFor()
  const { tools } = await agent.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  expect(await callTool(agent, 'posts_list', { status: ['draft'] })).toMatchObject({ isError: true })
  await agent.close()
})

test.each([
  ['an unknown user', ['--user', 'nobody'], 1, 'site-api: nobody has the login nobody\n'],
  ['an unknown tool', ['--write', 'posts_creat'], 2, /^site-api: --write: no tool has the name posts_creat/],
])('says on stderr what is wrong with %s', async (_, args, code, message) => {
  const ended = await run('mcp', '--storage', storage, ...args)
  expect(ended.err).toMatch(message)
  expect([ended.code, ended.out]).toEqual([code, ''])
})
