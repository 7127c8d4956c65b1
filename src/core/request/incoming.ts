/**
 * The `Incoming` of `api.fetch` and of requests made inside the process. No web-standard `Request` is created on the
 * way: it costs more than routing and checking together.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import { clientGone, isApiError, tooLarge, unsupportedEncoding } from '../declare/errors.ts'
import type { Incoming, SentBody } from '../declare/request.ts'
import { collectBytes } from './body.ts'

/** A request made inside the process. `body` counts as parsed JSON. */
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

/** A call inside the process whose body is a file; the route reads it as one of HTTP. */
export function fileIncoming(call: Incoming, file: { readonly size: number; stream(): unknown }): Incoming {
  // The cast: streams of all runtimes are iterable.
  const open = () => file.stream() as AsyncIterable<Uint8Array>
  return {
    ...call,
    mayHaveBody: file.size > 0,
    readBody: async (limitBytes) => ({ bytes: await collectBytes(open(), limitBytes) }),
    openBody: open,
  }
}

/** Wraps the `Request` of `api.fetch`. The caller has cut `root` off the path. */
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
    // Next sends a body on without its `Content-Encoding`, and compresses by itself; its requests have `nextUrl`.
    if (name === 'accept-encoding' && 'nextUrl' in this.native) return undefined
    return this.native.headers.get(name) ?? undefined
  }

  readBody(limitBytes: number): MaybePromise<SentBody> {
    return readRequest(this.native, limitBytes)
  }

  openBody(): AsyncIterable<Uint8Array> {
    return openRequest(this.native)
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

async function* openRequest(request: Request): AsyncIterable<Uint8Array> {
  checkBodyHeaders(request.headers.get('content-encoding'), undefined, 0)
  if (!request.body) return
  if (request.bodyUsed) throw bodyIsGone()
  try {
    yield* request.body as unknown as AsyncIterable<Uint8Array>
  } catch {
    throw clientGone()
  }
}

/** A mistake of the host. Continuing without the body would hide it. */
export const bodyIsGone = () =>
  new Error(
    'The body was read before the api was called, and nothing of it handed over. Call the api before what reads it.',
  )

/** Throws 415 or 413 before the first byte is read. */
export function checkBodyHeaders(
  encoding: string | null | undefined,
  length: string | null | undefined,
  limit: number,
) {
  if (encoding && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding()
  if (length && Number(length) > limit) throw tooLarge(limit)
}

/** Cuts the root off a path; undefined for a path outside of it. `/api` and `/api/` give `/`; `/apiary` is outside. */
export function belowRoot(path: string, root: string): string | undefined {
  if (root === '') return path
  if (!path.startsWith(root)) return undefined
  if (path.length === root.length) return '/'
  return path[root.length] === '/' ? path.slice(root.length) : undefined
}

/** Whether the header `Prefer` asks for this treatment of a request, also among others: `Prefer: explain`. */
export function prefers(incoming: Pick<Incoming, 'header'>, name: string): boolean {
  const sent = incoming.header('prefer')
  return (sent?.split(',') ?? []).some((one) => one.split(/[;=]/, 1)[0]?.trim().toLowerCase() === name)
}

/** The parameters of a preference, without quotes: of `Prefer: merge; base=12` the base. Undefined: it is not asked for. */
export function preferenceOf(
  incoming: Pick<Incoming, 'header'>,
  name: string,
): { readonly [parameter: string]: string } | undefined {
  if (!prefers(incoming, name)) return undefined
  const asked = incoming
    .header('prefer')
    ?.split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
  const [, ...parameters] = asked?.find(([first = '']) => first.split('=', 1)[0]?.trim().toLowerCase() === name) ?? []
  return Object.fromEntries(
    parameters.map((one) => {
      const [parameter = '', value = ''] = one.split(/=(.*)/s)
      return [parameter.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]
    }),
  )
}
