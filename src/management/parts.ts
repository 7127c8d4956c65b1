/** What all of `api.site` works with, and the two ways in which it reaches the storage. */

import type { Site } from '../core/declare/app-context.ts'
import type { Keeps, KeptCollection } from '../core/declare/endpoint.ts'
import type { PendingEvent } from '../core/declare/events.ts'
import type { NameMap } from '../names/word-map.ts'
import { dueOption, nextDueOption } from '../site/settings.ts'
import type { Eventually, Json, Storage } from '../storage/contract.ts'

export interface SiteParts {
  readonly storage: Storage
  readonly site: Pick<Site, 'clock' | 'settings'>
  /** Opens the storage on first use. */
  readonly ready: () => Eventually<void>
  readonly tell: (events: readonly PendingEvent[]) => void
  readonly runDue: () => Promise<void>
  /** The words of export files. */
  readonly fileWords: NameMap
  /** What features store of their own; by default nothing. */
  readonly keeps?: readonly Keeps[]
}

/** All or nothing where the storage can do that; one step after another where it can not. */
export const whole = <T>(storage: Storage, work: (inside: Storage) => Promise<T>): Eventually<T> =>
  storage.atomic ? storage.atomic(work) : work(storage)

/** Rows read at once. */
export const windowSize = 500

/** All rows of a query, a window at a time; in an order that ends in id, so that windows never overlap. */
export async function readAll<T>(read: (offset: number, limit: number) => Eventually<readonly T[]>): Promise<T[]> {
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
export const nowGmt = ({ site }: SiteParts): string => new Date(site.clock()).toISOString().slice(0, 19)

/** Post types that every site has. */
const ownTypes = ['attachment', 'page', 'post', 'revision']

export const postTypesOf = ({ keeps = [] }: SiteParts): readonly string[] => [
  ...new Set([...ownTypes, ...keeps.flatMap(({ postTypes = [] }) => postTypes)]),
]

/** Each collection once, though several features may name it. */
export const collectionsOf = ({ keeps = [] }: SiteParts): readonly KeptCollection[] => [
  ...new Map(keeps.flatMap(({ collections = [] }) => collections).map((kept) => [kept.collection.name, kept])).values(),
]

/** Options that the service finds out by itself: they are no part of a site. */
const foundOut: readonly string[] = [nextDueOption, dueOption]

export async function siteOptions(storage: Storage, { keeps = [] }: SiteParts): Promise<{ [name: string]: Json }> {
  const options = Object.entries(await storage.options.read())
  const left = new Set([...foundOut, ...keeps.flatMap(({ passingOptions = [] }) => passingOptions)])
  return Object.fromEntries(options.filter(([name]) => !left.has(name)))
}

/** Has the service find them out again, because a seed changed what they tell of. */
export const forgotten: { readonly [name: string]: null } = Object.fromEntries(foundOut.map((name) => [name, null]))
