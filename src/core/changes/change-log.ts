/**
 * Notes the rows that a transaction has read and changed: there is one layer for the transaction, and one for each open savepoint, which is
 * merged at its end or dropped with all that it has changed.
 */
import { isSameJson } from '../../contract/equal-json.ts'
import type { ChangeSet, RowChange } from './row-change.ts'

/** A change without its values. */
export type Subject = RowChange extends infer C ? (C extends unknown ? Omit<C, 'before' | 'after'> : never) : never

/** Undefined: there is no such row. */
interface Entry {
  readonly subject: Subject
  readonly before: unknown
  now: unknown
}

/** More rows are not remembered: a transaction may read a whole site. */
const maxRemembered = 2000

const valueStores: ReadonlySet<string> = new Set(['meta', 'assignments', 'options'])

export class ChangeLog {
  readonly #parent: ChangeLog | undefined
  readonly #limit: number
  readonly #changed = new Map<string, Entry>()
  readonly #remembered = new Map<string, unknown>()
  #isFull = false
  readonly #written = new Set<string>()

  constructor(limit: number, parent?: ChangeLog) {
    this.#limit = limit
    this.#parent = parent
  }

  /** More rows have changed than anybody takes: nothing is recorded any more. */
  get isFull(): boolean {
    return this.#isFull || (this.#parent?.isFull ?? false)
  }

  /** Notes which store or collection was written, whether or not its rows are observed. */
  noteWrite(name: string): void {
    this.#written.add(name)
  }

  overflow(): void {
    this.#isFull = true
    this.#changed.clear()
    this.#remembered.clear()
  }

  savepoint(): ChangeLog {
    return new ChangeLog(this.#limit, this)
  }

  /** The row as the transaction has it now, as far as it is known. */
  find(key: string): { readonly value: unknown } | undefined {
    const entry = this.#changed.get(key)
    if (entry) return { value: entry.now }
    if (this.#remembered.has(key)) return { value: this.#remembered.get(key) }
    return this.#parent?.find(key)
  }

  /** Remembers a row that was read. */
  remember(key: string, value: unknown): void {
    if (this.isFull) return
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
    this.#remembered.set(key, value)
  }

  /**
   * Notes a write. `next` is given the row as it is now: an earlier write of this row may have ended since `before` was read.
   */
  change(key: string, subject: Subject, before: unknown, next: (now: unknown) => unknown): void {
    if (this.isFull) return
    const entry = this.#changed.get(key)
    const found = entry ? { value: entry.now } : this.#parent?.changedValue(key)
    const now = found ? found.value : before
    if (entry) entry.now = next(now)
    else this.#changed.set(key, { subject, before: now, now: next(now) })
    if (this.#changed.size > this.#limit) this.overflow()
  }

  changedValue(key: string): { readonly value: unknown } | undefined {
    const entry = this.#changed.get(key)
    return entry ? { value: entry.now } : this.#parent?.changedValue(key)
  }

  /** The savepoint is part of the transaction that it belongs to. */
  release(): void {
    const parent = this.#parent
    if (!parent) return
    for (const name of this.#written) parent.noteWrite(name)
    if (parent.isFull) return
    if (this.#isFull) {
      parent.overflow()
      return
    }
    for (const [key, value] of this.#remembered) parent.remember(key, value)
    for (const [key, { subject, before, now }] of this.#changed) parent.change(key, subject, before, () => now)
  }

  set(): ChangeSet {
    if (this.#isFull) return { changes: [], overflow: true, written: this.#written }
    const changes = [...this.#changed.values()].filter(({ before, now }) => !isSameJson(before, now)).map(changeOf)
    return { changes, overflow: false, written: this.#written }
  }
}

function changeOf({ subject, before, now }: Entry): RowChange {
  const hasBoth = valueStores.has(subject.store)
  const images = {
    ...((hasBoth || before !== undefined) && { before }),
    ...((hasBoth || now !== undefined) && { after: now }),
  }
  // The cast: the values of a subject are those of its store.
  return { ...subject, ...images } as RowChange
}
