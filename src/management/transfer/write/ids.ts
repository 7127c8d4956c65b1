/** The ids of the rows that are written so far, by reference. */
import type { Reference } from '../references.ts'

export class ReferenceIds {
  readonly #ids = new Map<Reference, number>()
  readonly #outer: ReferenceIds | undefined

  /** With `outer`, the ids of one transaction: they are added to the outer ones by `commit`. */
  constructor(outer?: ReferenceIds) {
    this.#outer = outer
  }

  set(reference: Reference, id: number): void {
    this.#ids.set(reference, id)
  }

  /** 0 for null, and for a row that has no id yet. */
  of(reference: Reference | null): number {
    return reference === null ? 0 : (this.#ids.get(reference) ?? this.#outer?.of(reference) ?? 0)
  }

  ofAll(references: { readonly [name: string]: Reference }): { [name: string]: number } {
    return Object.fromEntries(Object.entries(references).map(([name, reference]) => [name, this.of(reference)]))
  }

  all(): { readonly [reference: Reference]: number } {
    return Object.fromEntries(this.#ids)
  }

  commit(): void {
    for (const [reference, id] of this.#ids) this.#outer?.set(reference, id)
  }
}

/** Adds the ids that a storage returned for these rows. */
export function setIds(
  ids: ReferenceIds,
  rows: readonly { readonly reference: Reference }[],
  inserted: readonly number[],
): void {
  rows.forEach(({ reference }, index) => void ids.set(reference, inserted[index] ?? 0))
}
