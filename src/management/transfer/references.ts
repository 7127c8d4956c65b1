/** The keys of a document: they are unique, and every reference has to name an existing one. */

import type { Json } from '../../contract/storage.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { SiteDocumentError } from './document-error.ts'

/** A key with its kind, such as `post.hello`. */
export type Reference = string

/** The meta of one row. */
export interface Meta {
  readonly [key: string]: Json
}

/** The references that entries may name. */
export interface ReferenceFinder {
  has(reference: Reference): boolean
  /** Throws if no entry has this key. A key of another kind of the same family includes the kind. */
  find(kind: string, key: string, path: string): Reference
  /** For a key that includes its kind. */
  findAny(reference: string, path: string): Reference
}

export interface References extends ReferenceFinder {
  /** Throws if the key is taken. Posts of all types are one family, and so are the terms of all taxonomies. */
  add(kind: string, key: string, path: string, family?: Family): Reference
}

type Family = 'post' | 'term'

export function createReferences(): References {
  const references = new Map<Reference, Family | undefined>()
  const families = new Map<string, Family>([
    ...['media', 'page', 'post', 'document'].map((kind) => [kind, 'post'] as const),
    ...['category', 'tag'].map((kind) => [kind, 'term'] as const),
  ])
  const notThere = (path: string, what: string, key: string) =>
    new SiteDocumentError(path, `names ${what} that is not there: ${JSON.stringify(key)}`)
  return {
    add(kind, key, path, family) {
      const reference = `${kind}.${key}`
      if (references.has(reference)) throw new SiteDocumentError(path, `repeats the key ${JSON.stringify(key)}`)
      references.set(reference, family)
      if (family) families.set(kind, family)
      return reference
    },
    has: (reference) => references.has(reference),
    findAny(reference, path) {
      if (references.has(reference)) return reference
      throw notThere(path, 'an entry', reference)
    },
    find(kind, key, path) {
      const own = `${kind}.${key}`
      if (references.has(own)) return own
      const family = families.get(kind) ?? (kind.startsWith('term.') ? 'term' : undefined)
      if (family !== undefined && references.get(key) === family) return key
      throw notThere(path, `a ${kind}`, key)
    },
  }
}

/** The parents of entries that have one. */
export interface Tree {
  add(reference: Reference, parent: Reference | null, path: string): void
  /** Throws for a cycle. */
  check(): void
}

export function createTree(): Tree {
  const parents = new Map<Reference, { readonly parent: Reference; readonly path: string }>()
  return {
    add(reference, parent, path) {
      if (parent !== null) parents.set(reference, { parent, path })
    },
    check() {
      const checkedRows = new Set<Reference>()
      for (const [reference, { path }] of parents) {
        const chain = new Set<Reference>()
        for (let at: Reference | undefined = reference; at !== undefined && !checkedRows.has(at); ) {
          if (chain.has(at)) throw new SiteDocumentError(`${path}.parent`, 'makes a circle')
          chain.add(at)
          at = parents.get(at)?.parent
        }
        for (const step of chain) checkedRows.add(step)
      }
    },
  }
}

/** The returned function throws for a value that it has seen before. */
export function createUnique(what: string): (value: string, path: string) => void {
  const seen = new Set<string>()
  return (value, path) => {
    if (seen.has(value)) throw new SiteDocumentError(path, `repeats the ${what} ${JSON.stringify(value)}`)
    seen.add(value)
  }
}

/** The kind of a term's key. */
export function termKind(taxonomy: string): string {
  if (taxonomy === categories) return 'category'
  return taxonomy === tags ? 'tag' : `term.${taxonomy}`
}
