/**
 * The link to a hub that manages several sites. Interface: always HTTP 200; `success` in the body says whether it
 * worked.
 */

import type { Json, Storage } from '../../../contract/storage.ts'
import { bool, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { either, emptyList, exactly, fields } from '../../../core/declare/response-schema.ts'
import { keyOption, stateOption } from './link.ts'
import { type Hub, type HubDigests, type HubReport, makeReport } from './model.ts'

/** Events of this feature. */
export interface HubConnectorEvents {
  'hub.synced': { readonly at: string }
  'hub.left': Record<string, never>
}

interface State {
  /** Milliseconds since 1970. */
  readonly syncedAt: number
  readonly failures: number
  readonly failedAt: number
  /** Digests of what the hub has. */
  readonly digests: Partial<HubDigests>
}

const initialState: State = { syncedAt: 0, failures: 0, failedAt: 0, digests: {} }

const skipWindowMs = 6 * 60 * 60 * 1000
const maxBackOffMs = 60 * 60 * 1000

const successBody = { success: true, data: [] as const }
const failureBody = (error: string) => ({ success: false, error })
const outcomeSchema = either(
  fields({ success: exactly(true), data: emptyList() }),
  fields({ success: exactly(false), error: str({ description: 'Why it did not work.' }) }),
)

type Outcome = typeof successBody | ReturnType<typeof failureBody>

const notLinked = failureBody('Not logged in.')

export const hubConnector = feature('hub-connector', 'hub-connector/v1', [
  endpoint({
    path: '/sync',
    methods: EDITABLE,
    summary: 'Send the state of the site to the hub',
    args: { force: bool({ default: false, description: 'Sync even when nothing changed.' }) },
    // No transaction while the hub is called.
    atomic: false,
    permission: can('manage_options'),
    responses: { 200: outcomeSchema },
    handler: (context) => withKey(context, (key) => sync(context, key)),
  }),
  endpoint({
    path: '/logout',
    methods: EDITABLE,
    summary: 'Disconnect from the hub',
    args: {},
    atomic: false,
    permission: can('manage_options'),
    responses: { 200: outcomeSchema },
    handler: (context) => withKey(context, (key) => leave(context, key)),
  }),
])

const hubOf = ({ app }: Pick<Context, 'app'>) => app.services['hub'] as Hub | undefined

async function withKey(
  { storage }: Pick<Context, 'storage'>,
  work: (key: string) => Promise<Outcome>,
): Promise<Outcome> {
  const key = (await storage.options.read([keyOption]))[keyOption]
  return typeof key === 'string' && key !== '' ? work(key) : notLinked
}

// ---------------------------------------------------------------- leaving

async function leave(context: Context, key: string): Promise<Outcome> {
  try {
    await hubOf(context)?.leave({ url: context.settings.url }, key)
  } catch {
    // Interface: logout removes the link even when the call of the hub fails.
  }
  await removeLink(context.storage)
  context.emit('hub.left', {})
  return successBody
}

const removeLink = (storage: Storage) => storage.options.write({ [keyOption]: null, [stateOption]: null })

// ---------------------------------------------------------------- syncing

async function sync(context: Context<{ readonly force: boolean }>, key: string): Promise<Outcome> {
  const { args, storage, app } = context
  const now = app.clock()
  const options = await storage.options.read([stateOption])
  const state = { ...initialState, ...(options[stateOption] as object | undefined) }
  if (!args.force && isBackingOff(state, now)) return successBody
  const { report, digests } = await makeReport(context, state.digests)
  if (!args.force && isCurrent(state, report, now)) return successBody
  try {
    await hubOf(context)?.sync(report, key)
    await writeState(storage, { syncedAt: now, failures: 0, failedAt: 0, digests })
    context.emit('hub.synced', { at: new Date(now).toISOString() })
    return successBody
  } catch (error) {
    return recordFailure(storage, state, now, error)
  }
}

const isBackingOff = ({ failures, failedAt }: State, now: number): boolean =>
  failures > 0 && now - failedAt < Math.min(5 ** failures * 1000, maxBackOffMs)

/** True when nothing changed since a recent sync that the hub took. */
const isCurrent = ({ syncedAt, failures }: State, { changed }: HubReport, now: number): boolean =>
  failures === 0 && changed.length === 0 && now - syncedAt < skipWindowMs

const writeState = (storage: Storage, state: State) =>
  storage.options.write({ [stateOption]: state as unknown as Json })

async function recordFailure(storage: Storage, state: State, now: number, error: unknown): Promise<Outcome> {
  const { message, isInvalid } = error as { readonly message?: string; readonly isInvalid?: boolean }
  if (isInvalid) await removeLink(storage)
  else await writeState(storage, { ...state, failures: state.failures + 1, failedAt: now })
  return failureBody(message ?? 'The hub could not be reached.')
}
