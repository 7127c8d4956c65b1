/**
 * A server on loopback that takes webhooks, checks each signature by the library of the scheme, and answers as the test
 * says.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { createHttpClient } from '../../src/services/http-client/index.ts'

export interface Delivered {
  readonly id: string
  readonly path: string
  readonly type: string
  readonly sequence: number
  readonly subject: string
  readonly data: { readonly [name: string]: unknown }
}

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
}

export interface Receiver {
  readonly url: string
  readonly secret: string
  /** In the order of their arrival, those that were answered with an error too. */
  readonly received: Delivered[]
  /** Signatures that were wrong. */
  readonly forged: string[]
  close(): Promise<void>
}

const secret = `whsec_${Buffer.from('a key of 24 bytes, or so').toString('base64')}`

/** `answer` decides the status of each delivery; default: 204. */
export async function createReceiver(
  answer: (delivered: Delivered) => Answer | Promise<Answer> = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Delivered[] = []
  const forged: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { 'webhook-id': id = '', 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers
    // The time of a test is not that of the machine, by which `verify` judges.
    const right = new Webhook(secret).sign(String(id), new Date(Number(time) * 1000), body)
    if (signature !== right) forged.push(String(signature))
    const delivered = { ...JSON.parse(body), id: String(id), path: request.url ?? '' } as Delivered
    received.push(delivered)
    const { status, headers = {} } = await answer(delivered)
    response.writeHead(status, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}/hook`, secret, received, forged },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** An HTTP client that may reach the machine itself. */
export const loopbackClient = () => createHttpClient({ allow: (address) => address === '127.0.0.1' })
