import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeHandler, type Served, serveNode } from '../../adapters/node.ts'
import { asJson, ask, getText, postText } from './behaviours/behaviour.ts'
import { holdBehaviours } from './behaviours.ts'
import type { RunningHost } from './hosts/host.ts'
import { listen, nodeHost } from './hosts/node.ts'
import { open, send } from './raw.ts'
import { createNamedSite, type NamedSite } from './sites.ts'

holdBehaviours(nodeHost)

const thing = '/api/echo/v1/thing'
let site: NamedSite
let running: RunningHost | undefined

beforeEach(async () => {
  site = await createNamedSite('echo')
})
afterEach(async () => {
  await running?.close()
  running = undefined
  await site.api.close()
})

/** A server of the host's own around our handler. */
async function behind(listener: RequestListener): Promise<RunningHost> {
  running = await listen(listener, async () => undefined)
  return running
}

describe('a body that the host has handled', () => {
  test('is used as parsed', async () => {
    const handler = createNodeHandler(site.api)
    const host = await behind((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => void parts.push(part))
      request.on('end', () => {
        const text = Buffer.concat(parts).toString()
        handler(Object.assign(request, { body: text === '' ? {} : JSON.parse(text) }), response)
      })
    })
    expect((await ask(host, thing, asJson({ text: 'parsed' }))).body).toEqual({ text: 'parsed' })
    expect((await ask(host, thing, asJson(''))).body).toEqual({})
  })

  test('is parsed from collected bytes or text', async () => {
    const handler = createNodeHandler(site.api)
    for (const body of ['{"text":"é"}', Buffer.from('{"text":"é"}')]) {
      const host = await behind((request, response) => handler(Object.assign(request, { body }), response))
      expect((await ask(host, thing, asJson('{}'))).body).toEqual({ text: 'é' })
      await host.close()
    }
  })

  test('is read when a parser ignored it and set an empty object', async () => {
    const handler = createNodeHandler(site.api)
    const host = await behind((request, response) => handler(Object.assign(request, { body: {} }), response))
    expect((await ask(host, thing, asJson({ text: 'still there' }))).body).toEqual({ text: 'still there' })
  })

  test('is read when the host had paused it', async () => {
    const handler = createNodeHandler(site.api)
    const host = await behind((request, response) => {
      request.pause()
      setImmediate(() => handler(request, response))
    })
    expect((await ask(host, thing, asJson({ text: 'late' }))).body).toEqual({ text: 'late' })
  })

  test('fails at once and is logged when it was consumed and dropped', async () => {
    const handler = createNodeHandler(site.api)
    const host = await behind((request, response) => {
      request.resume().on('end', () => setImmediate(() => handler(request, response)))
    })
    expect((await ask(host, thing, asJson({ text: 'lost' }))).status).toBe(500)
    const { failures } = (await ask(host, '/api/echo/v1/seen')).body
    expect(failures).toEqual([expect.stringContaining('The body was read before the api was called')])
    expect((await ask(host, thing, asJson(''))).body).toEqual({})
    expect((await ask(host, thing, { method: 'POST' })).body).toEqual({})
  })
})

describe('where it is mounted', () => {
  test('may differ from the root, for example behind a proxy that removes a prefix', async () => {
    const cut = await behind(createNodeHandler(site.api, { mount: '' }))
    expect((await ask(cut, '/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
    await cut.close()
    const longer = await behind(createNodeHandler(site.api, { mount: '/blog/api' }))
    expect((await ask(longer, '/blog/api/echo/v1/thing?text=a')).body).toEqual({ text: 'a' })
    expect((await ask(longer, thing)).status).toBe(404)
  })

  test('works inside a router that cuts the address', async () => {
    const handler = createNodeHandler(site.api)
    const host = await behind((request, response) => {
      const originalUrl = request.url ?? ''
      request.url = originalUrl.replace('/api', '')
      handler(Object.assign(request, { originalUrl }), response)
    })
    expect((await ask(host, `${thing}?text=a`)).body).toEqual({ text: 'a' })
  })

  test('leaves a request without a path to the host', async () => {
    const fallThrough: RequestListener = (_, response) => void response.end('the host')
    const { origin = '' } = await behind(createNodeHandler(site.api, { fallThrough }))
    expect((await send(origin, 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')).status).toBe(200)
  })
})

test('logs a response that cannot be sent under the id that the client gets', async () => {
  const told: string[] = []
  const host = await behind(createNodeHandler(site.api, { onFailure: (id) => void told.push(id) }))
  const { body } = await ask(host, '/api/echo/v1/header?name=a%20b')
  expect(told).toEqual([body.data.id])
})

describe('serveNode', () => {
  let served: Served
  beforeEach(async () => {
    served = await serveNode(site.api, { port: 0 })
  })
  afterEach(() => served.close({ graceMs: 0 }))

  test('answers malformed HTTP with the common error body', async () => {
    const answer = await send(served.url, 'NONSENSE\r\n\r\n')
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'rest_bad_request', data: { status: 400 } })
    expect((await send(served.url, getText('/api/', [`X-Long: ${'x'.repeat(20_000)}`]))).status).toBe(431)
    // Node's parser knows methods in capitals alone.
    expect((await send(served.url, getText('/api/').replace('GET', 'patch'))).status).toBe(400)
  })

  test('releases everything when a client disconnects while sending', async () => {
    const connection = open(served.url)
    const gone = new Promise<void>((resolve) => {
      served.server.once('request', (request: IncomingMessage) => void request.once('close', resolve))
    })
    const arrived = new Promise<void>((resolve) => void served.server.once('request', () => resolve()))
    connection.write(postText(thing, '{"te', ['Content-Length: 100']))
    await arrived
    connection.end()
    await gone
    expect(await (await fetch(`${served.url}/api/echo/v1/seen`)).json()).toMatchObject({ failures: [] })
  })

  test('closing refuses new connections and waits for open requests', async () => {
    const connection = open(served.url)
    const body = '{"text":"late"}'
    const arrived = new Promise<void>((resolve) => void served.server.once('request', () => resolve()))
    connection.write(postText(thing, '', [`Content-Length: ${body.length}`]))
    await arrived
    const closing = served.close()
    await expect(fetch(`${served.url}/api/`)).rejects.toThrow()
    connection.write(body)
    expect(await connection.answer()).toMatchObject({ status: 200, body })
    await closing
  })

  test('rejects when its port is taken', async () => {
    const port = Number(new URL(served.url).port)
    await expect(serveNode(site.api, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('passes the url before the first response', async () => {
    const made: string[] = []
    const second = await serveNode(
      (own) => {
        made.push(own)
        return site.api
      },
      { port: 0 },
    )
    expect(made).toEqual([second.url])
    expect((await fetch(`${second.url}/api/`)).status).toBe(200)
    await second.close()
  })
})
