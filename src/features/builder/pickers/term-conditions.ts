/** Conditions on the terms of posts, in the taxonomies of content. */
import { andThen, type MaybePromise, sequence } from '../../../core/runtime/maybe-promise.ts'
import type { Storage, TermTree } from '../../../storage/contract.ts'
import { contentTaxonomies } from '../../content/content-types/model.ts'
import { type Members, type Read, readTexts, readTree, type Tree, wrong } from './argument-formats.ts'

interface TermCondition {
  readonly taxonomy: string
  readonly by: 'id' | 'slug'
  readonly terms: readonly string[]
  readonly has: 'any' | 'all' | 'none'
  readonly withChildren: boolean
}

export type TermConditions = Tree<TermCondition>

export const readTaxQuery = (sent: unknown): Read<TermConditions | undefined> => readTree(sent, 'taxonomy', toCondition)

const operators: ReadonlyMap<string, TermCondition['has']> = new Map([
  ['IN', 'any'],
  ['AND', 'all'],
  ['NOT IN', 'none'],
] as const)

const fields: ReadonlyMap<string, TermCondition['by']> = new Map([
  ['term_id', 'id'],
  ['id', 'id'],
  ['slug', 'slug'],
] as const)

const maxTerms = 100

function toCondition(members: Members): Read<TermCondition> {
  const taxonomy = members.get('taxonomy')
  if (typeof taxonomy !== 'string' || !contentTaxonomies.has(taxonomy)) return wrong('There is no such taxonomy.')
  const by = fields.get(String(members.get('field') ?? 'term_id'))
  if (!by) return wrong(`A field is one of ${[...fields.keys()].join(', ')}.`)
  const has = operators.get(String(members.get('operator') ?? 'IN').toUpperCase())
  if (!has) return wrong(`An operator is one of ${[...operators.keys()].join(', ')}.`)
  const terms = readTexts(members.get('terms') ?? '')
  if ('problem' in terms) return wrong('The terms are not a list.')
  if (terms.value.length > maxTerms) return wrong(`There are more than ${maxTerms} terms.`)
  if (by === 'id' && !terms.value.every((one) => /^\d{1,15}$/.test(one))) return wrong('The id of a term is a number.')
  const withChildren = !['false', '0', ''].includes(String(members.get('include_children') ?? true))
  return { value: { taxonomy, by, terms: terms.value, has, withChildren } }
}

/** As the storage takes it: slugs looked up all at once, children for each condition. */
export function toTermTree(storage: Storage, tree: TermConditions): MaybePromise<TermTree> {
  const conditions = conditionsOf(tree)
  return andThen(bySlug(storage, conditions), (ids) => {
    const own = (condition: TermCondition): number[] =>
      condition.by === 'id'
        ? condition.terms.map(Number)
        : condition.terms.flatMap((slug) => ids.get(`${condition.taxonomy} ${slug}`) ?? [])
    const widened = sequence(conditions, (condition): MaybePromise<readonly number[]> => {
      const terms = own(condition)
      if (!condition.withChildren || condition.has === 'all' || terms.length === 0) return terms
      return andThen(storage.terms.below(terms), (below) => [...new Set([...terms, ...below])])
    })
    return andThen(widened, (lists) => {
      const termsOf = new Map(conditions.map((condition, index) => [condition, lists[index] ?? []]))
      const built = (part: TermConditions): TermTree => {
        if ('every' in part) return { every: part.every.map(built) }
        if ('some' in part) return { some: part.some.map(built) }
        const terms = termsOf.get(part.one) ?? []
        // A slug that nobody has is fulfilled by no post.
        const isLost = part.one.has === 'all' && terms.length < part.one.terms.length
        return isLost ? { terms: [], has: 'any' } : { terms, has: part.one.has }
      }
      return built(tree)
    })
  })
}

const conditionsOf = (tree: TermConditions): TermCondition[] =>
  'one' in tree ? [tree.one] : ('every' in tree ? tree.every : tree.some).flatMap(conditionsOf)

function bySlug(storage: Storage, conditions: readonly TermCondition[]): MaybePromise<ReadonlyMap<string, number>> {
  const named = conditions.filter(({ by }) => by === 'slug')
  if (named.length === 0) return new Map()
  const query = {
    taxonomies: named.map(({ taxonomy }) => taxonomy),
    slugs: named.flatMap(({ terms }) => terms),
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  } as const
  return andThen(
    storage.terms.query(query),
    ({ rows }) => new Map(rows.map(({ id, taxonomy, slug }) => [`${taxonomy} ${slug}`, id])),
  )
}
