/** Keys for a document that is written: readable, without dots, each given once per kind. */
import type { Reference } from './references.ts'

export interface Keys {
  /** Makes the key of a row of this kind from its slug. `of` sorts ids that several kinds share. */
  give(of: IdSpace, kind: string, id: number, slug: string): string
  /** The key, without its kind; undefined for an id that is not in the document. */
  key(of: IdSpace, id: number): string | undefined
  /** The key with its kind before it. */
  reference(of: IdSpace, id: number): Reference | undefined
}

/** Rows of one space never share an id: posts of all types, terms of all taxonomies, users, the rows of a collection. */
export type IdSpace = string

export function createKeys(): Keys {
  const taken = new Set<Reference>()
  const keys = new Map<string, { readonly key: string; readonly reference: Reference }>()
  return {
    give(of, kind, id, slug) {
      const base = slug.replaceAll('.', '-') || 'untitled'
      let key = base
      for (let n = 2; taken.has(`${kind}.${key}`); n++) key = `${base}-${n}`
      const reference = `${kind}.${key}`
      taken.add(reference)
      keys.set(`${of} ${id}`, { key, reference })
      return key
    },
    key: (of, id) => keys.get(`${of} ${id}`)?.key,
    reference: (of, id) => keys.get(`${of} ${id}`)?.reference,
  }
}
