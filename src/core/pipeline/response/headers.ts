/** From a result to the response that adapters write: body as text, the headers of every response, CORS. */

import type { RequestStorages } from '../../../contract/storage.ts'
import type { Names } from '../../../names/word-map.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Actor } from '../../declare/actor.ts'
import type { Incoming } from '../../declare/request.ts'
import {
  jsonType,
  noHeaders,
  type ResponseData,
  type ResponseHeaders,
  type Result,
  Stream,
} from '../../declare/result.ts'
import { utf8Length } from '../../runtime/bytes.ts'
import { toJson } from '../../runtime/json.ts'
import type { Cors } from '../cors.ts'
import { discoveryLink } from '../mount.ts'
import { CachedResult } from './response-cache.ts'

type ResponseWriter = (incoming: Incoming, result: Result, settings: Settings | undefined, user?: Actor) => ResponseData

/** A response to a write has the header of the storage, which its client sends back. */
export function createResponseWriter(
  names: Names,
  cors: Cors | undefined,
  requests: RequestStorages | undefined,
): ResponseWriter {
  const write = createPlainWriter(names, cors)
  if (!requests) return write
  const header = names.toPublic(requests.header)
  return (incoming, ...rest) => {
    const response = write(incoming, ...rest)
    const value = readMethods.has(incoming.method) ? undefined : requests.value()
    return value === undefined ? response : { ...response, headers: { ...response.headers, [header]: value } }
  }
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

function createPlainWriter(names: Names, cors: Cors | undefined): ResponseWriter {
  const baseHeaders = createBaseHeaders(names)

  return (incoming, result, settings, user) => {
    if (result instanceof CachedResult && incoming.method !== 'HEAD' && !(cors && incoming.header('origin'))) {
      result.ready ??= ready(result, baseHeaders(settings, user === undefined || user.isVisitor))
      return result.ready
    }
    const { status, body, headers: own } = toResponseData(result)
    let headers = baseHeaders(settings, user?.isVisitor === true)
    // A response that is for its own origin only gets no CORS headers.
    const origin = own['Cross-Origin-Resource-Policy'] === undefined ? cors && incoming.header('origin') : undefined
    if (own !== noHeaders || origin !== undefined) headers = mergeHeaders(headers, own)
    if (origin !== undefined) cors?.apply(incoming, headers)
    return incoming.method === 'HEAD' ? withoutBody({ status, headers, body }) : { status, headers, body }
  }
}

function ready({ status, headers, bytes }: CachedResult, base: ResponseHeaders): ResponseData {
  return { status, headers: Object.freeze(mergeHeaders(base, headers)), body: bytes, length: bytes.length }
}

/** `Link` headers are joined; any other header of the result replaces one of the base. */
function mergeHeaders(base: ResponseHeaders, own: ResponseHeaders): ResponseHeaders {
  const headers = { ...base }
  for (const name in own) {
    const value = own[name] as string
    headers[name] = name === 'Link' && base['Link'] !== undefined ? [base['Link'] as string, value] : value
  }
  return headers
}

/** The headers of every response: created once per settings, never changed. */
function createBaseHeaders(names: Names) {
  let createdFor: Settings | undefined
  let forVisitors: ResponseHeaders = {}
  let forUsers: ResponseHeaders = {}

  return (settings: Settings | undefined, isVisitor: boolean): ResponseHeaders => {
    if (settings === undefined) return { ...always, 'Cache-Control': 'private, no-store' }
    if (settings !== createdFor) {
      createdFor = settings
      forVisitors = Object.freeze({ ...always, Link: discoveryLink(settings, names) })
      forUsers = Object.freeze({ ...forVisitors, 'Cache-Control': 'private, no-store' })
    }
    return isVisitor ? forVisitors : forUsers
  }
}

const always: ResponseHeaders = {
  'Content-Type': jsonType,
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin, Authorization, Cookie',
}

/** Leaves out the headers that every response has: a batch lists such responses. */
export function toResponseData({ data, status, headers }: Result): ResponseData {
  if (!(data instanceof Stream)) return { status, headers, body: toJson(data) }
  return { status, headers: { ...headers, 'Content-Type': data.contentType }, body: data.body }
}

/** The response to HEAD keeps the length of the body. */
function withoutBody({ status, headers, body }: ResponseData): ResponseData {
  if (body instanceof ReadableStream) void body.cancel()
  const length = typeof body === 'string' ? utf8Length(body) : undefined
  return {
    status,
    headers: length === undefined ? headers : { ...headers, 'Content-Length': String(length) },
    body: null,
  }
}
