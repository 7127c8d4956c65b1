/** Form submissions: declares the records, their collections, and the filters of lists. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Collection, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { PersistedCollection } from '../../../core/declare/feature.ts'
import type { Settings } from '../../../site/settings.ts'
import { deliveryCollection } from '../../shared/deliveries.ts'

export const submissionsCollection: Collection = {
  name: 'form_submissions',
  fields: {
    post_id: 'integer',
    element_id: 'text',
    form_name: 'text',
    referer: 'text',
    referer_title: 'text',
    user_id: 'integer',
    user_agent: 'text',
    user_ip: 'text',
    status: 'text',
    is_read: 'boolean',
    created_at: 'text',
    updated_at: 'text',
    /** `{ key, value }` in the order of the form. */
    fields: 'json',
    /** The index of the main value in `fields`. */
    main: 'integer',
    actions: 'json',
    version: 'integer',
    /** The id and all values, for searches. */
    search_text: 'text',
    /** Paths of the files that came with it. */
    files: 'json',
    /** The same for a form that was sent twice. */
    request_key: 'text',
    /** A digest of what was sent with the key of the sender. */
    request_digest: 'text',
  },
  indexed: ['created_at'],
  orders: [
    ['element_id', 'post_id', 'status', 'is_read', 'created_at'],
    ['element_id', 'post_id', 'status', 'created_at'],
    ['referer', 'status', 'created_at'],
    ['status', 'is_read', 'created_at'],
    ['status', 'created_at'],
  ],
  unique: [['request_key']],
  isSearched: true,
}

/** The mails and the calls of other servers that the actions of submitted forms have to send. */
export const formDeliveries = deliveryCollection(
  'form_deliveries',
  {
    /** The id of the submission; null: the form does not keep them. */
    submission: 'integer',
    /** Removed when it has been sent. */
    message: 'json',
    /** Paths of the files of a form that keeps no submissions: they go when all actions of the form have ended. */
    files: 'json',
    /** Of the first action of a form that keeps no submissions: as those of submissions. */
    request_key: 'text',
    request_digest: 'text',
  },
  { unique: [['request_key']] },
)

/** The fields of each form when it was last submitted. */
export const snapshotsCollection: Collection = {
  name: 'form_snapshots',
  fields: {
    post_id: 'integer',
    element_id: 'text',
    name: 'text',
    fields: 'json',
    /** Every key that a submission of the form has had. */
    keys: 'json',
  },
  unique: [['element_id', 'post_id']],
}

/**
 * The pages from which forms were submitted, with the number of submissions; recounted after a seed. `key` is a digest
 * of address and title, which are too long for an index.
 */
export const referersCollection: Collection = {
  name: 'form_referers',
  fields: { key: 'text', referer: 'text', title: 'text', uses: 'integer' },
  unique: [['key']],
}

export const persistedCollections: readonly PersistedCollection[] = [
  {
    collection: submissionsCollection,
    references: { post_id: 'post', user_id: 'user' },
    derived: ['search_text', 'request_key'],
  },
  { collection: snapshotsCollection, references: { post_id: 'post' } },
]

export interface SubmittedValue {
  readonly key: string
  readonly value: string
}

