/** A TCP proxy whose network can fail: it stalls, cuts, delays and swallows. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `stall`: bytes wait until the fault ends. `cut`: connections end, and new ones are refused. `delay`: each part comes later, in
 * order. `swallow`: bytes are lost, and both sides wait. `drip`: each byte comes alone.
 */
export type Fault = 'stall' | 'cut' | 'delay' | 'swallow' | 'drip'

/** The side that sends the counted bytes. */
export type Side = 'client' | 'server'

/** Counts the bytes of one side, over all connections, and does something between two of them. */
interface Counter {
  readonly side: Side
  readonly after: number
  /** Absent: the connection ends. */
  readonly action: (() => Promise<unknown>) | undefined
  seen: number
}

export interface TcpProxy {
  readonly port: number
  /** The fault lasts until `heal`. */
  fail(fault: Fault): void
  heal(): void
  /**
   * Once `side` has sent so many bytes, those are passed on, and the connection ends; or `action` runs before the others are passed on.
   * Returns a function that ends the count and returns the number of bytes.
   */
  count(side: Side, after: number, action?: () => Promise<unknown>): () => number
  /** New connections go to another server. */
  redirect(target: { readonly host: string; readonly port: number }): void
  close(): Promise<void>
}

const delayMs = 20

async function drip(part: Buffer, to: Socket): Promise<void> {
  for (const byte of part) {
    to.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
}

async function passCounted(
  part: Buffer,
  { from, to, counter }: { readonly from: Socket; readonly to: Socket; readonly counter: Counter },
): Promise<void> {
  const left = counter.after - counter.seen
  counter.seen += part.length
  if (left < 0 || left > part.length) return void to.write(part)
  if (counter.action === undefined) {
    // The bytes before arrive, then the end.
    await new Promise<void>((resolve) => to.end(part.subarray(0, left), () => resolve()))
    from.destroy()
    return
  }
  to.write(part.subarray(0, left))
  await counter.action()
  to.write(part.subarray(left))
}

export async function startProxy(first: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  let target = first
  let fault: Fault | undefined
  let healed = Promise.withResolvers<void>()
  let counter: Counter | undefined
  const sockets = new Set<Socket>()

  function add(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => void sockets.delete(socket))
  }

  async function waits(): Promise<void> {
    if (fault === 'stall') await healed.promise
    if (fault === 'delay') await new Promise((resolve) => setTimeout(resolve, delayMs))
  }

  /** Passes the parts from one side to the other, one after another. */
  function join(from: Socket, to: Socket, side: Side): void {
    let last: Promise<unknown> = Promise.resolve()
    const pass = async (part: Buffer | undefined) => {
      if (fault === 'swallow') return
      await waits()
      if (part === undefined) to.end()
      else if (fault === 'drip') await drip(part, to)
      else if (counter?.side === side) await passCounted(part, { from, to, counter })
      else to.write(part)
    }
    from.on('data', (part) => {
      last = last.then(() => pass(part))
    })
    from.on('end', () => {
      last = last.then(() => pass(undefined))
    })
    from.on('close', () => {
      last = last.then(() => to.destroy())
    })
  }

  const server = createServer((client) => {
    add(client)
    if (fault === 'cut') return void client.destroy()
    client.setNoDelay()
    const upstream = connect(target)
    upstream.setNoDelay()
    add(upstream)
    join(client, upstream, 'client')
    join(upstream, client, 'server')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fail(next) {
      fault = next
      if (next === 'cut') for (const socket of sockets) socket.destroy()
    },
    heal() {
      fault = undefined
      healed.resolve()
      healed = Promise.withResolvers()
    },
    count(side, after, action) {
      const counted: Counter = { side, after, action, seen: 0 }
      counter = counted
      return () => {
        counter = undefined
        return counted.seen
      }
    },
    redirect(next) {
      target = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
