/** Terms, their tree and which posts have them. */
import { fold } from '../../site/text-fold.ts'
import { StorageConflict, type Term, type TermQuery, type TermStore } from '../contract.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'
import { allValues, knownValues } from './values.ts'
import { byColumn, type Compare, windowOf } from './paging.ts'

type TermValues = Omit<Term, 'id'>

const termFields: ReadonlySet<string> = new Set<keyof TermValues>(['taxonomy', 'slug', 'name', 'description', 'parent'])

export function termStore(state: State, access: Access): TermStore {
  const { terms, assignments } = state
  return {
    query: (query) => access.read((depth) => queryTerms(state, query, depth)),
    insert: (rows) =>
      access.write((depth) =>
        rows.map((row) => {
          // The cast: `allValues` saw every field, and none besides.
          const values = allValues(row, termFields) as unknown as TermValues
          const term: Term = Object.freeze({ id: terms.nextId(), ...values })
          refuseTakenSlug(state, term, depth)
          terms.put(term.id, term)
          return term.id
        }),
      ),
    update: (updates) =>
      access.write((depth) => {
        const changed: number[] = []
        for (const { id, changes } of updates) {
          const values = knownValues(changes, termFields)
          const before = terms.get(id, depth)
          if (before === undefined) continue
          const term: Term = Object.freeze({ ...before, ...values })
          refuseTakenSlug(state, term, depth)
          terms.put(id, term)
          changed.push(id)
        }
        return changed
      }),
    remove: (ids) =>
      access.write((depth) => {
        for (const id of ids) removeTerm(state, id, depth)
      }),
    below: (ids) => access.read((depth) => below(state, ids, depth)),
    of: (posts) =>
      access.read((depth) =>
        [...new Set(posts)]
          .sort((a, b) => a - b)
          .flatMap((post) =>
            (assignments.get(post, depth)?.terms ?? []).map((term) => ({
              post,
              term,
              taxonomy: terms.get(term, depth)?.taxonomy ?? '',
            })),
          ),
      ),
    assign: (wanted) =>
      access.write((depth) => {
        for (const { post, taxonomy, terms: chosen } of wanted) assign(state, post, taxonomy, chosen, depth)
      }),
  }
}

function refuseTakenSlug({ terms }: State, term: Term, depth: number): void {
  const others = terms.find('slug', [term.slug], depth)
  if (others.some((other) => other.taxonomy === term.taxonomy && other.id !== term.id))
    throw new StorageConflict('slug')
}

function removeTerm({ terms, assignments, meta }: State, id: number, depth: number): void {
  const removed = terms.get(id, depth)
  if (removed === undefined) return
  terms.delete(id)
  meta.term.delete(id)
  for (const child of terms.find('parent', [id], depth)) {
    terms.put(child.id, Object.freeze({ ...child, parent: removed.parent }))
  }
  for (const { post, terms: had } of assignments.find('term', [id], depth)) {
    assignments.put(post, { post, terms: had.filter((term) => term !== id) })
  }
}

function below({ terms }: State, ids: readonly number[], depth: number): number[] {
  const found = new Set<number>()
  let parents: readonly number[] = ids
  while (parents.length > 0) {
    const children = terms.find('parent', parents, depth).map((term) => term.id)
    parents = children.filter((id) => !found.has(id))
    for (const id of parents) found.add(id)
  }
  return [...found].sort((a, b) => a - b)
}

function assign(
  { posts, terms, assignments }: State,
  post: number,
  taxonomy: string,
  chosen: readonly number[],
  depth: number,
): void {
  if (posts.get(post, depth) === undefined) throw new TypeError(`there is no post ${post}`)
  for (const term of chosen) {
    if (terms.get(term, depth)?.taxonomy !== taxonomy) throw new TypeError(`${taxonomy} has no term ${term}`)
  }
  const had = assignments.get(post, depth)?.terms ?? []
  const kept = had.filter((term) => terms.get(term, depth)?.taxonomy !== taxonomy)
  assignments.put(post, { post, terms: [...new Set([...kept, ...chosen])].sort((a, b) => a - b) })
}

function queryTerms(state: State, query: TermQuery, depth: number): { rows: Term[]; total: number } {
  const compare = termOrder(query.order)
  const { taxonomies, ids, slugs, parents, search, usedBy } = query
  const found = candidates(state, query, depth).filter(
    (term) =>
      allows(taxonomies, term.taxonomy) &&
      allows(ids, term.id) &&
      allows(slugs, term.slug) &&
      allows(parents, term.parent) &&
      (search === undefined || fold(term.name).includes(search)) &&
      (usedBy === undefined || isUsed(state, term.id, usedBy, depth)),
  )
  return { rows: windowOf(found, compare, query), total: query.total ? found.length : 0 }
}

function candidates({ terms }: State, { ids, slugs, parents, taxonomies }: TermQuery, depth: number): Term[] {
  if (ids !== undefined) {
    return [...new Set(ids)].map((id) => terms.get(id, depth)).filter((term) => term !== undefined)
  }
  if (slugs !== undefined) return terms.find('slug', slugs, depth)
  if (parents !== undefined) return terms.find('parent', parents, depth)
  if (taxonomies !== undefined) return terms.find('taxonomy', taxonomies, depth)
  return terms.all(depth)
}

function allows<T>(values: readonly T[] | undefined, value: T): boolean {
  return values === undefined || values.includes(value)
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
  if (by === 'id') return byColumn((term) => term.id, descending)
  if (by !== 'name') throw new TypeError(`unknown field ${String(by)}`)
  const names = new Map<Term, string>()
  const nameOf = (term: Term): string => {
    const name = names.get(term) ?? fold(term.name)
    names.set(term, name)
    return name
  }
  return byColumn(nameOf, descending)
}
