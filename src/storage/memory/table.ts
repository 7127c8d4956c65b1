/**
 * Rows by key with their indexes. Rows are immutable: an update replaces the row. Each open scope has an undo log of the
 * replaced rows, which serves rollback and hides its changes from the scopes above it.
 */
import { StorageConflict } from '../../contract/storage.ts'
import type { Transactional, Transactions } from './transactions.ts'

type Key = number | string

interface Index<K, Row> {
  readonly keysOf: (row: Row) => readonly Key[]
  readonly entries: Map<Key, Set<K>>
}

/** The rows as they were before a scope changed them; undefined for a row that did not exist. */
type UndoLog<K, Row> = Map<K, Row | undefined>

/** Called for every change of a row. */
type ChangeListener<Row> = (before: Row | undefined, after: Row | undefined) => void

export class Table<K extends Key, Row extends object> implements Transactional {
  readonly #transactions: Transactions
  readonly #rows = new Map<K, Row>()
  readonly #indexes = new Map<string, Index<K, Row>>()
  readonly #listeners: ChangeListener<Row>[] = []
  /** The changes by the depth of the scope. */
  readonly #undoLogs: (UndoLog<K, Row> | undefined)[] = []
  #lastId = 0
  /** The last id before a scope has taken one, by the depth of the scope. */
  readonly #lastIds: (number | undefined)[] = []

  constructor(transactions: Transactions, indexes: { readonly [name: string]: (row: Row) => readonly Key[] } = {}) {
    this.#transactions = transactions
    for (const [name, keysOf] of Object.entries(indexes)) this.createIndex(name, keysOf)
  }