export interface ActionEntry {
  readonly name: string
  readonly label: string
  readonly status: 'success' | 'failed'
  readonly log: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Submission {
  readonly id: number
  readonly postId: number
  readonly elementId: string
  readonly formName: string
  readonly referer: string
  readonly refererTitle: string | null
  /** 0: a guest. */
  readonly userId: number
  readonly userAgent: string
  readonly userIp: string
  readonly status: 'new' | 'trash'
  readonly isRead: boolean
  /** The time in GMT, like `updatedAt`. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly values: readonly SubmittedValue[]
  readonly main: number | null
  readonly actions: readonly ActionEntry[]
  readonly version: number
}

export interface FormField {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly options?: readonly string[]
  readonly isMultiple?: boolean
}

export interface FormSnapshot {
  readonly postId: number
  readonly elementId: string
  readonly name: string
  readonly fields: readonly FormField[]
  readonly keys: readonly string[]
}

/** Events of form submissions. */
export interface FormSubmissionsEvents {
  'submission.created': { readonly submission: Submission }
  'submission.updated': { readonly ids: readonly number[] }
  'submission.trashed': { readonly ids: readonly number[] }
  'submission.restored': { readonly ids: readonly number[] }
  'submission.deleted': { readonly ids: readonly number[] }
}

// ---------------------------------------------------------------- rows

const text = (row: StoredRecord, field: string) => (typeof row[field] === 'string' ? row[field] : '')
// The casts below: only this feature and its seeds write the JSON fields.
const list = <T>(row: StoredRecord, field: string) => (Array.isArray(row[field]) ? (row[field] as unknown as T[]) : [])

export function toSubmission(row: StoredRecord): Submission {
  return {
    id: row.id,
    postId: Number(row['post_id'] ?? 0),
    elementId: text(row, 'element_id'),
    formName: text(row, 'form_name'),
    referer: text(row, 'referer'),
    refererTitle: typeof row['referer_title'] === 'string' ? row['referer_title'] : null,
    userId: Number(row['user_id'] ?? 0),
    userAgent: text(row, 'user_agent'),
    userIp: text(row, 'user_ip'),
    status: row['status'] === 'trash' ? 'trash' : 'new',
    isRead: row['is_read'] === true,
    createdAt: text(row, 'created_at'),
    updatedAt: text(row, 'updated_at'),
    values: list<SubmittedValue>(row, 'fields'),
    main: typeof row['main'] === 'number' ? row['main'] : null,
    actions: list<ActionEntry>(row, 'actions'),
    version: Number(row['version'] ?? 1),
  }
}

export function toSnapshot(row: StoredRecord): FormSnapshot {
  return {
    postId: Number(row['post_id'] ?? 0),
    elementId: text(row, 'element_id'),
    name: text(row, 'name'),
    fields: list<FormField>(row, 'fields'),
    keys: list<string>(row, 'keys'),
  }
}

/** Interface: a search matches the values and parts of the id. */
export const searchText = (id: number, values: readonly SubmittedValue[]): string =>
  `${id}\n${values.map(({ value }) => value).join(' ')}`

/** Choice: ids of values and actions are derived from their submission and index, so they are unique in a site. */
export const numberOf = (submission: number, index: number): number => submission * 1000 + index + 1
export const maxValues = 500

export const nowText = (clock: () => number): string => textAt(clock())
/** A time in milliseconds as `YYYY-MM-DDTHH:MM:SS` in GMT. */
export const textAt = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19)

// ---------------------------------------------------------------- filters

export type Status = 'all' | 'unread' | 'read' | 'trash'

export interface Filters {
  readonly search?: string | undefined
  readonly form?: string | undefined
  readonly referer?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly ids?: readonly number[] | undefined
}

const isLive: Where = { field: 'status', is: 'new' }

/** One value of each field, so that an index has the rows in order. */
const statusConditions: { readonly [status in Status]: readonly Where[] } = lookupTable({
  all: [isLive],
  read: [isLive, { field: 'is_read', is: true }],
  unread: [isLive, { field: 'is_read', is: false }],
  trash: [{ field: 'status', is: 'trash' }],
})

export const withStatus = ({ every }: { readonly every: readonly Where[] }, status: Status): Where => ({
  every: [...every, ...statusConditions[status]],
})

/** `{post_id}_{element_id}`. */
export const formPattern = /^(\d{1,15})_([\w-]{1,20})$/

export function toWhere(
  { search, form, referer, after, before, ids }: Filters,
  { time }: Pick<Settings, 'time'>,
): { readonly every: readonly Where[] } {
  const every: Where[] = []
  if (ids !== undefined) every.push({ field: 'id', in: ids })
  if (search) every.push({ field: 'search_text', holds: search })
  const [, post, element] = formPattern.exec(form ?? '') ?? []
  if (post !== undefined && element !== undefined) {
    every.push({ field: 'element_id', is: element }, { field: 'post_id', is: Number(post) })
  }
  if (referer) every.push({ field: 'referer', is: referer })
  // Whole days in the time zone of the site.
  if (after) every.push({ field: 'created_at', from: time.toGmt(midnight(after)) })
  if (before) every.push({ field: 'created_at', below: time.toGmt(midnight(before, 1)) })
  return { every }
}

/** The start of a day, or of the day `daysLater` days after it. Throws a RangeError for an invalid date. */
export function midnight(date: string, daysLater = 0): string {
  const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  return textAt(Math.min(day + daysLater * 24 * 60 * 60 * 1000, latestTime))
}

/** Later years would have five digits. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59)

type Counts = { readonly [status in Status]: number }

/** The number of submissions in each state. */
export async function countSubmissions(
  { records }: Storage,
  where: { readonly every: readonly Where[] },
): Promise<Counts> {
  const count = async (status: Status) => {
    const query = { where: withStatus(where, status), limit: 0, total: true }
    return (await records.query(submissionsCollection, query)).total
  }
  const [all, trash, read] = [await count('all'), await count('trash'), await count('read')]
  return { all, trash, read, unread: all - read }
}

export async function readSubmissions({ records }: Storage, ids: readonly number[]): Promise<Submission[]> {
  const { rows } = await records.query(submissionsCollection, { where: { field: 'id', in: ids } })
  return rows.map(toSubmission)
}

/** The snapshots of all forms, or of the forms with these element ids on any post. */
export async function readSnapshots({ records }: Storage, elements?: readonly string[]): Promise<FormSnapshot[]> {
  const query = elements === undefined ? {} : { where: { field: 'element_id', in: elements } }
  const { rows } = await records.query(snapshotsCollection, query)
  return rows.map(toSnapshot)
}

/** Maximum lengths of the columns. Longer texts are cut; longer ids are refused. */
export const lengths = {
  referer: 500,
  refererTitle: 300,
  formName: 60,
  elementId: 20,
  key: 60,
  userIp: 46,
  userAgent: 500,
}
