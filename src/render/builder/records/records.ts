/**
 * Reads records in sets. A pass draws with the loaded records and notes the missing ones; `load` reads all missing records of a
 * kind in one call, and the document is drawn again. A pass without missing records is the result. So the number of storage
 * calls depends on the depth of references, never on the number of elements, and drawing stays synchronous.
 */

import type { MaybePromise, Storage } from '../../../contract/storage.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { type ReadTags, readTagsOf, unrecorded } from '../../../core/tags/read-tags.ts'
import type { Icons } from '../../../site/icons.ts'
import type { Settings as SiteSettings } from '../../../site/settings.ts'
import type { HostServices } from './host-services.ts'

/** The storage, settings and services from which records are read. */
export interface RecordSource {
  readonly storage: Storage
  readonly site: SiteSettings
  readonly services: HostServices
  readonly icons: Icons
  /** Whether visitors see the published records of the type, or the terms of the taxonomy, on pages. */
  readonly isPublicType: (type: string) => boolean
  readonly isPublicTaxonomy: (taxonomy: string) => boolean
  /** Whether the profile has comments. */
  readonly takesComments: () => boolean
  /** Returns the address of a file below the uploads folder. */
  readonly fileAddress: (path: string) => string
  /** Reads the bytes of such a file, for inline svg. */
  readonly readFile: (path: string) => MaybePromise<Uint8Array | undefined>
}

/** Defines how the records of one kind are read: all keys in one call. A key that the result does not contain has no record. */
export interface RecordKind<K extends string | number, V> {
  readonly name: string
  readonly load: (keys: readonly K[], source: RecordSource) => MaybePromise<ReadonlyMap<K, V>>
  /** The tag of one key, which changes alone; default: what `load` has read for several keys is the tags of each. */
  readonly tagOf?: (key: K) => string
  /** True: `load` imports code, which never changes. */
  readonly isProgram?: true
  /**
   * Returns a digest of each record without creating the record, so that large records are compared cheaply. Default: the
   * record itself is compared.
   */
  readonly stamps?: {
    readonly load: (keys: readonly K[], source: RecordSource) => MaybePromise<ReadonlyMap<K, string>>
    readonly of: (value: V) => string
  }
  /** Requests records that this one refers to, which are read in the next round before the document is drawn. */
  readonly follow?: (value: V, records: Records) => void
}

interface Loaded {
  readonly values: Map<string | number, unknown>
  readonly wanted: Set<string | number>
  /** The tags of keys that no pass has read yet: a record that is loaded ahead and not drawn changes nothing. */
  readonly unread: Map<string | number, ReadTags | string>
}

type AnyKind = RecordKind<never, never>

/** The keys of one kind that a render has read, and a digest of their values. */
export interface Reading {
  readonly kind: object
  readonly keys: readonly (string | number)[]
  readonly digest: string
}

/** Returns whether the records of a reading are unchanged. */
export async function isCurrent({ kind, keys, digest }: Reading, source: RecordSource): Promise<boolean> {
  // The cast: every reading has a record kind.
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
  #missed = 0
  readonly #reading: ReadTags | undefined

  constructor(source: RecordSource) {
    this.source = source
    this.#reading = readTagsOf(source.storage)
  }

  /** Returns the record; undefined when it does not exist or is not loaded. In the latter case the pass is incomplete. */
  get<K extends string | number, V>(kind: RecordKind<K, V>, key: K): V | undefined {
    const loaded = this.#loadedOf(kind)
    if (loaded.values.has(key)) {
      if (this.#reading) noteRead(loaded, key, this.#reading)
      // The cast: only `load` of this kind writes to the map.
      return loaded.values.get(key) as V | undefined
    }
    loaded.wanted.add(key)
    this.#isComplete = false
    this.#missed++
    return undefined
  }

  /** Requests a record before a pass reads it. */
  want<K extends string | number, V>(kind: RecordKind<K, V>, key: K): void {
    const loaded = this.#loadedOf(kind)
    if (!loaded.values.has(key)) loaded.wanted.add(key)
  }

  /** Returns whether every record that was read since the last `load` was loaded. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Counts the reads of records that were not loaded: several texts that share the records see which of them missed one. */
  get missed(): number {
    return this.#missed
  }

  /** Loads the missing records and those that they refer to. */
  async load(): Promise<void> {
    for (let round = 0; round < FOLLOWED_ROUNDS; round++) {
      const wanted = [...this.#kinds].filter(([, { wanted: keys }]) => keys.size > 0)
      if (wanted.length === 0) break
      await Promise.all(wanted.map(([kind, loaded]) => this.#loadKind(kind, loaded)))
    }
    this.#isComplete = true
  }

  async #loadKind(kind: AnyKind, { values, wanted, unread }: Loaded): Promise<void> {
    // The casts: keys and values of a kind reach only the functions of that kind.
    const { load, follow, tagOf } = kind as unknown as RecordKind<string | number, unknown>
    const keys = [...wanted]
    wanted.clear()
    const part = this.#reading?.part()
    const found = await load(keys, part ? recordedSource(this.source, part) : this.source)
    for (const key of keys) {
      const value = found.get(key)
      values.set(key, value)
      if (part) unread.set(key, tagOf?.(key) ?? part)
      if (value !== undefined) follow?.(value, this)
    }
  }

  /** Returns everything that the render read, including missing records. */
  readings(): Reading[] {
    const ofRecords = [...this.#kinds].filter(([{ isProgram }]) => isProgram !== true)
    return ofRecords.map(([kind, { values }]) => {
      const keys = [...values.keys()]
      // The cast: values of a kind reach only the functions of that kind.
      const { stamps } = kind as unknown as RecordKind<string | number, unknown>
      const compared = (value: unknown) => (stamps && value !== undefined ? stamps.of(value) : value)
      return { kind, keys, digest: digestOf(keys, (key) => compared(values.get(key))) }
    })
  }

  #loadedOf(kind: object): Loaded {
    // The cast: the kind serves as a map key only.
    const key = kind as AnyKind
    let loaded = this.#kinds.get(key)
    if (!loaded) {
      loaded = { values: new Map(), wanted: new Set(), unread: new Map() }
      this.#kinds.set(key, loaded)
    }
    return loaded
  }
}

function noteRead({ unread }: Loaded, key: string | number, reading: ReadTags): void {
  const tags = unread.get(key)
  if (tags === undefined) return
  unread.delete(key)
  if (typeof tags === 'string') reading.add([tags])
  else reading.follow(tags)
}

/** Returns the source with another recorder. */
export function recordedSource(source: RecordSource, part: ReadTags): RecordSource {
  const { storage, site } = source
  return { ...source, storage: part.storage(unrecorded(storage)), site: part.settings(unrecorded(site)) }
}

/** Returns the source without its recorder. */
export const unrecordedSource = (source: RecordSource): RecordSource => ({
  ...source,
  storage: unrecorded(source.storage),
  site: unrecorded(source.site),
})

/** Rounds of references that are read ahead: a document, its templates, their media. */
const FOLLOWED_ROUNDS = 4
