/** A place of the site that somebody looks at, and which conditions hold there. */
import type { Settings } from '../../../site/settings.ts'
import type { Post, Storage, Term } from '../../../storage/contract.ts'
import type { Condition } from './conditions.ts'

/** What is shown: one post of any type, the front page, a list, or that nothing is there. */
export type RequestedPage =
  | { readonly post: number }
  | { readonly archive: 'posts' | 'date' | 'search' }
  | { readonly archive: 'author'; readonly user: number }
  | { readonly archive: 'term'; readonly term: number }
  | { readonly notFound: true }

interface PageContext {
  readonly place: RequestedPage
  readonly post?: Post
  /** Parents of the post, the nearest first. */
  readonly ancestors: readonly number[]
  /** Terms of the post, or the one whose archive it is. */
  readonly terms: readonly Term[]
  /** Ids of the terms above each of them, the nearest first. */
  readonly above: ReadonlyMap<number, readonly number[]>
  readonly isFront: boolean
}

/** Answers the test for conditions; undefined for a post or a term that is not there. */
export async function conditionTest(
  storage: Storage,
  settings: Settings,
  place: RequestedPage,
): Promise<((condition: Condition) => boolean) | undefined> {
  const seen = await readPageContext(storage, settings, place)
  return seen && ((condition) => matches(condition, seen))
}

async function readPageContext(
  storage: Storage,
  settings: Settings,
  place: RequestedPage,
): Promise<PageContext | undefined> {
  const nothing = { place, ancestors: [], terms: [], above: new Map(), isFront: false }
  if ('post' in place) {
    const [post] = await storage.posts.read([place.post])
    if (!post) return undefined
    const assigned = await storage.terms.of([post.id])
    const terms = await readTerms(
      storage,
      assigned.map(({ term }) => term),
    )
    return {
      ...{ place, post, terms, above: await readTermAncestors(storage, terms) },
      ancestors: await readAncestors(storage, post),
      isFront: settings.showOnFront === 'page' && settings.pageOnFront === post.id,
    }
  }
  if ('archive' in place && place.archive === 'term') {
    const terms = await readTerms(storage, [place.term])
    if (terms.length === 0) return undefined
    return { ...nothing, terms, above: await readTermAncestors(storage, terms) }
  }
  return nothing
}

async function readTerms(storage: Storage, ids: readonly number[]): Promise<Term[]> {
  const order = { by: 'id', descending: false } as const
  return (await storage.terms.query({ ids, order, offset: 0, limit: ids.length })).rows
}

/** One read for each level. A circle ends where it began. */
async function readTermAncestors(
  storage: Storage,
  terms: readonly Term[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const known = new Map(terms.map((term) => [term.id, term]))
  for (let level = terms; level.length > 0; ) {
    const parents = [...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0 && !known.has(id))
    level = await readTerms(storage, parents)
    for (const term of level) known.set(term.id, term)
  }
  const chainOf = (id: number, seen: readonly number[]): readonly number[] => {
    const parent = known.get(id)?.parent ?? 0
    return parent === 0 || seen.includes(parent) ? seen : chainOf(parent, [...seen, parent])
  }
  return new Map(terms.map(({ id }) => [id, chainOf(id, [])]))
}

async function readAncestors(storage: Storage, post: Post): Promise<readonly number[]> {
  const ids: number[] = []
  for (let parent = post.parent; parent > 0 && parent !== post.id && !ids.includes(parent); ) {
    ids.push(parent)
    const [next] = await storage.posts.read([parent])
    parent = next?.parent ?? 0
  }
  return ids
}

// ---------------------------------------------------------------- which conditions hold

function matches({ name, subName, subId }: Condition, seen: PageContext): boolean {
  if (name === 'general') return true
  const isArchive = 'archive' in seen.place
  if (name === 'archive' ? !isArchive : name !== 'singular' || isArchive) return false
  if (subName === '') return true
  const id = Number(subId || 0)
  return isArchive ? matchesArchive(subName, id, seen) : matchesPost(subName, id, seen)
}

function matchesArchive(name: string, id: number, { place, terms, above }: PageContext): boolean {
  if (!('archive' in place)) return false
  const [term] = terms
  const parents = term ? (above.get(term.id) ?? []) : []
  switch (name) {
    case 'author':
      return place.archive === 'author' && (id === 0 || place.user === id)
    case 'date':
    case 'search':
      return place.archive === name
    case 'post_archive':
      return place.archive === 'posts' || place.archive === 'term'
    case 'child_of_category':
      return term?.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents[0] === id)
    case 'any_child_of_category':
      return term?.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents.includes(id))
    default:
      return term?.taxonomy === name && (id === 0 || term.id === id)
  }
}

const authorCondition = /^(post|page|attachment)_by_author$/

function matchesPost(
  name: string,
  id: number,
  { post, place, ancestors, terms, above, isFront }: PageContext,
): boolean {
  if (name === 'not_found404') return 'notFound' in place
  if (!post) return false
  const ofType = authorCondition.exec(name)?.[1]
  if (ofType !== undefined) return post.type === ofType && (id === 0 || post.author === id)
  const isIn = (taxonomy: string) => terms.some((term) => term.taxonomy === taxonomy && (id === 0 || term.id === id))
  switch (name) {
    case 'front_page':
      return isFront
    case 'in_category':
      return isIn('category')
    case 'in_post_tag':
      return isIn('post_tag')
    case 'in_category_children':
      return terms.some((term) => {
        const parents = above.get(term.id) ?? []
        return term.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents.includes(id))
      })
    case 'child_of':
      return id === 0 ? post.parent > 0 : post.parent === id
    case 'any_child_of':
      return id === 0 ? post.parent > 0 : ancestors.includes(id)
    case 'by_author':
      return id === 0 || post.author === id
    default:
      return post.type === name && (id === 0 || post.id === id)
  }
}
