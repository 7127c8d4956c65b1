/** Fields of the host on the records that every site has: a declaration that the routes of these records read. */
import { nameAdvice } from '../../contract/nearest-name.ts'
import type { Args } from '../../core/declare/args.ts'
import type { DeclaredEndpoint } from '../../core/declare/endpoint.ts'
import { type DeclaredFeature, type Feature, feature } from '../../core/declare/feature.ts'
import { commentsCollection } from '../../site/comments/comment.ts'
import { fieldProblems } from '../shared/declarations/field-problems.ts'
import { type FieldKind, fieldKinds, type OwnFields } from '../shared/own-fields.ts'

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
export function metaFields<const D extends OwnFields>(fields: D & OwnFields): MetaFieldsFeature<D> {
  const alone = declaredProblems(fields)
  const problems = (others: readonly Feature[]) => (alone.length > 0 ? alone : problemsBeside(fields, others))
  const { post, page, media, term = {}, user = {}, comment = {} } = (alone.length > 0 ? {} : fields) as OwnFields
  const posts = Object.entries({ post, page, attachment: media }).filter(([, own]) => own !== undefined)
  return feature<'cms/v2', readonly DeclaredEndpoint<'', never>[]>('meta-fields', 'cms/v2', [], {
    problems,
    contributes: { metaFields: [fields] },
    // The cast: those that are declared.
    persisted: {
      fields: {
        posts: Object.fromEntries(posts) as { [type: string]: Args },
        everyTerm: term,
        users: user,
        records: { [commentsCollection.name]: comment },
      },
    },
  })
}

// ---------------------------------------------------------------- mistakes

const ruledAs = (kind: FieldKind) => (kind === 'page' ? 'post' : kind)

function declaredProblems(fields: unknown): string[] {
  if (typeof fields !== 'object' || fields === null)
    return ['metaFields takes an object, such as { post: { subtitle: args.str() } }.']
  return Object.entries(fields).flatMap(([kind, own]) =>
    fieldKinds.some((one) => one === kind)
      ? // The cast: it is one of them.
        fieldProblems(own, { owner: `metaFields, ${kind}`, kind: ruledAs(kind as FieldKind) })
      : [`metaFields: there are no fields of ${kind}: ${nameAdvice(kind, fieldKinds, 'the records')}`],
  )
}

const routes: { readonly [K in Exclude<FieldKind, 'term'>]: string } = {
  ...{ post: '/posts', page: '/pages', media: '/media', user: '/users', comment: '/comments' },
}

/** Fields of records that the profile does not have, and those of two declarations. */
function problemsBeside(fields: OwnFields, others: readonly Feature[]): string[] {
  const declared = others.flatMap(({ contributes }) => contributes?.metaFields ?? [])
  return fieldKinds.flatMap((kind) => {
    const own = Object.keys(fields[kind] ?? {})
    if (own.length === 0) return []
    const isThere = kind === 'term' ? hasTaxonomy(others) : hasRoutes(others, routes[kind])
    if (!isThere) return [`metaFields: the profile has no routes of the records ${kind}, which would show the fields.`]
    const twice = own.filter((key) => declared.some((one) => Object.hasOwn(one[kind] ?? {}, key)))
    return twice.map((key) => `metaFields: the field ${key} of ${kind} is declared twice.`)
  })
}

const hasTaxonomy = (others: readonly Feature[]) => others.some(({ persisted }) => persisted?.taxonomies?.length)

const hasRoutes = (others: readonly Feature[], base: string) =>
  others.some(({ endpoints = [] }) => endpoints.some(({ path }) => path === base || path.startsWith(`${base}/`)))