  /** Does nothing if the index exists. */
  createIndex(name: string, keysOf: (row: Row) => readonly Key[]): void {
    if (this.#indexes.has(name)) return
    const index: Index<K, Row> = { keysOf, entries: new Map() }
    this.#indexes.set(name, index)
    for (const [key, row] of this.#rows) addToIndex(index, key, row)
  }

  onChange(listener: ChangeListener<Row>): void {
    this.#listeners.push(listener)
  }

  /** A rollback gives the ids of its scope back. */
  nextId(): number {
    this.#logLastId()
    return ++this.#lastId
  }

  /** Makes later ids higher; throws if a row has this one. */
  takeId(id: number, depth: number): number {
    if (!Number.isSafeInteger(id) || id < 1) throw new TypeError(`${id} is no id`)
    // The cast: rows with numbers as keys have ids.
    if (this.get(id as K, depth) !== undefined) throw new StorageConflict('id')
    this.#logLastId()
    this.#lastId = Math.max(this.#lastId, id)
    return id
  }

  /** True when no deeper scope hides changes from this depth. */
  isCurrent(depth: number): boolean {
    return this.#undoLogsBelow(depth).length === 0
  }

  get(key: K, depth: number): Row | undefined {
    for (let at = depth + 1; at < this.#undoLogs.length; at++) {
      const undoLog = this.#undoLogs[at]
      if (undoLog?.has(key)) return undoLog.get(key)
    }
    return this.#rows.get(key)
  }

  /** The rows with these keys, in order of the keys; missing rows are skipped, a repeated key counts once. */
  getMany(keys: Iterable<K>, depth: number): Row[] {
    return [...new Set(keys)].map((key) => this.get(key, depth)).filter((row) => row !== undefined)
  }

  /** Every row, in no particular order. */
  all(depth: number): Row[] {
    if (this.isCurrent(depth)) return [...this.#rows.values()]
    return this.getMany([...this.#rows.keys(), ...this.#keysChangedBelow(depth)], depth)
  }

  /** The rows that the index has under any of these keys, each once and in no particular order. */
  find(name: string, keys: Iterable<Key>, depth: number): Row[] {
    const { keysOf, entries } = this.#index(name)
    const wanted = new Set(keys)
    const candidates = new Set<K>()
    for (const key of wanted) for (const rowKey of entries.get(key) ?? []) candidates.add(rowKey)
    const isCurrent = this.isCurrent(depth)
    if (!isCurrent) for (const rowKey of this.#keysChangedBelow(depth)) candidates.add(rowKey)
    const rows: Row[] = []
    for (const rowKey of candidates) {
      const row = this.get(rowKey, depth)
      if (row !== undefined && (isCurrent || keysOf(row).some((key) => wanted.has(key)))) rows.push(row)
    }
    return rows
  }

  /** An estimate of the number of rows that `find` returns, to choose between indexes. */
  estimate(name: string, keys: Iterable<Key>): number {
    const { entries } = this.#index(name)
    let count = 0
    for (const key of keys) count += entries.get(key)?.size ?? 0
    return count
  }

  put(key: K, row: Row): void {
    this.#logUndo(key)
    this.#set(key, row)
  }

  delete(key: K): void {
    if (!this.#rows.has(key)) return
    this.#logUndo(key)
    this.#set(key, undefined)
  }

  commit(depth: number): void {
    const lastId = this.#takeLastId(depth)
    if (lastId !== undefined && depth > 1) this.#lastIds[depth - 1] ??= lastId
    const undoLog = this.#takeUndoLog(depth)
    if (undoLog === undefined || depth === 1) return
    const parentLog = this.#undoLogs[depth - 1]
    if (parentLog === undefined) {
      this.#undoLogs[depth - 1] = undoLog
      return
    }
    for (const [key, row] of undoLog) if (!parentLog.has(key)) parentLog.set(key, row)
  }

  rollback(depth: number): void {
    this.#lastId = this.#takeLastId(depth) ?? this.#lastId
    for (const [key, row] of this.#takeUndoLog(depth) ?? []) this.#set(key, row)
  }

  #logLastId(): void {
    this.#lastIds[this.#transactions.recordChange(this)] ??= this.#lastId
  }

  #takeLastId(depth: number): number | undefined {
    const lastId = this.#lastIds[depth]
    this.#lastIds[depth] = undefined
    return lastId
  }

  #logUndo(key: K): void {
    const depth = this.#transactions.recordChange(this)
    let undoLog = this.#undoLogs[depth]
    if (undoLog === undefined) {
      undoLog = new Map()
      this.#undoLogs[depth] = undoLog
    }
    if (!undoLog.has(key)) undoLog.set(key, this.#rows.get(key))
  }

  #takeUndoLog(depth: number): UndoLog<K, Row> | undefined {
    const undoLog = this.#undoLogs[depth]
    if (undoLog === undefined) return undefined
    this.#undoLogs[depth] = undefined
    while (this.#undoLogs.length > 0 && this.#undoLogs.at(-1) === undefined) this.#undoLogs.pop()
    return undoLog
  }

  #set(key: K, row: Row | undefined): void {
    const before = this.#rows.get(key)
    if (before !== undefined) for (const index of this.#indexes.values()) removeFromIndex(index, key, before)
    if (row === undefined) this.#rows.delete(key)
    else {
      this.#rows.set(key, row)
      for (const index of this.#indexes.values()) addToIndex(index, key, row)
    }
    for (const listener of this.#listeners) listener(before, row)
  }

  #undoLogsBelow(depth: number): UndoLog<K, Row>[] {
    if (this.#undoLogs.length <= depth + 1) return []
    return this.#undoLogs.slice(depth + 1).filter((undoLog) => undoLog !== undefined)
  }

  #keysChangedBelow(depth: number): K[] {
    return this.#undoLogsBelow(depth).flatMap((undoLog) => [...undoLog.keys()])
  }

  #index(name: string): Index<K, Row> {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new Error(`no index ${name}`)
    return index
  }
}

function addToIndex<K, Row>(index: Index<K, Row>, rowKey: K, row: Row): void {
  for (const key of index.keysOf(row)) {
    const rowKeys = index.entries.get(key)
    if (rowKeys === undefined) index.entries.set(key, new Set([rowKey]))
    else rowKeys.add(rowKey)
  }
}

function removeFromIndex<K, Row>(index: Index<K, Row>, rowKey: K, row: Row): void {
  for (const key of index.keysOf(row)) {
    const rowKeys = index.entries.get(key)
    rowKeys?.delete(rowKey)
    if (rowKeys?.size === 0) index.entries.delete(key)
  }
}
