/** Inserts planned terms. Their parents, which may follow them, are written afterwards. */
import type { Storage } from '../../../contract/storage.ts'
import { windowsOf } from '../../context.ts'
import { idsOf } from '../given-ids.ts'
import type { PlannedTerm } from '../plan.ts'
import type { Reference } from '../references.ts'
import { type ReferenceIds, setIds } from './ids.ts'
import { writeMeta } from './meta.ts'

export async function insertTerms(storage: Storage, terms: readonly PlannedTerm[], ids: ReferenceIds): Promise<void> {
  const rows = terms.map(({ row }) => ({ ...row, parent: 0 }))
  setIds(ids, terms, await storage.terms.insert(rows, idsOf(terms)))
  await writeMeta(storage, 'term', terms, ids)
}

export interface TermParent {
  readonly reference: Reference
  readonly parent: Reference
}

export const parentsOf = (terms: readonly PlannedTerm[]): TermParent[] =>
  terms.flatMap(({ reference, parent }) => (parent === null ? [] : [{ reference, parent }]))

/** When both terms have ids. */
export async function writeParents(
  storage: Storage,
  children: readonly TermParent[],
  ids: ReferenceIds,
): Promise<void> {
  for (const window of windowsOf(children)) {
    await storage.terms.update(
      window.map(({ reference, parent }) => ({ id: ids.of(reference), changes: { parent: ids.of(parent) } })),
    )
  }
}

/** Terms that are stored get the values of the entries, but keep taxonomy and slug. */
export async function updateTerms(storage: Storage, terms: readonly PlannedTerm[], ids: ReferenceIds): Promise<void> {
  await storage.terms.update(
    terms.map(({ reference, row: { name, description } }) => ({
      id: ids.of(reference),
      changes: { name, description },
    })),
  )
  await writeMeta(storage, 'term', terms, ids)
}
