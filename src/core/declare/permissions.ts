/** Permissions as values: which users may call an endpoint. */
import type { MaybePromise } from '../../contract/storage.ts'
import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import { ApiError } from './errors.ts'

export interface Permission<A = never, S = never> {
  /**
   * In words, for the documentation and the permission table: `anyone`, `signed in`, `edit_posts`, ... It begins with
   * `anyone` where visitors may pass, and is exactly `anyone` where every caller passes.
   */
  readonly who: string
  /** Returns the error for callers that may not. Must not write: OPTIONS calls it for each method. */
  readonly check: (context: Context<A, S>) => MaybePromise<ApiError | undefined>
  /** False for callers whom `check` refuses whatever they send. Absent: visitors pass where `who` begins with `anyone`. */
  readonly mayPass?: (user: Actor) => boolean
}

/** Whether there is a request that this caller may send. It is asked before the body is read. */
export const mayEverPass = ({ who, mayPass }: Permission, user: Actor): boolean =>
  mayPass ? mayPass(user) : !user.isVisitor || who.startsWith('anyone')

/** The rule in words, for people: `users with edit_posts`, `anyone`. */
export const ruleOf = ({ who }: Pick<Permission, 'who'>): string => (isCapability.test(who) ? `users with ${who}` : who)

const isCapability = /^[a-z]+(?:_[\w-]+)+$/

/** 401 for a visitor, who may sign in and try again; 403 for a known user. */
export function forbidden(user: Actor, code = 'rest_forbidden', message = 'You may not do this.'): ApiError {
  const status = user.isVisitor ? 401 : 403
  const key = `${status} ${code} ${message}`
  const known = refusals.get(key)
  if (known) return known
  const error = new ApiError(code, message, status)
  if (refusals.size < maxRefusals) refusals.set(key, error)
  return error
}

/** Errors are never changed, so equal ones are one object: a list checks the methods of each of its records. */
const refusals = new Map<string, ApiError>()
const maxRefusals = 1000

/**
 * A permission of your own. `who` says in words whom it lets through; `check` returns the error for all others.
 *
 * ```ts
 * import { ApiError, anyone, can, permission, signedIn } from 'site-api'
 *
 * export const owner = permission<{ readonly user: number }, unknown>('the user itself', ({ args, user }) =>
 *   user.id === args.user ? undefined : new ApiError('rest_forbidden', 'This is not your account.', 403),
 * )
 * export const permissions = [anyone, signedIn, can('edit_posts'), owner]
 * ```
 */
export const permission = <A, S>(who: string, check: Permission<A, S>['check']): Permission<A, S> => ({ who, check })

/**
 * Every caller, visitors included. Every public route names this value, so one search finds them all.
 *
 * ```ts
 * import { endpoint, anyone } from 'site-api'
 *
 * export const status = endpoint({
 *   path: '/status',
 *   methods: ['GET'],
 *   args: {},
 *   permission: anyone,
 *   handler: () => ({ ok: true }),
 * })
 * ```
 */
export const anyone: Permission<unknown, unknown> = permission('anyone', () => undefined)

/**
 * Any user who is signed in; a visitor gets 401.
 *
 * ```ts
 * import { endpoint, signedIn } from 'site-api'
 *
 * export const status = endpoint({
 *   path: '/status',
 *   methods: ['GET'],
 *   args: {},
 *   permission: signedIn,
 *   handler: () => ({ ok: true }),
 * })
 * ```
 */
export const signedIn: Permission<unknown, unknown> = permission('signed in', ({ user }) =>
  user.isVisitor ? forbidden(user) : undefined,
)

/**
 * Users with a capability; others get 403, visitors 401.
 *
 * ```ts
 * import { endpoint, can } from 'site-api'
 *
 * export const status = endpoint({
 *   path: '/status',
 *   methods: ['GET'],
 *   args: {},
 *   permission: can('manage_options'),
 *   handler: () => ({ ok: true }),
 * })
 * ```
 */
export const can = (capability: string): Permission<unknown, unknown> => ({
  who: capability,
  check: ({ user }) => (user.can(capability) ? undefined : forbidden(user)),
  mayPass: (user) => user.can(capability),
})
