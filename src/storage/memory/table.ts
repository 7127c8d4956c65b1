/**
 * Rows by key with their indexes. A row never changes: another one takes its place. While frames are open, each keeps the
 * rows as they were before it, so that it can be undone and the frames below go on seeing what they saw.
 */
import type { Transactions, Undoable } from './transactions.ts'

export type Key = number | string

interface Index<K, Row> {
  readonly keysOf: (row: Row) => readonly Key[]
  readonly keys: Map<Key, Set<K>>
}

/** Told about every change, so that it can keep an order up to date. */
export interface Follower<Row> {
  change(before: Row | undefined, after: Row | undefined): void
}

export class Table<K extends Key, Row extends object> implements Undoable {
  readonly #transactions: Transactions
  readonly #rows = new Map<K, Row>()
  readonly #indexes = new Map<string, Index<K, Row>>()
  readonly #followers: Follower<Row>[] = []
  /** By depth: the rows as they were before that frame; undefined for a row that was not there. */
  readonly #before: (Map<K, Row | undefined> | undefined)[] = []
  #lastId = 0

  constructor(transactions: Transactions, indexes: { readonly [name: string]: (row: Row) => readonly Key[] } = {}) {
    this.#transactions = transactions
    for (const [name, keysOf] of Object.entries(indexes)) this.index(name, keysOf)
  }

  /** Makes an index unless there is one of that name. */
  index(name: string, keysOf: (row: Row) => readonly Key[]): void {
    if (this.#indexes.has(name)) return
    const index: Index<K, Row> = { keysOf, keys: new Map() }
    this.#indexes.set(name, index)
    for (const [key, row] of this.#rows) enter(index, key, row)
  }

  follow(follower: Follower<Row>): void {
    this.#followers.push(follower)
  }

  /** An id that was never given out, not even by a transaction that came to nothing. */
  nextId(): number {
    return ++this.#lastId
  }

  get size(): number {
    return this.#rows.size
  }

  /** True when this depth sees the rows as they are now. */
  isCurrent(depth: number): boolean {
    return this.#above(depth).length === 0
  }

  get(key: K, depth: number): Row | undefined {
    for (let at = depth + 1; at < this.#before.length; at++) {
      const before = this.#before[at]
      if (before?.has(key)) return before.get(key)
    }
    return this.#rows.get(key)
  }

  /** Every row, in no order. */
  all(depth: number): Row[] {
    if (this.isCurrent(depth)) return [...this.#rows.values()]
    const rows: Row[] = []
    const keys = new Set([...this.#rows.keys(), ...this.#changed(depth)])
    for (const key of keys) {
      const row = this.get(key, depth)
      if (row !== undefined) rows.push(row)
    }
    return rows
  }

  /** The rows that the index has under any of these keys, each once and in no order. */
  find(name: string, keys: Iterable<Key>, depth: number): Row[] {
    const { keysOf, keys: entries } = this.#index(name)
    const wanted = new Set(keys)
    const found = new Set<K>()
    for (const key of wanted) for (const id of entries.get(key) ?? []) found.add(id)
    const current = this.isCurrent(depth)
    if (!current) for (const id of this.#changed(depth)) found.add(id)
    const rows: Row[] = []
    for (const id of found) {
      const row = this.get(id, depth)
      if (row !== undefined && (current || keysOf(row).some((key) => wanted.has(key)))) rows.push(row)
    }
    return rows
  }

  /** About how many rows `find` will give; good enough to choose between indexes. */
  count(name: string, keys: Iterable<Key>): number {
    const entries = this.#index(name).keys
    let count = 0
    for (const key of keys) count += entries.get(key)?.size ?? 0
    return count
  }

  put(key: K, row: Row): void {
    this.#remember(key)
    this.#place(key, row)
  }

  delete(key: K): void {
    if (!this.#rows.has(key)) return
    this.#remember(key)
    this.#place(key, undefined)
  }

  keep(depth: number): void {
    const images = this.#before[depth]
    if (images === undefined) return
    this.#forget(depth)
    if (depth === 1) return
    const below = this.#before[depth - 1]
    if (below === undefined) {
      this.#before[depth - 1] = images
      return
    }
    for (const [key, row] of images) if (!below.has(key)) below.set(key, row)
  }

  undo(depth: number): void {
    const images = this.#before[depth]
    if (images === undefined) return
    this.#forget(depth)
    for (const [key, row] of images) this.#place(key, row)
  }

  #remember(key: K): void {
    const frame = this.#transactions.top
    frame.touched.add(this)
    let images = this.#before[frame.depth]
    if (images === undefined) {
      images = new Map()
      this.#before[frame.depth] = images
    }
    if (!images.has(key)) images.set(key, this.#rows.get(key))
  }

  #forget(depth: number): void {
    this.#before[depth] = undefined
    while (this.#before.length > 0 && this.#before.at(-1) === undefined) this.#before.pop()
  }

  #place(key: K, row: Row | undefined): void {
    const before = this.#rows.get(key)
    if (before !== undefined) for (const index of this.#indexes.values()) leave(index, key, before)
    if (row === undefined) this.#rows.delete(key)
    else {
      this.#rows.set(key, row)
      for (const index of this.#indexes.values()) enter(index, key, row)
    }
    for (const follower of this.#followers) follower.change(before, row)
  }

  #above(depth: number): Map<K, Row | undefined>[] {
    if (this.#before.length <= depth + 1) return []
    return this.#before.slice(depth + 1).filter((images) => images !== undefined)
  }

  #changed(depth: number): K[] {
    return this.#above(depth).flatMap((images) => [...images.keys()])
  }

  #index(name: string): Index<K, Row> {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new Error(`no index ${name}`)
    return index
  }
}

function enter<K, Row>(index: Index<K, Row>, id: K, row: Row): void {
  for (const key of index.keysOf(row)) {
    const ids = index.keys.get(key)
    if (ids === undefined) index.keys.set(key, new Set([id]))
    else ids.add(id)
  }
}

function leave<K, Row>(index: Index<K, Row>, id: K, row: Row): void {
  for (const key of index.keysOf(row)) {
    const ids = index.keys.get(key)
    ids?.delete(id)
    if (ids?.size === 0) index.keys.delete(key)
  }
}
