/**
 * Distributes arguments to the path, the query and the body. The service parses the query back to equal values; values
 * that a URL can not express are rejected here.
 */
import type { Method } from '../core/declare/endpoint.ts'
import { ClientError } from './result.ts'

/** The destination and body of a call, for every transport. */
export interface Address {
  /** Relative to the root, percent-encoded. */
  readonly path: string
  readonly query: string
  /** Plain JSON; undefined for no body. */
  readonly body: unknown
}

type Values = { readonly [name: string]: unknown }

interface BodyOptions {
  /** Replaces the arguments that are not in the path. */
  readonly body?: unknown
  /** True: no arguments go to the query, because a batch reads them from the body for every method. */
  readonly prefersBody?: boolean
}

/** Throws a ClientError for arguments that can not be sent. */
export function addressOf(
  method: Method | 'HEAD',
  template: string,
  values: Values,
  { body, prefersBody = false }: BodyOptions = {},
): Address {
  const { _fields, _embed, ...args } = plain(values)
  const { path, rest } = fillPath(template, args)
  const shared = pairsOf({ _fields: words(_fields), _embed: words(_embed) })
  const isRead = method === 'GET' || method === 'HEAD'
  // Some proxies drop the body of DELETE, so it has one only if the query can not express the arguments.
  const inQuery = isRead || (method === 'DELETE' && !prefersBody && Object.values(rest).every(isSimple))
  const pairs = inQuery ? [...pairsOf(rest), ...shared] : shared
  const query = pairs.join('&')
  if (body !== undefined) return { path, query, body: plain(body) }
  const hasBody = !inQuery && (method !== 'DELETE' || Object.keys(rest).length > 0)
  return { path, query, body: hasBody ? rest : undefined }
}

/** A copy as JSON has it: dates as texts, without undefined members. */
function plain<T>(value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T
  } catch (cause) {
    throw new ClientError('client_invalid_arguments', 'The arguments are no JSON.', { cause })
  }
}

const invalidArgument = (name: string, why: string) =>
  new ClientError('client_invalid_arguments', `${name}: ${why}`, { data: { params: { [name]: why } } })

/** Fills the placeholders of `/posts/{id}` and returns the other arguments. */
function fillPath(template: string, args: Values): { readonly path: string; readonly rest: Values } {
  const rest = { ...args }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' && typeof value !== 'number') throw invalidArgument(name, 'The path needs it.')
    const text = String(value)
    // URLs resolve `.` and `..`, escaped or not; an empty segment would change the route.
    if (text === '' || text === '.' || text === '..') throw invalidArgument(name, 'No path can hold this.')
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

/** The depth of brackets that the service parses. */
const maxDepth = 4

/** `a=1`, `a[]=1&a[]=2`, `a[b][0][c]=1`. Null and empty lists and objects become an empty text. */
function pairsOf(values: Values): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : pairsIn(encoded(name), value, name, 0),
  )
}

function pairsIn(key: string, value: unknown, name: string, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [`${key}=${value === null ? '' : encoded(String(value))}`]
  const entries = Object.entries(value)
  if (entries.length === 0) return [`${key}=`]
  if (depth === maxDepth) throw invalidArgument(name, 'An address holds no values that lie so deep.')
  if (Array.isArray(value)) {
    const isFlat = value.every(isScalar)
    return value.flatMap((item, index) => pairsIn(`${key}[${isFlat ? '' : index}]`, item, name, depth + 1))
  }
  // The service would parse an object whose names are all numbers as a list.
  const looksListed = entries.every(([memberName]) => /^\d{1,9}$/.test(memberName))
  if (looksListed && entries.some(([memberName], index) => memberName !== String(index))) {
    throw invalidArgument(name, 'An address holds no object whose names are all numbers.')
  }
  return entries.flatMap(([memberName, member]) => {
    if (memberName === '' || memberName.includes(']'))
      throw invalidArgument(name, `An address cannot hold the name '${memberName}'.`)
    return pairsIn(`${key}[${encoded(memberName)}]`, member, name, depth + 1)
  })
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new ClientError('client_invalid_arguments', 'An address holds no half of a character.')
  }
}
