/** From events to a row of the outbox: in the transaction of their change, so that both are kept or neither. */

import type { Json } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { PendingEvent } from '../../../core/declare/events.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { outboxChanges } from './collections.ts'

/** How long events are kept. */
export interface Retention {
  /** The most events that are kept; unread ones count once for each transaction. Default: 100,000. */
  readonly count: number
  /** Older events are removed. Default: 30. */
  readonly days: number
}

/** Old rows are removed after so many ids, or earlier where fewer are kept. */
const longestSweepInterval = 512

/** Writes the events of a transaction in one row, and knows when it is time to remove old ones. */
export class EventRecorder {
  readonly #sweepInterval: number
  #lastId = Number.POSITIVE_INFINITY

  constructor({ count }: Retention) {
    this.#sweepInterval = Math.max(1, Math.min(longestSweepInterval, count))
  }

  /** True: the ids have passed a multiple of the interval since the last row. Rows of other collections may have taken it. */
  async record(
    events: readonly PendingEvent[],
    { storage, app }: Pick<HookContext, 'storage' | 'app'>,
  ): Promise<boolean> {
    const row = { events: events.map(recordedEvent), created_at: new Date(app.clock()).toISOString() }
    const [id = 1] = await storage.records.insert(outboxChanges, [row])
    const interval = this.#sweepInterval
    const hasPassed = Math.floor(id / interval) > Math.floor(this.#lastId / interval)
    this.#lastId = id
    return hasPassed || id % interval === 0
  }
}

/** The members that `outboxChanges` keeps of an event. A type, because an interface is no `Json`. */
export type RecordedEvent = {
  readonly uid: string
  readonly name: string
  readonly subject: string
  readonly data: Json
}

const recordedEvent = ({ name, payload }: PendingEvent): RecordedEvent => ({
  uid: randomId(),
  name,
  subject: subjectOf(name, payload),
  data: dataOf(payload),
})

interface Described {
  readonly id?: unknown
}

/** `post:12`: events of one record keep their order. An event of several records, or of none, has its kind alone. */
function subjectOf(name: string, payload: object): string {
  const kind = name.slice(0, name.indexOf('.'))
  // The cast: payloads of events have a member of that name, or an id, or neither.
  const { [kind]: record, id = (record as Described | undefined)?.id } = payload as Described & {
    readonly [member: string]: unknown
  }
  return typeof id === 'number' || typeof id === 'string' ? `${kind}:${id}` : kind
}

/**
 * Which members of a record leave the site, and stay in the outbox after the record is gone: what it is and how it can be read,
 * no texts, no addresses of people, no passwords.
 */
const keptMembers: ReadonlySet<string> = new Set([
  ...['id', 'version', 'type', 'status', 'slug', 'parent', 'author', 'post', 'dateGmt', 'modifiedGmt', 'date'],
  ...['postId', 'elementId', 'formName', 'parentId', 'authorId', 'isResolved', 'createdAt', 'updatedAt'],
])

/** A loop here and below: each write runs it for each of its events. */
function dataOf(payload: object): Json {
  const data: { [member: string]: unknown } = {}
  for (const [name, value] of Object.entries(payload)) {
    if (value !== undefined) data[name] = isRecord(value) ? recordData(value) : value
  }
  // The cast: payloads are JSON, apart from members without a value.
  return data as Json
}

const isRecord = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function recordData(record: { readonly [member: string]: unknown }) {
  const data: { [member: string]: unknown } = {}
  for (const name of Object.keys(record)) {
    if (keptMembers.has(name) && record[name] !== undefined) data[name] = record[name]
  }
  return data
}
