/**
 * Where arguments go: into the path, the query, or the body. The query is written so that the service reads the very
 * values back; what an address cannot say is refused here.
 */
import type { Method } from '../core/declare/endpoint.ts'
import { ClientError } from './result.ts'

/** A call as it is sent, whatever the transport. */
export interface Address {
  /** Below the root, percent-encoded. */
  readonly path: string
  readonly query: string
  /** Plain JSON; undefined when there is none. */
  readonly body: unknown
}

type Values = { readonly [name: string]: unknown }

export interface BodyChoice {
  /** In place of the arguments that are not in the path. */
  readonly body?: unknown
  /** True: no arguments go to the query. A batch reads them from the body, whatever the method. */
  readonly prefersBody?: boolean
}

/** Throws a `ClientError` for what cannot be sent. */
export function addressOf(
  method: Method | 'HEAD',
  template: string,
  given: Values,
  { body, prefersBody = false }: BodyChoice = {},
): Address {
  const { _fields, _embed, ...args } = plain(given)
  const { path, rest } = filled(template, args)
  const shared = pairsOf({ _fields: words(_fields), _embed: words(_embed) })
  const isRead = method === 'GET' || method === 'HEAD'
  // A body of DELETE is lost in some proxies, so it only has one where the address cannot say the same.
  const inQuery = isRead || (method === 'DELETE' && !prefersBody && Object.values(rest).every(isSimple))
  const pairs = inQuery ? [...pairsOf(rest), ...shared] : shared
  const query = pairs.join('&')
  if (body !== undefined) return { path, query, body: plain(body) }
  const hasBody = !inQuery && (method !== 'DELETE' || Object.keys(rest).length > 0)
  return { path, query, body: hasBody ? rest : undefined }
}

/** As JSON carries it: dates as texts, without what is undefined. Nothing of it is shared with the caller. */
function plain<T>(value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T
  } catch (cause) {
    throw new ClientError('client_invalid_arguments', 'The arguments are no JSON.', { cause })
  }
}

const refused = (name: string, why: string) =>
  new ClientError('client_invalid_arguments', `${name}: ${why}`, { data: { params: { [name]: why } } })

/** `/posts/{id}` with the arguments in it, and those that are left. */
function filled(template: string, args: Values): { readonly path: string; readonly rest: Values } {
  const rest = { ...args }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' && typeof value !== 'number') throw refused(name, 'The path needs it.')
    const text = String(value)
    // Addresses resolve `.` and `..`, escaped or not, and an empty segment is none.
    if (text === '' || text === '.' || text === '..') throw refused(name, 'No path can hold this.')
    return encoded(text)
  })
  return { path, rest }
}

const words = (value: unknown): unknown =>
  value === true ? '1' : value === false ? undefined : Array.isArray(value) ? value.join(',') : value

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
const isSimple = (value: unknown) =>
  isScalar(value) || (Array.isArray(value) && value.length > 0 && value.every(isScalar))

/** How deep the service reads names in brackets. */
const maxDepth = 4

/** `a=1`, `a[]=1&a[]=2`, `a[b][0][c]=1`. An empty list or object is an empty text, and so is null. */
function pairsOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : pairsIn(encoded(name), value, name, 0),
  )
}

function pairsIn(key: string, value: unknown, name: string, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [`${key}=${value === null ? '' : encoded(String(value))}`]
  const entries = Object.entries(value)
  if (entries.length === 0) return [`${key}=`]
  if (depth === maxDepth) throw refused(name, 'An address holds no values that lie so deep.')
  if (Array.isArray(value)) {
    const isFlat = value.every(isScalar)
    return value.flatMap((one, index) => pairsIn(`${key}[${isFlat ? '' : index}]`, one, name, depth + 1))
  }
  // Names that are all numbers would come back as a list.
  const looksListed = entries.every(([inner]) => /^\d{1,9}$/.test(inner))
  if (looksListed && entries.some(([inner], index) => inner !== String(index))) {
    throw refused(name, 'An address holds no object whose names are all numbers.')
  }
  return entries.flatMap(([inner, one]) => {
    if (inner === '' || inner.includes(']')) throw refused(name, `An address cannot hold the name '${inner}'.`)
    return pairsIn(`${key}[${encoded(inner)}]`, one, name, depth + 1)
  })
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new ClientError('client_invalid_arguments', 'An address holds no half of a character.')
  }
}
