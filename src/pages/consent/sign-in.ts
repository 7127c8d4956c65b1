/** Authenticates the user of the consent page: by the host, or with the password of an account. */

import type { Storage, User } from '../../contract/storage.ts'
import { fold } from '../../contract/text-fold.ts'
import type { Context } from '../../core/declare/context.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { isPasswordOf, tooManyComparisons } from '../../core/runtime/crypto.ts'
import { findUserByName, toLogin } from '../../site/user-names.ts'
import { accountBucket, type Bucket, networkBucket, returnAttempt, takeAttempt } from './attempts.ts'

/** A rate limit: `take` counts one attempt and returns 0, or the seconds to wait. */
export interface TryLimit {
  take(key: string): number | Promise<number>
}

/**
 * The user whom the host recognises. Choice: an application password does not count as signing in on the consent page, so
 * that an application can not authorize another one.
 */
export const hostUser = ({ user }: Pick<Context, 'user'>): User | undefined =>
  user.applicationPassword === undefined ? user.user : undefined

/** Throws 503 while more sign-ins wait than can be answered soon; before anything is read or written for this one. */
export function refuseFlood(): void {
  if (!tooManyComparisons()) return
  const text = 'Too many people are signing in at the moment. Wait a little, then try again.'
  throw new ApiError('rest_too_many_requests', text, 503, { retry_after: 10 })
}

interface Attempt {
  readonly login: string
  readonly password: string
  readonly limit: TryLimit | undefined
  /** Undefined where the host does not vouch for the address of the client. */
  readonly network: string | undefined
}

/**
 * The user whose password is right, undefined for a wrong one, or the seconds to wait. Wrong attempts are counted for each account and
 * network, so that a client does not lock out others: login, address and letters of another case name one account. Every attempt does
 * the same work, and unknown names are counted too, so that neither discloses whether the login exists.
 */
export async function userByPassword(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  { login, password, limit, network }: Attempt,
): Promise<User | number | undefined> {
  const user = await findUserByName(storage, login)
  const account = [
    user ? `user ${user.id}` : `name ${fold(toLogin(login))}`,
    ...(network === undefined ? [] : [network]),
  ]
  const counted: Counted[] = [
    ...(network === undefined ? [] : [{ key: `network ${network}`, bucket: networkBucket }]),
    ...(limit ? [] : [{ key: `account ${account.join(' ')}`, bucket: accountBucket }]),
  ]
  const seconds = (await takeAttempts(storage, counted, app.clock())) || ((await limit?.take(account.join(' '))) ?? 0)
  if (seconds > 0) return seconds
  refuseFlood()
  const isRight = await isPasswordOf(password, user?.password ?? '', app.passwordCost, network ?? '')
  if (!isRight || !user || user.blocked) return undefined
  // Only wrong attempts count.
  for (const { key, bucket } of counted) await returnAttempt(storage, key, bucket, app.clock())
  return user
}

interface Counted {
  readonly key: string
  readonly bucket: Bucket
}

/** Returns 0, or the seconds until the first of the buckets that are empty has a token. */
async function takeAttempts(storage: Storage, counted: readonly Counted[], now: number): Promise<number> {
  for (const { key, bucket } of counted) {
    const seconds = await takeAttempt(storage, key, bucket, now)
    if (seconds > 0) return seconds
  }
  return 0
}

/**
 * Rejects a form of another origin. Browsers send `Sec-Fetch-Site` or `Origin`; a request without both is not a browser's
 * and has neither cookies nor a grant. Throws 403.
 */
export function refuseForeignForm({ incoming, settings }: Pick<Context, 'incoming' | 'settings'>): void {
  const site = incoming.header('sec-fetch-site')
  const origin = incoming.header('origin')
  const isOwn =
    site === undefined
      ? origin === undefined || origin === new URL(settings.url).origin
      : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new ApiError('rest_cookie_invalid_nonce', 'This form was not sent by the page itself.', 403)
}

/** Only a top-level navigation may load the page: no frame and no script. Throws 403. */
export function refuseEmbedding({ incoming }: Pick<Context, 'incoming'>): void {
  const destination = incoming.header('sec-fetch-dest')
  if (destination === undefined || destination === 'document') return
  throw new ApiError('rest_forbidden', 'This page only answers in a window of its own.', 403)
}
