/** The content types and taxonomies of a site. Read-only. */

import type { Actor } from '../../../core/declare/actor.ts'
import { context, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { mapOf } from '../../../core/declare/response-schema.ts'
import {
  actorFor,
  type ContentTaxonomy,
  categoryTaxonomy,
  findContentType,
  mediaType,
  type PublicType,
  pageType,
  postType,
  publicTypesOf,
  tagTaxonomy,
  taxonomiesOf,
  typesWithTaxonomy,
} from './model.ts'
import { taxonomySchema, taxonomyView, typeSchema, typeView, type ViewContext } from './view.ts'

interface ContextArgs {
  readonly context: ViewContext
}

const mayEdit = (user: Actor, type: PublicType) => actorFor(type)(user).can('edit_posts')
const mayAssign = (user: Actor, { granted }: ContentTaxonomy) => user.can(granted.assign_terms)

const notTypes = 'You may not edit content of this type.'
const notTerms = 'You may not work with the terms of this taxonomy.'

/** Anyone may read; the edit context needs a capability. */
const unlessEdit = (may: (context: Pick<Context, 'app' | 'user'>) => boolean, message: string, who: string) =>
  permission<ContextArgs, unknown>(`anyone; in the edit context ${who}`, (context) =>
    context.args.context === 'edit' && !may(context) ? forbidden(context.user, 'rest_cannot_view', message) : undefined,
  )

const mayReadType = permission<ContextArgs, PublicType>(
  'anyone; in the edit context who edits its records',
  ({ args, user, resource }) =>
    args.context === 'edit' && !mayEdit(user, resource)
      ? forbidden(user, 'rest_forbidden_context', notTypes)
      : undefined,
)

const mayReadTaxonomy = permission<ContextArgs, ContentTaxonomy>(
  'anyone; in the edit context edit_posts',
  ({ args, user, resource }) =>
    args.context === 'edit' && !mayAssign(user, resource)
      ? forbidden(user, 'rest_forbidden_context', notTerms)
      : undefined,
)

function findType({ args, user, app }: Pick<Context<{ readonly type?: string }>, 'args' | 'user' | 'app'>): PublicType {
  const { type: name = '' } = args
  const found = publicTypesOf(app).find((type) => type.name === name)
  if (found) return found
  if (internalTypes.includes(name) || findContentType(name)) {
    throw forbidden(user, 'rest_cannot_read_type', 'This type of content is not public.')
  }
  throw new ApiError('rest_type_invalid', 'There is no such type of content.', 404)
}

/** Types of rows without routes of their own. */
const internalTypes = ['revision']

function findTaxonomy({ args, app }: Pick<Context<{ readonly taxonomy?: string }>, 'args' | 'app'>): ContentTaxonomy {
  const taxonomy = taxonomiesOf(app).find(({ name }) => name === args.taxonomy)
  if (!taxonomy) throw new ApiError('rest_taxonomy_invalid', 'There is no such taxonomy.', 404)
  return taxonomy
}

/**
 * Choice: the index of D1 and D2 lists these routes for clients that look for them there; their interface does not include
 * them. Pages and media are listed, as posts link to them, also where no route lists their records.
 */
export const typesOfContent = feature(
  'content-types',
  'cms/v2',
  [
    endpoint({
      path: '/types',
      methods: ['GET'],
      args: { context: context() },
      summary: 'List the types of content',
      permission: unlessEdit(
        ({ app, user }) => publicTypesOf(app).some((type) => mayEdit(user, type)),
        notTypes,
        'edit_posts',
      ),
      responses: { 200: mapOf(typeSchema) },
      handler: (context) => {
        const visible = publicTypesOf(context.app).filter(
          (type) => context.args.context !== 'edit' || mayEdit(context.user, type),
        )
        return Object.fromEntries(visible.map((type) => [type.name, typeView(context, type, context.args.context)]))
      },
    }),
    endpoint({
      path: `/types/${parameter('type', '[\\w-]+')}`,
      methods: ['GET'],
      args: { type: str({ description: 'The name of the type.' }), context: context() },
      summary: 'Read a type of content',
      resource: findType,
      permission: mayReadType,
      responses: { 200: typeSchema },
      handler: (context) => typeView(context, context.resource, context.args.context),
    }),
    endpoint({
      path: '/taxonomies',
      methods: ['GET'],
      args: {
        context: context(),
        type: str({ description: 'Lists only the taxonomies of this type of content.' }),
      },
      summary: 'List the taxonomies',
      permission: unlessEdit(
        ({ app, user }) => taxonomiesOf(app).some((taxonomy) => mayAssign(user, taxonomy)),
        notTerms,
        'edit_posts',
      ),
      responses: { 200: mapOf(taxonomySchema) },
      handler: (context) => {
        const { context: viewContext, type } = context.args
        const types = publicTypesOf(context.app)
        const visible = taxonomiesOf(context.app).filter(
          ({ name }) => type === undefined || typesWithTaxonomy(types, name).includes(type),
        )
        return Object.fromEntries(
          visible.map((taxonomy) => [taxonomy.name, taxonomyView(context, taxonomy, viewContext)]),
        )
      },
    }),
    endpoint({
      path: `/taxonomies/${parameter('taxonomy', '[\\w-]+')}`,
      methods: ['GET'],
      args: { taxonomy: str({ description: 'The name of the taxonomy.' }), context: context() },
      summary: 'Read a taxonomy',
      resource: findTaxonomy,
      permission: mayReadTaxonomy,
      responses: { 200: taxonomySchema },
      handler: (context) => taxonomyView(context, context.resource, context.args.context),
    }),
  ],
  {
    contributes: { contentTypes: [postType, pageType, mediaType], taxonomies: [categoryTaxonomy, tagTaxonomy] },
  },
)
