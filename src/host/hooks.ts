/** The options of a host that take part in requests: hooks, reports and limits. */

import { fold } from '../contract/text-fold.ts'
import type { HookContext } from '../core/declare/context.ts'
import type { ReadContributions } from '../core/declare/contributions.ts'
import type { Hook, HostHook } from '../core/declare/events.ts'
import type { RequestLimit } from '../core/declare/request-limit.ts'
import { OptionsError } from '../core/request/option-check.ts'
import { type PublishingOptions, unknownCodes } from '../features/integration/checks/model.ts'
import { tokenBuckets } from '../services/rate-limit.ts'
import { toLogin } from '../site/user-names.ts'
import type { FeatureChanges } from './events.ts'

/**
 * Functions that run inside the transaction of a change: before it is written (`post.saving`), where they may return another
 * change or throw an ApiError to refuse it, and after it is written (`post.created` and all other events).
 */
export type SiteHooks = HostHook<HookContext>

/** An object type, so that the compiler requires every change of a feature here. */
const changes: { readonly [N in keyof FeatureChanges]: true } = {
  'post.saving': true,
  'post.removing': true,
  'comment.saving': true,
  'submission.saving': true,
}

/** The names of the hooks that run before a change. */
export const changeNames: readonly string[] = Object.keys(changes)

/**
 * Wrong application passwords of one login: a burst of 300, then one a second, counted in this process. Guessing 142 random bits
 * is hopeless at any rate; the limit bounds the work, and clients with an old password keep getting 401.
 */
export function credentialsLimit(clock: () => number): RequestLimit {
  const buckets = tokenBuckets({ capacity: 300, perMinute: 60, clock })
  return ({ kind, login = '' }) => (kind === 'credentials' ? buckets.take(fold(toLogin(login))) : 0)
}

/**
 * Returns the hooks that judge published records, where the host asks for them. Throws an OptionsError for the code of a check that the
 * profile has not.
 */
export function gateHooksOf(
  contributions: ReadContributions,
  publishing: PublishingOptions = {},
): readonly Hook<HookContext>[] {
  const gates = publishing.checks === undefined ? [] : contributions('gates')
  const problems = gates.length === 0 ? [] : unknownCodes(publishing, contributions('checks'))
  if (problems.length > 0) throw new OptionsError('createSiteApi', problems)
  return gates.map(({ hooks }) => hooks)
}
