/** `api.site.terms`: categories, tags and the terms of other taxonomies. */

import { toSlug } from '../site/slug.ts'
import type { Json, Storage, Term, TermQuery } from '../storage/contract.ts'
import { inOneTransaction, type ManagementContext, metaEntries } from './context.ts'
import { unusedSlug } from './unused-slug.ts'

export interface SiteTermsEvents {
  'term.created': { readonly id: number }
  'term.updated': { readonly id: number }
  'term.removed': { readonly id: number }
}

interface TermValues {
  readonly name?: string
  /** Default: derived from the name, with a numeric suffix if that slug is taken. */
  readonly slug?: string
  readonly description?: string
  /** A term of the same taxonomy; 0: none. */
  readonly parent?: number
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

export interface SiteTerms {
  /** `taxonomy` is `category`, `post_tag` or a custom one. Rejects with a StorageConflict if the slug is taken. */
  create(values: TermValues & { readonly taxonomy: string; readonly name: string }): Promise<Term>
  /** Rejects if there is no such term. */
  update(id: number, changes: TermValues): Promise<Term>
  /** Removes the term from all posts; its children move up one level. Returns false if there was none. */
  remove(id: number): Promise<boolean>
  find(by: { readonly id: number } | { readonly taxonomy: string; readonly slug: string }): Promise<Term | undefined>
}

export function createTerms({ storage, ready, emit }: ManagementContext): SiteTerms {
  const existing = async (transaction: Storage, id: number): Promise<Term> => {
    const term = await firstTerm(transaction, { ids: [id] })
    if (!term) throw new TypeError(`there is no term ${id}`)
    return term
  }

  return {
    async create({ meta = {}, taxonomy, name, slug, description = '', parent = 0 }) {
      await ready()
      const term = await inOneTransaction(storage, async (transaction) => {
        if (parent !== 0) await checkParent(transaction, taxonomy, parent)
        const termSlug = slug ?? (await unusedTermSlug(transaction, taxonomy, toSlug(name) || 'term'))
        const [id = 0] = await transaction.terms.insert([{ taxonomy, slug: termSlug, name, description, parent }])
        await transaction.meta.write('term', metaEntries(id, meta))
        return existing(transaction, id)
      })
      emit([{ name: 'term.created', payload: { id: term.id } }])
      return term
    },

    async update(id, { meta = {}, ...changes }) {
      await ready()
      const term = await inOneTransaction(storage, async (transaction) => {
        const before = await existing(transaction, id)
        if (changes.parent) await checkParent(transaction, before.taxonomy, changes.parent, id)
        await transaction.terms.update([{ id, changes }])
        await transaction.meta.write('term', metaEntries(id, meta))
        return existing(transaction, id)
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

/** Throws for a parent of another taxonomy, and for a cycle, which would hang readers of the tree. */
async function checkParent(storage: Storage, taxonomy: string, parent: number, child?: number): Promise<void> {
  if (!(await firstTerm(storage, { ids: [parent], taxonomies: [taxonomy] })))
    throw new TypeError(`${taxonomy} has no term ${parent}`)
  if (child === undefined) return
  if (parent === child || (await storage.terms.below([child])).includes(parent)) {
    throw new TypeError(`the term ${child} can not lie below itself`)
  }
}

const unusedTermSlug = (storage: Storage, taxonomy: string, base: string): Promise<string> =>
  unusedSlug(base, async (slug) => Boolean(await firstTerm(storage, { taxonomies: [taxonomy], slugs: [slug] })))
