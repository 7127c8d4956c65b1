/** Creates responses of pages: type, validator, caching, and the answer to a conditional request. */

import { sha256Of } from '../core/runtime/crypto.ts'
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

/** Servers refuse longer headers, so more tags are not listed. */
const maxTagCharacters = 7000

export function respond(
  visit: Visit,
  { body, type, status = 200, privacy = 'public', headers = {} }: Content,
): Response {
  const { request, options, tags, work } = visit
  const etag = `"${sha256Of(body).slice(0, 27)}"`
  const all: { [name: string]: string } = {
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': privacy === 'private' ? 'private, no-store' : work.isExceeded ? 'no-store' : options.cacheControl,
    ...headers,
  }
  if (options.cacheTags !== undefined && privacy === 'public') all[options.cacheTags] = tagList(tags)
  if (status === 200 && privacy === 'public') {
    all['ETag'] = etag
    if (matches(request.headers.get('if-none-match'), etag)) {
      const { 'Content-Type': _type, ...rest } = all
      return new Response(null, { status: 304, headers: rest })
    }
  }
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: all })
}

/** A list that is too long becomes one tag, which every change of the site purges. */
function tagList(tags: ReadonlySet<string>): string {
  const list = [...tags].sort().join(',')
  return list.length > maxTagCharacters ? 'site' : list
}

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
