/** Keeps terms in memory: the terms, their hierarchy and their assignments to posts. */
import { termFields } from '../../contract/fields/terms.ts'
import { foldedName, termFilter } from '../../contract/row-filters.ts'
import { byColumn, type Compare } from '../../contract/row-order.ts'
import { StorageConflict, type Term, type TermQuery, type TermStore } from '../../contract/storage.ts'
import { identityFold } from '../../contract/text-fold.ts'
import { pageOf, scanSorted } from './paging.ts'
import { insertRows, type RowTable, updateRows } from './rows.ts'
import type { State } from './state.ts'
import { addToCounts, isCounted } from './term-counts.ts'
import type { Access } from './transactions.ts'

export function termStore(state: State, access: Access): TermStore {
  const rowTable: RowTable<Term> = {
    table: state.terms,
    fields: termFields,
    assertUnique: (term, depth) => assertUniqueSlug(state, term, depth),
  }
  return {
    query: (query) => access.read((depth) => queryTerms(state, query, depth)),
    insert: (rows, ids) => access.write((depth) => insertRows(rowTable, rows, depth, { ids, defaults: { count: 0 } })),
    update: (updates) => access.write((depth) => updateRows(rowTable, updates, depth)),
    remove: (ids) =>
      access.write((depth) => {
        for (const id of ids) removeTerm(state, id, depth)
      }),
    below: (ids) => access.read((depth) => descendants(state, ids, depth)),
    of: (posts) => access.read((depth) => termsOfPosts(state, posts, depth)),
    assign: (assignments) =>
      access.write((depth) => {
        for (const assignment of assignments) assignTerms(state, assignment, depth)
      }),
  }
}

function assertUniqueSlug({ terms }: State, term: Term, depth: number): void {
  const others = terms.find('slug', [term.slug], depth)
  if (others.some((other) => other.taxonomy === term.taxonomy && other.id !== term.id))
    throw new StorageConflict('slug')
}

function termsOfPosts(
  { terms, assignments }: State,
  posts: readonly number[],
  depth: number,
): { post: number; term: number; taxonomy: string }[] {
  const sortedPosts = [...posts].sort((a, b) => a - b)
  return assignments
    .getMany(sortedPosts, depth)
    .flatMap((row) =>
      row.terms.map((term) => ({ post: row.post, term, taxonomy: terms.get(term, depth)?.taxonomy ?? '' })),
    )
}

function removeTerm({ terms, assignments, meta }: State, id: number, depth: number): void {
  const removed = terms.get(id, depth)
  if (removed === undefined) return
  terms.delete(id)
  meta.term.delete(id)
  for (const child of terms.find('parent', [id], depth)) {
    terms.put(child.id, Object.freeze({ ...child, parent: removed.parent }))
  }
  for (const { post, terms: current } of assignments.find('term', [id], depth)) {
    assignments.put(post, { post, terms: current.filter((term) => term !== id) })
  }
}

function descendants({ terms }: State, ids: readonly number[], depth: number): number[] {
  const descendantIds = new Set<number>()
  let parents: readonly number[] = ids
  while (parents.length > 0) {
    const children = terms.find('parent', parents, depth).map((term) => term.id)
    parents = children.filter((id) => !descendantIds.has(id))
    for (const id of parents) descendantIds.add(id)
  }
  return [...descendantIds].sort((a, b) => a - b)
}

function assignTerms(
  state: State,
  assignment: { readonly post: number; readonly taxonomy: string; readonly terms: readonly number[] },
  depth: number,
): void {
  const { posts, terms, assignments } = state
  const { post, taxonomy } = assignment
  const row = posts.get(post, depth)
  if (row === undefined) throw new TypeError(`there is no post ${post}`)
  for (const term of assignment.terms) {
    if (terms.get(term, depth)?.taxonomy !== taxonomy) throw new TypeError(`${taxonomy} has no term ${term}`)
  }
  const current = assignments.get(post, depth)?.terms ?? []
  const others = current.filter((term) => terms.get(term, depth)?.taxonomy !== taxonomy)
  const next = [...new Set([...others, ...assignment.terms])].sort((a, b) => a - b)
  assignments.put(post, { post, terms: next })
  if (!isCounted(row)) return
  const isIn = (ids: readonly number[]) => (id: number) => ids.includes(id)
  addToCounts(
    state,
    next.filter((id) => !isIn(current)(id)),
    1,
    depth,
  )
  addToCounts(
    state,
    current.filter((id) => !isIn(next)(id)),
    -1,
    depth,
  )
}

