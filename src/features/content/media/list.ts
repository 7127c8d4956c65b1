/** From the arguments of the list to the query: files are found by kind and by their name, too. */

import type { Post, PostQuery } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { knownTypes } from '../../../services/file-types.ts'
import { attachedFileKey } from '../../../site/post-keys.ts'
import { type ListContext, listMatching, toPostQuery } from '../posts/content-type.ts'
import { mayReadAttached } from '../posts/model.ts'
import type { listArgs } from './args.ts'
import { mayEditMedium, mediaRecords, withPosts } from './model.ts'
import { mediaViews } from './view.ts'

type MediaListContext = Context<ArgValues<typeof listArgs>>

export async function listMedia(context: MediaListContext) {
  const { args, user, storage } = context
  // The cast: what posts have besides is never sent.
  const list = context as unknown as ListContext
  const query = withFiles(await toPostQuery(mediaRecords, list), context)
  const viewsOf = async (posts: readonly Post[]) => {
    const media = await withPosts(storage, posts)
    const visible = media.filter((medium) =>
      args.context === 'edit' ? mayEditMedium(user, medium) : mayReadAttached(context, medium),
    )
    return mediaViews(context, visible, args.context)
  }
  return listMatching(list, query, viewsOf)
}

function withFiles({ search, ...query }: PostQuery, { args }: MediaListContext): PostQuery {
  const mimeTypes = mimeTypesOf(args)
  const ofFiles = search && args.search_columns.length === 0 ? { ...search, meta: attachedFileKey } : search
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
