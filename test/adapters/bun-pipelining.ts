/** Run by Bun: prints how many requests of greedy connections begin before that of another client is answered. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { type MountedApi, serveBun } from '../../adapters/bun.ts'
import { createNamedSite } from './sites.ts'

const { api: inner } = await createNamedSite('echo')
let begun = 0
const api: MountedApi = {
  ...inner,
  handle: (incoming) => {
    begun++
    const end = performance.now() + 3
    while (performance.now() < end);
    return inner.handle(incoming)
  },
}
const served = await serveBun(api, { port: 0 })
const open = async () => {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
const request = 'GET /api/echo/v1/thing HTTP/1.1\r\nHost: x\r\n\r\n'
const other = await open()
const greedy = await Promise.all(Array.from({ length: 5 }, open))
for (const socket of [other, ...greedy]) {
  socket.write(request)
  await once(socket, 'data')
}
const before = begun
for (const socket of greedy) socket.on('error', () => undefined).write(request.repeat(200))
other.write(request)
const [answer] = (await once(other, 'data')) as [Buffer]
console.log(JSON.stringify({ begun: begun - before, answer: answer.toString('latin1').slice(0, 12) }))
process.exit(0)
