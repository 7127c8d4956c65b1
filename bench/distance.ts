/** A TCP proxy that is far away: each packet takes half a round trip, whatever else is on its way. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

interface Distance {
  /** The same database, reached through the proxy. */
  readonly url: string
  /** From now on packets take their time. */
  apply(): void
  close(): Promise<void>
}

export async function startDistance(address: string, roundTripMs: number): Promise<Distance> {
  const near = new URL(address)
  let delayMs = 0
  const sockets = new Set<Socket>()
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('error', () => undefined)
    // Timers of one duration end in the order in which they began.
    from.on('data', (part) => {
      if (delayMs === 0) to.write(part)
      else setTimeout(() => to.write(part), delayMs)
    })
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), delayMs)
    })
  }
  const server = createServer((client) => {
    const upstream = connect({ host: near.hostname, port: Number(near.port) })
    join(client, upstream)
    join(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    apply: () => {
      delayMs = roundTripMs / 2
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
