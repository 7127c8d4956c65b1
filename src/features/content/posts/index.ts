/** Posts: listing, reading, creating, changing, trashing, removing. */

import { type Call, EDITABLE, endpoint, feature } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { permission, refusal } from '../../../core/declare/permissions.ts'
import { type ReplyHeaders, reply } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { all, chain, type Eventually } from '../../../core/runtime/maybe-promise.ts'
import type { PostQuery } from '../../../storage/contract.ts'
import { deleteArgs, idArg, listArgs, readArgs, writeArgs } from './args.ts'
import { embeddedRecords } from './embeds.ts'
import { type FoundPost, findPost, mayDelete, mayEditPost, mayRead, mayReadPost, trashStatuses } from './model.ts'
import { type ListArgs, type ListCall, toPostQuery } from './query.ts'
import { deletedPostForm, postForm, postsForm } from './response-schema.ts'
import { publishScheduled } from './schedule.ts'
import { type Extras, postViews, readExtras, readTag, tagOf, writeTag, writtenView } from './view.ts'
import { createPost, mayCreate, mayUpdate, removePost, trashPost, updatePost, type WriteCall } from './write.ts'

const mayList = permission<ListArgs, unknown>('anyone; in the edit context edit_posts', ({ args, user }) =>
  args.context === 'edit' && !user.can('edit_posts')
    ? refusal(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.')
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
      answers: { 200: postsForm },
      handler: listPosts,
    }),
    endpoint({
      path: '/posts',
      methods: ['POST'],
      batch: true,
      summary: 'Create a post',
      args: writeArgs,
      permission: mayCreate,
      answers: { 201: postForm },
      handler: (call) =>
        chain(createPost(call as WriteCall), ({ post, extras }) =>
          chain(written(call, post, extras), ({ data, headers }) =>
            reply(data, {
              status: 201,
              headers: {
                Location: `${call.settings.apiRoot}/${call.site.names.word('cms/v2')}/posts/${post.id}`,
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
      subject: findPost,
      permission: mayRead,
      tag: readTag,
      answers: { 200: postForm },
      handler: (call) => {
        const { context, password, excerpt_length: excerptLength } = call.args
        const options = {
          context,
          ...(password ? { password } : {}),
          ...(excerptLength === undefined ? {} : { excerptLength }),
        }
        // What a password has opened is nobody else's, whoever asked.
        const headers: ReplyHeaders = password ? { 'Cache-Control': 'private, no-store' } : {}
        return chain(postViews(call, [call.subject], options), ([view]) => reply(view, { headers }))
      },
    }),
    endpoint({
      path: `/posts/${digits('id')}`,
      methods: EDITABLE,
      batch: true,
      summary: 'Change a post',
      args: { ...idArg, ...writeArgs },
      subject: findPost,
      permission: mayUpdate,
      tag: (call) => writeTag({ ...call, subject: call.subject as FoundPost }),
      answers: { 200: postForm },
      handler: (call) => chain(updatePost(call as WriteCall), ({ post, extras }) => written(call, post, extras)),
    }),
    endpoint({
      path: `/posts/${digits('id')}`,
      methods: ['DELETE'],
      batch: true,
      summary: 'Move a post to the trash, or remove it',
      args: deleteArgs,
      subject: findPost,
      permission: mayDelete,
      tag: writeTag,
      answers: { 200: deletedPostForm },
      handler: (call) => {
        if (!call.args.force) {
          return chain(trashPost(call as WriteCall), ({ post, extras }) => written(call, post, extras))
        }
        return chain(readExtras(call, [call.subject]), ([extras]) =>
          chain(writtenView(call, call.subject, extras as Extras), (view) => {
            const { _links, ...previous } = view.toJSON() as { readonly _links: unknown }
            return chain(removePost(call as WriteCall), () => ({ deleted: true, previous }))
          }),
        )
      },
    }),
  ],
  { embedders: embeddedRecords, upkeep: publishScheduled },
)

/** The new state with its tag, so that a writer can go on without reading again. */
function written(call: Call, post: FoundPost, extras: Extras) {
  const tag = tagText(tagOf(post, extras, call.settings))
  return chain(writtenView(call, post, extras), (view) => reply(view, { headers: { ETag: tag } }))
}

// ---------------------------------------------------------------- the list

/** Interface: totals count what the query finds, before posts the caller may not read are left out. */
function listPosts(call: ListCall): Eventually<unknown> {
  const { args, storage, user } = call
  return chain(toPostQuery(call), (query) =>
    chain(all([storage.posts.query(query), stickyOnTop(call, query)] as const), ([{ heads, total }, onTop]) =>
      chain(totalOf(call, query, heads.length, total), (counted) => {
        const ids = [...new Set([...onTop, ...heads.map((head) => head.id)])]
        return chain(storage.posts.read(ids), (rows) =>
          chain(trashStatuses(storage, rows), (trashed) => {
            const found = rows.map((row): FoundPost => {
              const from = trashed.get(row.id)
              return from === undefined ? row : { ...row, trashedFrom: from }
            })
            const may = args.context === 'edit' ? mayEditPost : mayReadPost
            const shown = found.filter((post) => may(user, post))
            return chain(postViews(call, shown, { context: args.context }), (views) =>
              pageOf(call, { rows: views, total: counted, page: args.page, perPage: args.per_page }),
            )
          }),
        )
      }),
    ),
  )
}

/** Throws for a page beyond the end. Interface: an offset beyond the end is an empty page with a total of 0. */
function totalOf({ args }: ListCall, _query: PostQuery, shown: number, total: number): number {
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
function stickyOnTop({ args, storage }: ListCall, query: PostQuery): Eventually<readonly number[]> {
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
  return chain(storage.posts.query(sticky), ({ heads }) => heads.map((head) => head.id))
}
