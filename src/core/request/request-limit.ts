/** Asks the limit about a request, and refuses it with 429. */

import { andThen, type MaybePromise } from '../../contract/maybe-promise.ts'
import { ApiError } from '../declare/errors.ts'
import type { Incoming } from '../declare/request.ts'
import type { LimitedRequest, RequestLimit } from '../declare/request-limit.ts'

const tooManyRequests = (seconds: number) =>
  new ApiError('rest_too_many_requests', `Too many requests: wait ${seconds} seconds.`, 429, { retry_after: seconds })

type Asked = Pick<LimitedRequest, 'kind' | 'route' | 'user' | 'login'>

/** Throws 429 when the limit names a time to wait. */
export function takeFrom(limit: RequestLimit, incoming: Incoming, asked: Asked): MaybePromise<void> {
  const { method, path, native } = incoming
  return refuseUntil(limit({ ...asked, method, path, native, header: (name) => incoming.header(name) }))
}

const refuseUntil = (waiting: MaybePromise<number>): MaybePromise<void> =>
  andThen(waiting, (seconds) => {
    if (seconds > 0) throw tooManyRequests(Math.ceil(seconds))
  })
