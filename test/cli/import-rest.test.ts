/** An import over REST whose process is killed: the next one goes on, and compares all at the end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { passwordOf, smallSite } from '../support/small-site.ts'
import { endAll, run, serve, start } from './process.ts'

vi.setConfig({ testTimeout: 120_000 })

let folder: string
let server: Server | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-rest-'))
})
afterEach(() => {
  endAll()
  server?.close()
  server?.closeAllConnections()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A proxy before the old site: it counts requests, keeps some unanswered, and changes responses. */
async function relayTo(base: string) {
  const state = { asked: [] as string[], holds: /^$/, changes: (text: string, _address: string) => text }
  let onHeld: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    onHeld = resolve
  })
  server = createServer(async (request, response) => {
    const address = `${request.url}`
    state.asked.push(address)
    if (state.holds.test(address)) return onHeld()
    const answer = await fetch(new URL(address, base), {
      headers: { authorization: request.headers.authorization ?? '' },
    })
    const text = state.changes(await answer.text(), address)
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => /^(?:content-type|x-wp-total)$/.test(name)),
    )
    response.writeHead(answer.status, headers).end(text)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { state, held, address: `http://127.0.0.1:${port}/wp-json` }
}

test('a killed import goes on where it stopped, prints the comparison, and fails where that differs', async () => {
  const seed = join(folder, 'seed.json')
  const secret = join(folder, 'secret')
  writeFileSync(seed, JSON.stringify(smallSite))
  writeFileSync(secret, `${passwordOf('ada')}\n`)
  const old = await serve(
    ...['serve', '--port', '0', '--profile', 'full', '--names', 'wordpress', '--root', '/wp-json', '--seed', seed],
  )
  const { state, held, address } = await relayTo(old.base)
  const storage = `sqlite:${join(folder, 'here.db')}`
  const command = ['import', address, '--user', 'ada', '--password-file', secret, '--storage', storage]

  state.holds = /\/comments/
  const killed = start(...command)
  await held
  killed.process.kill('SIGKILL')
  await killed.finished

  state.holds = /^$/
  state.asked = []
  const done = await run(...command)
  expect(done).toMatchObject({ code: 0, err: '' })
  const posts = state.asked.filter((path) => path.includes('/wp/v2/posts'))
  const [, total] = /^posts +(\d+) +\1 +(\w{12}) +\2 +same$/m.exec(done.out) ?? []
  expect(posts.map((path) => new URL(path, address).searchParams.get('offset'))).toEqual([total, '0'])
  expect(done.out).not.toContain('different')

  state.changes = (text, path) => (path.includes('/wp/v2/pages') ? text.replaceAll('"About"', '"About us"') : text)
  const differs = await run(...command)
  expect(differs).toMatchObject({ code: 1, out: expect.stringMatching(/^pages .* different: \d+/m) })
  expect(differs.err).toMatch(/^site-api: pages differ from http:.*: run the import again with --update\n$/)
  expect(await run(...command, '--update')).toMatchObject({ code: 0, out: expect.stringMatching(/^pages .* same$/m) })
})
