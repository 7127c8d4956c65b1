/** Run by Bun: what a client of `serveNode` sees on an open connection while the server closes. Says it as one line of JSON. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { serveNode } from '../../adapters/node.ts'
import { createNamedSite } from './sites.ts'

const { api } = await createNamedSite('echo')
const served = await serveNode(api, { port: 0 })
const kept = connect(Number(new URL(served.url).port), '127.0.0.1')
const request = 'GET /api/echo/v1/thing HTTP/1.1\r\nHost: x\r\n\r\n'
kept.write(request)
const [first] = (await once(kept, 'data')) as [Buffer]
const isKeptClosed = once(kept, 'close')
const closed = served.close({ idleMs: 500 })
kept.write(request)
const [last] = (await once(kept, 'data')) as [Buffer]
await Promise.all([closed, isKeptClosed])
const refused = await fetch(`${served.url}/api/`).then(String, () => 'refused')
await api.close()
console.log(JSON.stringify({ first: String(first), last: String(last), refused }))
