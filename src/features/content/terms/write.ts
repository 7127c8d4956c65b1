/** The rules of terms: create, change and remove, for the routes and for `api.site.terms`. */

import { blankTerm } from '../../../contract/fields/blank.ts'
import { picked } from '../../../contract/fields/stored-field.ts'
import { termFields } from '../../../contract/fields/terms.ts'
import type { Json, Storage, Term, TermValues } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { filterContent } from '../../../render/filter/filter.ts'
import { toSlug } from '../../../site/slug.ts'
import { termName } from '../../../site/term-name.ts'
import { publicTypesOf, typesWithTaxonomy } from '../../shared/declared-types.ts'
import { firstTerm, markTermsChanged, type TermType } from './model.ts'
import { uniqueTermSlug } from './slugs.ts'

/** The values that a client or a host sends; an absent member stays as it is. */
export interface TermInput extends Partial<Omit<TermValues, 'taxonomy'>> {
  /** Empty: made from the name. */
  readonly slug?: string
  /** Checked already; null removes a key. */
  readonly meta?: { readonly [key: string]: Json }
}

/** Throws 400 for a name that exists, an empty name, and an unknown parent. */
export async function createTerm(type: TermType, context: HookContext, input: TermInput): Promise<Term> {
  const { storage } = context
  const name = nameFrom(input.name ?? '')
  const parent = await parentFrom(type, storage, input.parent ?? 0)
  const requested = toSlug(input.slug ?? '')
  await refuseSameName(type, storage, { name, parent, slug: requested })
  const base = requested || toSlug(name) || 'term'
  const slug = await uniqueTermSlug(storage, { taxonomy: type.name, base, parent })
  const description = filterContent(input.description ?? '')
  const values = { ...blankTerm, ...storedIn(input), taxonomy: type.name, slug, name, description, parent }
  const [id = 0] = await storage.terms.insert([values])
  await writeMeta(storage, id, input.meta)
  context.emit('term.created', { id })
  return { id, ...values, count: 0 }
}

export async function updateTerm(type: TermType, context: HookContext, before: Term, input: TermInput): Promise<Term> {
  const { storage } = context
  const name = input.name === undefined ? before.name : nameFrom(input.name)
  const sentParent = input.parent === undefined ? before.parent : await parentFrom(type, storage, input.parent)
  const parent = await withoutLoop(storage, before, sentParent)
  const slug = await slugFrom(type, storage, before, { name, parent, slug: input.slug })
  const description = input.description === undefined ? before.description : filterContent(input.description)
  const term = { ...before, ...storedIn(input), name, slug, description, parent }
  const changes = changesBetween(before, term)
  await storage.terms.update([{ id: before.id, changes }])
  await writeMeta(storage, before.id, input.meta)
  if (changes.name !== undefined || changes.slug !== undefined) await markTermsChanged(storage)
  context.emit('term.updated', { id: before.id })
  return term
}

/** Children move up; records left without any term of the taxonomy get its default one. */
export async function removeTerm(type: TermType, context: HookContext, term: Term): Promise<void> {
  const { storage, settings } = context
  const fallback = type.defaultTerm?.(settings) ?? 0
  if (fallback !== 0 && fallback !== term.id) await moveToDefault(type, context, term.id, fallback)
  await storage.terms.remove([term.id])
  await markTermsChanged(storage)
  context.emit('term.removed', { id: term.id })
}

// ---------------------------------------------------------------- values

function nameFrom(sent: string): string {
  const name = termName(sent)
  if (name === '') throw new ApiError('empty_term_name', 'A term needs a name.', 400)
  return name
}

/** Skips the check of a loop for a new term: only a stored one can be in a loop. */
async function parentFrom(type: TermType, storage: Storage, parent: number): Promise<number> {
  if (parent === 0) return 0
  if (!type.isHierarchical) throw notHierarchical()
  if (!(await firstTerm(storage, { ids: [parent], taxonomies: [type.name] }))) {
    throw new ApiError('rest_term_invalid', 'There is no such parent.', 400)
  }
  return parent
}

