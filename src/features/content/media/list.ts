/** From the arguments of the list to the query: files are found by kind and by their name, too. */

import type { Post, PostQuery } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { knownTypes } from '../../../services/file-types.ts'
import { attachedFileKey } from '../../../site/post-keys.ts'
import { type ListContext, listMatching, toPostQuery } from '../posts/content-type.ts'
import { allById, hiddenPosts, mayEditPost, mayReadAttached, mayReadOfType, nobody } from '../posts/model.ts'
import type { listArgs } from './args.ts'
import { mayEditMedium, mediaRecords, mediaRecordsIn, withPosts } from './model.ts'
import { mediaViews } from './view.ts'

type MediaListContext = Context<ArgValues<typeof listArgs>>

export async function listMedia(context: MediaListContext) {
  const { args, user, storage } = context
  // The cast: what posts have besides is never sent.
  const list = context as unknown as ListContext
  const asked = withFiles(await toPostQuery(mediaRecordsIn(context.app.contributions), list), context)
  const query = asked.search || asked.slugs ? await reached(context, asked) : asked
  const viewsOf = async (posts: readonly Post[]) => {
    const media = await withPosts(storage, posts)
    const visible = media.filter((medium) =>
      args.context === 'edit' ? mayEditMedium(user, medium) : mayReadAttached(context, medium),
    )
    return mediaViews(context, visible, args.context)
  }
  return listMatching(list, query, viewsOf)
}

/**
 * Choice: words and slugs of files are looked for where the caller may read the post above, or owns the file; in the edit context in
 * what the caller may edit.
 */
function reached(context: MediaListContext, query: PostQuery): Promise<PostQuery> | PostQuery {
  const { args, app, user } = context
  if (args.context !== 'edit') return withoutFilesOf(context, query, (post) => mayReadOfType(user, post, app))
  const mayEditOthers = (status: string) => mayEditPost(user, { author: nobody, status })
  if (mayEditOthers('publish')) return withoutFilesOf(context, query, ({ status }) => mayEditOthers(status))
  const statuses = query.statuses?.map(({ status }) => ({ status, author: user.id })) ?? []
  return { ...query, statuses }
}

/** The files of hidden posts are left out, but for those of the caller. */
async function withoutFilesOf(
  { storage, app, user }: MediaListContext,
  query: PostQuery,
  may: Parameters<typeof hiddenPosts>[1],
): Promise<PostQuery> {
  const hidden = (await hiddenPosts({ storage, app }, may)).map(({ id }) => id)
  if (hidden.length === 0) return query
  const without = (parents: readonly number[], files: readonly number[]): PostQuery => ({
    ...query,
    notParents: [...(query.notParents ?? []), ...parents],
    ...(query.ids
      ? { ids: query.ids.filter((id) => !files.includes(id)) }
      : { notIds: [...(query.notIds ?? []), ...files] }),
  })
  if (user.isVisitor || !user.can('read')) return without(hidden, [])
  const files = { types: [mediaRecords.name], ...allById }
  const own = await storage.posts.query({ ...files, parents: hidden, authors: [user.id] })
  if (own.idsPage.length === 0) return without(hidden, [])
  // Where the caller has a file, the others are left out one by one.
  const shared = new Set(own.idsPage.map(({ parent }) => parent))
  const others = await storage.posts.query({ ...files, parents: [...shared], notAuthors: [user.id] })
  return without(
    hidden.filter((id) => !shared.has(id)),
    others.idsPage.map(({ id }) => id),
  )
}

function withFiles({ search, ...query }: PostQuery, { args }: MediaListContext): PostQuery {
  const mimeTypes = mimeTypesOf(args)
  const ofFiles =
    search && args.search_columns.length === 0 ? { ...search, meta: [attachedFileKey, ...(search.meta ?? [])] } : search
  return {
    ...query,
    ...(args.status.length === 0 ? { statuses: [{ status: 'inherit' }] } : {}),
    ...(ofFiles ? { search: ofFiles } : {}),
    ...(mimeTypes.length > 0 ? { mimeTypes } : {}),
  }
}

/** Interface: kinds and types widen the list together, and an unknown type filters nothing. */
function mimeTypesOf({ media_type: kinds = [], mime_type: types = [] }: MediaListContext['args']): readonly string[] {
  const ofKinds = knownTypes.filter((type) => kinds.some((kind) => type.startsWith(`${kind}/`)))
  return [...new Set([...ofKinds, ...types.filter((type) => knownTypes.includes(type))])]
}