export function queryTerms(state: State, query: TermQuery, depth: number): { rows: Term[]; total: number } {
  const compare = termOrder(query.order)
  const filter = filterOf(state, query, depth)
  if (query.order.by === 'name' && isLong(state, query, depth)) {
    return scanSorted(state.termsByName.rows(), query, query.order.descending, filter)
  }
  const matches = candidates(state, query, depth).filter(filter)
  return { rows: pageOf(matches, compare, query), total: query.total ? matches.length : 0 }
}

/** Above this number of candidates, the sorted rows are read in place of sorting the candidates. */
const MAX_SORTED = 1000

function isLong(
  { terms }: State,
  { ids, slugs, names, posts, parents, taxonomies }: TermQuery,
  depth: number,
): boolean {
  if (ids ?? slugs ?? names ?? posts ?? parents) return false
  return terms.isCurrent(depth) && taxonomies !== undefined && terms.estimate('taxonomy', taxonomies) > MAX_SORTED
}

function filterOf(state: State, query: TermQuery, depth: number): (term: Term) => boolean {
  const { posts, usedBy, counted } = query
  const assigned = posts && new Set(state.assignments.getMany(posts, depth).flatMap(({ terms }) => terms))
  const [filter, counts] = [termFilter(query), countFilter(state, counted, depth)]
  return (term) =>
    filter(term) &&
    (assigned === undefined || assigned.has(term.id)) &&
    counts(term) &&
    (usedBy === undefined || isUsed(state, term.id, usedBy, depth))
}

function countFilter(state: State, counted: TermQuery['counted'], depth: number): (term: Term) => boolean {
  switch (counted) {
    case undefined:
      return () => true
    case 'itself':
      return ({ count }) => count > 0
    case 'orBelow': {
      const used = usedInTrees(state, depth)
      return ({ id }) => used.has(id)
    }
    default:
      throw new TypeError(`unknown value ${String(counted)}`)
  }
}

/** The terms with a count, and all above them. */
function usedInTrees({ terms }: State, depth: number): ReadonlySet<number> {
  const used = new Set<number>()
  for (const term of terms.find('isUsed', [1], depth)) {
    let at: Term | undefined = term
    while (at !== undefined && !used.has(at.id)) {
      used.add(at.id)
      at = terms.get(at.parent, depth)
    }
  }
  return used
}

function candidates(state: State, query: TermQuery, depth: number): Term[] {
  const { terms, assignments } = state
  const { ids, slugs, names, parents, taxonomies, posts } = query
  if (ids !== undefined) return terms.getMany(ids, depth)
  if (slugs !== undefined) return terms.find('slug', slugs, depth)
  if (names !== undefined) return terms.find('name', names.map(identityFold), depth)
  if (posts !== undefined) {
    return terms.getMany(
      assignments.getMany(posts, depth).flatMap((row) => row.terms),
      depth,
    )
  }
  if (parents !== undefined) return terms.find('parent', parents, depth)
  if (taxonomies !== undefined) return terms.find('taxonomy', taxonomies, depth)
  return terms.all(depth)
}

function isUsed(
  { assignments, posts }: State,
  term: number,
  { types, statuses }: { readonly types: readonly string[]; readonly statuses: readonly string[] },
  depth: number,
): boolean {
  return assignments.find('term', [term], depth).some((row) => {
    const post = posts.get(row.post, depth)
    return post !== undefined && types.includes(post.type) && statuses.includes(post.status)
  })
}

function termOrder({ by, descending }: TermQuery['order']): Compare<Term> {
  if (by === 'id' || by === 'slug' || by === 'description' || by === 'count') {
    return byColumn((term) => term[by], descending)
  }
  if (by !== 'name') throw new TypeError(`unknown field ${String(by)}`)
  return byColumn(foldedName, descending)
}
