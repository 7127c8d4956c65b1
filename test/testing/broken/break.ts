/** Replaces methods of a correct storage by defective ones. */
import type { Json, Storage } from '../../../src/contract/storage.ts'

type Stores = Omit<Storage, 'atomic' | 'changes' | 'keepsIds' | 'now' | 'open' | 'close'>
export type Break = (correct: Storage) => {
  readonly [store in keyof Stores]?: Partial<Storage[store]>
} & Partial<Pick<Storage, 'atomic' | 'changes' | 'now'>>

/** The storage with the defective methods, within transactions too. */
export function breakStorage(correct: Storage, breakIt: Break): Storage {
  const broken = breakIt(correct)
  return {
    posts: { ...correct.posts, ...broken.posts },
    terms: { ...correct.terms, ...broken.terms },
    users: { ...correct.users, ...broken.users },
    meta: { ...correct.meta, ...broken.meta },
    options: { ...correct.options, ...broken.options },
    records: { ...correct.records, ...broken.records },
    atomic: broken.atomic ?? ((work) => correct.atomic!((transaction) => work(breakStorage(transaction, breakIt)))),
    ...(correct.now && { now: broken.now ?? correct.now }),
    changes: correct.changes && (broken.changes ?? correct.changes),
  }
}

export function mapText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((member) => mapText(member, change))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [change(key), mapText(member, change)]))
}

export const withoutNul = (text: string) => text.replaceAll('\0', '')

/** The casts: only texts change, not the type of the row. */
export function mapRow<T extends object>(row: T, change: (text: string) => string): T {
  return mapText(row as unknown as Json, change) as unknown as T
}
