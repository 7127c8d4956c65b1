/** Addresses of archives below home: terms with their parents, authors, and dates. */

import type { Storage, Term, User } from '../storage/contract.ts'
import { maxDepth } from './permalink.ts'
import type { Settings } from './settings.ts'

const bases: { readonly [taxonomy: string]: string } = { category: 'category', post_tag: 'tag' }

/** The first segment of the addresses of a taxonomy. */
const taxonomyBase = (taxonomy: string): string => (Object.hasOwn(bases, taxonomy) ? bases[taxonomy] : taxonomy) ?? ''

/** The taxonomy with this first segment. */
export function taxonomyAtBase(base: string): string {
  const found = Object.entries(bases).find(([, segment]) => segment === base)
  return found?.[0] ?? base
}

type Home = Pick<Settings, 'home'>

/** By id. The path of a term lists the slugs of its ancestors. */
export async function termAddresses(
  terms: readonly Term[],
  storage: Storage,
  { home }: Home,
): Promise<ReadonlyMap<number, string>> {
  const known = await withAncestors(terms, storage)
  return new Map(
    terms.map((term) => {
      const slugs = chainOf(term, known).map(({ slug }) => slug)
      return [term.id, `${home}/${[taxonomyBase(term.taxonomy), ...slugs].join('/')}/`]
    }),
  )
}

/** A term and its ancestors, the topmost first. */
function chainOf(term: Term, known: ReadonlyMap<number, Term>): readonly Term[] {
  const chain = [term]
  for (let parent = known.get(term.parent); parent && chain.length < maxDepth; parent = known.get(parent.parent)) {
    chain.unshift(parent)
  }
  return chain
}

/** One read per level. */
async function withAncestors(terms: readonly Term[], storage: Storage): Promise<ReadonlyMap<number, Term>> {
  const known = new Map(terms.map((term) => [term.id, term]))
  for (let level = terms, depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const ids = [...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0 && !known.has(id))
    if (ids.length === 0) break
    const order = { by: 'id', descending: false } as const
    level = (await storage.terms.query({ ids, order, offset: 0, limit: ids.length })).rows
    for (const term of level) known.set(term.id, term)
  }
  return known
}

export const authorAddress = ({ slug }: Pick<User, 'slug'>, { home }: Home): string => `${home}/author/${slug}/`

export const dateAddress = (parts: readonly string[], { home }: Home): string => `${home}/${parts.join('/')}/`
