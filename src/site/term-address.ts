/** Addresses of the pages that list the records of a term. */

import { andThen } from '../contract/maybe-promise.ts'
import type { MaybePromise, Storage, Term } from '../contract/storage.ts'
import { maxDepth } from './permalink.ts'
import { categories, tags } from './post-keys.ts'
import type { Settings } from './settings.ts'

type AddressedTerm = Pick<Term, 'id' | 'taxonomy' | 'slug' | 'parent'>

interface Place {
  readonly storage: Storage
  readonly settings: Pick<Settings, 'home' | 'permalink'>
}

/**
 * In the order of the terms. The path of a category lists the slugs of those above it. `isViewable` is false for taxonomies
 * without pages.
 */
export function termAddresses(
  terms: readonly AddressedTerm[],
  { storage, settings }: Place,
  { isViewable = true } = {},
): MaybePromise<string[]> {
  if (!isViewable || settings.permalink === '') return terms.map((term) => plainAddress(term, settings, isViewable))
  return andThen(termsAbove(terms, storage, new Map(), 1), (above) =>
    terms.map((term) => pathAddress(term, above, settings)),
  )
}

function plainAddress({ id, taxonomy, slug }: AddressedTerm, { home }: Place['settings'], isViewable: boolean): string {
  if (taxonomy === categories) return `${home}/?cat=${id}`
  if (taxonomy === tags) return `${home}/?tag=${slug}`
  return isViewable ? `${home}/?${taxonomy}=${slug}` : `${home}/?taxonomy=${taxonomy}&term=${slug}`
}

/** The first part of the path. */
const bases: { readonly [taxonomy: string]: string } = { [categories]: 'category', [tags]: 'tag' }

function pathAddress(term: AddressedTerm, above: ReadonlyMap<number, Term>, { home }: Place['settings']): string {
  const slugs = [term.slug]
  let parent = above.get(term.parent)
  while (parent && slugs.length <= maxDepth) {
    slugs.unshift(parent.slug)
    parent = above.get(parent.parent)
  }
  return `${home}/${bases[term.taxonomy] ?? term.taxonomy}/${slugs.join('/')}/`
}

/** Reads all terms of a level in one call. */
function termsAbove(
  terms: readonly AddressedTerm[],
  storage: Storage,
  known: Map<number, Term>,
  depth: number,
): MaybePromise<ReadonlyMap<number, Term>> {
  const ids = [...new Set(terms.map(({ parent }) => parent))].filter((id) => id !== 0 && !known.has(id))
  if (ids.length === 0 || depth > maxDepth) return known
  const order = { by: 'id', descending: false } as const
  return andThen(storage.terms.query({ ids, order, offset: 0, limit: ids.length }), ({ rows }) => {
    for (const term of rows) known.set(term.id, term)
    return termsAbove(rows, storage, known, depth + 1)
  })
}
