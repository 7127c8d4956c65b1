/** Run by Bun: what `serveBun` promises beyond the behaviours of all hosts. Says what it saw as one line of JSON. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { type MountedApi, serveBun } from '../../adapters/bun.ts'
import { createNamedSite } from './sites.ts'

const { api: inner } = await createNamedSite('echo')
const arrived = Promise.withResolvers<void>()
const api: MountedApi = {
  ...inner,
  handle: (incoming) => {
    if (incoming.method === 'POST') arrived.resolve()
    return inner.handle(incoming)
  },
}
const statusOf = async (url: string) => (await fetch(url)).status
const refusal = (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message

let handedOver = ''
let early: Promise<number> | undefined
const served = await serveBun(
  async (url) => {
    handedOver = url
    early = statusOf(`${url}/api/`)
    // The request is there before the api is.
    await new Promise((resolve) => setImmediate(resolve))
    return api
  },
  { port: 0 },
)
// Another thread of Bun connects, on a busy machine not before the server has closed.
const earlyStatus = await early

const port = Number(new URL(served.url).port)
const taken = await serveBun(api, { port }).then(() => 'served', refusal)
const broken = await serveBun(() => Promise.reject(new Error('no api')), { port: 0 }).catch(refusal)

const socket = connect(port, '127.0.0.1')
const body = '{"text":"late"}'
const head = ['POST /api/echo/v1/thing HTTP/1.1', 'Host: x', 'Content-Type: application/json']
socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`)
await arrived.promise
const kept = connect(port, '127.0.0.1')
kept.write('GET /api/echo/v1/thing HTTP/1.1\r\nHost: x\r\n\r\n')
await once(kept, 'data')
const closing = served.close()
const isKeptClosed = once(kept, 'close')
kept.write('GET /api/echo/v1/thing HTTP/1.1\r\nHost: x\r\n\r\n')
const [last] = (await once(kept, 'data')) as [Buffer]
await isKeptClosed
const stopped = served.close({ idleMs: 0 })
const refused = await fetch(`${served.url}/api/`).then(String, () => 'refused')
socket.write(body.slice(3))
const [answer] = (await once(socket, 'data')) as [Buffer]
await Promise.all([closing, stopped])

const say = {
  url: served.url,
  handedOver,
  early: earlyStatus,
  taken,
  broken,
  refused,
  late: answer.toString(),
  last: last.toString(),
}
console.log(JSON.stringify(say))
await inner.close()
