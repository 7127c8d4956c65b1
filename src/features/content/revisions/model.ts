/** Saved versions of a post. A revision is a row of its own type below the post; it never changes. */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { blankColumns, revisionSlug } from '../../../site/post-keys.ts'
import type { Json, Post, PostQuery, PostValues, Storage } from '../../../storage/contract.ts'

/** Autosaves too: they differ by their slug. */
export const revisionType = 'revision'

/** Meta of a post that its revisions keep, by key. */
export type RevisionedMeta = { readonly [key: string]: Json }

type RevisionContext = Pick<Context, 'storage' | 'user' | 'app'>

/**
 * Keeps the text that a save has left behind, unless the last revision says the same. Interface: the first save after
 * the creation always makes one; its author is who saved.
 */
export function saveRevision(
  { storage, user, app }: RevisionContext,
  post: Post,
  meta: RevisionedMeta,
): MaybePromise<number | undefined> {
  return andThen(lastRevision(storage, post.id), (last) =>
    andThen(last ? sameTexts(storage, last, post, meta) : false, (isSame) => {
      if (isSame) return undefined
      return andThen(insertRevision(storage, revisionValues(post, user.id), meta), (id) =>
        andThen(removeOldest(storage, post.id, app.limits.revisions), () => id),
      )
    }),
  )
}

const revisionQuery = (post: number, window: Pick<PostQuery, 'offset' | 'limit'>): PostQuery => ({
  types: [revisionType],
  parents: [post],
  slugs: [revisionSlug(post)],
  order: { by: 'id', descending: true },
  ...window,
})

function lastRevision(storage: Storage, post: number): MaybePromise<Post | undefined> {
  return andThen(storage.posts.query(revisionQuery(post, { offset: 0, limit: 1 })), ({ heads: [head] }) =>
    head ? andThen(storage.posts.read([head.id]), ([row]) => row) : undefined,
  )
}

/** Whether a stored version says what these texts and this meta say. */
export function sameTexts(
  storage: Storage,
  stored: Post,
  texts: Pick<Post, 'title' | 'content' | 'excerpt'>,
  meta: RevisionedMeta,
): MaybePromise<boolean> {
  if (stored.title !== texts.title || stored.content !== texts.content || stored.excerpt !== texts.excerpt) return false
  const keys = Object.keys(meta)
  if (keys.length === 0) return true
  return andThen(storage.meta.read('post', [stored.id], keys), (entries) => {
    const kept = new Map(entries.map(({ key, value }) => [key, value]))
    return keys.every((key) => (kept.get(key) ?? '') === meta[key])
  })
}

export function insertRevision(storage: Storage, revision: PostValues, meta: RevisionedMeta): MaybePromise<number> {
  return andThen(storage.posts.insert([revision]), ([id = 0]) =>
    andThen(writeRevisionMeta(storage, id, meta), () => id),
  )
}

export function writeRevisionMeta(storage: Storage, id: number, meta: RevisionedMeta): MaybePromise<void> {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value: value === '' ? null : value }))
  return entries.length === 0 ? undefined : storage.meta.write('post', entries)
}

function removeOldest(storage: Storage, post: number, kept: number | undefined): MaybePromise<void> {
  if (kept === undefined) return undefined
  return andThen(
    storage.posts.query(revisionQuery(post, { offset: kept, limit: Number.MAX_SAFE_INTEGER })),
    ({ heads }) => (heads.length === 0 ? undefined : storage.posts.remove(heads.map((head) => head.id))),
  )
}

/** Dated when the post was modified, which is when it was saved. */
export const revisionValues = (post: Post, author: number): PostValues => ({
  ...blankColumns,
  type: revisionType,
  status: 'inherit',
  slug: revisionSlug(post.id),
  title: post.title,
  content: post.content,
  excerpt: post.excerpt,
  author,
  parent: post.id,
  date: post.modified,
  dateGmt: post.modifiedGmt,
  modified: post.modified,
  modifiedGmt: post.modifiedGmt,
})

/** Removes all saved versions of these posts. */
export function removeRevisions(storage: Storage, parents: readonly number[]): MaybePromise<void> {
  const found = storage.posts.query({
    types: [revisionType],
    parents,
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return andThen(found, ({ heads }) => storage.posts.remove(heads.map((head) => head.id)))
}
