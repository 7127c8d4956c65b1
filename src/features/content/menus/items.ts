/** The routes of menu items. */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { result } from '../../../core/declare/result.ts'
import { recordTag, tagText } from '../../../core/pipeline/etag.ts'
import { itemKey, itemPostKey, itemTermKey } from '../../../site/menu-items.ts'
import { autosaveEndpoints, type ListContext, listMatching, toPostQuery } from '../posts/content-type.ts'
import { type FoundPost, findPost } from '../posts/model.ts'
import { revisionSchemasOf } from '../revisions/view.ts'
import { autosaveArgs, createArgs, deleteArgs, listArgs, readArgs, updateArgs } from './args.ts'
import { capabilities, itemRecords } from './model.ts'
import { deletedSchema, itemSchema, itemsSchema, itemViews } from './view.ts'
import { type ItemContext, removeItem, saveItem } from './write.ts'

const mayRead = permission<{ readonly context?: string }, unknown>(
  `${capabilities.read}; in the edit context ${capabilities.manage}`,
  ({ args, user }) => {
    if (!user.can(capabilities.read)) return forbidden(user, 'rest_cannot_view', 'You may not see menu items.')
    return args.context === 'edit' && !user.can(capabilities.manage)
      ? forbidden(user, 'rest_forbidden_context', 'You may not edit menu items.')
      : undefined
  },
)

const mayManage = (code: string) =>
  permission<unknown, unknown>(capabilities.manage, ({ user }) =>
    user.can(capabilities.manage) ? undefined : forbidden(user, code, 'You may not change menus.'),
  )

const path = `/menu-items/${digits('id')}` as const
const resource = findPost(itemRecords)

const viewOf = async (context: object, post: FoundPost, viewContext: 'view' | 'embed' | 'edit') =>
  (await itemViews(context as Context, [post], viewContext))[0]

/** The members that a write can change. */
async function itemTag({ storage, resource }: Pick<Context<unknown, FoundPost>, 'storage' | 'resource'>) {
  const { version: _version, trashedFrom: _from, ...row } = resource
  const [assigned, meta] = await Promise.all([
    storage.terms.of([row.id]),
    storage.meta.read('post', [row.id], [itemKey, itemPostKey, itemTermKey]),
  ])
  return recordTag(row, assigned, meta)
}

async function writtenResult(
  context: { readonly storage: Storage },
  post: FoundPost,
  { status = 200, headers = {} } = {},
) {
  const tag = tagText(await itemTag({ storage: context.storage, resource: post }))
  return result(await viewOf(context, post, 'edit'), { status, headers: { ...headers, ETag: tag } })
}

const noTrash = () => new ApiError('rest_trash_not_supported', 'Menu items have no trash; send force=true.', 501)

export const itemEndpoints = [
  endpoint({
    path: '/menu-items',
    methods: ['GET'],
    batch: true,
    paged: true,
    summary: 'List menu items',
    args: listArgs,
    permission: mayRead,
    responses: { 200: itemsSchema },
    handler: async (context) => {
      // The cast: arguments that the type does not have are never sent.
      const list = context as unknown as ListContext
      const query = await toPostQuery(itemRecords, list)
      return listMatching(list, query, (posts) => itemViews(list, posts, context.args.context))
    },
  }),
  endpoint({
    path: '/menu-items',
    methods: ['POST'],
    batch: true,
    summary: 'Create a menu item',
    args: createArgs,
    permission: mayManage('rest_cannot_create'),
    responses: { 201: itemSchema },
    handler: async (context) => {
      const post = await saveItem(context as unknown as ItemContext)
      const location = `${context.settings.apiRoot}${context.app.names.toPublic(itemRecords.route)}/${post.id}`
      return writtenResult(context, post, { status: 201, headers: { Location: location } })
    },
  }),
  endpoint({
    path,
    methods: ['GET'],
    batch: true,
    summary: 'Read a menu item',
    args: readArgs,
    resource,
    permission: mayRead,
    etag: itemTag,
    responses: { 200: itemSchema },
    handler: (context) => viewOf(context, context.resource, context.args.context),
  }),
  endpoint({
    path,
    methods: EDITABLE,
    batch: true,
    summary: 'Change a menu item',
    args: updateArgs,
    resource: resource as never,
    permission: mayManage('rest_cannot_edit'),
    etag: (context) => itemTag({ storage: context.storage, resource: context.resource as unknown as FoundPost }),
    merges: { partial: ['meta'], keepsAbsent: true },
    responses: { 200: itemSchema },
    handler: async (context) => writtenResult(context, await saveItem(context as unknown as ItemContext)),
  }),
  endpoint({
    path,
    methods: ['DELETE'],
    batch: true,
    summary: 'Remove a menu item',
    args: deleteArgs,
    resource,
    permission: mayManage('rest_cannot_delete'),
    etag: itemTag,
    responses: { 200: deletedSchema },
    handler: async (context) => {
      if (!context.args.force) throw noTrash()
      const { _links, ...previous } = (await viewOf(context, context.resource, 'edit')) ?? {}
      await removeItem(context)
      return { deleted: true, previous }
    },
  }),
  ...autosaveEndpoints(itemRecords, 'menu-items', {
    writeArgs: autosaveArgs as never,
    schemas: revisionSchemasOf<{ readonly [name: string]: unknown }>(itemRecords),
  }),
] as const
