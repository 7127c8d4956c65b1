/** Asks the limit about a request, and refuses it with 429. */

import { ApiError } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import type { LimitedRequest, RequestLimit } from '../declare/request-limit.ts'

const tooManyRequests = (seconds: number) =>
  new ApiError('rest_too_many_requests', `Too many requests: wait ${seconds} seconds.`, 429, { retry_after: seconds })

type Asked = Pick<LimitedRequest, 'kind' | 'route' | 'user' | 'login'>

/** Throws 429 when the limit names a time to wait. */
export async function takeFrom(limit: RequestLimit, incoming: Incoming, asked: Asked): Promise<void> {
  const { method, path, native } = incoming
  const seconds = await limit({ ...asked, method, path, native, header: (name) => incoming.header(name) })
  if (seconds > 0) throw tooManyRequests(Math.ceil(seconds))
}
