/** Terms for other features: a taxonomy with what its routes share, finding a term, and what a user may do with terms. */

import type { MaybePromise, Storage, Term, TermQuery } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Arg, Args, ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import type { FeatureOption } from '../../../site/settings.ts'
import { taxonomiesOf } from '../../shared/declared-types.ts'
import { onceForEach, ownFieldsOf } from '../../shared/own-fields.ts'
import { createFields, type MetaFields } from '../../shared/post-meta.ts'
import type { ContentTaxonomy } from '../content-types/model.ts'

/** The option has a new value after each change of a term: cached views of posts show names and slugs of their terms. */
export const termsChanged: FeatureOption = { name: 'terms_changed', inSettings: 'shown' }

export async function markTermsChanged(storage: Storage): Promise<void> {
  await storage.options.write({ [termsChanged.name]: randomId().slice(0, 8) })
}

/** Events for the host's listeners. */
export interface TermsEvents {
  'term.created': { readonly id: number }
  'term.updated': { readonly id: number }
  'term.removed': { readonly id: number }
}

/** Has the members of a taxonomy's terms besides those of all terms: the places of a menu. */
export interface TermExtension<A extends Args = Args> {
  /** Arguments of the routes that write. */
  readonly args: A
  /** Members of the responses, outside of the embed context. */
  readonly members: { readonly [name: string]: Arg }
  /** Their values, in the order of the terms; the number of reads must not grow with them. */
  readonly read: (
    context: Context,
    terms: readonly Term[],
  ) => MaybePromise<readonly { readonly [name: string]: unknown }[]>
  /** A link relation besides those of all terms, in every context; its targets are embeddable. */
  readonly links?: {
    readonly relation: string
    /** In the order of the terms: the paths behind it, below the namespace. A term without any has no such link. */
    readonly read: (
      context: Pick<Context, 'storage'>,
      terms: readonly Term[],
    ) => MaybePromise<readonly (readonly string[])[]>
  }
  /** Members of all terms that these do not show. */
  readonly hides?: readonly ('count' | 'link' | 'taxonomy')[]
  /** The code of the error for a name that exists. Default: `term_exists`. */
  readonly existsCode?: string
  /** Whether a new name makes a new slug. */
  readonly slugFollowsName?: boolean
  /** Runs before the term is removed, in the same transaction. */
  readonly remove?: (context: Context<unknown, unknown>, term: Term) => MaybePromise<void>
  /** Runs after the term is written, in the same transaction; an error undoes both. */
  readonly write?: (context: Context<ArgValues<A>>, term: Term) => MaybePromise<void>
}

/** A taxonomy with what its routes share. */
export interface TermType extends ContentTaxonomy {
  readonly meta: MetaFields
  /** `/cms/v2/categories`. */
  readonly route: string
  readonly extension?: TermExtension
}

/** `own` are the fields that `metaFields` adds. */
export const termTypeOf = (taxonomy: ContentTaxonomy, own: Args = {}): TermType => ({
  ...taxonomy,
  meta: createFields({ ...taxonomy.fields, ...own }, `Meta of a ${taxonomy.label.toLowerCase()}`, { kind: 'term' }),
  route: `/cms/v2/${taxonomy.restBase}`,
})

/** The taxonomy of this name; one that the profile does not declare has terms with parents, and no routes. */
export function termTypeNamed(app: Pick<AppContext, 'contributions'>, name: string): TermType {
  const known = typesIn(app.contributions).get(name)
  if (known) return known
  const own = ownFieldsOf(app.contributions, 'term')
  return termTypeOf({ ...undeclared, name, label: name, pluralLabel: name, restBase: name }, own)
}

const typesIn = onceForEach((contributions) => {
  const own = ownFieldsOf(contributions, 'term')
  return new Map(taxonomiesOf({ contributions }).map((taxonomy) => [taxonomy.name, termTypeOf(taxonomy, own)]))
})

const undeclared = {
  isHierarchical: true,
  capabilityWord: 'categories',
  granted: {
    manage_terms: 'manage_categories',
    edit_terms: 'manage_categories',
    delete_terms: 'manage_categories',
    assign_terms: 'edit_posts',
  },
  isViewable: false,
}

/** Interface: who may assign tags may also create them. */
export const mayCreateTerms = (user: Actor, taxonomy: Pick<ContentTaxonomy, 'isHierarchical' | 'granted'>): boolean =>
  user.can(createCapability(taxonomy))

export const createCapability = ({ isHierarchical, granted }: Pick<ContentTaxonomy, 'isHierarchical' | 'granted'>) =>
  isHierarchical ? granted.edit_terms : granted.assign_terms

/** The resource of the routes of one term. Throws 404 for an id that names no term of this taxonomy. */
export const findTerm =
  ({ name }: ContentTaxonomy) =>
  async ({ args, storage }: Pick<Context<{ readonly id?: number }>, 'args' | 'storage'>): Promise<Term> => {
    const term = await firstTerm(storage, { ids: [args.id ?? 0], taxonomies: [name] })
    if (!term) throw new ApiError('rest_term_invalid', 'There is no such term.', 404)
    return term
  }

export async function firstTerm(storage: Storage, query: Partial<TermQuery>): Promise<Term | undefined> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ order, offset: 0, limit: 1, ...query })
  return rows[0]
}
