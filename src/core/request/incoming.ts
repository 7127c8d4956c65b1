/**
 * The inner request: what the machine needs of one, read lazily. Adapters and batch make it; nobody builds a web-standard
 * `Request` on the way (it costs more than routing and checking together).
 */

import { clientGone, isApiError, tooLarge, unsupportedEncoding } from '../declare/errors.ts'
import type { Incoming, SentBody } from '../declare/request.ts'
import type { MaybePromise } from '../runtime/maybe-promise.ts'
import { collectBytes } from './body.ts'

/** One that is made inside the process. `body` counts as parsed JSON. */
export function inProcessIncoming(
  source: 'batch' | 'call',
  method: string,
  path: string,
  query: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Incoming {
  return {
    source,
    method,
    path,
    query,
    mayHaveBody: body !== undefined,
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    readBody: () => ({ parsed: body }),
  }
}

/** The form that `api.fetch` hands in. `root` is cut off by the caller. */
export class RequestIncoming implements Incoming {
  readonly source = 'http'
  readonly method: string
  readonly path: string
  readonly query: string
  readonly native: Request

  constructor(request: Request, path: string, query: string) {
    this.native = request
    this.method = request.method.toUpperCase()
    this.path = path
    this.query = query
  }

  get mayHaveBody(): boolean {
    return this.native.body !== null
  }

  get signal(): AbortSignal {
    return this.native.signal
  }

  header(name: string): string | undefined {
    return this.native.headers.get(name) ?? undefined
  }

  readBody(limitBytes: number): MaybePromise<SentBody> {
    return readRequest(this.native, limitBytes)
  }
}

async function readRequest(request: Request, limitBytes: number): Promise<SentBody> {
  checkBodyHeaders(request.headers.get('content-encoding'), request.headers.get('content-length'), limitBytes)
  if (!request.body) return undefined
  if (request.bodyUsed) throw bodyIsGone()
  try {
    return { bytes: await collectBytes(request.body as unknown as AsyncIterable<Uint8Array>, limitBytes) }
  } catch (error) {
    throw isApiError(error) ? error : clientGone()
  }
}

/** A mistake of the host, which nobody would find if the request were carried out without its body. */
export const bodyIsGone = () =>
  new Error(
    'The body was read before the api was called, and nothing of it handed over. Call the api before what reads it.',
  )

/** What can be refused before the first byte is read. */
export function checkBodyHeaders(
  encoding: string | null | undefined,
  length: string | null | undefined,
  limit: number,
) {
  if (encoding && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding()
  if (length && Number(length) > limit) throw tooLarge(limit)
}

/**
 * Cuts the root off a path; undefined when the path lies elsewhere. `/api` and `/api/` give `/`; `/apiary` does not begin
 * with `/api`.
 */
export function belowRoot(path: string, root: string): string | undefined {
  if (root === '') return path
  if (!path.startsWith(root)) return undefined
  if (path.length === root.length) return '/'
  return path[root.length] === '/' ? path.slice(root.length) : undefined
}
