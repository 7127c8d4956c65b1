/** Authenticates the user of the consent page: by the host, or with the password of an account. */

import type { User } from '../../contract/storage.ts'
import { fold } from '../../contract/text-fold.ts'
import type { Context } from '../../core/declare/context.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { isPasswordOf, tooManyComparisons } from '../../core/runtime/crypto.ts'
import { findUserByName, toLogin } from '../../site/user-names.ts'
import { accountBucket, networkBucket, takeAttempt } from './attempts.ts'

/** A rate limit: `take` counts one attempt and returns 0, or the seconds to wait. */
export interface TryLimit {
  take(key: string): number | Promise<number>
}

/**
 * The user whom the host recognises. Choice: an application password does not count as signing in on the consent page, so
 * that an application can not authorize another one.
 */
export function hostUser({ user, incoming }: Pick<Context, 'user' | 'incoming'>): User | undefined {
  return /^basic(?: |$)/i.test(incoming.header('authorization') ?? '') ? undefined : user.user
}

/** Throws 503 while more sign-ins wait than can be answered soon; before anything is read or written for this one. */
export function refuseFlood(): void {
  if (!tooManyComparisons()) return
  const text = 'Too many people are signing in at the moment. Wait a little, then try again.'
  throw new ApiError('rest_too_many_requests', text, 503, { retry_after: 10 })
}

/** Every attempt does the same work, so that its duration does not disclose whether the login exists. */
export async function userByPassword(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  { login, password, client }: { readonly login: string; readonly password: string; readonly client: string },
): Promise<User | undefined> {
  const user = await findUserByName(storage, login)
  refuseFlood()
  const isRight = await isPasswordOf(password, user?.password ?? '', app.passwordCost, client)
  return isRight && user && !user.blocked ? user : undefined
}

/**
 * Seconds to wait. Counted for unknown logins too, so that it does not disclose whether the login exists. The network counts where
 * the host vouches for the address of a client.
 */
export async function tooSoon(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  { limit, network }: { readonly limit: TryLimit | undefined; readonly network: string | undefined },
  login: string,
): Promise<number> {
  const now = app.clock()
  if (network !== undefined) {
    const seconds = await takeAttempt(storage, `network ${network}`, networkBucket, now)
    if (seconds > 0) return seconds
  }
  const account = fold(toLogin(login))
  return limit ? limit.take(account) : takeAttempt(storage, `account ${account}`, accountBucket, now)
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
