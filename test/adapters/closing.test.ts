/** Tests what clients with open connections see of a server that closes. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFastifyPlugin } from '../../adapters/fastify.ts'
import { closeServer, createNodeHandler, nodeListener, serveNode } from '../../adapters/node.ts'
import { getText } from './behaviours/behaviour.ts'
import { open, type RawConnection } from './raw.ts'
import { createNamedSite, type NamedSite } from './sites.ts'

const target = '/api/echo/v1/thing?text=a'
let site: NamedSite
const connections: RawConnection[] = []

beforeEach(async () => {
  site = await createNamedSite('echo')
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.end()
  await site.api.close()
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return urlOf(server)
}

/** Connections that have had an answer and stay open. */
async function keptAlive(url: string, count: number): Promise<RawConnection[]> {
  const opened = Array.from({ length: count }, () => open(url))
  connections.push(...opened)
  for (const connection of opened) {
    connection.write(getText(target))
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } })
  }
  return opened
}

async function answersOnce(connection: RawConnection): Promise<void> {
  connection.write(getText(target))
  expect(await connection.answer()).toMatchObject({
    status: 200,
    headers: { connection: 'close' },
    body: '{"text":"a"}',
  })
  expect(await connection.answer()).toBeUndefined()
}

test('serveNode answers a last request on every open connection while it closes', async () => {
  const served = await serveNode(site.api, { port: 0 })
  const kept = await keptAlive(served.url, 20)
  const closed = served.close({ idleMs: 60_000 })
  for (const connection of kept) await answersOnce(connection)
  await closed
  expect(served.server.listening).toBe(false)
})

test('a response that was under way when the server began to close is the last of its connection', async () => {
  const held: (() => void)[] = []
  const listeners = [
    createNodeHandler({
      ...site.api,
      handle: async (incoming) => {
        await new Promise<void>((resolve) => void held.push(resolve))
        return site.api.handle(incoming)
      },
    }),
    nodeListener(async (request) => {
      await new Promise<void>((resolve) => void held.push(resolve))
      return site.api.fetch(request)
    }),
  ]
  for (const listener of listeners) {
    const server = createServer(listener)
    const connection = open(await listening(server))
    connections.push(connection)
    const arrived = new Promise<void>((resolve) => {
      server.once('request', (_: IncomingMessage) => setImmediate(resolve))
    })
    connection.write(getText(target))
    await arrived
    const closed = closeServer(server, { idleMs: 60_000 })
    held.pop()?.()
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closed
  }
})

test('closes connections on which nothing comes, and cuts those that go on beyond the grace time', async () => {
  const served = await serveNode(site.api, { port: 0 })
  const [idle] = await keptAlive(served.url, 1)
  await served.close({ idleMs: 1 })
  expect(await idle?.answer()).toBeUndefined()
  const second = await serveNode(site.api, { port: 0 })
  const endless = open(second.url)
  connections.push(endless)
  endless.write(getText('/api/echo/v1/stream'))
  endless.socket.pause()
  await once(second.server, 'request')
  await second.close({ graceMs: 1 })
  expect(second.server.listening).toBe(false)
})

test('closeServer does the same for the server of Fastify, before the application closes', async () => {
  const app = Fastify()
  await app.register(createFastifyPlugin(site.api))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const kept = await keptAlive(urlOf(app.server), 5)
  const closed = closeServer(app.server, { idleMs: 60_000 })
  for (const connection of kept) await answersOnce(connection)
  await closed
  await app.close()
})
