/** Breaks a sound storage in one place. */
import type { Json, Storage } from '../../../src/storage/contract.ts'

type Stores = Omit<Storage, 'atomic' | 'changes' | 'open' | 'close'>
export type Break = (sound: Storage) => {
  readonly [store in keyof Stores]?: Partial<Storage[store]>
} & Partial<Pick<Storage, 'atomic' | 'changes'>>

/** The sound storage with what is broken in its place, inside transactions too. */
export function breakStorage(sound: Storage, breakIt: Break): Storage {
  const broken = breakIt(sound)
  return {
    posts: { ...sound.posts, ...broken.posts },
    terms: { ...sound.terms, ...broken.terms },
    users: { ...sound.users, ...broken.users },
    meta: { ...sound.meta, ...broken.meta },
    options: { ...sound.options, ...broken.options },
    records: { ...sound.records, ...broken.records },
    atomic: broken.atomic ?? ((work) => sound.atomic!((inside) => work(breakStorage(inside, breakIt)))),
    changes: sound.changes && (broken.changes ?? sound.changes),
  }
}

export function mapText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((member) => mapText(member, change))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [change(key), mapText(member, change)]))
}

export const withoutNul = (text: string) => text.replaceAll('\0', '')

/** The cast: the text of a row changes, not its shape. */
export function mapRow<T extends object>(row: T, change: (text: string) => string): T {
  return mapText(row as unknown as Json, change) as unknown as T
}
