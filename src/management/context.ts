/** What all of `api.site` works with, and the two ways in which it reaches the storage. */

import type { AppContext } from '../core/declare/app-context.ts'
import type { PendingEvent } from '../core/declare/events.ts'
import type { PersistedCollection, PersistedData } from '../core/declare/feature.ts'
import type { NameMap } from '../names/word-map.ts'
import { dueOption, nextDueOption } from '../site/settings.ts'
import type { Json, MaybePromise, Storage } from '../storage/contract.ts'

export interface ManagementContext {
  readonly storage: Storage
  readonly app: Pick<AppContext, 'clock' | 'settings'>
  /** Opens the storage on first use. */
  readonly ready: () => MaybePromise<void>
  readonly emit: (events: readonly PendingEvent[]) => void
  readonly runDue: () => Promise<void>
  /** The words of export files. */
  readonly fileWords: NameMap
  /** What features store of their own; by default nothing. */
  readonly persisted?: readonly PersistedData[]
}

/** All or nothing where the storage can do that; one step after another where it can not. */
export const inOneTransaction = <T>(storage: Storage, work: (inside: Storage) => Promise<T>): MaybePromise<T> =>
  storage.atomic ? storage.atomic(work) : work(storage)

/** Rows read at once. */
export const windowSize = 500

/** All rows of a query, a window at a time; in an order that ends in id, so that windows never overlap. */
export async function readAll<T>(read: (offset: number, limit: number) => MaybePromise<readonly T[]>): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const window = await read(rows.length, windowSize)
    for (const row of window) rows.push(row)
    if (window.length < windowSize) return rows
  }
}

/** Lists of at most `windowSize`. */
export function* windowsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += windowSize) yield rows.slice(from, from + windowSize)
}

/** The moment in GMT. */
export const nowGmt = ({ app }: ManagementContext): string => new Date(app.clock()).toISOString().slice(0, 19)

/** Post types that every site has. */
const ownTypes = ['attachment', 'page', 'post', 'revision']

export const postTypesOf = ({ persisted = [] }: ManagementContext): readonly string[] => [
  ...new Set([...ownTypes, ...persisted.flatMap(({ postTypes = [] }) => postTypes)]),
]

/** Each collection once, though several features may name it. */
export const collectionsOf = ({ persisted = [] }: ManagementContext): readonly PersistedCollection[] => [
  ...new Map(
    persisted.flatMap(({ collections = [] }) => collections).map((kept) => [kept.collection.name, kept]),
  ).values(),
]

/** Options that the service finds out by itself: they are no part of a site. */
const derivedOptions: readonly string[] = [nextDueOption, dueOption]

export async function siteOptions(
  storage: Storage,
  { persisted = [] }: ManagementContext,
): Promise<{ [name: string]: Json }> {
  const options = Object.entries(await storage.options.read())
  const left = new Set([...derivedOptions, ...persisted.flatMap(({ transientOptions = [] }) => transientOptions)])
  return Object.fromEntries(options.filter(([name]) => !left.has(name)))
}

/** Has the service find them out again, because a seed changed what they tell of. */
export const clearedDerivedOptions: { readonly [name: string]: null } = Object.fromEntries(
  derivedOptions.map((name) => [name, null]),
)
