/** Users: who is signed in, for every profile; all others with their writes, for profiles with the whole content interface. */

import type { User } from '../../../contract/storage.ts'
import { list } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageAtOffset, pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { result } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { deleteArgs, idArg, listArgs, plainFields, readArgs, userFieldsIn, userMeta, writeArgsWith } from './args.ts'
import {
  findUser,
  mayCreateUser,
  mayDeleteUser,
  mayListUsers,
  mayReadOneself,
  mayReadUser,
  mayUpdateUser,
  ownUser,
  userTag,
} from './permissions.ts'
import { toUserQuery } from './query.ts'
import { deletedUser } from './removal.ts'
import { userSchemasOf, userViews } from './view.ts'
import { createUser, type UpdateContext, updateUser } from './write.ts'

async function oneView(context: Context<{ readonly context: 'view' | 'embed' | 'edit' }, User>) {
  const [view] = await userViews(context, [context.resource], context.args.context)
  return view
}

async function writtenResult(context: Context, user: User, { status = 200, headers = {} } = {}) {
  const [view] = await userViews(context, [user], 'edit')
  const tag = tagText(await userTag({ ...context, resource: user }))
  return result(view, { status, headers: { ...headers, ETag: tag } })
}

const updatedResult = async (context: UpdateContext) =>
  writtenResult(context as unknown as Context, await updateUser(context))

type Fields = ReturnType<typeof userFieldsIn>

const ownEndpoints = (schemas: ReturnType<typeof userSchemasOf>) =>
  [
    endpoint({
      path: '/users/me',
      methods: ['GET'],
      args: readArgs,
      summary: 'Read the current user',
      resource: ownUser,
      permission: mayReadOneself,
      etag: userTag,
      responses: { 200: schemas.user },
      handler: oneView,
    }),
  ] as const

/** Every profile has this feature. */
export const users = feature('users', 'cms/v2', ownEndpoints(userSchemasOf(plainFields)), {
  persisted: { fields: { users: userMeta } },
  completed: (read) => ownEndpoints(userSchemasOf(userFieldsIn(read))),
})

/** Bodies are small: the longest member is a description. */
const bodyLimitBytes = 1024 * 1024

function accountEndpoints(fields: Fields) {
  const schemas = userSchemasOf(fields)
  const { createArgs, updateArgs } = writeArgsWith(fields)
  return [
    endpoint({
      path: '/users',
      methods: ['GET'],
      cacheable: 'by-column',
      batch: true,
      summary: 'List users',
      paged: true,
      args: listArgs,
      permission: mayListUsers,
      responses: { 200: list(schemas.user) },
      handler: async (context) => {
        const { args, storage } = context
        const { rows, total } = await storage.users.query(toUserQuery(context))
        const views = await userViews(context, rows, args.context)
        return pageOf(context, { rows: views, total, page: pageAtOffset(args), perPage: args.per_page })
      },
    }),
    endpoint({
      path: '/users',
      methods: ['POST'],
      batch: true,
      bodyLimitBytes,
      summary: 'Create a user',
      args: createArgs,
      permission: mayCreateUser,
      responses: { 201: schemas.user },
      handler: async (context) => {
        const user = await createUser(context)
        const location = `${context.settings.apiRoot}/${context.app.names.toPublic('cms/v2')}/users/${user.id}`
        return writtenResult(context, user, { status: 201, headers: { Location: location } })
      },
    }),
    endpoint({
      path: `/users/${digits('id')}`,
      methods: ['GET'],
      cacheable: 'by-column',
      batch: true,
      summary: 'Read a user',
      args: { ...idArg, ...readArgs },
      resource: findUser,
      permission: mayReadUser,
      etag: userTag,
      responses: { 200: schemas.user },
      handler: oneView,
    }),
    endpoint({
      path: `/users/${digits('id')}`,
      methods: EDITABLE,
      batch: true,
      bodyLimitBytes,
      summary: 'Change a user',
      args: { ...idArg, ...updateArgs },
      resource: findUser,
      permission: mayUpdateUser,
      etag: userTag,
      responses: { 200: schemas.user },
      handler: updatedResult,
    }),
    endpoint({
      path: `/users/${digits('id')}`,
      methods: ['DELETE'],
      batch: true,
      summary: 'Remove a user',
      args: { ...idArg, ...deleteArgs },
      resource: findUser,
      permission: mayDeleteUser,
      etag: userTag,
      responses: { 200: schemas.deleted },
      handler: deletedUser,
    }),
    endpoint({
      path: '/users/me',
      methods: EDITABLE,
      bodyLimitBytes,
      summary: 'Change oneself',
      args: updateArgs,
      resource: ownUser,
      permission: mayUpdateUser,
      etag: userTag,
      responses: { 200: schemas.user },
      handler: updatedResult,
    }),
    endpoint({
      path: '/users/me',
      methods: ['DELETE'],
      summary: 'Remove oneself',
      args: deleteArgs,
      resource: ownUser,
      permission: mayDeleteUser,
      etag: userTag,
      responses: { 200: schemas.deleted },
      handler: deletedUser,
    }),
  ] as const
}

export const userAccounts = feature('user-accounts', 'cms/v2', accountEndpoints(plainFields), {
  completed: (read) => accountEndpoints(userFieldsIn(read)),
})
