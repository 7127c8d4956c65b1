/** The handlers of the records of a type: what each route does, and what it responds with. */

import type { MaybePromise, Post, PostQuery } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { result } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { isBuilt, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import type { deleteArgs, readArgs } from './args.ts'
import { drawnContentOf, tagOf } from './entity-tag.ts'
import { readListed } from './listed-rows.ts'
import { shownRowMembers } from './members.ts'
import { type FoundPost, mayEditPost, mayReadRecord, type RecordType, trashStatuses } from './model.ts'
import type { WriteContext } from './prepare-post.ts'
import { type ListContext, toPostQuery, unreachedQuery } from './query.ts'
import { type RelatedReader, type RelatedRows, readRelatedRows, relatedAhead } from './related-rows.ts'
import { postViews, writtenView } from './view.ts'
import { createPost, removePost, trashPost, type WrittenPost } from './write.ts'

// ---------------------------------------------------------------- one post

export async function readResponse(type: RecordType, context: Context<ArgValues<typeof readArgs>, FoundPost>) {
  const { context: viewContext, password, excerpt_length: excerptLength } = context.args
  const options = {
    viewContext,
    ...(password ? { password } : {}),
    ...(excerptLength === undefined ? {} : { excerptLength }),
  }
  const [view] = await postViews(type, context, [context.resource], options)
  return view
}

export async function createdResponse(type: RecordType, context: WriteContext) {
  const written = await createPost(type, context)
  const location = `${context.settings.apiRoot}${context.app.names.toPublic(type.route)}/${written.post.id}`
  return writtenResponse(type, context, written, { status: 201, headers: { Location: location } })
}

export async function deletedResponse(type: RecordType, context: Context<ArgValues<typeof deleteArgs>, FoundPost>) {
  const write = context as WriteContext
  if (!context.args.force) return writtenResponse(type, context, await trashPost(type, write))
  const [related] = await readRelatedRows(type, context.storage, [context.resource])
  const built = await renderedDocumentOf(context, context.resource, (related as RelatedRows).meta)
  const drawn = built ? undefined : await drawnContentOf(context, context.resource, related as RelatedRows)
  const written = { post: context.resource, related: related as RelatedRows }
  // The names of `_fields` are not those of the removed record.
  const view = await writtenView(type, { ...context, fields: undefined }, written, built, drawn)
  const { _links, ...previous } = view.toJSON() as { readonly _links: unknown }
  await removePost(type, write)
  return { deleted: true, previous }
}

/** The new state with its tag, so that the client can send the next write without reading first. */
export async function writtenResponse(
  type: RecordType,
  context: Context,
  written: WrittenPost,
  { status = 200, headers = {} } = {},
) {
  const { post, related } = written
  const built = isBuilt(related.meta) ? await renderedDocumentOf(context, post, related.meta) : undefined
  const drawn = built ? undefined : await drawnContentOf(context, post, related)
  const tag = tagText(tagOf(type, context, { post, related }, built ?? drawn))
  const view = await writtenView(type, context, written, built, drawn)
  return result(view, { status, headers: { ...headers, ETag: tag } })
}

// ---------------------------------------------------------------- the list

/**
 * Interface: totals count what the query finds, before posts the caller may not read are left out. A search finds what the caller may
 * read.
 */
export async function listPosts(type: RecordType, context: ListContext) {
  const query = await toPostQuery(type, context)
  const unreached = unreachedQuery(type, context, query)
  const ahead = relatedOf(type, context)
  const viewsOf = (posts: readonly FoundPost[]) => viewsOfVisible(type, context, posts, ahead?.read)
  return listMatching(context, query, viewsOf, { unreached, onRead: ahead?.begin })
}

/** Where a read waits for a network, the related rows of posts whose texts are not cached are read with their rows. */
function relatedOf(type: RecordType, context: ListContext) {
  const viewContext = context.args.context
  const needsRelated = context.storage.isRemote === true && shownRowMembers(context, { viewContext }) === undefined
  return needsRelated ? relatedAhead(type, context.storage, viewContext) : undefined
}

interface ListOptions {
  /** Its posts are counted. */
  readonly unreached?: PostQuery | undefined
  /** Gets the ids of posts whose rows are being read. */
  readonly onRead?: ((ids: readonly number[]) => void) | undefined
}

/** A page of what a query finds; `viewsOf` leaves out the records that the caller may not read. */
export async function listMatching(
  context: ListContext,
  query: PostQuery,
  viewsOf: (posts: readonly FoundPost[]) => MaybePromise<readonly unknown[]>,
  { unreached, onRead }: ListOptions = {},
) {
  const { page, per_page: perPage } = context.args
  const more = unreached === undefined ? 0 : (await context.storage.posts.query(unreached)).total
  const { posts, total } = await matchingPosts(context, query, { more, onRead })
  const rows = await viewsOf(posts)
  return pageOf(context, { rows, total, page, perPage })
}

interface MatchingPosts {
  readonly posts: readonly FoundPost[]
  readonly total: number
}

async function matchingPosts(
  context: ListContext,
  query: PostQuery,
  { more, onRead }: { readonly more: number } & Pick<ListOptions, 'onRead'>,
): Promise<MatchingPosts> {
  const { storage } = context
  const sticky = stickyQuery(context, query)
  const queries = [storage.posts.query(query), sticky && storage.posts.query(sticky)] as const
  const [{ idsPage, total: matches }, onTop] = await Promise.all(queries)
  const total = totalOf(context, idsPage.length, matches + more)
  const entries = onTop === undefined ? idsPage : [...onTop.idsPage, ...idsPage]
  const rows = await readListed(context, entries, onRead)
  const trashed = await trashStatuses(storage, rows)
  return { posts: trashed.size === 0 ? rows : rows.map((row) => withTrashStatus(row, trashed)), total }
}

function withTrashStatus(row: Post, trashed: ReadonlyMap<number, string>): FoundPost {
  const trashedFrom = trashed.get(row.id)
  return trashedFrom === undefined ? row : { ...row, trashedFrom }
}

function viewsOfVisible(
  type: RecordType,
  context: ListContext,
  posts: readonly FoundPost[],
  readRelated: RelatedReader | undefined,
) {
  const { args, user } = context
  const actor = type.actor(user)
  const may = (post: FoundPost) =>
    args.context === 'edit' ? mayEditPost(actor, post) : mayReadRecord(type, user, post)
  const visible = posts.filter(may)
  const saysUserCan = context.app.contributions('userCan').includes(type.name)
  return postViews(type, context, visible, { viewContext: args.context, saysUserCan, readRelated })
}

/** Throws for a page beyond the end. Interface: an offset beyond the end is an empty page with a total of 0. */
function totalOf({ args }: ListContext, rows: number, matches: number): number {
  if (rows > 0) return matches
  if (args.offset !== undefined) return 0
  if (args.page > 1 && matches > 0 && (args.page - 1) * args.per_page >= matches) {
    throw new ApiError('rest_post_invalid_page_number', 'The list has fewer pages.', 400)
  }
  return matches
}

/**
 * The sticky posts that a list begins with, if any. Interface: the first page of an unfiltered list has the sticky
 * posts on top, in its own order, in addition to its own rows.
 */
function stickyQuery({ args }: ListContext, query: PostQuery): PostQuery | undefined {
  const filter = query.ids ?? query.search ?? query.terms
  const isPlain = args.ignore_sticky !== false || args.sticky !== undefined
  if (isPlain || args.page > 1 || filter !== undefined) return undefined
  return {
    types: query.types,
    statuses: [{ status: 'publish' }],
    sticky: true,
    ...(query.notIds ? { notIds: query.notIds } : {}),
    // The query has no list that such an order follows.
    order: query.order.by === 'slugs' ? { by: 'date', descending: true } : query.order,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }
}
