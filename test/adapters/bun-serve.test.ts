/** Tests the parts that only Bun has: serving on a port, and the example. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveBun } from '../../adapters/bun.ts'
import { runBun, startBun } from '../support/bun.ts'
import { createNamedSite } from './sites.ts'

const patient = { timeout: 60_000 }

// The storage of the project is of no account here.
describe.runIf(process.env.TEST_STORAGE === 'memory')('under Bun', () => {
  test('serveBun serves, rejects a port in use, and finishes open requests when it closes', patient, async () => {
    const { code, out } = await runBun(join(import.meta.dirname, 'bun-serve.ts'), [])
    expect(code).toBe(0)
    const seen = JSON.parse(out)
    expect(seen).toMatchObject({ early: 200, taken: 'EADDRINUSE', broken: 'no api', refused: 'refused' })
    expect(seen.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(seen.handedOver).toBe(seen.url)
    expect(seen.last).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/i)
    expect(seen.late.split('\r\n\r\n')).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n/), '{"text":"late"}'])
  })

  test('serveNode answers a last request on an open connection while it closes', patient, async () => {
    const { code, out } = await runBun(join(import.meta.dirname, 'bun-node-close.ts'), [])
    expect(code).toBe(0)
    const { first, last, refused } = JSON.parse(out)
    expect(first).not.toMatch(/Connection: close/i)
    expect(last).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/i)
    expect(refused).toBe('refused')
  })

  test('another client is served between pipelined requests', patient, async () => {
    const { code, out } = await runBun(join(import.meta.dirname, 'bun-pipelining.ts'), [])
    expect(code).toBe(0)
    const seen = JSON.parse(out)
    expect(seen.answer).toBe('HTTP/1.1 200')
    expect(seen.begun).toBeLessThan(50)
  })

  test('serveBun shows the pages of the site beside its API', patient, async () => {
    const { code, out } = await runBun(join(import.meta.dirname, 'bun-pages.ts'), [])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      page: { status: 200, isBuilt: true },
      again: 304,
      sheet: { status: 200, type: 'text/css; charset=UTF-8', cache: 'public, max-age=31536000, immutable' },
      moved: [301, '/headed/'],
      head: '',
      feed: 'application/rss+xml; charset=UTF-8',
      nowhere: 404,
      api: 200,
      comment: [303, '/tide/?comment=held#content'],
    })
  })

  test('shows on its page a post sent to its API', patient, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-bun-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = { PORT: '0', SITE_FILE: join(folder, 'site.db'), SITE_URL: 'https://quay.example' }
    const server = await startBun(join(import.meta.dirname, '../../docs/examples/bun/server.ts'), [], env)
    await server.waitForLines(2)
    const [password = '', base = ''] = server.lines.map((line) => /(?:with|on) (.+)$/.exec(line)?.[1])
    const made = await fetch(`${base}/cms/v2/posts`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`wren:${password}`).toString('base64')}`,
      },
      body: JSON.stringify({ title: 'High tide', status: 'publish' }),
    })
    expect(made.status).toBe(201)
    expect(await (await fetch(new URL('/', base))).text()).toContain('>High tide</a>')
    expect((await fetch(new URL('/elsewhere', base))).status).toBe(404)
    expect(await server.end()).toBe(0)
  })

  test('serveBun fails under Node with a hint', async () => {
    const { api } = await createNamedSite('echo')
    await expect(serveBun(api)).rejects.toThrow('serveBun runs under Bun only')
  })
})
