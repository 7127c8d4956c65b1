/** The content types of a site. Read-only. */

import type { Actor } from '../../../core/declare/actor.ts'
import { context, identifiers, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { mapOf } from '../../../core/declare/response-schema.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import {
  actorFor,
  findContentType,
  mediaType,
  type PublicType,
  pageType,
  postType,
  unlessEdit,
  type ViewContext,
} from './model.ts'
import { typeSchema, typeView } from './view.ts'

interface ContextArgs {
  readonly context: ViewContext
}

const mayEdit = (user: Actor, type: PublicType) => actorFor(type)(user).can('edit_posts')

const notTypes = 'You may not edit content of this type.'

const mayReadType = permission<ContextArgs, PublicType>(
  'anyone; in the edit context who edits its records',
  ({ args, user, resource }) =>
    args.context === 'edit' && !mayEdit(user, resource)
      ? forbidden(user, 'rest_forbidden_context', notTypes)
      : undefined,
)

function findType({ args, user, app }: Pick<Context<{ readonly type?: string }>, 'args' | 'user' | 'app'>): PublicType {
  const name = app.names.toNeutral(args.type ?? '')
  const found = publicTypesOf(app).find((type) => type.name === name)
  if (found) return found
  if (internalTypes.includes(name) || findContentType(name)) {
    throw forbidden(user, 'rest_cannot_read_type', 'This type of content is not public.')
  }
  throw new ApiError('rest_type_invalid', 'There is no such type of content.', 404)
}

/** Types of rows without separate routes. */
const internalTypes = ['revision']

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
      cacheable: true,
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
        const { toPublic } = context.app.names
        return Object.fromEntries(
          visible.map((type) => [toPublic(type.name), typeView(context, type, context.args.context)]),
        )
      },
    }),
    endpoint({
      path: `/types/${parameter('type', '[\\w-]+')}`,
      methods: ['GET'],
      cacheable: true,
      args: { type: identifiers(str({ description: 'The name of the type.' })), context: context() },
      summary: 'Read a type of content',
      resource: findType,
      permission: mayReadType,
      responses: { 200: typeSchema },
      handler: (context) => typeView(context, context.resource, context.args.context),
    }),
  ],
  {
    contributes: { contentTypes: [postType, pageType, mediaType] },
  },
)
