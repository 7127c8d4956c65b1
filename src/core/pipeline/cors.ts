/** CORS headers. Credentials are allowed only for listed origins, compared exactly. */

import type { RequestStorages } from '../../contract/storage.ts'
import type { Names } from '../../names/word-map.ts'
import type { Incoming } from '../declare/request.ts'
import type { ResponseHeaders } from '../declare/result.ts'

/** Which pages of other origins may write with cookies. */
export interface CorsOptions {
  /** Origins whose pages may send cookies and write with them. All others may read and write without cookies. */
  readonly origins?: readonly string[]
}

export interface Cors {
  /** Adds headers to the response of a request with `Origin`. */
  apply(incoming: Incoming, headers: ResponseHeaders): void
}

export function createCors({ origins = [] }: CorsOptions, names: Names, requests: RequestStorages | undefined): Cors {
  const listed = new Set(origins)
  const ofStorage = requests ? [names.toPublic(requests.header)] : []
  const exposed = [
    'X-CMS-Total',
    'X-CMS-TotalPages',
    'Link',
    'Location',
    'Allow',
    'ETag',
    'Retry-After',
    'Idempotency-Replayed',
    'Preference-Applied',
    'X-CMS-Release',
  ].map((one) => names.toPublic(one))
  const allowed = [
    'Authorization',
    'X-CMS-Nonce',
    'X-CMS-Release',
    'Content-Disposition',
    'Content-MD5',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Prefer',
    'X-HTTP-Method-Override',
  ]
  const expose = [...exposed, ...ofStorage].join(', ')
  const allow = [...allowed.map((one) => names.toPublic(one)), ...ofStorage].join(', ')
  return {
    apply(incoming, headers) {
      const origin = incoming.header('origin')
      if (origin === undefined) return
      const isListed = listed.has(origin)
      headers['Access-Control-Allow-Origin'] = isListed ? origin : '*'
      if (isListed) headers['Access-Control-Allow-Credentials'] = 'true'
      headers['Access-Control-Expose-Headers'] = expose
      if (incoming.method !== 'OPTIONS') return
      headers['Access-Control-Allow-Methods'] = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'
      headers['Access-Control-Allow-Headers'] = allow
      headers['Access-Control-Max-Age'] = '600'
    },
  }
}
