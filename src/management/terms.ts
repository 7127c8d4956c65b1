/** `api.site.terms`: categories, tags and the terms of other taxonomies. */
import { suffixedSlug, toSlug } from '../site/slug.ts'
import type { Json, Storage, Term, TermQuery } from '../storage/contract.ts'
import { inOneTransaction, type ManagementContext } from './context.ts'

/** What it tells listeners. */
export interface SiteTermsEvents {
  'term.created': { readonly id: number }
  'term.updated': { readonly id: number }
  'term.removed': { readonly id: number }
}

declare module '../core/declare/events.ts' {
  interface EventPayloads extends SiteTermsEvents {}
}

export interface TermValues {
  readonly name?: string
  /** Default: made from the name, with a number behind it when it is taken. */
  readonly slug?: string
  readonly description?: string
  /** A term of the same taxonomy; 0: none. */
  readonly parent?: number
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

export interface SiteTerms {
  /** `taxonomy` is `category`, `post_tag` or one of your own. Rejects with a StorageConflict when the slug is taken. */
  create(values: TermValues & { readonly taxonomy: string; readonly name: string }): Promise<Term>
  /** Rejects when there is no such term. */
  update(id: number, changes: TermValues): Promise<Term>
  /** Takes the term away from all posts; its children move up. Answers false when there was none. */
  remove(id: number): Promise<boolean>
  find(by: { readonly id: number } | { readonly taxonomy: string; readonly slug: string }): Promise<Term | undefined>
}

export function createTerms({ storage, ready, emit }: ManagementContext): SiteTerms {
  const existing = async (inside: Storage, id: number): Promise<Term> => {
    const term = await firstTerm(inside, { ids: [id] })
    if (!term) throw new TypeError(`there is no term ${id}`)
    return term
  }

  return {
    async create({ meta = {}, taxonomy, name, slug, description = '', parent = 0 }) {
      await ready()
      const term = await inOneTransaction(storage, async (inside) => {
        if (parent !== 0) await checkParent(inside, taxonomy, parent)
        const free = slug ?? (await freeSlug(inside, taxonomy, toSlug(name) || 'term'))
        const [id = 0] = await inside.terms.insert([{ taxonomy, slug: free, name, description, parent }])
        await inside.meta.write('term', metaEntries(id, meta))
        return existing(inside, id)
      })
      emit([{ name: 'term.created', payload: { id: term.id } }])
      return term
    },

    async update(id, { meta = {}, ...changes }) {
      await ready()
      const term = await inOneTransaction(storage, async (inside) => {
        const before = await existing(inside, id)
        if (changes.parent) await checkParent(inside, before.taxonomy, changes.parent, id)
        await inside.terms.update([{ id, changes }])
        await inside.meta.write('term', metaEntries(id, meta))
        return existing(inside, id)
      })
      emit([{ name: 'term.updated', payload: { id } }])
      return term
    },

    async remove(id) {
      await ready()
      if (!(await firstTerm(storage, { ids: [id] }))) return false
      await storage.terms.remove([id])
      emit([{ name: 'term.removed', payload: { id } }])
      return true
    },

    async find(by) {
      await ready()
      return firstTerm(storage, 'id' in by ? { ids: [by.id] } : { taxonomies: [by.taxonomy], slugs: [by.slug] })
    },
  }
}

async function firstTerm(storage: Storage, query: Partial<TermQuery>): Promise<Term | undefined> {
  const { rows } = await storage.terms.query({ order: { by: 'id', descending: false }, offset: 0, limit: 1, ...query })
  return rows[0]
}

/** A term below itself would hang every reader of the tree. */
async function checkParent(storage: Storage, taxonomy: string, parent: number, child?: number): Promise<void> {
  const found = await firstTerm(storage, { ids: [parent], taxonomies: [taxonomy] })
  if (!found) throw new TypeError(`${taxonomy} has no term ${parent}`)
  if (child === undefined) return
  if (parent === child || (await storage.terms.below([child])).includes(parent)) {
    throw new TypeError(`the term ${child} can not lie below itself`)
  }
}

async function freeSlug(storage: Storage, taxonomy: string, base: string): Promise<string> {
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : suffixedSlug(base, n)
    if (!(await firstTerm(storage, { taxonomies: [taxonomy], slugs: [slug] }))) return slug
  }
}

const metaEntries = (id: number, meta: { readonly [key: string]: Json }) =>
  Object.entries(meta).map(([key, value]) => ({ id, key, value }))
