/** Fields of the host on the records that every site has: a declaration that the routes of these records read. */
import type { Args } from '../../core/declare/args.ts'
import type { DeclaredEndpoint } from '../../core/declare/endpoint.ts'
import { type DeclaredFeature, feature } from '../../core/declare/feature.ts'
import type { OwnFields } from '../shared/own-fields.ts'

/**
 * The feature of `metaFields`; the client reads the types of the fields from it. It has no endpoints: the type of one keeps the compiler from
 * merging it with a feature that has some.
 */
export interface MetaFieldsFeature<D extends OwnFields = OwnFields>
  extends DeclaredFeature<'cms/v2', DeclaredEndpoint<'', never>> {
  /** Type carrier; absent at run time. */
  readonly '~fields'?: ((declared: D) => D) | undefined
}

/**
 * Declares fields of your own for posts, pages, media, terms, users and comments: a feature for the list of features of a profile. Their
 * values are members of `meta` of each record, in the declared type, whatever way they come.
 *
 * ```ts
 * import { args, full, metaFields, profile } from 'site-api'
 *
 * const fields = metaFields({
 *   post: { subtitle: args.str({ description: 'Shown below the title.' }), reading_minutes: args.int() },
 *   user: { town: args.str({ context: ['edit'] }) },
 * })
 * export const magazine = profile({ ...full, name: 'magazine', features: [...full.features, fields] })
 * ```
 */
export function metaFields<const D extends OwnFields>(fields: D): MetaFieldsFeature<D> {
  const { post, page, media, term = {}, user = {} } = fields as { readonly [K in keyof OwnFields]: Args }
  const posts = Object.entries({ post, page, attachment: media }).filter(([, own]) => own !== undefined)
  return feature<'cms/v2', readonly DeclaredEndpoint<'', never>[]>('meta-fields', 'cms/v2', [], {
    contributes: { metaFields: [fields] },
    // The cast: those that are declared.
    persisted: {
      fields: { posts: Object.fromEntries(posts) as { [type: string]: Args }, everyTerm: term, users: user },
    },
  })
}
