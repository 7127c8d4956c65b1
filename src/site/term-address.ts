/** Addresses of the pages that list the records of a term. */

import { lookupTable } from '../contract/lookup-table.ts'
import type { Storage, Term } from '../contract/storage.ts'
import { maxDepth } from './permalink.ts'
import { categories, tags } from './post-keys.ts'
import type { Settings } from './settings.ts'

type AddressedTerm = Pick<Term, 'id' | 'taxonomy' | 'slug' | 'parent'>

interface Place {
  readonly storage: Storage
  readonly settings: Pick<Settings, 'home' | 'permalink'>
}

/** Returns the addresses in the order of the terms. */
export async function termAddresses(
  terms: readonly AddressedTerm[],
  place: Place,
  options?: { readonly isViewable?: boolean },
): Promise<string[]> {
  return terms.map(await readTermAddresses(terms, place, options))
}

/**
 * Returns the address of each of these terms, without a look at slugs before it is asked for. The path of a category lists the slugs of those above it. `isViewable` is false for taxonomies
 * without pages.
 */
export async function readTermAddresses(
  terms: readonly AddressedTerm[],
  { storage, settings }: Place,
  { isViewable = true } = {},
): Promise<(term: AddressedTerm) => string> {
  if (!isViewable || settings.permalink === '') return (term) => plainAddress(term, settings, isViewable)
  const above = await termsAbove(terms, storage)
  return (term) => pathAddress(term, above, settings)
}

function plainAddress({ id, taxonomy, slug }: AddressedTerm, { home }: Place['settings'], isViewable: boolean): string {
  if (taxonomy === categories) return `${home}/?cat=${id}`
  if (taxonomy === tags) return `${home}/?tag=${slug}`
  return isViewable ? `${home}/?${taxonomy}=${slug}` : `${home}/?taxonomy=${taxonomy}&term=${slug}`
}

/** The first part of the path. */
const bases: { readonly [taxonomy: string]: string } = lookupTable({ [categories]: 'category', [tags]: 'tag' })

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
async function termsAbove(terms: readonly AddressedTerm[], storage: Storage): Promise<ReadonlyMap<number, Term>> {
  const known = new Map<number, Term>()
  const order = { by: 'id', descending: false } as const
  let level = terms
  for (let depth = 1; depth <= maxDepth; depth++) {
    const ids = [...new Set(level.map(({ parent }) => parent))].filter((id) => id !== 0 && !known.has(id))
    if (ids.length === 0) break
    const { rows } = await storage.terms.query({ ids, order, offset: 0, limit: ids.length })
    for (const term of rows) known.set(term.id, term)
    level = rows
  }
  return known
}
