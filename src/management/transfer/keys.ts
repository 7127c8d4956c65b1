/** Assigns the keys of an exported document: readable, without dots, unique within a kind. */
import type { Reference } from './references.ts'

export interface Keys {
  /** Assigns a key that is derived from the slug. `of` is the id space, which several kinds may share. */
  assign(of: IdSpace, kind: string, id: number, slug: string): void
  /** The members of an entry that name its row: the key, and with the option `ids` the id. */
  entry(of: IdSpace, id: number): { readonly key: string; readonly id?: number }
  /** Returns the id where the export has the option `ids`. */
  id(id: number): { readonly id?: number }
  /** Returns how many entries have keys. */
  count(): number
  /** The key without its kind; undefined for an id that is not in the document. */
  key(of: IdSpace, id: number): string | undefined
  /** The key with its kind. */
  reference(of: IdSpace, id: number): Reference | undefined
}

/** Ids are unique within a space: `post` for all types, `term` for all taxonomies, `user`, or the name of a collection. */
type IdSpace = string

/** How a site is exported. */
export interface ExportOptions {
  /** Entries have their ids, which a seed keeps: a backup. Default: false. */
  readonly ids?: boolean
  /** Called with counts of entries after each 500. */
  readonly progress?: (done: number, total: number) => void
}

export function createKeys({ ids = false }: ExportOptions): Keys {
  const taken = new Set<Reference>()
  // Thousands of records may share a slug: counting resumes at the last number.
  const lastNumbers = new Map<string, number>()
  const keys = new Map<string, { readonly key: string; readonly reference: Reference }>()
  const key = (of: IdSpace, id: number) => keys.get(`${of} ${id}`)?.key
  const idMember = (id: number) => (ids ? { id } : {})
  return {
    assign(of, kind, id, slug) {
      const base = slug.replaceAll('.', '-') || 'untitled'
      let unique = base
      let number = lastNumbers.get(`${kind}.${base}`) ?? 1
      while (taken.has(`${kind}.${unique}`)) unique = `${base}-${++number}`
      lastNumbers.set(`${kind}.${base}`, number)
      const reference = `${kind}.${unique}`
      taken.add(reference)
      keys.set(`${of} ${id}`, { key: unique, reference })
    },
    entry: (of, id) => ({ key: key(of, id) ?? '', ...idMember(id) }),
    id: idMember,
    count: () => keys.size,
    key,
    reference: (of, id) => keys.get(`${of} ${id}`)?.reference,
  }
}
