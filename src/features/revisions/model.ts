/** Saved versions of a post. A revision is a row of its own type below the post; it never changes. */
import type { Call } from '../../core/declare.ts'
import { chain, type Eventually } from '../../core/eventually.ts'
import type { Json, Post, PostValues, Storage } from '../../storage/contract.ts'

export const revisionType = 'revision'

/** Meta of a post that its revisions keep, by key. */
export type RevisionedMeta = { readonly [key: string]: Json }

/**
 * Keeps the text that a save has left behind, unless the last revision says the same. Interface: the first save after
 * the creation always makes one; its author is who saved.
 */
export function saveRevision(
  { storage, user }: Pick<Call, 'storage' | 'user'>,
  post: Post,
  meta: RevisionedMeta,
): Eventually<number | undefined> {
  return chain(lastRevision(storage, post.id), (last) => {
    if (!last) return insertRevision(storage, post, meta, user.id)
    const keys = Object.keys(meta)
    const stored = keys.length === 0 ? [] : storage.meta.read('post', [last.id], keys)
    return chain(stored, (entries) => {
      const kept = new Map(entries.map(({ key, value }) => [key, value]))
      const sameText = last.title === post.title && last.content === post.content && last.excerpt === post.excerpt
      const sameMeta = keys.every((key) => (kept.get(key) ?? '') === meta[key])
      return sameText && sameMeta ? undefined : insertRevision(storage, post, meta, user.id)
    })
  })
}

function lastRevision(storage: Storage, parent: number): Eventually<Post | undefined> {
  return chain(storage.posts.families(revisionType, [parent]), ([family]) =>
    family ? chain(storage.posts.read([family.latest]), ([row]) => row) : undefined,
  )
}

function insertRevision(storage: Storage, post: Post, meta: RevisionedMeta, author: number): Eventually<number> {
  return chain(storage.posts.insert([revisionOf(post, author)]), ([id = 0]) => {
    const entries = Object.entries(meta)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => ({ id, key, value }))
    return chain(entries.length === 0 ? undefined : storage.meta.write('post', entries), () => id)
  })
}

const revisionOf = (post: Post, author: number): PostValues => ({
  type: revisionType,
  status: 'inherit',
  slug: `${post.id}-revision-v1`,
  title: post.title,
  content: post.content,
  excerpt: post.excerpt,
  author,
  parent: post.id,
  date: post.modified,
  dateGmt: post.modifiedGmt,
  modified: post.modified,
  modifiedGmt: post.modifiedGmt,
  password: '',
  commentStatus: 'closed',
  pingStatus: 'closed',
  format: 'standard',
  sticky: false,
  template: '',
  featuredMedia: 0,
  mimeType: '',
})

/** Removes all saved versions of these posts. */
export function removeRevisions(storage: Storage, parents: readonly number[]): Eventually<void> {
  const found = storage.posts.query({
    types: [revisionType],
    parents,
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return chain(found, ({ heads }) => storage.posts.remove(heads.map((head) => head.id)))
}
