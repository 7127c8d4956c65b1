/**
 * Routes by query: `?rest_route=/cms/v2/posts&page=2` at the mount is `/cms/v2/posts?page=2`. Block editor clients use
 * it on sites without permalinks.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import { invalidArguments, noRoute } from '../declare/errors.ts'
import type { Incoming, SentBody } from '../declare/request.ts'
import { decode } from './query-string.ts'

const name = 'rest_route'

/** Returns the request unchanged when it has no `rest_route`. Throws for a value that is not a path. */
export function withRestRoute(incoming: Incoming): Incoming {
  if (incoming.path.length > 1 || !incoming.query.includes(name)) return incoming
  const pairs = incoming.query.split('&')
  // The last value counts, as for all arguments.
  const at = pairs.findLastIndex(isNamed)
  if (at === -1) return withoutLists(incoming, pairs)
  const { path, query } = targetIn((pairs[at] as string).slice(name.length + 1))
  const kept = pairs.map((pair, index) => (index === at ? query : isNamed(pair) ? '' : pair))
  return new ReroutedIncoming(incoming, path, kept.filter((pair) => pair !== '').join('&'))
}

/** Whether a query names a route, also in a form that `withRestRoute` refuses. */
export const hasRestRoute = (query: string): boolean => /(?:^|&)rest_route(?:=|&|\[|%5b|$)/i.test(query)

const isNamed = (pair: string) => pair === name || pair.startsWith(`${name}=`)

function withoutLists(incoming: Incoming, pairs: readonly string[]): Incoming {
  if (!pairs.some((pair) => /^rest_route(?:\[|%5b)/i.test(pair))) return incoming
  throw invalidArguments(new Map([[name, `${name} has the wrong type: it takes string.`]]))
}

/**
 * `Choice:` the path in `rest_route` may have its own query. A literal question mark starts a query as written, an
 * escaped one a query that was escaped as a whole.
 */
function targetIn(value: string): { path: string; query: string } {
  const question = value.indexOf('?')
  if (question !== -1) return { path: pathOf(decode(value.slice(0, question))), query: value.slice(question + 1) }
  const text = decode(value)
  const inner = text.indexOf('?')
  if (inner === -1) return { path: pathOf(text), query: '' }
  return { path: pathOf(text.slice(0, inner)), query: text.slice(inner + 1) }
}

/** The value is decoded once; the router decodes again, so the path is escaped for it. */
function pathOf(text: string): string {
  if (text === '') return '/'
  if (text.charCodeAt(0) !== 47) throw noRoute()
  return encodeURI(text.toWellFormed()).replaceAll('#', '%23')
}

/** The same request with another path and query. */
class ReroutedIncoming implements Incoming {
  readonly source: Incoming['source']
  readonly method: string
  readonly path: string
  readonly query: string
  readonly native: unknown
  readonly #sent: Incoming

  constructor(sent: Incoming, path: string, query: string) {
    this.#sent = sent
    this.source = sent.source
    this.method = sent.method
    this.native = sent.native
    this.path = path
    this.query = query
  }

  get mayHaveBody(): boolean {
    return this.#sent.mayHaveBody
  }

  get signal(): AbortSignal | undefined {
    return this.#sent.signal
  }

  header(headerName: string): string | undefined {
    return this.#sent.header(headerName)
  }

  readBody(limitBytes: number): MaybePromise<SentBody> {
    return this.#sent.readBody(limitBytes)
  }
}
