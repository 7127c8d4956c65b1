/** Posts: listing, reading, creating, changing, trashing, removing. */

import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { type ResponseHeaders, result } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { PostQuery } from '../../../storage/contract.ts'
import { deleteArgs, idArg, listArgs, readArgs, writeArgs } from './args.ts'
import { embeddedRecords } from './embeds.ts'
import { type FoundPost, findPost, mayDelete, mayEditPost, mayRead, mayReadPost, trashStatuses } from './model.ts'
import type { WriteContext } from './prepare-post.ts'
import { type ListArgs, type ListContext, toPostQuery } from './query.ts'
import { deletedPostSchema, postSchema, postsSchema } from './response-schema.ts'
import { publishScheduled } from './schedule.ts'
import { type Extras, postViews, readExtras, readTag, tagOf, writeTag, writtenView } from './view.ts'
import { createPost, mayCreate, mayUpdate, removePost, trashPost, updatePost } from './write.ts'

const mayList = permission<ListArgs, unknown>('anyone; in the edit context edit_posts', ({ args, user }) =>
  args.context === 'edit' && !user.can('edit_posts')
    ? forbidden(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.')
    : undefined,
)

export const posts = feature(
  'posts',
  'cms/v2',
  [
    endpoint({
      path: '/posts',
      methods: ['GET'],
      batch: true,
      summary: 'List posts',
      paged: true,
      args: listArgs,
      permission: mayList,
      responses: { 200: postsSchema },
      handler: listPosts,
    }),
    endpoint({
      path: '/posts',
      methods: ['POST'],
      batch: true,
      summary: 'Create a post',
      args: writeArgs,
      permission: mayCreate,
      responses: { 201: postSchema },
      handler: (context) =>
        andThen(createPost(context as WriteContext), ({ post, extras }) =>
          andThen(writeResponse(context, post, extras), ({ data, headers }) =>
            result(data, {
              status: 201,
              headers: {
                Location: `${context.settings.apiRoot}/${context.app.names.toPublic('cms/v2')}/posts/${post.id}`,
                ...headers,
              },
            }),
          ),
        ),
    }),
    endpoint({
      path: `/posts/${digits('id')}`,
      methods: ['GET'],
      batch: true,
      summary: 'Read a post',
      args: readArgs,
      resource: findPost,
      permission: mayRead,
      etag: readTag,
      responses: { 200: postSchema },
      handler: (context) => {
        const { context: viewContext, password, excerpt_length: excerptLength } = context.args
        const options = {
          viewContext,
          ...(password ? { password } : {}),
          ...(excerptLength === undefined ? {} : { excerptLength }),
        }
        // What a password has opened is nobody else's, whoever asked.
        const headers: ResponseHeaders = password ? { 'Cache-Control': 'private, no-store' } : {}
        return andThen(postViews(context, [context.resource], options), ([view]) => result(view, { headers }))
      },
    }),
    endpoint({
      path: `/posts/${digits('id')}`,
      methods: EDITABLE,
      batch: true,
      summary: 'Change a post',
      args: { ...idArg, ...writeArgs },
      resource: findPost,
      permission: mayUpdate,
      etag: (context) => writeTag({ ...context, resource: context.resource as FoundPost }),
      responses: { 200: postSchema },
      handler: (context) =>
        andThen(updatePost(context as WriteContext), ({ post, extras }) => writeResponse(context, post, extras)),
    }),
    endpoint({
      path: `/posts/${digits('id')}`,
      methods: ['DELETE'],
      batch: true,
      summary: 'Move a post to the trash, or remove it',
      args: deleteArgs,
      resource: findPost,
      permission: mayDelete,
      etag: writeTag,
      responses: { 200: deletedPostSchema },
      handler: (context) => {
        if (!context.args.force) {
          return andThen(trashPost(context as WriteContext), ({ post, extras }) => writeResponse(context, post, extras))
        }
        return andThen(readExtras(context, [context.resource]), ([extras]) =>
          andThen(writtenView(context, context.resource, extras as Extras), (view) => {
            const { _links, ...previous } = view.toJSON() as { readonly _links: unknown }
            return andThen(removePost(context as WriteContext), () => ({ deleted: true, previous }))
          }),
        )
      },
    }),
  ],
  { embedders: embeddedRecords, scheduledTask: publishScheduled },
)

/** The new state with its tag, so that a writer can go on without reading again. */
function writeResponse(context: Context, post: FoundPost, extras: Extras) {
  const tag = tagText(tagOf(post, extras, context.settings))
  return andThen(writtenView(context, post, extras), (view) => result(view, { headers: { ETag: tag } }))
}

// ---------------------------------------------------------------- the list

/** Interface: totals count what the query finds, before posts the caller may not read are left out. */
function listPosts(context: ListContext): MaybePromise<unknown> {
  const { args, storage, user } = context
  return andThen(toPostQuery(context), (query) =>
    andThen(all([storage.posts.query(query), stickyOnTop(context, query)] as const), ([{ heads, total }, onTop]) =>
      andThen(totalOf(context, query, heads.length, total), (counted) => {
        const ids = [...new Set([...onTop, ...heads.map((head) => head.id)])]
        return andThen(storage.posts.read(ids), (rows) =>
          andThen(trashStatuses(storage, rows), (trashed) => {
            const found = rows.map((row): FoundPost => {
              const from = trashed.get(row.id)
              return from === undefined ? row : { ...row, trashedFrom: from }
            })
            const may = args.context === 'edit' ? mayEditPost : mayReadPost
            const shown = found.filter((post) => may(user, post))
            return andThen(postViews(context, shown, { viewContext: args.context }), (views) =>
              pageOf(context, { rows: views, total: counted, page: args.page, perPage: args.per_page }),
            )
          }),
        )
      }),
    ),
  )
}

/** Throws for a page beyond the end. Interface: an offset beyond the end is an empty page with a total of 0. */
function totalOf({ args }: ListContext, _query: PostQuery, shown: number, total: number): number {
  if (shown > 0) return total
  if (args.offset !== undefined) return 0
  if (args.page > 1 && total > 0) {
    throw new ApiError(
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
      400,
    )
  }
  return total
}

/** Interface: sticky posts stand on top of the first page, besides its own rows, where nothing narrows the list. */
function stickyOnTop({ args, storage }: ListContext, query: PostQuery): MaybePromise<readonly number[]> {
  const narrowed = query.ids ?? query.search ?? query.terms
  if (args.ignore_sticky || args.page > 1 || narrowed !== undefined) return []
  const sticky: PostQuery = {
    types: query.types,
    statuses: [{ status: 'publish' }],
    sticky: true,
    ...(query.notIds ? { notIds: query.notIds } : {}),
    order: { by: 'date', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }
  return andThen(storage.posts.query(sticky), ({ heads }) => heads.map((head) => head.id))
}
