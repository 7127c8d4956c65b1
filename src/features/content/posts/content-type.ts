/**
 * Routes from a declaration: the records of a content type, their revisions and autosaves. Posts, pages and blocks are such
 * types, and hosts declare their own.
 */
import type { Args } from '../../../core/declare/args.ts'
import { EDITABLE, endpointBelow, type LiteralPath } from '../../../core/declare/endpoint.ts'
import { type Feature, type FeatureParts, feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { typeProblems, typeProblemsBeside } from '../../shared/declarations/type-problems.ts'
import { kindOfType, withOwnFields } from '../../shared/own-fields.ts'
import type { MetaMembers, NoFields } from '../../shared/post-meta.ts'
import type { ContentTaxonomy, FieldsOf, PublicType, PublishedType, Support } from '../content-types/model.ts'
import { postType } from '../content-types/model.ts'
import { revisionSchemasOf } from '../revisions/view.ts'
import { postTermsEmbedder } from '../terms/view.ts'
import { deleteArgs, idArg, listArgsOf, readArgs, writeArgsOf } from './args.ts'
import { autosaveEndpoints } from './autosaves.ts'
import { recordEmbedder } from './embeds.ts'
import { readTag, writeTag } from './entity-tag.ts'
import { type FoundPost, mayDelete, mayRead, type RecordType, recordTypeOf } from './model.ts'
import type { WriteContext } from './prepare-post.ts'
import type { ListArgs, ListContext } from './query.ts'
import { findRecord } from './related-rows.ts'
import { type BesideMeta, recordSchemasOf } from './response-schema.ts'
import { createdResponse, deletedResponse, listPosts, readResponse, writtenResponse } from './responses.ts'
import { revisionEndpoints } from './revisions.ts'
import { mayCreate, mayUpdate, trashWithUser, updatePost } from './write.ts'

const mayListAny = ({ isViewable, published: { hasPublicTotals = isViewable } }: RecordType) => hasPublicTotals

export const mayList = (type: RecordType) =>
  permission<ListArgs, unknown>(
    mayListAny(type)
      ? `anyone; in the edit context edit_posts${type.isViewable ? '' : '. Totals only for others than readers'}`
      : 'edit_posts',
    ({ args, user }) => {
      const actor = type.actor(user)
      if (args.context === 'edit' && !actor.can('edit_posts')) {
        return forbidden(user, 'rest_forbidden_context', 'You may not edit content of this type.')
      }
      return mayListAny(type) || actor.can('read')
        ? undefined
        : forbidden(user, 'rest_cannot_read', 'You may not read content of this type.')
    },
  )

/** A declared type keeps the literal types of its parts, for the types of clients. */
type Declared<
  B extends string,
  S extends Support,
  H extends boolean,
  T extends string,
  F extends Args,
  K extends string,
> = PublicType & {
  readonly published: {
    readonly restBase: B
    readonly supports: readonly S[]
    readonly isHierarchical: H
    readonly taxonomies: readonly (ContentTaxonomy & { readonly restBase: T })[]
    readonly fields?: F
    readonly fieldsBesideMeta?: readonly K[]
  }
}

/** The endpoints of a type, by what they serve. */
export function partsOf<
  const B extends string,
  const S extends Support,
  const H extends boolean,
  const T extends string = never,
  const F extends Args = NoFields,
  const K extends string = never,
>(declared: Declared<B, S, H, T, F, K>, own: Args = {}, kind?: 'contentType') {
  const type = recordTypeOf(declared, own, kind)
  const base = declared.published.restBase
  const writeArgs = writeArgsOf<S, H, T, FieldsOf<S, F>>(declared, type.meta)
  const schemas = recordSchemasOf<S, H, T, MetaMembers<Omit<FieldsOf<S, F>, K>>, BesideMeta<F, K>>(type)
  const revisionSchemas = revisionSchemasOf<MetaMembers<FieldsOf<S, F>>>(type)
  const resource = findRecord(type)
  const word = type.label.toLowerCase()
  const records = [
    endpointBelow({
      path: `/${base}`,
      methods: ['GET'],
      cacheable: true,
      batch: true,
      summary: `List ${type.pluralLabel.toLowerCase()}`,
      paged: true,
      args: listArgsOf<S, H, T>(declared),
      permission: mayList(type) as never,
      responses: { 200: schemas.records },
      // The casts here and below: arguments that a type does not have are never sent.
      handler: (context) => listPosts(type, context as unknown as ListContext),
    }),
    endpointBelow({
      path: `/${base}`,
      methods: ['POST'],
      batch: true,
      summary: `Create a ${word}`,
      args: writeArgs,
      permission: mayCreate(type) as never,
      responses: { 201: schemas.record },
      isIndependent: true,
      handler: (context) => createdResponse(type, context as unknown as WriteContext),
    }),
    endpointBelow({
      path: `/${base}/${digits('id')}`,
      methods: ['GET'],
      cacheable: true,
      batch: true,
      summary: `Read a ${word}`,
      args: readArgs,
      resource,
      permission: mayRead(type),
      etag: (context) => readTag(type, context),
      responses: { 200: schemas.record },
      handler: (context) => readResponse(type, context),
    }),
    endpointBelow({
      path: `/${base}/${digits('id')}`,
      methods: EDITABLE,
      batch: true,
      summary: `Change a ${word}`,
      args: { ...idArg, ...writeArgs },
      resource: resource as never,
      permission: mayUpdate(type) as never,
      etag: (context) => writeTag(type, { ...context, resource: context.resource as unknown as FoundPost }),
      merges: { partial: ['meta'], keepsAbsent: true },
      responses: { 200: schemas.record },
      handler: async (context) => {
        const write = context as unknown as WriteContext
        return writtenResponse(type, write, await updatePost(type, write))
      },
    }),
    endpointBelow({
      path: `/${base}/${digits('id')}`,
      methods: ['DELETE'],
      batch: true,
      summary: `Move a ${word} to the trash, or remove it`,
      args: deleteArgs,
      resource,
      permission: mayDelete(type),
      etag: (context) => writeTag(type, context),
      responses: { 200: schemas.deleted },
      handler: (context) => deletedResponse(type, context),
    }),
  ] as const
  return {
    type,
    records,
    revisions: revisionEndpoints(type, base, revisionSchemas),
    autosaves: autosaveEndpoints(type, base, { writeArgs, schemas: revisionSchemas }),
  }
}

/** The entries that a type adds to the lists of types and taxonomies. */
export const contributionsOf = (type: PublicType) => ({
  contentTypes: [type],
  taxonomies: type.published.taxonomies,
})

interface TypeParts extends FeatureParts {
  /** Declared by the host, who may give it more fields. */
  readonly kind?: 'contentType'
}

/** The feature of a declared type has the routes of its records, revisions and autosaves. */
export function contentTypeFeature<
  const B extends string,
  const S extends Support,
  const H extends boolean,
  const T extends string = never,
  const F extends Args = NoFields,
  const K extends string = never,
>(declared: Declared<B, S, H, T, F, K>, { persisted = {}, kind, ...parts }: TypeParts = {}) {
  const endpointsWith = (own: Args) => {
    const { type, records, revisions, autosaves } = partsOf(declared, own, kind)
    const endpoints = [
      ...records,
      ...(type.supports('revisions') ? revisions : []),
      ...(type.supports('autosave') ? autosaves : []),
    ] as const
    return { type, endpoints }
  }
  const first = endpointsWith({})
  const { type, endpoints } = first
  const partsIn = withOwnFields(kindOfType(type.name), first, endpointsWith)
  return feature(declared.published.restBase, 'cms/v2', endpoints, {
    isHistorical: true,
    ...parts,
    completed: (read) => partsIn(read).endpoints,
    hooks: { ...trashWithUser(type), ...parts.hooks },
    embedders: [
      recordEmbedder(type),
      ...declared.published.taxonomies.map(postTermsEmbedder),
      ...(parts.embedders ?? []),
    ],
    persisted: {
      ...persisted,
      postTypes: [...(persisted.postTypes ?? []), type.name],
      fields: { posts: { [type.name]: declared.published.fields ?? {} } },
    },
    contributes: { ...contributionsOf(type), ...parts.contributes },
  })
}

/** The declaration of a host's type. */
export interface ContentTypeOptions<
  B extends string = string,
  S extends Support = Support,
  H extends boolean = boolean,
  T extends string = string,
  F extends Args = Args,
> extends Pick<PublishedType, 'isViewable' | 'isSearchable' | 'inMenus' | 'templates' | 'mayBeEmpty' | 'capabilities'> {
  /** The name in the storage: `recipe`. */
  readonly name: string
  /** Its words, `{ singular: 'Recipe', plural: 'Recipes' }`, and labels that do not follow from them. */
  readonly labels: { readonly singular: string; readonly plural: string; readonly [name: string]: string }
  /** The last part of its route, which is the plural in its addresses: `recipes`. */
  readonly restBase: B
  /** The members of a record, as docs/add-a-content-type.md lists them. */
  readonly supports: readonly S[]
  /** Whether records have parents. Default: false. */
  readonly isHierarchical?: H
  /** The taxonomies whose terms records have. Default: none. */
  readonly taxonomies?: readonly (ContentTaxonomy & { readonly restBase: T })[]
  /** Fields that are stored as meta. Default: none. */
  readonly fields?: F
  /** The word in its capabilities. Default: `posts`, so that whoever writes posts writes it. */
  readonly capabilityWord?: string
}

type OwnType<B extends string, S extends Support, H extends boolean, T extends string, F extends Args> = ReturnType<
  typeof contentTypeFeature<B, S, H, T, F>
>

/**
 * Declares a content type of a host: a feature with its routes, revisions and autosaves, for the list of features of a
 * profile.
 *
 * ```ts
 * const recipes = contentType({
 *   name: 'recipe',
 *   labels: { singular: 'Recipe', plural: 'Recipes' },
 *   restBase: 'recipes',
 *   supports: ['title', 'editor', 'author', 'revisions'],
 *   fields: { servings: args.int({ default: 4 }) },
 * })
 * export const kitchen = profile({ ...content, name: 'kitchen', features: [...content.features, recipes] })
 * ```
 */
export function contentType<
  const B extends string,
  const S extends Support,
  const H extends boolean = false,
  const T extends string = never,
  const F extends Args = NoFields,
>(options: ContentTypeOptions<B, S, H, T, F> & { readonly restBase: LiteralPath<B> }) {
  const alone = typeProblems(options)
  const problems = (others: readonly Feature[]) => [...alone, ...typeProblemsBeside(options, others)]
  // The cast: `createSiteApi` refuses the feature before anybody uses its endpoints.
  if (alone.length > 0) return feature('content-type', 'cms/v2', [], { problems }) as unknown as OwnType<B, S, H, T, F>
  const { name, labels, restBase, capabilityWord = 'posts', isHierarchical, taxonomies = [], ...published } = options
  const { singular, plural, ...otherLabels } = labels
  const declared = {
    ...{ name, label: singular, pluralLabel: plural, capabilityWord },
    published: {
      ...published,
      restBase,
      // The cast: absent means false, which is the default of `H`.
      isHierarchical: (isHierarchical ?? false) as H,
      taxonomies,
      labels: otherLabels,
    },
  }
  return contentTypeFeature<B, S, H, T, F>(declared, { kind: 'contentType', problems })
}

// The parts that types with special handlers share with the others, such as media and menu items.
export { listArgsOf, textArg, writeArgsOf } from './args.ts'
export { autosaveEndpoints, readAutosaves, saveAutosave } from './autosaves.ts'
export { writeTag } from './entity-tag.ts'
export { classList, postLinks } from './links.ts'
export { authorFor, newState, preparedValues, stateOf, type WriteContext } from './prepare-post.ts'
export { type ListContext, toPostQuery } from './query.ts'
export { listMatching } from './responses.ts'
export { createPost, mayCreate, mayUpdate, removePost, trashPost, updatePost } from './write.ts'

/** Posts: a type like any other, whose routes are three features. */
export const postParts = partsOf(postType)

/** The same with the fields of the host. */
export const postPartsIn = withOwnFields('post', postParts, (own) => partsOf(postType, own))
