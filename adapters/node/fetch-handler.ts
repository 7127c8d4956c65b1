/** Makes a listener of node from a fetch handler, such as that of the pages of a site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { clientGone } from '../../src/core/declare/errors.ts'
import { isLast } from './closing.ts'
import type { NodeRequest } from './incoming.ts'
import { dropRest, dropSome, leavesMuchUnread } from './unread-body.ts'

/** The host of the request is never read: links come from the settings of the site. */
const origin = 'http://localhost'

/** A function from a `Request` to a `Response`, as other frameworks have it. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** Throws nothing; rejects when the response could not be written. */
export async function respondWithFetch(
  fetch: FetchHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = new RequestBody(request)
  const target = toRequest(request, response, body)
  await write(target ? await fetch(target) : badTarget(), request, response, body)
}

const badTarget = () =>
  new Response('Bad request\n', { status: 400, headers: { 'content-type': 'text/plain; charset=UTF-8' } })

/** Undefined for a target that is no path, such as the `*` of `OPTIONS *`, and for methods without a Request. */
function toRequest(request: NodeRequest, response: ServerResponse, body: RequestBody): Request | undefined {
  const target = request.originalUrl ?? request.url ?? ''
  if (!target.startsWith('/') || !URL.canParse(origin + target)) return undefined
  const method = request.method ?? 'GET'
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(clientGone())
  })
  try {
    return new Request(origin + target, {
      method,
      headers: headersOf(request),
      signal: controller.signal,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: body.stream, duplex: 'half' }),
    })
  } catch {
    return undefined
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    // HTTP/2 adds pseudo-headers, whose names begin with a colon.
    if (!name.startsWith(':')) headers.append(name, value)
  }
  return headers
}

/**
 * The body of a request as a web stream, of which nothing is read before the handler asks for it. `Readable.toWeb` would read some at
 * once, and end the connection when the handler cancels the stream.
 */
class RequestBody {
  readonly stream: ReadableStream<Uint8Array>
  readonly #request: IncomingMessage
  #isReleased = false
  #stopReading: () => void = () => undefined

  constructor(request: IncomingMessage) {
    this.#request = request
    this.stream = new ReadableStream(
      { pull: (controller) => this.#read(controller), cancel: () => this.release() },
      { highWaterMark: 0 },
    )
  }

  /** Stops reading: the rest of the body stays with the request. Who still reads the stream gets an error. */
  release(): void {
    this.#isReleased = true
    this.#stopReading()
  }

  /** Hands over the next part, or the end. */
  #read(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const request = this.#request
    return new Promise((resolve) => {
      const settle = (hand: () => void) => {
        request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
        this.#stopReading = () => undefined
        request.pause()
        hand()
        resolve()
      }
      const onData = (part: Uint8Array) => settle(() => controller.enqueue(part))
      const onEnd = () => settle(() => controller.close())
      const onLost = () => settle(() => controller.error(clientGone()))
      this.#stopReading = onLost
      if (request.readableEnded) return onEnd()
      if (request.destroyed || this.#isReleased) return onLost()
      request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
      request.resume()
    })
  }
}

async function write(
  answer: Response,
  request: IncomingMessage,
  response: ServerResponse,
  sent: RequestBody,
): Promise<void> {
  const cookies = answer.headers.getSetCookie()
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (isLast(response) || leavesMuchUnread(request)) response.setHeader('connection', 'close')
  response.writeHead(answer.status)
  if (answer.body) await pump(answer.body, response)
  else response.flushHeaders()
  // A handler may use the body of the request for that of its response.
  sent.release()
  if (leavesMuchUnread(request)) await dropSome(request)
  response.end()
  dropRest(request)
}

async function pump(content: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  // The cast: node and the DOM declare the same class twice.
  const body = Readable.fromWeb(content as unknown as NodeReadableStream)
  await pipeline(body, response, { end: false }).catch((error) => {
    // A client that has disconnected is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
