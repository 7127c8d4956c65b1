/** Assigns the keys of an exported document: readable, without dots, unique within a kind. */
import type { Reference } from './references.ts'

export interface Keys {
  /** Assigns a key that is derived from the slug. `of` is the id space, which several kinds may share. */
  assign(of: IdSpace, kind: string, id: number, slug: string): string
  /** The key without its kind; undefined for an id that is not in the document. */
  key(of: IdSpace, id: number): string | undefined
  /** The key with its kind. */
  reference(of: IdSpace, id: number): Reference | undefined
}

/** Ids are unique within a space: `post` for all types, `term` for all taxonomies, `user`, or the name of a collection. */
type IdSpace = string

export function createKeys(): Keys {
  const taken = new Set<Reference>()
  const keys = new Map<string, { readonly key: string; readonly reference: Reference }>()
  return {
    assign(of, kind, id, slug) {
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
