/** What one connection may hold of the server, whatever it sends and does not read. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nodeListener, serveNode } from '../../adapters/node.ts'
import { createTestSite } from '../support/site.ts'

async function openServer() {
  const site = await createTestSite()
  let handled = 0
  const handle = (incoming: never) => {
    handled++
    return site.api.handle(incoming)
  }
  const counted = { ...site.api, handle }
  const served = await serveNode(counted, { port: 0 })
  onTestFinished(async () => {
    await served.close({ graceMs: 0 })
    await site.dispose()
  })
  const { port } = new URL(served.url)
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1')
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
  greedy.write(large.repeat(29) + request('/cms/v2/posts?per_page=1', 'Connection: close\r\n'))
  // The request of a bystander is read after those.
  expect((await fetch(`${served.url}/api/cms/v2/posts?per_page=1`)).status).toBe(200)
  expect(count() - before).toBeLessThan(5)
  let received = 0
  let last = ''
  for await (const chunk of greedy) {
    received += chunk.length
    last = chunk.toString('latin1')
  }
  expect(received).toBeGreaterThan(29 * 9_000_000)
  expect(last).toMatch(/\]$/)
  expect(count() - before).toBe(31)
})

test('what waits on a connection that ends is not run', async () => {
  const { site, served, open, count } = await openServer()
  const body = { title: 'Large', status: 'publish', content: 'x'.repeat(9_000_000) }
  const { id } = (await site.as('edith')('POST', '/cms/v2/posts', { body })).body
  const before = count()
  const gone = await open()
  gone.pause()
  gone.write(request(`/cms/v2/posts/${id}`).repeat(50))
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
