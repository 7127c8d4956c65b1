/** Converts the arguments of a list of terms to the query of the storage, and returns the rows in the requested order. */

import type { Storage, Term, TermQuery } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import { toSlug } from '../../../site/slug.ts'
import { withReferences } from '../../../site/term-name.ts'
import type { CommonListArgs } from './args.ts'
import type { TermType } from './model.ts'

/** The arguments of all taxonomies: one that a taxonomy does not have is never sent. */
export type TermListValues = Omit<ArgValues<CommonListArgs>, 'post'> & {
  readonly post?: number | undefined
  readonly parent?: number | undefined
  readonly offset?: number | undefined
}

export async function listTerms(
  type: TermType,
  storage: Storage,
  args: TermListValues,
): Promise<{ readonly rows: readonly Term[]; readonly total: number }> {
  const conditions = conditionsOf(type, args)
  const page = { offset: offsetOf(args), limit: args.per_page }
  const given = givenOrder(args)
  if (given === undefined) return storage.terms.query({ ...conditions, order: orderOf(args), ...page, total: true })
  // The whole list: it is not longer than the one that the client sent.
  const limit = Math.max(given.values.length, 1)
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ ...conditions, order, offset: 0, limit })
  const places = new Map(given.values.map((value, index) => [value, index] as const))
  const placeOf = (term: Term) => places.get(given.valueOf(term)) ?? given.values.length
  const sorted = [...rows].sort((a, b) => placeOf(a) - placeOf(b))
  return { rows: sorted.slice(page.offset, page.offset + page.limit), total: rows.length }
}

const offsetOf = ({ offset, page, per_page: perPage }: TermListValues): number =>
  offset === undefined ? (page - 1) * perPage : Math.abs(offset)

/** Interface: `include` wins over `exclude`. */
function conditionsOf(type: TermType, args: TermListValues) {
  const { include, exclude, search, hide_empty: hidesEmpty, parent, post } = args
  const slugs = slugsOf(args)
  return {
    taxonomies: [type.name],
    ...(include.length > 0 ? { ids: include.map(Math.abs) } : { notIds: exclude.map(Math.abs) }),
    ...(slugs.length > 0 ? { slugs } : {}),
    ...(search ? { search: { text: fold(withReferences(search)), fields: ['name', 'slug'] } } : {}),
    ...(hidesEmpty ? { counted: type.isHierarchical ? 'orBelow' : 'itself' } : {}),
    ...(parent === undefined ? {} : { parents: [parent] }),
    ...(post === undefined ? {} : { posts: [post] }),
  } as const satisfies Partial<TermQuery>
}

/** Interface: slugs are compared without case and not made from words; an empty one counts as not sent. */
const slugsOf = ({ slug = [] }: TermListValues): readonly string[] =>
  slug.map((each) => (/^[\0-\x7f]*$/.test(each) ? each.toLowerCase() : toSlug(each))).filter((each) => each !== '')

/** The order of a list that the client sent; undefined for the others. */
function givenOrder(args: TermListValues) {
  if (args.orderby === 'include' && args.include.length > 0) {
    return { values: args.include.map(Math.abs) as (number | string)[], valueOf: ({ id }: Term) => id }
  }
  const slugs = slugsOf(args)
  if (args.orderby !== 'include_slugs' || slugs.length === 0) return undefined
  return { values: slugs as (number | string)[], valueOf: ({ slug }: Term) => slug }
}

function orderOf({ orderby, order }: TermListValues): TermQuery['order'] {
  const descending = order === 'desc'
  switch (orderby) {
    case 'include':
    case 'include_slugs':
      return { by: 'name', descending }
    // Interface: an order of old, in which all terms are equal.
    case 'term_group':
      return { by: 'id', descending }
    default:
      return { by: orderby, descending }
  }
}
