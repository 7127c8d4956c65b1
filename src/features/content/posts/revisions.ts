/** The revisions of the records of a type: list, read and delete. Revisions are never trashed. */

import type { Post, PostOrder, PostQuery } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import { bool, context, int, list, oneOf, paging, publishedDefault, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpointBelow } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { parseSearch, type Search } from '../../../site/search-terms.ts'
import { revisionState, revisionType } from '../revisions/model.ts'
import { type RevisionSchemas, revisionView, revisionViews } from '../revisions/view.ts'
import { absoluteIds, type FoundPost, findParent, mayDeletePost, mayEditPost, type RecordType } from './model.ts'

const parent = () => int({ description: 'The ID of the post.' })
const id = () => int({ description: 'The ID of the revision.' })
const ids = (description: string) => list(int(), { default: [], description })

const { page, per_page: perPage } = paging()

/** Interface: without `per_page` all revisions are listed, also where the index publishes a default. */
const pageSize = (isShown: boolean) =>
  isShown
    ? publishedDefault(perPage)
    : int({ minimum: 1, maximum: 100, description: 'How many items a page has at most.' })

const listArgsOf = ({ published: { showsRevisionPageSize = false } }: RecordType) => ({
  parent: parent(),
  context: context(),
  page,
  per_page: pageSize(showsRevisionPageSize),
  search: search(),
  exclude: ids('Leaves out the items with these IDs.'),
  include: ids('Lists only the items with these IDs.'),
  offset: int({ description: 'How many items to skip, in place of a page.' }),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'The direction of the order.' }),
  orderby: oneOf(['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'], {
    default: 'date',
    description: 'What the list is ordered by.',
  }),
})

type ListContext = Context<ArgValues<ReturnType<typeof listArgsOf>>, FoundPost>

const mayReadRevisions = (type: RecordType) =>
  permission<unknown, FoundPost>('editors of the post', ({ user, resource }) =>
    mayEditPost(type.actor(user), resource)
      ? undefined
      : forbidden(user, 'rest_cannot_read', 'You may not read the revisions of this post.'),
  )

const mayDeleteRevisions = (type: RecordType) =>
  permission<unknown, FoundPost>('those who may delete the post', ({ user, resource }) =>
    mayDeletePost(type.actor(user), resource)
      ? undefined
      : forbidden(user, 'rest_cannot_delete', 'You may not remove the revisions of this post.'),
  )

/** The revisions of a type, below `/posts` or its like. */
export function revisionEndpoints<const B extends string, M>(type: RecordType, base: B, schemas: RevisionSchemas<M>) {
  const resource = findParent(type)
  const mayRead = mayReadRevisions(type)
  const word = type.label.toLowerCase()
  return [
    endpointBelow({
      path: `/${base}/${digits('parent')}/revisions`,
      methods: ['GET'],
      summary: `List the saved versions of a ${word}`,
      paged: true,
      args: listArgsOf(type),
      resource,
      permission: mayRead,
      responses: { 200: schemas.revisions },
      handler: (context) => listRevisions(type, context),
    }),
    endpointBelow({
      path: `/${base}/${digits('parent')}/revisions/${digits('id')}`,
      methods: ['GET'],
      summary: `Read a saved version of a ${word}`,
      args: { parent: parent(), id: id(), context: context() },
      resource,
      permission: mayRead,
      responses: { 200: schemas.revision },
      stored: storedRevision,
      handler: async (context) => revisionView(type, context, await findRevision(context), context.args.context),
    }),
    endpointBelow({
      path: `/${base}/${digits('parent')}/revisions/${digits('id')}`,
      methods: ['DELETE'],
      summary: `Remove a saved version of a ${word}`,
      args: {
        parent: parent(),
        id: id(),
        force: bool({ default: false, description: 'Has to be true: there is no trash for revisions.' }),
      },
      resource,
      permission: mayDeleteRevisions(type),
      responses: { 200: schemas.removed },
      stored: storedRevision,
      handler: (context) => removeRevision(type, context),
    }),
  ] as const
}

