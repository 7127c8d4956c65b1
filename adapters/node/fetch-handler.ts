/** Makes a listener of node from a fetch handler, such as that of the pages of a site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { clientGone } from '../../src/core/declare/errors.ts'
import { isLast } from './closing.ts'
import type { NodeRequest } from './incoming.ts'

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
  const target = toRequest(request, response)
  if (!target) {
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Bad request\n')
    return
  }
  await write(await fetch(target), response)
}

/** Undefined for a target that is no path, such as the `*` of `OPTIONS *`, and for methods without a Request. */
function toRequest(request: NodeRequest, response: ServerResponse): Request | undefined {
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
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(request), duplex: 'half' }),
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

// The cast: node and the DOM declare the same class twice.
const bodyOf = (request: IncomingMessage) => Readable.toWeb(request) as NodeReadableStream as unknown as BodyInit

async function write(answer: Response, response: ServerResponse): Promise<void> {
  const cookies = answer.headers.getSetCookie()
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (isLast(response)) response.setHeader('connection', 'close')
  response.writeHead(answer.status)
  if (!answer.body) {
    response.end()
    return
  }
  // The cast: node and the DOM declare the same class twice.
  const body = Readable.fromWeb(answer.body as unknown as NodeReadableStream)
  await pipeline(body, response).catch((error) => {
    // A client that has disconnected is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
