/** The posts routes: list, read, create, update, trash and delete. */

import type { ArgValues } from '../../../core/declare/args.ts'
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
import type { Post, PostQuery, Storage } from '../../../storage/contract.ts'
import { deleteArgs, idArg, listArgs, readArgs, writeArgs } from './args.ts'
import { embeddedRecords } from './embeds.ts'
import { readTag, tagOf, writeTag } from './entity-tag.ts'
import { type Extras, readExtras } from './extras.ts'
import { type FoundPost, findPost, mayDelete, mayEditPost, mayRead, mayReadPost, trashStatuses } from './model.ts'
import type { WriteContext } from './prepare-post.ts'
import { type ListArgs, type ListContext, toPostQuery } from './query.ts'
import { deletedPostSchema, postSchema, postsSchema } from './response-schema.ts'
import { publishScheduled } from './schedule.ts'
import { postViews, writtenView } from './view.ts'
import { createPost, mayCreate, mayUpdate, removePost, trashPost, updatePost, type WrittenPost } from './write.ts'

const mayList = permission<ListArgs, unknown>('anyone; in the edit context edit_posts', ({ args, user }) =>
  args.context === 'edit' && !user.can('edit_posts')
    ? forbidden(user, 'rest_forbidden_context', 'You may not edit content of this type.')
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
      handler: (context) => createdResponse(context as WriteContext),
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
      handler: readResponse,
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
      handler: async (context) => writtenResponse(context, await updatePost(context as WriteContext)),
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
      handler: deletedResponse,
    }),
  ],
  { embedders: embeddedRecords, scheduledTask: publishScheduled },
)

// ---------------------------------------------------------------- one post

/** Without a promise for a cached view on a synchronous storage, like `findPost` and for the same reason. */
function readResponse(context: Context<ArgValues<typeof readArgs>, FoundPost>) {
  const { context: viewContext, password, excerpt_length: excerptLength } = context.args
  const options = {
    viewContext,
    ...(password ? { password } : {}),
    ...(excerptLength === undefined ? {} : { excerptLength }),
  }
  // No cache may serve an unlocked post to a client that did not send the password.
  const headers: ResponseHeaders = password ? { 'Cache-Control': 'private, no-store' } : {}
  return andThen(postViews(context, [context.resource], options), ([view]) => result(view, { headers }))
}

function createdResponse(context: WriteContext) {
  return andThen(createPost(context), (written) => {
    const location = `${context.settings.apiRoot}/${context.app.names.toPublic('cms/v2')}/posts/${written.post.id}`
    return writtenResponse(context, written, { status: 201, headers: { Location: location } })
  })
}

async function deletedResponse(context: Context<ArgValues<typeof deleteArgs>, FoundPost>) {
  const write = context as WriteContext
  if (!context.args.force) return writtenResponse(context, await trashPost(write))
  const [extras] = await readExtras(context.storage, [context.resource])
  const view = await writtenView(context, context.resource, extras as Extras)
  const { _links, ...previous } = view.toJSON() as { readonly _links: unknown }
  await removePost(write)
  return { deleted: true, previous }
}

/** The new state with its tag, so that the client can send the next write without reading first. */
function writtenResponse(context: Context, { post, extras }: WrittenPost, { status = 200, headers = {} } = {}) {
  const tag = tagText(tagOf(post, extras, context.settings))
  return andThen(writtenView(context, post, extras), (view) =>
    result(view, { status, headers: { ...headers, ETag: tag } }),
  )
}

// ---------------------------------------------------------------- the list

/**
 * Without a promise on a synchronous storage, for the same reason as `readResponse`. Interface: totals count what the query
 * finds, before posts the caller may not read are left out.
 */
function listPosts(context: ListContext) {
  return andThen(toPostQuery(context), (query) =>
    andThen(matchingPosts(context, query), ({ posts, total }) => pageOfPosts(context, posts, total)),
  )
}

interface MatchingPosts {
  readonly posts: readonly FoundPost[]
  readonly total: number
}

function matchingPosts(context: ListContext, query: PostQuery): MaybePromise<MatchingPosts> {
  const { storage } = context
  const sticky = stickyQuery(context, query)
  const queries = all([storage.posts.query(query), sticky && storage.posts.query(sticky)])
  return andThen(queries, ([{ heads, total: matches }, onTop]) => {
    const total = totalOf(context, heads.length, matches)
    const ids = new Set([...(onTop?.heads ?? []), ...heads].map(({ id }) => id))
    const posts = andThen(storage.posts.read([...ids]), (rows) => withTrashStatuses(storage, rows))
    return andThen(posts, (found) => ({ posts: found, total }))
  })
}

const withTrashStatuses = (storage: Storage, rows: readonly Post[]) =>
  andThen(trashStatuses(storage, rows), (trashed) =>
    rows.map((row): FoundPost => {
      const trashedFrom = trashed.get(row.id)
      return trashedFrom === undefined ? row : { ...row, trashedFrom }
    }),
  )

function pageOfPosts(context: ListContext, posts: readonly FoundPost[], total: number) {
  const { args, user } = context
  const may = args.context === 'edit' ? mayEditPost : mayReadPost
  const visible = posts.filter((post) => may(user, post))
  return andThen(postViews(context, visible, { viewContext: args.context }), (rows) =>
    pageOf(context, { rows, total, page: args.page, perPage: args.per_page }),
  )
}

/** Throws for a page beyond the end. Interface: an offset beyond the end is an empty page with a total of 0. */
function totalOf({ args }: ListContext, rows: number, matches: number): number {
  if (rows > 0) return matches
  if (args.offset !== undefined) return 0
  if (args.page > 1 && matches > 0) {
    throw new ApiError('rest_post_invalid_page_number', 'The list has fewer pages.', 400)
  }
  return matches
}

/**
 * The sticky posts that a list begins with, if any. Interface: the first page of an unfiltered list has the sticky
 * posts on top, in addition to its own rows.
 */
function stickyQuery({ args }: ListContext, query: PostQuery): PostQuery | undefined {
  const filter = query.ids ?? query.search ?? query.terms
  if (args.ignore_sticky || args.page > 1 || filter !== undefined) return undefined
  return {
    types: query.types,
    statuses: [{ status: 'publish' }],
    sticky: true,
    ...(query.notIds ? { notIds: query.notIds } : {}),
    order: { by: 'date', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }
}
