/** Bounds the memory that one connection may hold, whatever it sends and does not read. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createExpressHandler } from '../../adapters/express.ts'
import { createFastifyPlugin } from '../../adapters/fastify.ts'
import { createNodeHandler, type MountedApi, nodeListener } from '../../adapters/node.ts'
import { createTestSite } from '../support/site.ts'

type ServerOf = (api: MountedApi) => Server | Promise<Server>

const hosts: { readonly [name: string]: ServerOf } = {
  node: (api) => createServer(createNodeHandler(api)),
  express: (api) => createServer(express().use(createExpressHandler(api))),
  fastify: async (api) => {
    const app = Fastify()
    await app.register(createFastifyPlugin(api))
    await app.ready()
    return app.server
  },
}

async function openServer(host = 'node') {
  const site = await createTestSite()
  let handled = 0
  const handle = (incoming: never) => {
    handled++
    return site.api.handle(incoming)
  }
  const server = await (hosts[host] as ServerOf)({ ...site.api, handle })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close().closeAllConnections()
    await site.dispose()
  })
  const { port } = server.address() as AddressInfo
  const served = { url: `http://127.0.0.1:${port}` }
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { site, served, open, count: () => handled }
}

const request = (path: string, more = '') => `GET /api${path} HTTP/1.1\r\nHost: quay.example\r\n${more}\r\n`

test('pipelined requests wait until the response before them is read, and are answered in order', async () => {
  const { site, served, open, count } = await openServer()
  const body = { title: 'Large', status: 'publish', content: 'x'.repeat(9_000_000) }
  const { id } = (await site.as('edith')('POST', '/cms/v2/posts', { body })).body
  const before = count()
  const greedy = await open()
  greedy.pause()
  const large = request(`/cms/v2/posts/${id}`)
  greedy.write(large.repeat(9) + request('/cms/v2/posts?per_page=1', 'Connection: close\r\n'))
  // The request of a bystander is read after those.
  expect((await fetch(`${served.url}/api/cms/v2/posts?per_page=1`)).status).toBe(200)
  expect(count() - before).toBeLessThan(5)
  let received = 0
  let last = ''
  for await (const chunk of greedy) {
    received += chunk.length
    last = chunk.toString('latin1')
  }
  expect(received).toBeGreaterThan(9 * 9_000_000)
  expect(last).toMatch(/\]$/)
  expect(count() - before).toBe(11)
})

test('what waits on a connection that ends is not run', async () => {
  const { site, served, open, count } = await openServer()
  const body = { title: 'Large', status: 'publish', content: 'x'.repeat(9_000_000) }
  const { id } = (await site.as('edith')('POST', '/cms/v2/posts', { body })).body
  const before = count()
  const gone = await open()
  gone.pause()
  gone.write(request(`/cms/v2/posts/${id}`).repeat(20))
  expect((await fetch(`${served.url}/api/`)).status).toBe(200)
  gone.destroy()
  await once(gone, 'close')
  expect((await fetch(`${served.url}/api/`)).status).toBe(200)
  expect(count() - before).toBeLessThan(6)
})

test('requests one after another on a connection are answered at once', async () => {
  const { served, count } = await openServer()
  for (let time = 0; time < 20; time++) {
    const response = await fetch(`${served.url}/api/cms/v2/posts?per_page=1`, { headers: { connection: 'keep-alive' } })
    expect(response.status).toBe(200)
    await response.text()
  }
  expect(count()).toBe(20)
})

test.each(Object.keys(hosts))('%s serves another client between pipelined requests', async (host) => {
  const { served, open, count } = await openServer(host)
  const [greedy, other] = await Promise.all([open(), open()])
  // The first requests of a site wait for its storage.
  for (const path of ['/cms/v2/posts?per_page=1', '/']) await (await fetch(`${served.url}/api${path}`)).text()
  const before = count()
  greedy.write(request('/cms/v2/posts?per_page=1').repeat(200))
  other.write(request('/', 'Connection: close\r\n'))
  for await (const _ of other);
  expect(count() - before).toBeLessThan(20)
})

test('a client that reads gets the answers to all it has pipelined, bodies included', async () => {
  const { open, count } = await openServer()
  const socket = await open()
  const body = JSON.stringify({ x: 'y'.repeat(9000) })
  const head = (more: string) => `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}`
  const post = (more = '') => `${request('/cms/v2/posts', head(more)).replace('GET', 'POST')}${body}`
  socket.write((request('/cms/v2/types/post').repeat(40) + post()).repeat(49) + post('Connection: close\r\n'))
  let text = ''
  for await (const chunk of socket) text += chunk
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  expect(statuses).toEqual([
    ...Array(49)
      .fill([...Array(40).fill(200), 401])
      .flat(),
    401,
  ])
  expect(count()).toBe(49 * 41 + 1)
})

/** A server whose `/held` is answered when the test says so. */
async function openHeldServer() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  const listener = nodeListener(async ({ url }) => {
    asked++
    if (url.endsWith('/held')) await held
    return new Response('small')
  })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    onTestFinished(() => void socket.destroy())
    return socket
  }
  const bystand = async () => expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('small')
  return { accepted, open, bystand, release, count: () => asked }
}

const held = 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n'

test('a connection is not read while a request waits on it', async () => {
  const { accepted, open, bystand, release, count } = await openHeldServer()
  const greedy = await open()
  const requests = 3000
  greedy.write(held.repeat(requests - 1) + held.replace('a\r\n', 'a\r\nConnection: close\r\n'))
  for (let time = 0; time < 10; time++) await bystand()
  expect(count()).toBe(11)
  expect(accepted[0]?.bytesRead).toBeLessThan(70_000)
  release()
  for await (const _ of greedy);
  expect(count()).toBe(requests + 10)
})

test('what waits on all connections together is bounded, and goes with its connection', async () => {
  const { accepted, open, bystand } = await openHeldServer()
  const sockets = await Promise.all(Array.from({ length: 40 }, open))
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.write(held.repeat(1000))
  }
  for (let time = 0; time < 5; time++) await bystand()
  const kept = accepted.slice(0, sockets.length).filter(({ destroyed }) => !destroyed)
  expect(kept.length).toBeGreaterThan(10)
  expect(kept.length).toBeLessThan(25)
  await Promise.all(kept.map((socket) => once(socket.destroy(), 'close')))
  const later = await open()
  later.write(held.repeat(1000))
  for (let time = 0; time < 5; time++) await bystand()
  expect(accepted.at(-1)?.destroyed).toBe(false)
})

test('a second Host line is refused', async () => {
  const { open, count } = await openServer()
  const socket = await open()
  socket.write(request('/cms/v2/posts', 'hOST: other.example\r\nConnection: close\r\n'))
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"rest_bad_request"')
  expect(count()).toBe(0)
})

test('the response of a fetch handler is pulled as the client reads it', async () => {
  const chunk = new Uint8Array(1_000_000)
  let pulled = 0
  const large = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (++pulled > 200) controller.close()
        else controller.enqueue(chunk)
      },
    })
  const server = createServer(nodeListener(({ url }) => new Response(url.endsWith('/large') ? large() : 'small')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const slow = connect(port, '127.0.0.1')
  await once(slow, 'connect')
  onTestFinished(() => void slow.destroy())
  slow.pause()
  slow.write('GET /large HTTP/1.1\r\nHost: quay.example\r\nConnection: close\r\n\r\n')
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('small')
  expect(pulled).toBeLessThan(100)
  let received = 0
  for await (const part of slow) received += part.length
  expect(received).toBeGreaterThan(200 * chunk.length)
})
