/**
 * Routes from a declaration: the terms of a taxonomy. Categories, tags and the categories of blocks are such taxonomies, and
 * hosts declare their own.
 */

import { valuesIn } from '../../../contract/fields/stored-field.ts'
import { termFields } from '../../../contract/fields/terms.ts'
import type { Term } from '../../../contract/storage.ts'
import type { Arg, Args, ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpointBelow, type LiteralPath } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { type Feature, type FeatureParts, feature } from '../../../core/declare/feature.ts'
import { pageAtOffset, pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { result } from '../../../core/declare/result.ts'
import { recordTag, tagText } from '../../../core/pipeline/etag.ts'
import { taxonomyProblems, taxonomyProblemsBeside } from '../../shared/declarations/type-problems.ts'
import { withOwnFields } from '../../shared/own-fields.ts'
import { type ContentTaxonomy, editorsManage } from '../content-types/model.ts'
import { deleteTermArgs, readTermArgs, termCreateArgs, termIdArg, termListArgs, termUpdateArgs } from './args.ts'
import { findTerm, type TermExtension, type TermType, termsChanged, termTypeOf } from './model.ts'
import { mayCreateTerm, mayDeleteTerm, mayListTerms, mayReadTerm, mayUpdateTerm } from './permissions.ts'
import { listTerms, type TermListValues } from './query.ts'
import { termEmbedder, termSchemasOf, termViews } from './view.ts'
import { createTerm, notHierarchical, removeTerm, type TermInput, updateTerm, writtenFields } from './write.ts'

/** A declared taxonomy keeps the literal types of its parts, for the types of clients. */
type Declared<B extends string, H extends boolean> = ContentTaxonomy<B> & { readonly isHierarchical: H }

type NoArgs = { readonly [name in never]: Arg }

/** The values that the writing routes have read of the request. */
interface SentTerm extends Omit<TermInput, 'meta'> {
  readonly meta?: unknown
}

function inputFrom(type: TermType, context: Context<SentTerm, unknown>): TermInput {
  const { parent, meta } = context.args
  if (!type.isHierarchical && parent !== undefined) throw notHierarchical()
  return { ...valuesIn(termFields, writtenFields, context.args), meta: type.meta.changes(meta, context) }
}

const viewOf = async (type: TermType, context: object, term: Term, viewContext: 'view' | 'embed' | 'edit') => {
  const [view] = await termViews(type, context as Context, [term], viewContext)
  return view
}

/** The members that a write can change: counts are not part of it. Meta holds the places of a menu too. */
const termTag =
  ({ meta }: TermType) =>
  async ({ storage, user, resource }: Pick<Context<unknown, Term>, 'storage' | 'user' | 'resource'>) => {
    const { count: _, ...row } = resource
    const stored = await storage.meta.read('term', [row.id])
    return recordTag(
      row,
      stored.filter(({ key }) => meta.mayRead(key, user)),
    )
  }

async function writtenResult(
  type: TermType,
  context: Pick<Context, 'storage' | 'user'>,
  term: Term,
  { status = 200, headers = {} } = {},
) {
  const tag = tagText(await termTag(type)({ ...context, resource: term }))
  return result(await viewOf(type, context, term, 'edit'), { status, headers: { ...headers, ETag: tag } })
}

interface TaxonomyParts<A extends Args> extends FeatureParts {
  readonly extension?: TermExtension<A>
}

/** The feature of a declared taxonomy has the routes of its terms. */
export function taxonomyFeature<
  const B extends string,
  const H extends boolean,
  A extends Args = NoArgs,
  F extends Args = NoArgs,
>(
  declared: Declared<B, H>,
  { embedders = [], contributes = {}, persisted = {}, extension, ...parts }: TaxonomyParts<A> = {},
) {
  const endpointsWith = (own: Args) => termEndpoints<B, H, A, F>(declared, own, extension)
  const endpoints = endpointsWith({})
  const endpointsIn = withOwnFields('term', endpoints, endpointsWith)
  return feature(declared.restBase, 'cms/v2', endpoints, {
    ...parts,
    isHistorical: true,
    completed: endpointsIn,
    embedders: [termEmbedder(declared), ...embedders],
    contributes: { taxonomies: [declared], ...contributes },
    persisted: {
      ...persisted,
      taxonomies: [...(persisted.taxonomies ?? []), declared.name],
      fields: { terms: { [declared.name]: declared.fields ?? {} } },
      options: [...(persisted.options ?? []), termsChanged],
    },
  })
}

function termEndpoints<const B extends string, const H extends boolean, A extends Args, F extends Args>(
  declared: Declared<B, H>,
  own: Args,
  extension: TermExtension<A> | undefined,
) {
  // The cast: an extension gets the arguments that it declares.
  const type = extension
    ? { ...termTypeOf(declared, own), extension: extension as unknown as TermExtension }
    : termTypeOf(declared, own)
  // The cast: without an extension there are no more arguments.
  const more = (extension?.args ?? {}) as A
  const { restBase, isHierarchical } = declared
  const schemas = termSchemasOf<H, F>(type)
  const resource = findTerm(type)
  const word = type.label.toLowerCase()
  const etag = termTag(type)
  return [
    endpointBelow({
      path: `/${restBase}`,
      methods: ['GET'],
      cacheable: 'by-column',
      batch: true,
      paged: true,
      summary: `List ${type.pluralLabel.toLowerCase()}`,
      args: termListArgs<H>(isHierarchical),
      permission: mayListTerms(type) as never,
      responses: { 200: schemas.records },
      handler: async (context) => {
        // The cast: arguments that a taxonomy does not have are never sent.
        const args = context.args as unknown as TermListValues
        const { rows, total } = await listTerms(type, context.storage, args)
        const views = await termViews(type, context, rows, args.context)
        return pageOf(context, { rows: views, total, page: pageAtOffset(args), perPage: args.per_page })
      },
    }),
    endpointBelow({
      path: `/${restBase}`,
      methods: ['POST'],
      batch: true,
      summary: `Create a ${word}`,
      args: { ...termCreateArgs<H, F>(isHierarchical, type.meta), ...more },
      permission: mayCreateTerm(type),
      responses: { 201: schemas.record },
      handler: async (context) => {
        const term = await createTerm(type, context, inputFrom(type, context as unknown as Context<SentTerm>))
        await extension?.write?.(context as unknown as Context<ArgValues<A>>, term)
        const location = `${context.settings.apiRoot}${context.app.names.toPublic(type.route)}/${term.id}`
        return writtenResult(type, context, term, { status: 201, headers: { Location: location } })
      },
    }),
    endpointBelow({
      path: `/${restBase}/${digits('id')}`,
      methods: ['GET'],
      cacheable: 'by-column',
      batch: true,
      summary: `Read a ${word}`,
      args: readTermArgs,
      resource,
      permission: mayReadTerm(type),
      etag,
      responses: { 200: schemas.record },
      handler: (context) => viewOf(type, context, context.resource, context.args.context),
    }),
    endpointBelow({
      path: `/${restBase}/${digits('id')}`,
      methods: EDITABLE,
      batch: true,
      summary: `Change a ${word}`,
      args: { ...termIdArg, ...termUpdateArgs<H, F>(isHierarchical, type.meta), ...more },
      resource: resource as never,
      permission: mayUpdateTerm(type) as never,
      etag: (context) => etag({ ...context, resource: context.resource as unknown as Term }),
      merges: { partial: ['meta'], keepsAbsent: true },
      responses: { 200: schemas.record },
      handler: async (context) => {
        // The cast: the resource is the term.
        const write = context as unknown as Context<SentTerm, Term>
        const term = await updateTerm(type, write, write.resource, inputFrom(type, write))
        await extension?.write?.(context as unknown as Context<ArgValues<A>>, term)
        return writtenResult(type, write, term)
      },
    }),
    endpointBelow({
      path: `/${restBase}/${digits('id')}`,
      methods: ['DELETE'],
      batch: true,
      summary: `Remove a ${word}`,
      args: deleteTermArgs,
      resource,
      permission: mayDeleteTerm(type),
      etag,
      responses: { 200: schemas.deleted },
      handler: async (context) => {
        if (!context.args.force) {
          throw new ApiError('rest_trash_not_supported', 'Terms have no trash; send force=true to remove it.', 501)
        }
        const { _links, ...previous } = (await viewOf(type, context, context.resource, 'edit')) ?? {}
        await extension?.remove?.(context, context.resource)
        await removeTerm(type, context, context.resource)
        return { deleted: true, previous }
      },
    }),
  ] as const
}

/** The declaration of a host's taxonomy. */
export interface TaxonomyOptions<B extends string = string, H extends boolean = boolean, F extends Args = Args>
  extends Pick<ContentTaxonomy, 'isViewable' | 'defaultTerm'> {
  /** The name in the storage: `cuisine`. */
  readonly name: string
  /** Its words, `{ singular: 'Cuisine', plural: 'Cuisines' }`, and labels that do not follow from them. */
  readonly labels: { readonly singular: string; readonly plural: string; readonly [name: string]: string }
  /** The last part of its route, and the argument of the records that have its terms: `cuisines`. */
  readonly restBase: B
  /** Whether terms have parents. Default: false. */
  readonly isHierarchical?: H
  /** Fields of its terms that are stored as meta. */
  readonly fields?: F
  /** The capabilities that manage, edit, delete and assign its terms. Default: those of categories. */
  readonly granted?: ContentTaxonomy['granted']
  /** The word in the names of capabilities that the edit context shows. Default: `categories`. */
  readonly capabilityWord?: string
}

/**
 * A taxonomy of your own. It is the feature with the routes of its terms, for the list of features of a profile, and
 * `declaration` is for `taxonomies` of a content type.
 *
 * ```ts
 * const cuisines = taxonomy({
 *   name: 'cuisine',
 *   labels: { singular: 'Cuisine', plural: 'Cuisines' },
 *   restBase: 'cuisines',
 *   isHierarchical: true,
 *   fields: { country: args.str() },
 * })
 * const recipes = contentType({ ..., taxonomies: [cuisines.declaration] })
 * ```
 */
export function taxonomy<const B extends string, const H extends boolean = false, const F extends Args = NoArgs>(
  options: TaxonomyOptions<B, H, F> & { readonly restBase: LiteralPath<B> },
) {
  const alone = taxonomyProblems(options)
  const problems = (others: readonly Feature[]) => [...alone, ...taxonomyProblemsBeside(options, others)]
  const {
    name,
    labels,
    restBase,
    isHierarchical,
    granted = editorsManage,
    capabilityWord = 'categories',
    ...rest
    // A host without a compiler may leave them out.
  } = options ?? {}
  const { singular, plural, ...otherLabels } = (labels ?? {}) as typeof labels
  const declaration = {
    ...rest,
    ...{ name, restBase, granted, capabilityWord, label: singular, pluralLabel: plural, labels: otherLabels },
    // The cast: absent means false, which is the default of `H`.
    isHierarchical: (isHierarchical ?? false) as H,
  }
  if (alone.length > 0) {
    const refused = feature('taxonomy', 'cms/v2', [], { problems, persisted: { taxonomies: [name] } })
    // The cast: `createSiteApi` refuses the feature before anybody uses its endpoints.
    return Object.assign(refused as unknown as ReturnType<typeof taxonomyFeature<B, H, NoArgs, F>>, { declaration })
  }
  // A spread would write the parts of a feature out in the declarations of a host.
  return Object.assign(taxonomyFeature<B, H, NoArgs, F>(declaration, { problems }), { declaration })
}
