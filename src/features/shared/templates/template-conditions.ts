/**
 * Display conditions of templates: paths such as `include/singular/post/12`, the tree of condition kinds, and the choice
 * between several matching templates. Names and labels are those of the interface.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json } from '../../../contract/storage.ts'
import type { EmbeddedReferences } from '../../../contract/stored-references.ts'

export interface Condition {
  readonly type: string
  readonly name: string
  readonly subName: string
  readonly subId: string
}

/** The kind of object whose id a condition contains. */
type Selector = 'author' | 'post' | 'tax'

interface ConditionKind {
  readonly label: string
  readonly allLabel: string
  readonly subConditions: readonly string[]
  readonly selector?: Selector
  /** Restricts the selectable objects to a content type or a taxonomy. */
  readonly query?: { readonly [name: string]: string }
  /** Smaller numbers are more specific. */
  readonly priority: number
}

const kind = (
  label: string,
  allLabel: string,
  priority: number,
  subConditions: readonly string[] = [],
  selector?: Selector,
  query: ConditionKind['query'] = {},
): ConditionKind => ({ label, allLabel, priority, subConditions, ...(selector ? { selector, query } : {}) })

const term = (label: string, taxonomy: string, priority: number) =>
  kind(label, label, priority, [], 'tax', { taxonomy })

export const conditionKinds: { readonly [name: string]: ConditionKind } = lookupTable({
  general: kind('General', 'Entire site', 100, ['archive', 'singular']),
  archive: kind('Archives', 'All archives', 80, ['author', 'date', 'search', 'post_archive']),
  author: kind('Author archive', 'Author archive', 70, [], 'author'),
  date: kind('Date archive', 'Date archive', 70),
  search: kind('Search results', 'Search results', 70),
  post_archive: kind('Posts archive', 'Posts archive', 70, [
    'category',
    'child_of_category',
    'any_child_of_category',
    'post_tag',
  ]),
  category: term('Categories', 'category', 70),
  child_of_category: term('Direct child Category of', 'category', 70),
  any_child_of_category: term('Any child Category of', 'category', 70),
  post_tag: term('Tags', 'post_tag', 70),
  singular: kind('Singular', 'All singular', 60, [
    'front_page',
    'post',
    'page',
    'attachment',
    'child_of',
    'any_child_of',
    'by_author',
    'not_found404',
  ]),
  front_page: kind('Front page', 'Front page', 30),
  post: kind('Post', 'Posts', 40, ['in_category', 'in_category_children', 'in_post_tag', 'post_by_author'], 'post', {
    post_type: 'post',
  }),
  in_category: term('In Category', 'category', 40),
  in_category_children: term('In child Categories', 'category', 40),
  in_post_tag: term('In Tag', 'post_tag', 40),
  post_by_author: kind('Posts by author', 'Posts by author', 40, [], 'author'),
  page: kind('Page', 'Pages', 40, ['page_by_author'], 'post', { post_type: 'page' }),
  page_by_author: kind('Pages by author', 'Pages by author', 40, [], 'author'),
  attachment: kind('Media', 'Media', 40, ['attachment_by_author'], 'post', { post_type: 'attachment' }),
  attachment_by_author: kind('Media by author', 'Media by author', 40, [], 'author'),
  child_of: kind('Direct child of', 'Direct child of', 40, [], 'post', { post_type: 'page' }),
  any_child_of: kind('Any child of', 'Any child of', 40, [], 'post', { post_type: 'page' }),
  by_author: kind('By author', 'By author', 40, [], 'author'),
  not_found404: kind('404 Page', '404 Page', 20),
})

const kindOf = (name: string): ConditionKind | undefined =>
  Object.hasOwn(conditionKinds, name) ? conditionKinds[name] : undefined

// ---------------------------------------------------------------- paths

/** Missing parts are empty. */
export function parseCondition(path: string): Condition {
  const [type = '', name = '', subName = '', subId = ''] = path.split('/')
  return { type, name, subName, subId }
}

