/**
 * The link to a hub that manages several sites. Interface: HTTP 200 in all cases; whether it worked stands in the answer.
 */

import { bool, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { either, emptyList, exactly, fields } from '../../core/declare/response-schema.ts'
import { andThen, catchError, type MaybePromise } from '../../core/runtime/maybe-promise.ts'
import type { Json, Storage } from '../../storage/contract.ts'

/** What it tells listeners. */
export interface HubConnectorEvents {
  'hub.synced': { readonly at: string }
  'hub.left': Record<string, never>
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends HubConnectorEvents {}
}

/** What a host brings to reach its hub; without one, syncing only notes that it was asked for. */
export interface Hub {
  /** Rejects with the hub's own words. `isInvalid` on the error says that the key is no longer good. */
  sync(site: { readonly url: string; readonly name: string }, key: string): MaybePromise<void>
  leave(site: { readonly url: string }, key: string): MaybePromise<void>
}

/** The host writes the key with `api.site.options`; no answer ever shows it. */
const keyOption = 'hub_connector_key'
const stateOption = 'hub_connector_state'

interface State {
  /** Milliseconds since 1970. */
  readonly syncedAt: number
  readonly failures: number
  readonly failedAt: number
  /** Of what was sent last. */
  readonly sent: string
}

const initialState: State = { syncedAt: 0, failures: 0, failedAt: 0, sent: '' }

const skipWindowMs = 6 * 60 * 60 * 1000
const maxBackOffMs = 60 * 60 * 1000

const successBody = { success: true, data: [] as const }
const failureBody = (error: string) => ({ success: false, error })
const outcomeSchema = either(
  fields({ success: exactly(true), data: emptyList() }),
  fields({ success: exactly(false), error: str({ description: 'Why it did not work.' }) }),
)

const notLinked = failureBody('Not logged in.')

export const hubConnector = feature('hub-connector', 'hub-connector/v1', [
  endpoint({
    path: '/sync',
    methods: EDITABLE,
    summary: 'Send the state of the site to the hub',
    args: { force: bool({ default: false, description: 'Sync even when nothing changed.' }) },
    // It waits for the hub.
    atomic: false,
    permission: can('manage_options'),
    responses: { 200: outcomeSchema },
    handler: (context) => withKey(context, (key) => sync(context, key)),
  }),
  endpoint({
    path: '/logout',
    methods: EDITABLE,
    summary: 'Leave the hub',
    args: {},
    atomic: false,
    permission: can('manage_options'),
    responses: { 200: outcomeSchema },
    handler: (context) =>
      withKey(context, (key) => {
        const { url } = context.settings
        // Interface: the link is wiped even when the hub could not be told.
        const told = catchError<unknown, undefined>(
          () => hubOf(context)?.leave({ url }, key),
          () => undefined,
        )
        return andThen(told, () => andThen(removeLink(context.storage), () => left(context)))
      }),
  }),
])

const hubOf = ({ app }: Pick<Context, 'app'>) => app.services['hub'] as Hub | undefined

function left(context: Pick<Context, 'emit'>) {
  context.emit('hub.left', {})
  return successBody
}

function withKey(
  context: Pick<Context, 'storage'>,
  work: (key: string) => MaybePromise<unknown>,
): MaybePromise<unknown> {
  return andThen(context.storage.options.read([keyOption]), (options) => {
    const key = options[keyOption]
    return typeof key === 'string' && key !== '' ? work(key) : notLinked
  })
}

const removeLink = (storage: Storage) => storage.options.write({ [keyOption]: null, [stateOption]: null })

function sync(context: Context<{ readonly force: boolean }>, key: string): MaybePromise<unknown> {
  const { args, storage, app, settings } = context
  const now = app.clock()
  return andThen(storage.options.read([stateOption]), (options) => {
    const state = { ...initialState, ...(options[stateOption] as object | undefined) }
    const sent = settings.tag
    if (!args.force && maySkip(state, sent, now)) return successBody
    const { url, name } = settings
    return catchError<unknown, unknown>(
      () =>
        andThen(hubOf(context)?.sync({ url, name }, key), () =>
          andThen(writeState(storage, { syncedAt: now, failures: 0, failedAt: 0, sent }), () => {
            context.emit('hub.synced', { at: new Date(now).toISOString() })
            return successBody
          }),
        ),
      (error) => recordFailure(storage, state, now, error),
    )
  })
}

/** Nothing changed and the last time is not long ago, or the hub failed and is left alone for a while. */
function maySkip({ syncedAt, failures, failedAt, sent: last }: State, sent: string, now: number): boolean {
  if (failures > 0) return now - failedAt < Math.min(5 ** failures * 1000, maxBackOffMs)
  return sent === last && now - syncedAt < skipWindowMs
}

const writeState = (storage: Storage, state: State) =>
  storage.options.write({ [stateOption]: state as unknown as Json })

function recordFailure(storage: Storage, state: State, now: number, error: unknown): MaybePromise<unknown> {
  const { message, isInvalid } = error as { readonly message?: string; readonly isInvalid?: boolean }
  const answer = failureBody(message ?? 'The hub could not be reached.')
  if (isInvalid) return andThen(removeLink(storage), () => answer)
  return andThen(writeState(storage, { ...state, failures: state.failures + 1, failedAt: now }), () => answer)
}
