/** The keys of a document: they are unique, and every reference has to name an existing one. */
import { categories, tags } from '../../site/post-keys.ts'
import type { Json } from '../../storage/contract.ts'
import { SiteDocumentError } from './document-error.ts'

/** A key with its kind, such as `post.hello`. */
export type Reference = string

/** The meta of one row. */
export interface Meta {
  readonly [key: string]: Json
}

export interface References {
  /** Throws if the key is taken. */
  add(kind: string, key: string, path: string): Reference
  /** Throws if no entry has this key. A key of a post of another kind includes the kind. */
  find(kind: string, key: string, path: string): Reference
}

const postKinds: readonly string[] = ['media', 'page', 'post', 'document']

export function createReferences(): References {
  const references = new Set<Reference>()
  return {
    add(kind, key, path) {
      const reference = `${kind}.${key}`
      if (references.has(reference)) throw new SiteDocumentError(path, `repeats the key ${JSON.stringify(key)}`)
      references.add(reference)
      return reference
    },
    find(kind, key, path) {
      const own = `${kind}.${key}`
      if (references.has(own)) return own
      const [otherKind = ''] = key.split('.', 1)
      if (postKinds.includes(kind) && postKinds.includes(otherKind) && references.has(key)) return key
      throw new SiteDocumentError(path, `names a ${kind} that is not there: ${JSON.stringify(key)}`)
    },
  }
}

/** Throws for a cycle of parents. */
export function checkTree(
  rows: readonly { readonly reference: Reference; readonly parent: Reference | null; readonly path: string }[],
): void {
  const parents = new Map(rows.map(({ reference, parent }) => [reference, parent]))
  const checkedRows = new Set<Reference>()
  for (const { reference, path } of rows) {
    const chain = new Set<Reference>()
    for (let at: Reference | null = reference; at !== null && !checkedRows.has(at); at = parents.get(at) ?? null) {
      if (chain.has(at)) throw new SiteDocumentError(`${path}.parent`, 'makes a circle')
      chain.add(at)
    }
    for (const step of chain) checkedRows.add(step)
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
