/** The api as a write sees it whose transaction is rolled back: its services reach nothing outside. */
import type { Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { PendingEvent } from '../../declare/events.ts'
import { type DryService, dryServices, type NoteCall } from './services.ts'
import type { KnownData } from './visible-changes.ts'

/** The parts of an api that dry runs need. */
export interface DryRunParts {
  readonly app: AppContext
  readonly known: KnownData
  readonly postTypes: () => readonly string[]
  /** False while requests are recorded: a replay has no pages. */
  readonly namesPages: boolean
  readonly dryOnes: { readonly [service: string]: DryService }
  /** Services that write to the storage of the run. */
  readonly servicesOn: (storage: Storage, app: AppContext, events: PendingEvent[]) => AppContext['services']
}

interface Run {
  readonly note: NoteCall
  /** Called where the run can not go on without a service outside. */
  readonly stop: () => void
  readonly events: PendingEvent[]
}

export function dryAppOf(
  { app, dryOnes, servicesOn }: DryRunParts,
  transaction: Storage | undefined,
  { note, stop, events }: Run,
): AppContext {
  const dry: AppContext = { ...app, isDryRun: true, services: dryServices(app.services, dryOnes, note, stop) }
  if (!transaction) return dry
  return { ...dry, services: { ...dry.services, ...servicesOn(transaction, dry, events) } }
}
