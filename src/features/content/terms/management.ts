/** Manages terms of any taxonomy, with the rules of their routes and without permissions: `api.site.terms`. */

import type { Json, Term, TermValues } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { firstTerm, type TermType, termTypeNamed } from './model.ts'
import { createTerm, removeTerm, updateTerm } from './write.ts'

interface SiteTermValues extends Partial<Omit<TermValues, 'taxonomy'>> {
  /** Default: derived from the name. */
  readonly slug?: string
  /** A term of the same taxonomy; 0: none. */
  readonly parent?: number
  /** Any keys, those of no declared field too. Values of fields are stored in their declared type. A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

/** The terms of a site, as `api.site.terms`. No permission is checked. */
export interface SiteTerms {
  /**
   * `taxonomy` is `category`, `post_tag` or a custom one. Rejects with an ApiError as the routes respond: `term_exists`,
   * `empty_term_name`, `rest_term_invalid` for an unknown parent, `rest_invalid_type` for a field of another type. A slug that is taken
   * gets a number.
   */
  create(values: SiteTermValues & { readonly taxonomy: string; readonly name: string }): Promise<Term>
  /** Rejects if there is no such term, and with the code `duplicate_term_slug` if another term has the slug. */
  update(id: number, changes: SiteTermValues): Promise<Term>
  /**
   * Removes the term from all posts; its children move up one level, and posts left without a category get the default one.
   * Returns false if there was none.
   */
  remove(id: number): Promise<boolean>
  find(by: { readonly id: number } | { readonly taxonomy: string; readonly slug: string }): Promise<Term | undefined>
}

export function createSiteTerms(options: ExtensionOptions): SiteTerms {
  const { storage, app, ready } = options
  const write = <T>(work: (context: HookContext) => Promise<T>) => writeInside(options, work)
  const typed = <V extends SiteTermValues>(type: TermType, { meta, ...values }: V) =>
    meta === undefined ? values : { ...values, meta: type.meta.typed(meta, app.names) }
  return {
    create: ({ taxonomy, ...values }) =>
      write((context) => {
        const type = termTypeNamed(app, taxonomy)
        return createTerm(type, context, typed(type, values))
      }),
    update: (id, changes) =>
      write(async (context) => {
        const before = await firstTerm(context.storage, { ids: [id] })
        if (!before) throw new TypeError(`there is no term ${id}`)
        const type = termTypeNamed(app, before.taxonomy)
        return updateTerm(type, context, before, typed(type, changes))
      }),
    remove: (id) =>
      write(async (context) => {
        const term = await firstTerm(context.storage, { ids: [id] })
        if (term) await removeTerm(termTypeNamed(app, term.taxonomy), context, term)
        return term !== undefined
      }),
    async find(by) {
      await ready()
      return firstTerm(storage, 'id' in by ? { ids: [by.id] } : { taxonomies: [by.taxonomy], slugs: [by.slug] })
    },
  }
}