type RevisionContext = Context<{ readonly id?: number | undefined }, FoundPost>

async function removeRevision(type: RecordType, context: RevisionContext & Context<{ readonly force: boolean }>) {
  const { args, storage, resource } = context
  const revision = await findRevision(context)
  // Interface: a missing `force` is 501, although the client is at fault; clients expect it.
  if (!args.force) {
    throw new ApiError(
      'rest_trash_not_supported',
      'There is no trash for revisions: send force=true to remove this one for good.',
      501,
    )
  }
  const view = await revisionView(type, context, revision, 'view')
  const { _links, ...previous } = view as { readonly _links?: unknown }
  await storage.posts.remove([revision.id])
  // A new version of the post: its view counts revisions.
  await storage.posts.update([{ id: resource.id, changes: {} }])
  return { deleted: true, previous }
}

async function storedRevision({ args, storage, resource }: RevisionContext) {
  const [row] = await storage.posts.read([args.id ?? 0])
  return revisionState(row?.type === revisionType && row.parent === resource.id ? row : undefined)
}

async function findRevision({ args, storage, resource }: RevisionContext): Promise<Post> {
  const [row] = await storage.posts.read([args.id ?? 0])
  if (row?.type !== revisionType) throw new ApiError('rest_post_invalid_id', 'There is no such revision.', 404)
  if (row.parent === resource.id) return row
  throw new ApiError('rest_revision_parent_id_mismatch', 'The revision belongs to another post.', 404)
}

// ---------------------------------------------------------------- the list

async function listRevisions(type: RecordType, context: ListContext) {
  const { args, storage } = context
  const { idsPage, total } = await storage.posts.query(toQuery(context))
  checkWithinEnd(args, total)
  const rows = await storage.posts.read(idsPage.map((head) => head.id))
  const views = await revisionViews(type, context, rows, args.context)
  return pageOf(context, { rows: views, total, page: args.page, perPage: args.per_page ?? Math.max(total, 1) })
}

function toQuery({ args, resource }: ListContext): PostQuery {
  const search = args.search ? parseSearch(args.search) : undefined
  const { include, exclude, per_page: limit } = args
  return {
    types: [revisionType],
    parents: [resource.id],
    ...(include.length > 0
      ? { ids: absoluteIds(include) }
      : exclude.length > 0
        ? { notIds: absoluteIds(exclude) }
        : {}),
    ...(search
      ? { search: { every: search.every, none: search.none, columns: ['title', 'excerpt', 'content'], exact: false } }
      : {}),
    order: orderOf(args, search),
    total: true,
    // Interface: without a page size, `page` and `offset` have no effect.
    limit: limit ?? Number.MAX_SAFE_INTEGER,
    offset: limit === undefined ? 0 : args.offset === undefined ? (args.page - 1) * limit : Math.abs(args.offset),
  }
}

function orderOf({ order, orderby, include }: ListContext['args'], search: Search | undefined): PostOrder {
  const descending = order === 'desc'
  switch (orderby) {
    case 'include':
      if (include.length > 0) return { by: 'ids' }
      throw new ApiError('rest_orderby_include_missing_include', 'This order needs the argument include.', 400)
    case 'relevance':
      if (!search) {
        throw new ApiError('rest_no_search_term_defined', 'This order needs the argument search.', 400)
      }
      return { by: 'relevance', phrase: search.isSingle ? '' : search.phrase, words: search.every }
    case 'include_slugs':
      return { by: 'date', descending }
    default:
      return { by: orderby, descending }
  }
}

function checkWithinEnd({ offset = 0, page: requestedPage, per_page: size }: ListContext['args'], total: number): void {
  if (total === 0) return
  if (offset >= total) {
    throw new ApiError('rest_revision_invalid_offset_number', 'The offset leaves no revision to list.', 400)
  }
  const pages = size === undefined ? 1 : Math.ceil(total / size)
  if (offset === 0 && requestedPage > pages) {
    throw new ApiError('rest_revision_invalid_page_number', 'The list has fewer pages.', 400)
  }
}
