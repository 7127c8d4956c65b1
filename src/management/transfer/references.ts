/** The keys of a document: each is given once, and whatever is referred to has to be there. */
import { categories, tags } from '../../site/post-keys.ts'
import type { Json } from '../../storage/contract.ts'
import { SiteDocumentError } from './document-error.ts'

/** A key with its kind before it, as in `post.hello`. */
export type Reference = string

/** The meta of one row. */
export interface Meta {
  readonly [key: string]: Json
}

export interface References {
  /** Throws when the key is taken. */
  give(kind: string, key: string, place: string): Reference
  /** Throws when nothing has this key. Posts of another kind are named with it. */
  find(kind: string, key: string, place: string): Reference
}

const postKinds: readonly string[] = ['media', 'page', 'post', 'document']

export function createReferences(): References {
  const given = new Set<Reference>()
  return {
    give(kind, key, place) {
      const reference = `${kind}.${key}`
      if (given.has(reference)) throw new SiteDocumentError(place, `repeats the key ${JSON.stringify(key)}`)
      given.add(reference)
      return reference
    },
    find(kind, key, place) {
      const own = `${kind}.${key}`
      if (given.has(own)) return own
      const [otherKind = ''] = key.split('.', 1)
      if (postKinds.includes(kind) && postKinds.includes(otherKind) && given.has(key)) return key
      throw new SiteDocumentError(place, `names a ${kind} that is not there: ${JSON.stringify(key)}`)
    },
  }
}

/** Throws where something lies below itself, at any distance. */
export function checkTree(
  rows: readonly { readonly reference: Reference; readonly parent: Reference | null; readonly place: string }[],
): void {
  const parents = new Map(rows.map(({ reference, parent }) => [reference, parent]))
  const sound = new Set<Reference>()
  for (const { reference, place } of rows) {
    const path = new Set<Reference>()
    for (let at: Reference | null = reference; at !== null && !sound.has(at); at = parents.get(at) ?? null) {
      if (path.has(at)) throw new SiteDocumentError(`${place}.parent`, 'makes a circle')
      path.add(at)
    }
    for (const one of path) sound.add(one)
  }
}

/** Throws at the second place that has the same value. */
export function createUnique(what: string): (value: string, place: string) => void {
  const seen = new Set<string>()
  return (value, place) => {
    if (seen.has(value)) throw new SiteDocumentError(place, `repeats the ${what} ${JSON.stringify(value)}`)
    seen.add(value)
  }
}

/** What stands before the key of a term. */
export function termKind(taxonomy: string): string {
  if (taxonomy === categories) return 'category'
  return taxonomy === tags ? 'tag' : `term.${taxonomy}`
}
