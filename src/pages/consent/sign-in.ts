/** Who confirms: somebody whom the host knows, or who types the password of an account. */

import type { Context } from '../../core/declare/context.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { findUserByName } from '../../core/pipeline/authentication.ts'
import { isPasswordOf } from '../../core/runtime/crypto.ts'
import { fold } from '../../site/text-fold.ts'
import type { Storage, User } from '../../storage/contract.ts'

/** How often something may be tried: takes one try, and answers 0 or how many seconds to wait. */
export interface TryLimit {
  take(key: string): number | Promise<number>
}

/**
 * Whom the host knows. Choice: an application password does not count as signing in on the consent page, so that no
 * application lets in another one.
 */
export function hostUser({ user, incoming }: Pick<Context, 'user' | 'incoming'>): User | undefined {
  return /^basic(?: |$)/i.test(incoming.header('authorization') ?? '') ? undefined : user.user
}

/** Every attempt does the same work, whatever is wrong: its time tells nothing about the login. */
export async function userByPassword(storage: Storage, login: string, password: string): Promise<User | undefined> {
  const user = await findUserByName(storage, login)
  const isRight = await isPasswordOf(password, user?.password ?? '')
  return isRight && user && !user.blocked ? user : undefined
}

/** Seconds to wait. Counted whether or not there is such a user, so that it tells nothing either. */
export async function tooSoon(byLogin: TryLimit, together: TryLimit, login: string): Promise<number> {
  const seconds = await byLogin.take(fold(login))
  return seconds > 0 ? seconds : together.take('all')
}

/**
 * A form must come from the page itself. Browsers say where it comes from; what comes without a word of it is no browser,
 * and has no cookies and nobody's grant. Throws 403.
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

/** Only a window of its own may show the page: no frame, and no script that wants to read it. Throws 403. */
export function refuseEmbedding({ incoming }: Pick<Context, 'incoming'>): void {
  const destination = incoming.header('sec-fetch-dest')
  if (destination === undefined || destination === 'document') return
  throw new ApiError('rest_forbidden', 'This page only answers in a window of its own.', 403)
}
