/** Runs the programs of docs/examples and checks what the documents say about them. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { app } from '../../docs/examples/fetch.ts'
import { server } from '../../docs/examples/listener.ts'
import { api as apiForAgents, app as appForAgents } from '../../docs/examples/mcp.ts'
import { createApi } from '../../docs/examples/options.ts'
import { createApi as createApiWithServices } from '../../docs/examples/services.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { main } from '../cli/process.ts'
import { agentOf, callTool } from '../mcp/agent.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sources = join(import.meta.dirname, '../support/package-sources.ts')
const example = (name: string) => join(import.meta.dirname, '../../docs/examples', name)

/** Runs a program in a temporary folder; `onText` may end it. */
function run(
  args: readonly string[],
  onText: (text: string, end: () => void) => void = () => undefined,
  cwd = mkdtempSync(join(folder, 'run-')),
) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', sources, ...args], {
    cwd,
    env: { ...process.env, PORT: '0' },
  })
  const output = { out: '', err: '' }
  child.stderr.on('data', (part) => {
    output.err += part
  })
  // Without a listener it would end the test run; `close` follows with a code.
  child.once('error', ({ message }) => {
    output.err += message
  })
  child.stdout.on('data', (part) => {
    output.out += part
    onText(output.out, () => child.kill('SIGTERM'))
  })
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }))
  })
}

test('serve.ts serves a site from a file and ends on SIGTERM', async () => {
  let response: Promise<Response> | undefined
  const { out, code } = await run([example('serve.ts')], (text, end) => {
    const base = /^listening on (\S+)\n/.exec(text)?.[1]
    if (base === undefined || response) return
    response = fetch(`${base}/cms/v2/posts`)
    response.finally(end)
  })
  expect(out).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/api\n$/)
  expect(await (await response)?.json()).toEqual([])
  expect(code).toBe(0)
})

