/** The ids that the entries of a document keep: all of them or none, each once among the rows that share ids. */
import { SiteDocumentError } from './document-error.ts'

export interface GivenIds {
  /** `of`: `user`, `term`, `post`, or `records.notes`; a storage may have one sequence for all collections. */
  add(of: string, id: number | undefined, path: string): void
}

export function createGivenIds({ areKept }: { readonly areKept: boolean }): GivenIds {
  const taken = new Map<string, Set<number>>()
  /** The first entry decides. */
  let haveIds: boolean | undefined
  return {
    add(of, id, path) {
      haveIds ??= id !== undefined
      if (id === undefined) {
        if (haveIds) throw new SiteDocumentError(path, 'has no id, and entries before it have')
        return
      }
      if (!haveIds) throw new SiteDocumentError(path, 'has an id, and entries before it have none')
      if (!areKept) throw new SiteDocumentError(path, 'has an id, and this storage can not keep ids')
      const ids = taken.get(of) ?? new Set()
      if (ids.has(id)) throw new SiteDocumentError(path, `repeats the id ${id}`)
      taken.set(of, ids.add(id))
    },
  }
}

export const idOf = ({ id }: { readonly id?: number }): { readonly id?: number } => (id === undefined ? {} : { id })

/** The ids that `insert` of a storage takes; undefined where an entry has none. */
export const idsOf = (rows: readonly { readonly id?: number }[]): readonly number[] | undefined =>
  rows.some(({ id }) => id === undefined) ? undefined : rows.map(({ id }) => id ?? 0)