/** Finds the ids in a list of paths: `include/singular/post/12`, in documents `include/singular/post/ref:post.hello`. */
export const conditionReferences: EmbeddedReferences = {
  withReferences: (stored, nameOf) =>
    mapPaths(stored, (id, kind) => {
      if (kind === undefined || !/^[1-9]\d{0,14}$/.test(id)) return id
      const name = nameOf(kind, Number(id))
      return name === undefined ? '0' : `ref:${name}`
    }),
  withIds: (stored, idOf) => mapPaths(stored, (id) => (id.startsWith('ref:') ? String(idOf(id.slice(4))) : id)),
  namesIn: (stored) => {
    const names = new Set<string>()
    mapPaths(stored, (id) => {
      if (id.startsWith('ref:')) names.add(id.slice(4))
      return id
    })
    return names
  },
}

const rowKinds = { author: 'user', post: 'post', tax: 'term' } as const

function mapPaths(stored: Json, change: (id: string, kind: 'user' | 'post' | 'term' | undefined) => string): Json {
  if (!Array.isArray(stored)) return stored
  return stored.map((path: Json) => {
    if (typeof path !== 'string') return path
    const [type = '', name = '', subName = '', ...id] = path.split('/')
    if (id.length === 0) return path
    const selector = kindOf(subName || name)?.selector
    return [type, name, subName, change(id.join('/'), selector && rowKinds[selector])].join('/')
  })
}

/** Joins the parts, without trailing empty ones. */
export function conditionPath(parts: readonly string[]): string {
  const filled = parts.findLastIndex((part) => part !== '')
  return parts.slice(0, filled + 1).join('/')
}

/** Interface: the name and label of the most specific part. */
export function instanceOf({ name, subName, subId }: Condition): readonly [name: string, label: string] {
  const specific = subName || name
  const { label, allLabel } = kindOf(specific) ?? { label: specific, allLabel: specific }
  return [specific, subId === '' ? allLabel : `${label} #${subId}`]
}

/** Interface: the condition kinds as the editor lists them, equal for all templates. */
export function conditionsConfig(names: readonly string[] = Object.keys(conditionKinds)) {
  return Object.fromEntries(
    names.map((name) => {
      const { label, subConditions, allLabel, selector, query } = conditionKinds[name] as ConditionKind
      const control = { sub_id: { type: 'query', autocomplete: { object: selector, query } } }
      return [name, { label, sub_conditions: subConditions, all_label: allLabel, controls: selector ? control : {} }]
    }),
  )
}

// ---------------------------------------------------------------- selection

interface TemplateCandidate {
  readonly id: number
  readonly conditions: readonly Condition[]
}

/**
 * The id of the template with the most specific matching condition; of equals the one with the lowest id. A template with a matching
 * `exclude` condition is not considered.
 */
export function selectTemplate(
  candidates: readonly TemplateCandidate[],
  matches: (condition: Condition) => boolean,
): number | undefined {
  const ranked = candidates.flatMap(({ id, conditions }) => {
    const matching = conditions.filter(matches)
    if (!isIncluded(matching)) return []
    return [{ id, priority: Math.min(...matching.map(priorityOf)) }]
  })
  return ranked.sort((a, b) => a.priority - b.priority || a.id - b.id)[0]?.id
}

/** Returns whether a template with these matching conditions is shown. */
export const isIncluded = (matching: readonly Condition[]): boolean =>
  matching.length > 0 && matching.every(({ type }) => type !== 'exclude')

/** Interface: a smaller number is more specific. */
export function priorityOf({ name, subName, subId }: Condition): number {
  const base = kindOf(name)?.priority ?? 100
  if (subName === '') return base
  const sub = kindOf(subName)
  const priority = Math.min(base, sub?.priority ?? base) - 10
  if (subId !== '') return priority - 10
  return sub?.subConditions.length === 0 ? priority - 5 : priority
}
