/** Lists terms for blocks and classic widgets: as nested lists, as a menu, and as a cloud. */

import type { Term, TermQuery } from '../../../contract/storage.ts'
import { limits } from '../document/limits.ts'
import { type Child, h, written } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { type ListedTerm, termListKey, termLists } from '../records/lists.ts'

interface TermListOptions {
  readonly taxonomy: string
  readonly orderBy?: 'name' | 'id' | 'slug' | 'count'
  readonly isDescending?: boolean
  /** Lists only terms that published posts have. Default: true. */
  readonly hidesEmpty?: boolean
  /** Lists only terms without a parent. */
  readonly isTopLevel?: boolean
  readonly ids?: readonly number[]
  readonly limit?: number
}

export function listTerms(options: TermListOptions, pass: Pass): readonly ListedTerm[] {
  const { taxonomy, orderBy = 'name', isDescending = false, hidesEmpty = true, isTopLevel = false, ids } = options
  pass.depend(`query:${taxonomy}`)
  const query: TermQuery = {
    taxonomies: [taxonomy],
    ...(ids ? { ids } : {}),
    ...(isTopLevel ? { parents: [0] } : {}),
    ...(hidesEmpty ? { counted: 'orBelow' as const } : {}),
    order: { by: orderBy, descending: isDescending },
    offset: 0,
    limit: Math.min(options.limit ?? limits.items, limits.items),
  }
  const found = (pass.get(termLists, termListKey(query)) ?? []).filter(() => pass.admit())
  for (const { id } of found) pass.depend(`term:${id}`)
  return found
}

/** A term with those below it. */
interface TermNode {
  readonly term: ListedTerm
  readonly below: readonly TermNode[]
}

/** A term whose parent is not in the list is at the top. */
function termTree(terms: readonly ListedTerm[]): readonly TermNode[] {
  const ids = new Set(terms.map(({ id }) => id))
  const byParent = Map.groupBy(terms, ({ parent, id }) => (ids.has(parent) && parent !== id ? parent : 0))
  const seen = new Set<number>()
  const below = (parent: number): readonly TermNode[] =>
    (byParent.get(parent) ?? []).flatMap((term) => {
      if (seen.has(term.id)) return []
      seen.add(term.id)
      return [{ term, below: below(term.id) }]
    })
  return below(0)
}

interface ItemOptions {
  readonly isHierarchical?: boolean
  readonly hasCounts?: boolean
}

/** Returns the items of a list of terms; nested ones are in lists of the class `children`. */
export function termItems(terms: readonly ListedTerm[], { isHierarchical = false, hasCounts = false }: ItemOptions) {
  const nodes = isHierarchical ? termTree(terms) : terms.map((term) => ({ term, below: [] }))
  const items = (list: readonly TermNode[]): readonly Child[] =>
    list.map(({ term, below }) =>
      h(
        'li',
        { class: ['cat-item', `cat-item-${term.id}`] },
        h('a', { href: term.address }, term.name),
        hasCounts && ` (${term.count})`,
        below.length > 0 && h('ul', { class: ['children'] }, items(below)),
      ),
    )
  return items(nodes)
}

interface CloudOptions {
  readonly hasCounts?: boolean
  /** CSS lengths of one unit: `8pt`, `22pt`. */
  readonly smallest?: string
  readonly largest?: string
}

/** Returns the links of a cloud: the size of a link grows with the number of its posts. */
export function cloudLinks(
  terms: readonly ListedTerm[],
  { hasCounts = false, smallest = '8pt', largest = '22pt' }: CloudOptions = {},
): readonly Child[] {
  const counts = terms.map(({ count }) => count)
  const [least, spread] = [Math.min(...counts), Math.max(1, Math.max(...counts) - Math.min(...counts))]
  const [from, to, unit] = [Number.parseFloat(smallest), Number.parseFloat(largest), unitOf(smallest)]
  return terms.flatMap((term, index) => {
    const size = from + ((term.count - least) / spread) * (to - from)
    const things = `${term.count} ${term.count === 1 ? 'item' : 'items'}`
    return [
      index > 0 && '\n',
      h(
        'a',
        {
          href: term.address,
          class: ['tag-cloud-link', `tag-link-${term.id}`, `tag-link-position-${index + 1}`],
          style: `font-size: ${Math.round(size * 1000) / 1000}${unit};`,
          'aria-label': `${term.name} (${things})`,
        },
        term.name,
        hasCounts && h('span', { class: ['tag-link-count'] }, ` (${term.count})`),
      ),
    ]
  })
}

const unitOf = (length: string): string => /^[\d.]+(pt|px|em|rem|%)$/.exec(length)?.[1] ?? 'pt'

const indent = '\u00a0\u00a0\u00a0'

/** Returns the options of a menu of terms. Their values are addresses, as a menu without a script is a list of links. */
export function termOptions(terms: readonly ListedTerm[], { isHierarchical = false, hasCounts = false }: ItemOptions) {
  const nodes = isHierarchical ? termTree(terms) : terms.map((term) => ({ term, below: [] }))
  const options = (list: readonly TermNode[], level: number): readonly Child[] =>
    list.map(({ term, below }) => [
      h(
        'option',
        { class: [`level-${level}`], value: written(queryValueOf(term)) },
        `${indent.repeat(level)}${term.name}${hasCounts ? `${indent.slice(0, 2)}(${term.count})` : ''}`,
      ),
      options(below, level + 1),
    ])
  return options(nodes, 0)
}

/** The query value by which the front page finds the archive of a term: the id of a category, the slug of others. */
const queryValueOf = ({ taxonomy, id, slug }: Pick<Term, 'taxonomy' | 'id' | 'slug'>): string =>
  taxonomy === 'category' ? String(id) : slug

export const queryNameOf = (taxonomy: string): string =>
  taxonomy === 'category' ? 'cat' : taxonomy === 'post_tag' ? 'tag' : taxonomy
