/** Builds conditions on the terms of posts, in the taxonomies of content. */
import type { Storage, TermTree } from '../../../contract/storage.ts'
import { contentTaxonomies } from '../../content/content-types/model.ts'
import { invalid, type Members, type Parsed, parseTexts, parseTree, type Tree } from './argument-formats.ts'

interface TermCondition {
  readonly taxonomy: string
  readonly by: 'id' | 'slug'
  readonly terms: readonly string[]
  readonly has: 'any' | 'all' | 'none'
  readonly includesChildren: boolean
}

export type TermConditions = Tree<TermCondition>

export const parseTaxQuery = (input: unknown): Parsed<TermConditions | undefined> =>
  parseTree(input, 'taxonomy', toCondition)

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

function toCondition(members: Members): Parsed<TermCondition> {
  const taxonomy = members.get('taxonomy')
  if (typeof taxonomy !== 'string' || !contentTaxonomies.has(taxonomy)) return invalid('There is no such taxonomy.')
  const by = fields.get(String(members.get('field') ?? 'term_id'))
  if (!by) return invalid(`A field is one of ${[...fields.keys()].join(', ')}.`)
  const has = operators.get(String(members.get('operator') ?? 'IN').toUpperCase())
  if (!has) return invalid(`An operator is one of ${[...operators.keys()].join(', ')}.`)
  const terms = parseTexts(members.get('terms') ?? '')
  if ('problem' in terms) return invalid('The terms are not a list.')
  if (terms.value.length > maxTerms) return invalid(`There are more than ${maxTerms} terms.`)
  if (by === 'id' && !terms.value.every((text) => /^\d{1,15}$/.test(text)))
    return invalid('The id of a term is a number.')
  const includesChildren = !['false', '0', ''].includes(String(members.get('include_children') ?? true))
  return { value: { taxonomy, by, terms: terms.value, has, includesChildren } }
}

/** The query of the storage. Slugs are looked up in one read, child terms in one read for each condition. */
export async function toTermTree(storage: Storage, tree: TermConditions): Promise<TermTree> {
  const idsBySlug = await readIdsBySlug(storage, conditionsOf(tree))
  const toTree = async (part: TermConditions): Promise<TermTree> => {
    if ('every' in part) return { every: await inOrder(part.every, toTree) }
    if ('some' in part) return { some: await inOrder(part.some, toTree) }
    const { condition } = part
    const terms = await withChildren(storage, condition, termIds(condition, idsBySlug))
    // A post cannot have all terms when one of the slugs is unknown.
    const isImpossible = condition.has === 'all' && terms.length < condition.terms.length
    return isImpossible ? { terms: [], has: 'any' } : { terms, has: condition.has }
  }
  return toTree(tree)
}

async function inOrder<T, R>(values: readonly T[], convert: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const value of values) results.push(await convert(value))
  return results
}

const conditionsOf = (tree: TermConditions): TermCondition[] =>
  'condition' in tree ? [tree.condition] : ('every' in tree ? tree.every : tree.some).flatMap(conditionsOf)

type IdsBySlug = ReadonlyMap<string, number>

const termIds = ({ by, taxonomy, terms }: TermCondition, idsBySlug: IdsBySlug): number[] =>
  by === 'id' ? terms.map(Number) : terms.flatMap((slug) => idsBySlug.get(`${taxonomy} ${slug}`) ?? [])

async function withChildren(
  storage: Storage,
  { includesChildren, has }: TermCondition,
  terms: readonly number[],
): Promise<readonly number[]> {
  if (!includesChildren || has === 'all' || terms.length === 0) return terms
  return [...new Set([...terms, ...(await storage.terms.below(terms))])]
}

async function readIdsBySlug(storage: Storage, conditions: readonly TermCondition[]): Promise<IdsBySlug> {
  const bySlug = conditions.filter(({ by }) => by === 'slug')
  if (bySlug.length === 0) return new Map()
  const { rows } = await storage.terms.query({
    taxonomies: bySlug.map(({ taxonomy }) => taxonomy),
    slugs: bySlug.flatMap(({ terms }) => terms),
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return new Map(rows.map(({ id, taxonomy, slug }) => [`${taxonomy} ${slug}`, id]))
}