export const notHierarchical = () =>
  new ApiError('rest_taxonomy_not_hierarchical', 'The terms of this taxonomy have no parents.', 400)

/** Interface: a term below itself would be a loop; it gets no parent instead. */
async function withoutLoop(storage: Storage, { id, parent: before }: Term, parent: number): Promise<number> {
  if (parent === 0 || parent === before) return parent
  return parent === id || (await storage.terms.below([id])).includes(parent) ? 0 : parent
}

/** Interface: names may repeat below different parents, and with a given slug. */
async function refuseSameName(
  type: TermType,
  storage: Storage,
  { name, parent, slug }: { readonly name: string; readonly parent: number; readonly slug: string },
): Promise<void> {
  const siblings = type.isHierarchical ? { parents: [parent] } : {}
  const same = { taxonomies: [type.name], names: [name], ...siblings, ...(slug === '' ? {} : { slugs: [slug] }) }
  const existing = await firstTerm(storage, same)
  if (!existing) return
  throw new ApiError(type.extension?.existsCode ?? 'term_exists', 'There is a term with this name already.', 400, {
    term_id: existing.id,
  })
}

interface SlugSource {
  readonly name: string
  readonly parent: number
  readonly slug: string | undefined
}

/** Interface: a slug that another term has is an error on a change, unless it is made from the name. */
async function slugFrom(type: TermType, storage: Storage, before: Term, source: SlugSource): Promise<string> {
  const isRenamed = source.name !== before.name && type.extension?.slugFollowsName === true
  if (source.slug === undefined && !isRenamed) return before.slug
  const requested = toSlug(source.slug ?? '')
  const { name, parent } = source
  if (requested === '') {
    const base = toSlug(name) || 'term'
    return uniqueTermSlug(storage, { taxonomy: type.name, base, parent, own: before.id })
  }
  const holder = await firstTerm(storage, { taxonomies: [type.name], slugs: [requested] })
  if (holder && holder.id !== before.id) {
    throw new ApiError('duplicate_term_slug', 'Another term has this slug.', 400)
  }
  return requested
}

// The cast: the keys of a constant are its names. A term never moves to another taxonomy.
export const writtenFields = Object.keys(termFields).filter((name) => name !== 'taxonomy') as WrittenField[]
type WrittenField = Exclude<keyof TermValues, 'taxonomy'>

/** Returns the values that are given: a field without a rule below is stored as it is. */
const storedIn = (input: TermInput): Partial<TermValues> =>
  picked(
    input,
    writtenFields.filter((name) => input[name] !== undefined),
  )

function changesBetween(before: Term, after: Term): Partial<TermValues> {
  return Object.fromEntries(
    writtenFields.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  )
}

async function writeMeta(storage: Storage, id: number, meta: TermInput['meta'] = {}): Promise<void> {
  await storage.meta.write(
    'term',
    Object.entries(meta).map(([key, value]) => ({ id, key, value })),
  )
}

// ---------------------------------------------------------------- records of a removed term

const windowSize = 500

async function moveToDefault(
  type: TermType,
  { storage, app }: HookContext,
  term: number,
  fallback: number,
): Promise<void> {
  const query = {
    types: typesWithTaxonomy(publicTypesOf(app), type.name),
    terms: { terms: [term], has: 'any' },
    order: { by: 'id', descending: false },
  } as const
  // Records with other terms keep this one until it is removed, so they are skipped in the next window.
  for (let skipped = 0; ; ) {
    const { idsPage } = await storage.posts.query({ ...query, offset: skipped, limit: windowSize })
    if (idsPage.length === 0) return
    const assigned = await storage.terms.of(idsPage.map(({ id }) => id))
    const others = assigned.filter((entry) => entry.taxonomy === type.name && entry.term !== term)
    const kept = new Set(others.map(({ post }) => post))
    const moved = idsPage.filter(({ id }) => !kept.has(id))
    await storage.terms.assign(moved.map(({ id }) => ({ post: id, taxonomy: type.name, terms: [fallback] })))
    skipped += idsPage.length - moved.length
  }
}
