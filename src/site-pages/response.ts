/** Creates responses of pages: type, validator, caching, and the answer to a conditional request. */

import { tagList } from '../core/pipeline/response/cache-tags.ts'
import { sha256Of } from '../core/runtime/crypto.ts'
import { defaultCacheControl } from './options.ts'
import type { Visit } from './visit.ts'

export type Privacy =
  /** The response is the same for every visitor. */
  | 'public'
  /** The response is for this reader only. */
  | 'private'

interface Content {
  readonly body: string
  readonly type: string
  readonly status?: number
  readonly privacy?: Privacy
  readonly headers?: { readonly [name: string]: string }
}

export const htmlType = 'text/html; charset=UTF-8'

export function respond(
  visit: Visit,
  { body, type, status = 200, privacy = 'public', headers = {} }: Content,
): Response {
  const { request, options, reading, sources, work } = visit
  const etag = `"${sha256Of(body).slice(0, 27)}"`
  const all: { [name: string]: string } = {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': privacy === 'private' ? 'private, no-store' : work.isExceeded ? 'no-store' : cacheControlOf(visit),
    ...headers,
  }
  if (options.cacheTags !== undefined && reading && privacy === 'public') {
    all[options.cacheTags] = tagList({ tags: new Set([...reading.tags, ...sources]), isComplete: reading.isComplete })
  }
  if (status === 200 && privacy === 'public') {
    all['ETag'] = etag
    if (matches(request.headers.get('if-none-match'), etag)) {
      const { 'Content-Type': _type, ...rest } = all
      return new Response(null, { status: 304, headers: rest })
    }
  }
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: all })
}

/** No event tells caches of the time, and of services of the host: with tags, only what follows from the storage may stay. */
const cacheControlOf = ({ options, reading, sources }: Visit): string =>
  reading && (sources.size > 0 || !reading.isComplete) ? defaultCacheControl : options.cacheControl

const matches = (sent: string | null, etag: string): boolean =>
  sent !== null && (sent.trim() === '*' || sent.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** The address contains the version of the file, so caches may store the response forever. */
export function respondVersioned(visit: Visit, body: string, type: string, isCurrent: boolean): Response {
  const cacheControl = isCurrent ? 'public, max-age=31536000, immutable' : 'public, no-cache'
  return respond(visit, { body, type, headers: { 'Cache-Control': cacheControl } })
}

export const redirect = (address: string, status: 301 | 302 | 303 = 301): Response =>
  new Response(null, {
    status,
    headers: { Location: address, 'Cache-Control': status === 301 ? 'public, max-age=3600' : 'no-store' },
  })

export const textResponse = (
  body: string,
  status: number,
  headers: { readonly [name: string]: string } = {},
): Response =>
  new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
