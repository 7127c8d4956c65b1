/**
 * What a render reads, in sets. A pass draws with the records that are known and notes those that it misses; `load` reads all
 * missing ones of a kind in one call, and the document is drawn again. A pass that missed nothing is the result. So the number of
 * storage calls depends on how deep records refer to each other, never on the number of elements, and drawing stays synchronous.
 */

import type { MaybePromise, Storage } from '../../../contract/storage.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { Settings as SiteSettings } from '../../../site/settings.ts'
import type { HostServices } from './host-services.ts'

/** Where records come from. */
export interface RecordSource {
  readonly storage: Storage
  readonly site: SiteSettings
  readonly services: HostServices
  /** The address of a file below the uploads folder. */
  readonly fileAddress: (path: string) => string
  /** The bytes of such a file, for inline svg. */
  readonly readFile: (path: string) => MaybePromise<Uint8Array | undefined>
}

/** How the records of one kind are read: all keys at once. A key without an entry in the result has no record. */
export interface RecordKind<K extends string | number, V> {
  readonly name: string
  readonly load: (keys: readonly K[], source: RecordSource) => MaybePromise<ReadonlyMap<K, V>>
  /** True: it loads a part of the program, which never changes. */
  readonly isProgram?: true
  /**
   * What changes with a record, read without making it: large records are compared by it. Absent: the record itself is compared.
   */
  readonly stamps?: {
    readonly load: (keys: readonly K[], source: RecordSource) => MaybePromise<ReadonlyMap<K, string>>
    readonly of: (value: V) => string
  }
  /** Records that will be needed with this one: they are read in the next round, before the document is drawn. */
  readonly follow?: (value: V, records: Records) => void
}

interface Loaded {
  readonly values: Map<string | number, unknown>
  readonly wanted: Set<string | number>
}

type AnyKind = RecordKind<never, never>

/** What was read of one kind, and a digest of the values. */
export interface Reading {
  readonly kind: object
  readonly keys: readonly (string | number)[]
  readonly digest: string
}

/** Whether the records of a reading are still the same. */
export async function isCurrent({ kind, keys, digest }: Reading, source: RecordSource): Promise<boolean> {
  // The cast: readings are made of kinds.
  const { load, stamps } = kind as RecordKind<string | number, unknown>
  const found = await (stamps ?? { load }).load(keys, source)
  return digestOf(keys, (key) => found.get(key)) === digest
}

function digestOf(keys: readonly (string | number)[], valueAt: (key: string | number) => unknown): string {
  const values = keys.map((key) => valueAt(key) ?? null)
  return sha256Of(JSON.stringify(values, (_name, value: unknown) => (value instanceof Map ? [...value] : value)))
}

export class Records {
  readonly source: RecordSource
  readonly #kinds = new Map<AnyKind, Loaded>()
  #isComplete = true

  constructor(source: RecordSource) {
    this.source = source
  }

  /** The record; undefined when there is none, and while it is not loaded: then the pass is incomplete. */
  get<K extends string | number, V>(kind: RecordKind<K, V>, key: K): V | undefined {
    const loaded = this.#loadedOf(kind)
    // The cast: only `load` of this kind fills the map.
    if (loaded.values.has(key)) return loaded.values.get(key) as V | undefined
    loaded.wanted.add(key)
    this.#isComplete = false
    return undefined
  }

  /** Asks for a record that a pass is going to read. */
  want<K extends string | number, V>(kind: RecordKind<K, V>, key: K): void {
    const loaded = this.#loadedOf(kind)
    if (!loaded.values.has(key)) loaded.wanted.add(key)
  }

  /** Whether everything that was read since the last `load` was there. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Reads what was missed, and what follows from it. */
  async load(): Promise<void> {
    for (let round = 0; round < FOLLOWED_ROUNDS; round++) {
      const wanted = [...this.#kinds].filter(([, { wanted: keys }]) => keys.size > 0)
      if (wanted.length === 0) break
      await Promise.all(wanted.map(([kind, loaded]) => this.#loadKind(kind, loaded)))
    }
    this.#isComplete = true
  }

  async #loadKind(kind: AnyKind, { values, wanted }: Loaded): Promise<void> {
    // The casts: keys and values of a kind only meet its own functions.
    const { load, follow } = kind as unknown as RecordKind<string | number, unknown>
    const keys = [...wanted]
    wanted.clear()
    const found = await load(keys, this.source)
    for (const key of keys) {
      const value = found.get(key)
      values.set(key, value)
      if (value !== undefined) follow?.(value, this)
    }
  }

  /** Everything that was read, also what is missing. */
  readings(): Reading[] {
    const ofRecords = [...this.#kinds].filter(([{ isProgram }]) => isProgram !== true)
    return ofRecords.map(([kind, { values }]) => {
      const keys = [...values.keys()]
      // The cast: values of a kind only meet its own functions.
      const { stamps } = kind as unknown as RecordKind<string | number, unknown>
      const compared = (value: unknown) => (stamps && value !== undefined ? stamps.of(value) : value)
      return { kind, keys, digest: digestOf(keys, (key) => compared(values.get(key))) }
    })
  }

  #loadedOf(kind: object): Loaded {
    // The cast: a kind is only a key here.
    const key = kind as AnyKind
    let loaded = this.#kinds.get(key)
    if (!loaded) {
      loaded = { values: new Map(), wanted: new Set() }
      this.#kinds.set(key, loaded)
    }
    return loaded
  }
}

/** How far records that follow from others are read ahead: a document, its templates, their media. */
const FOLLOWED_ROUNDS = 4
