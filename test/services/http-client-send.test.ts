/** Requests with a body, under the same address rules as reads. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../src/services/http-client/index.ts'

async function serve(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const near = (port: number) =>
  createHttpClient({ limits: { timeoutMs: 30_000 }, allow: (address, at) => address === '127.0.0.1' && at === port })

const form = { method: 'POST', body: 'city=Cádiz', contentType: 'application/x-www-form-urlencoded' } as const

test('sends the body with its type and length, the own credentials, and nothing else', async () => {
  let got: unknown
  const port = await serve(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    got = { method: request.method, headers: request.headers, body: Buffer.concat(parts).toString() }
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
  const answer = await near(port).send(`http://127.0.0.1:${port}/token`, { ...form, authorization: 'Bearer abc' })
  expect(answer).toMatchObject({ status: 201, contentType: 'application/json' })
  expect(new TextDecoder().decode(answer.body)).toBe('{"ok":true}')
  expect(got).toEqual({
    method: 'POST',
    body: 'city=Cádiz',
    headers: {
      host: `127.0.0.1:${port}`,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'site-api',
      connection: 'close',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '11',
      authorization: 'Bearer abc',
    },
  })
})

test.each([301, 302, 303, 307, 308])('returns a redirect (%i) without following it', async (status) => {
  const asked: string[] = []
  const port = await serve((request, response) => {
    asked.push(String(request.url))
    request.resume()
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  const answer = await near(port).send(`http://127.0.0.1:${port}/token`, form)
  expect([answer.status, asked]).toEqual([status, ['/token']])
})

test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://10.0.0.1/', 'file:///etc/passwd', 'https://a:b@example.com/'])(
  'nothing is sent to %s',
  async (address) => {
    let opened = 0
    const outbound = createHttpClient({ onConnect: () => void opened++ })
    await expect(outbound.send(address, form)).rejects.toMatchObject({ code: 'refused' })
    expect(opened).toBe(0)
  },
)

test('rejects a response that is too large or too late', async () => {
  const port = await serve((request, response) => {
    request.resume()
    if (request.url === '/large') response.end('x'.repeat(2000))
  })
  const send = (path: string, limits: object) =>
    createHttpClient({ limits, allow: () => true }).send(`http://127.0.0.1:${port}${path}`, form)
  await expect(send('/large', { bodyBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' })
  await expect(send('/silent', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
})
