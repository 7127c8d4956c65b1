/**
 * Writes of a transaction that are not sent yet: those of several items of a batch become one statement, whose triggers and
 * counters run once. Keeps them in order with the savepoints between them.
 */
import type { CountedTable, GatheredWrite } from '../engine/session.ts'
import type { SqlValue, Statement } from '../engine/statements.ts'
import { failedChecks, type ServerStatement, type ServerStatements } from './statements.ts'

interface PendingStatement {
  readonly statement: ServerStatement
  readonly values: readonly SqlValue[]
  readonly errorOf: ((error: unknown) => unknown) | undefined
}

export interface PendingWrite {
  /** Writes of one kind can become one statement. */
  readonly kind: string
  /** A statement has each key once. */
  readonly key: string | number
  /** Rows that others may refer to: they go first. */
  readonly isReferred?: boolean
  readonly row: unknown
  /** About the length of its texts. */
  readonly size: number
  /** Statements for rows of this kind. */
  toStatements(rows: readonly unknown[]): readonly PendingStatement[]
  /** It is not sent after all. */
  onDropped?(): void
}

interface Entry {
  readonly write: PendingWrite
  /** Of the scope that it belongs to. */
  depth: number
}

/** Of one kind, for statements. */
export interface PendingGroup {
  readonly writes: PendingWrite[]
  readonly keys: Set<string | number>
  readonly depth: number
}

const maxRows = 128
/** A text of JSON is limited, and an import has long ones. */
const maxSize = 4_000_000

export class PendingWrites {
  /** Texts begin and end savepoints. */
  #entries: (string | Entry)[] = []
  #rows = 0
  #size = 0

  add(write: PendingWrite, depth: number): void {
    this.#entries.push({ write, depth })
    this.#rows += 1
    this.#size += write.size
  }

  get isFull(): boolean {
    return this.#rows >= maxRows || this.#size >= maxSize
  }

  beginSavepoint(depth: number): void {
    this.#entries.push(`savepoint s${depth}`)
  }

  /** A savepoint that was not sent needs none: its writes belong to the scope around it. */
  releaseSavepoint(depth: number): void {
    const begin = this.#entries.lastIndexOf(`savepoint s${depth}`)
    if (begin === -1) this.#entries.push(`release savepoint s${depth}`)
    else this.#entries.splice(begin, 1)
    for (const entry of this.#entries) if (typeof entry !== 'string') entry.depth = Math.min(entry.depth, depth - 1)
  }

  rollbackToSavepoint(depth: number): void {
    const begin = this.#entries.lastIndexOf(`savepoint s${depth}`)
    const dropped = this.#entries.splice(Math.max(begin, 0))
    for (const entry of dropped.toReversed()) {
      if (typeof entry === 'string') continue
      this.#rows -= 1
      this.#size -= entry.write.size
      entry.write.onDropped?.()
    }
    if (begin === -1) this.#entries.push(`rollback to savepoint s${depth}`, `release savepoint s${depth}`)
  }

  /** All of them, in order: texts, and the writes between two texts in groups. */
  take(): (string | PendingGroup)[] {
    const taken: (string | PendingGroup)[] = []
    let groups: PendingGroup[] = []
    for (const entry of this.#entries) {
      if (typeof entry !== 'string') {
        addToGroups(groups, entry)
        continue
      }
      taken.push(...groups, entry)
      groups = []
    }
    this.#entries = []
    this.#rows = 0
    this.#size = 0
    return [...taken, ...groups]
  }
}

/** To the last group of its kind, unless rows that it may refer to come after that. */
function addToGroups(groups: PendingGroup[], { write, depth }: Entry): void {
  for (const { writes, keys } of groups.toReversed()) {
    const [first] = writes
    if (first?.kind === write.kind && !keys.has(write.key)) {
      writes.push(write)
      keys.add(write.key)
      return
    }
    if (first?.kind === write.kind || (first?.isReferred && !write.isReferred)) break
  }
  groups.push({ writes: [write], keys: new Set([write.key]), depth })
}

export const countError = (error: unknown): unknown =>
  (error as { readonly code?: unknown }).code === failedChecks.count
    ? new TypeError('a write found fewer rows than it has to change', { cause: error })
    : error

export function pendingWrite<Gathered>(
  statements: ServerStatements,
  { toStatements, ...write }: GatheredWrite<Gathered>,
): PendingWrite {
  return {
    ...write,
    // The cast: writes of one kind have rows of one type.
    toStatements: (rows) =>
      toStatements(rows as readonly Gathered[]).map(({ statement, values, count }) =>
        count === undefined
          ? { statement: statements.of(statement), values, errorOf: undefined }
          : { statement: statements.countedOf(statement), values: [...values, count], errorOf: countError },
      ),
  }
}

interface Inserts {
  readonly statement: Statement
  readonly rows: readonly (readonly SqlValue[])[]
  readonly ids: readonly number[]
  readonly table: CountedTable
  readonly sequence: string
  readonly errorOf: (error: unknown) => unknown
}

/** Inserts of rows with the ids that the server gives next. */
export function gatheredInserts(
  statements: ServerStatements,
  { statement, rows, ids, table, sequence, errorOf }: Inserts,
): PendingWrite[] {
  const toStatements = (gathered: readonly unknown[]) => {
    // The cast: those below.
    const inserted = gathered as readonly (readonly SqlValue[])[]
    if (inserted.length > 1 && table === 'posts') {
      return [{ statement: statements.insertManyAheadOf(statement, sequence), values: inserted.flat(), errorOf }]
    }
    const one = statements.insertAheadOf(statement, sequence)
    return inserted.map((values) => ({ statement: one, values, errorOf }))
  }
  return rows.map((values, at) => {
    const id = ids[at] as number
    const size = values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    return { kind: statement.sql, key: id, isReferred: true, row: [...values, id], size, toStatements }
  })
}
