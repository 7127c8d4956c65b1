/** Records the writes of meta. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { Json, MetaOwner, MetaStore } from '../../contract/storage.ts'
import type { Recorder } from './recorder.ts'

interface Entry {
  readonly id: number
  readonly key: string
  readonly value: Json
}

const keyOf = (owner: MetaOwner, { id, key }: Omit<Entry, 'value'>) => `meta ${owner} ${id} ${key}`
/** With this key all meta of the row is known: a value that is not there is null. */
const allOf = (owner: MetaOwner, id: number) => `all meta ${owner} ${id}`

export function recordedMeta(recorder: Recorder): Partial<MetaStore> {
  const { meta } = recorder.storage
  return {
    read: (owner, ids, keys) =>
      andThen(meta.read(owner, ids, keys), (entries) => {
        if (recorder.options.wants('meta', owner)) rememberRead(recorder, owner, entries, ids, keys)
        return entries
      }),
    write: (owner, entries) =>
      recorder.options.wants('meta', owner)
        ? recorder.write(
            () => valuesBefore(recorder, owner, entries),
            () => meta.write(owner, entries),
            (before) => {
              for (const entry of entries) noteValue(recorder, owner, entry, before.get(keyOf(owner, entry)) ?? null)
            },
          )
        : recorder.pass(() => meta.write(owner, entries)),
  }
}

function rememberRead(
  { log }: Recorder,
  owner: MetaOwner,
  entries: readonly Entry[],
  ids: readonly number[],
  keys: readonly string[] | undefined,
): void {
  // Absent values are remembered first; those that are there replace them.
  for (const id of ids) {
    if (!keys) log.remember(allOf(owner, id), true)
    for (const key of keys ?? []) log.remember(keyOf(owner, { id, key }), null)
  }
  for (const entry of entries) log.remember(keyOf(owner, entry), entry.value)
}

function noteValue({ log }: Recorder, owner: MetaOwner, { id, key, value }: Entry, before: unknown): void {
  log.change(keyOf(owner, { id, key }), { store: 'meta', owner, id, key }, before, () => value)
}

async function valuesBefore(recorder: Recorder, owner: MetaOwner, entries: readonly Entry[]) {
  const { log, storage } = recorder
  const values = new Map<string, unknown>()
  const missing: Entry[] = []
  for (const entry of log.isFull ? [] : entries) {
    const key = keyOf(owner, entry)
    const found = log.find(key) ?? (log.find(allOf(owner, entry.id)) && { value: null })
    if (found) values.set(key, found.value)
    else missing.push(entry)
  }
  if (missing.length === 0) return values
  const [ids, keys] = [new Set(missing.map(({ id }) => id)), new Set(missing.map(({ key }) => key))]
  for (const entry of await storage.meta.read(owner, [...ids], [...keys])) values.set(keyOf(owner, entry), entry.value)
  return values
}

/** All meta of rows that are about to be removed, as it is now. */
export const metaOf = async ({ storage, options, log }: Recorder, owner: MetaOwner, ids: readonly number[]) =>
  options.wants('meta', owner) && !log.isFull ? storage.meta.read(owner, ids) : []

export function noteRemovedMeta(recorder: Recorder, owner: MetaOwner, entries: readonly Entry[]): void {
  for (const entry of entries) noteValue(recorder, owner, { ...entry, value: null }, entry.value)
}

/** A new row has none. */
export function rememberNoMeta({ log, options }: Recorder, owner: MetaOwner, id: number): void {
  if (options.wants('meta', owner)) log.remember(allOf(owner, id), true)
}