test('first.ts, the program of README.md, makes an administrator who can write', async () => {
  let response: Promise<Response> | undefined
  await run([example('first.ts')], (text, end) => {
    const [, password, base] = /^sign in as ada with (.+)\nlistening on (\S+)\n/.exec(text) ?? []
    if (base === undefined || response) return
    response = fetch(`${base}/cms/v2/posts`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`ada:${password}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'High tide', status: 'publish' }),
    })
    response.finally(end)
  })
  expect((await response)?.status).toBe(201)
})

test.each(['dry-run', 'reasons', 'history', 'usage', 'invalidation', 'cdn'])(
  'certainty/%s.ts prints what docs/certainty.md shows',
  async (name) => {
    const { out, err } = await run([example(`certainty/${name}.ts`)])
    expect(err).toBe('')
    expect(readFileSync(join(import.meta.dirname, '../../docs/certainty.md'), 'utf8')).toContain(`\n${out}\`\`\``)
  },
)

test.each(['relaunch', 'merge', 'locks', 'releases', 'checks'])(
  'together/%s.ts prints what docs/together.md shows',
  async (name) => {
    const { out, err } = await run([example(`together/${name}.ts`)])
    expect(err).toBe('')
    expect(readFileSync(join(import.meta.dirname, '../../docs/together.md'), 'utf8')).toContain(`\n${out}\`\`\``)
  },
)

test('certainty/replay.ts records what site-api replay repeats, as docs/certainty.md shows', async () => {
  const place = mkdtempSync(join(folder, 'replay-'))
  const command = async (...args: readonly string[]) => run([main, ...args])
  await command('user', 'ada', '--role', 'administrator', '--storage', `sqlite:${place}/site.db`)
  copyFileSync(join(place, 'site.db'), join(place, 'copy.db'))
  expect((await run([example('certainty/replay.ts')], undefined, place)).err).toBe('')
  const repeat = () => command('replay', join(place, 'requests.jsonl'), '--storage', `sqlite:${place}/copy.db`)
  const { out, err, code } = await repeat()
  expect([err, code]).toEqual(['', 0])
  expect(readFileSync(join(import.meta.dirname, '../../docs/certainty.md'), 'utf8')).toContain(`\n${out}\`\`\``)
  // The copy is no longer the site of the start.
  const again = await repeat()
  expect([again.code, again.err]).toEqual([1, 'site-api: the replay differs from the recording\n'])
  expect(again.out).toContain('the copy was another site when the recording began: posts')
  expect(again.out).toContain('POST /cms/v2/posts as system: id differs, now 2')
})

test('inside.ts calls, listens and manages', async () => {
  const { out, err } = await run([example('inside.ts')])
  expect(err).toBe('')
  expect(out.split('\n')).toEqual([
    'wren signs in with 29 characters',
    'published: High tide',
    '201 high-tide',
    '1 post for a visitor',
    '401 rest_cannot_delete',
    'https://example.com: get, post',
    'options, users, categories, tags, media, pages, posts',
    '',
  ])
})

test('webhooks.ts receives a signed event and reads the events of the outbox', async () => {
  const { out, err } = await run([example('webhooks.ts')])
  expect(err).toBe('')
  expect(out.split('\n')).toEqual([
    'received post.published of post:1: high-tide',
    '1 post.created',
    '2 post.published',
    'the next call is since(2)',
    'a secret was made',
    '',
  ])
})

test('the storage with options in a Map passes its conformance cases', async () => {
  const { out, code } = await run(['--test', '--test-reporter=tap', example('storage/conformance.ts')])
  expect(code, out).toBe(0)
  expect(out).toMatch(/^# pass [1-9]\d*$/m)
  expect(out).toMatch(/# SKIP the storage leaves out atomic/)
})

test('listener.ts serves the api below its root and leaves the rest to the host', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const [own, post] = await Promise.all([fetch(base), fetch(`${base}/api/cms/v2/posts/1`)])
  expect(await own.text()).toBe('a page of our own')
  expect(await post.json()).toMatchObject({ code: 'rest_post_invalid_id' })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('fetch.ts serves through a web-standard host', async () => {
  expect(await (await app.request('/')).text()).toBe('a page of our own')
  for (const path of ['/api', '/api/', '/api/cms/v2/posts?per_page=1'])
    expect((await app.request(path)).status).toBe(200)
})

test('services.ts replaces the renderer', async () => {
  const api = createApiWithServices(memoryStorage(), () => undefined)
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const post = { title: 'Ebb & flow', content: '<p>Low</p>', status: 'publish' }
  const { data } = await api.call<{ id: number }>('POST', '/cms/v2/posts', post, { as: id })
  expect((await api.call('GET', '/cms/v2/posts/{id}', { id: data.id })).data).toMatchObject({
    title: { rendered: 'Ebb &#38; flow' },
    content: { rendered: '<pre>&#60;p&#62;Low&#60;/p&#62;</pre>' },
  })
})

describe('options.ts', () => {
  const cookie = { cookie: 'session=s-4711', origin: 'https://app.example.com' }

  async function site() {
    const lines: string[] = []
    const api = createApi(memoryStorage(), (line) => void lines.push(line))
    const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
    const request = (method: string, path: string, headers: { [name: string]: string } = {}, body?: string) =>
      api.fetch(new Request(`https://example.com/content${path}`, { method, headers, ...(body ? { body } : {}) }))
    return { api, id, lines, request }
  }

  test('names, root and url', async () => {
    const { api, request } = await site()
    expect(await api.index()).toMatchObject({ namespaces: expect.arrayContaining(['site/v1']) })
    const list = await request('GET', '/site/v1/posts')
    expect(list.headers.get('X-Site-Total')).toBe('0')
    expect(list.headers.get('Link')).toContain('<https://example.com/content/>')
  })

  test('consent', async () => {
    const { request } = await site()
    const query = `app_name=Tides&success_url=${encodeURIComponent('com.example.tides://connected')}`
    const asked = await request('GET', `/authorize?${query}`)
    expect(asked.status).toBe(200)
    expect(await asked.text()).toContain(
      'href="https://example.com/sign-in?to=https%3A%2F%2Fexample.com%2Fcontent%2Fauthorize',
    )
    expect((await request('GET', `/authorize?${query}`, cookie)).status).toBe(200)
    expect((await request('GET', `/authorize?${query.replace('tides', 'tide')}`)).status).toBe(400)
  })

  test('docs', async () => {
    const { request } = await site()
    expect((await request('GET', '/docs')).headers.get('content-type')).toMatch(/^text\/html/)
    expect(await (await request('GET', '/openapi.json')).json()).toMatchObject({
      servers: [{ url: 'https://example.com/content' }],
    })
  })

  test('authenticate and cors', async () => {
    const { request } = await site()
    expect((await request('GET', '/site/v1/posts?context=edit')).status).toBe(401)
    const signedIn = await request('GET', '/site/v1/posts?context=edit', cookie)
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers.get('access-control-allow-credentials')).toBe('true')
    const json = { 'content-type': 'application/json' }
    expect((await request('POST', '/site/v1/posts', { ...cookie, ...json }, '{"title":"Tide"}')).status).toBe(201)
    const foreign = { ...cookie, origin: 'https://elsewhere.example' }
    expect((await request('POST', '/site/v1/posts', { ...foreign, ...json }, '{"title":"Tide"}')).status).toBe(403)
  })

  test('limits and conditional writes', async () => {
    const { api, id, request } = await site()
    const headers = { ...cookie, 'content-type': 'application/json' }
    const large = await request('POST', '/site/v1/posts', headers, JSON.stringify({ title: 'x'.repeat(1024 * 1024) }))
    expect(large.status).toBe(413)
    const { data } = await api.call<{ id: number }>('POST', '/site/v1/posts', { title: 'Tide' }, { as: id })
    expect((await request('POST', `/site/v1/posts/${data.id}`, headers, '{"title":"Ebb"}')).status).toBe(428)
  })

  test('services: nothing leaves the machine', async () => {
    const { request } = await site()
    const answer = await request('GET', '/oembed/1.0/proxy?url=https://www.youtube.com/watch?v=x', cookie)
    expect(answer.status).toBe(404)
  })

  test('log', async () => {
    const { api, id, lines } = await site()
    api.on('post.created', () => {
      throw new Error('a listener of ours')
    })
    await api.call('POST', '/site/v1/posts', { title: 'Tide' }, { as: id })
    expect(lines).toEqual(['a listener of post.created failed post.created Error: a listener of ours'])
  })
})

test('mcp.ts lets an agent read posts, and write with the application password of its user', async () => {
  const wren = await apiForAgents.site.users.create({ login: 'wren', roles: ['author'] })
  const { password } = await apiForAgents.site.passwords.create(wren.id, 'agent')
  const authorization = `Basic ${btoa(`wren:${password}`)}`
  const agent = await agentOf((request) => appForAgents.fetch(request), { authorization })
  await callTool(agent, 'write_page', { markdown: '# High tide\n\nAt six.', status: 'publish' })
  const { structured } = await callTool(agent, 'find')
  expect(structured).toMatchObject({ pages: [{ type: 'posts', title: 'High tide', status: 'publish' }], total: 1 })
})
