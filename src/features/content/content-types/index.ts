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
  type ContentTaxonomy,
  contentType,
  type PublicType,
  publicTypes,
  taxonomies,
  typesWithTaxonomy,
} from './model.ts'
import { taxonomySchema, taxonomyView, typeSchema, typeView, type ViewContext } from './view.ts'

interface ContextArgs {
  readonly context: ViewContext
}

const mayEdit = (user: Actor, { capabilityWord }: PublicType) => user.can(`edit_${capabilityWord}`)
const mayAssign = (user: Actor) => user.can('edit_posts')

const notTypes = 'You may not edit content of this type.'
const notTerms = 'You may not work with the terms of this taxonomy.'

/** Anyone may read; the edit context needs a capability. */
const unlessEdit = (may: (user: Actor) => boolean, message: string, who: string) =>
  permission<ContextArgs, unknown>(`anyone; in the edit context ${who}`, ({ args, user }) =>
    args.context === 'edit' && !may(user) ? forbidden(user, 'rest_cannot_view', message) : undefined,
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
  ({ args, user }) =>
    args.context === 'edit' && !mayAssign(user) ? forbidden(user, 'rest_forbidden_context', notTerms) : undefined,
)

function findType({ args, user }: Pick<Context<{ readonly type?: string }>, 'args' | 'user'>): PublicType {
  const type = contentType(args.type ?? '')
  if (!type) throw new ApiError('rest_type_invalid', 'There is no such type of content.', 404)
  const publicType = publicTypes.find(({ name }) => name === type.name)
  if (!publicType) throw forbidden(user, 'rest_cannot_read_type', 'This type of content is not public.')
  return publicType
}

function findTaxonomy({ args }: Pick<Context<{ readonly taxonomy?: string }>, 'args'>): ContentTaxonomy {
  const taxonomy = taxonomies.find(({ name }) => name === args.taxonomy)
  if (!taxonomy) throw new ApiError('rest_taxonomy_invalid', 'There is no such taxonomy.', 404)
  return taxonomy
}

/** Choice: the index lists these routes for clients that look for them there; the interface does not include them. */
export const typesOfContent = feature('content-types', 'cms/v2', [
  endpoint({
    path: '/types',
    methods: ['GET'],
    args: { context: context() },
    summary: 'List the types of content',
    permission: unlessEdit((user) => publicTypes.some((type) => mayEdit(user, type)), notTypes, 'edit_posts'),
    responses: { 200: mapOf(typeSchema) },
    handler: (context) => {
      const visible = publicTypes.filter((type) => context.args.context !== 'edit' || mayEdit(context.user, type))
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
    permission: unlessEdit(mayAssign, notTerms, 'edit_posts'),
    responses: { 200: mapOf(taxonomySchema) },
    handler: (context) => {
      const { context: viewContext, type } = context.args
      const visible = taxonomies.filter(({ name }) => type === undefined || typesWithTaxonomy(name).includes(type))
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
])
