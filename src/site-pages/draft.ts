/** Lets previews show unsaved changes: they read the post with the texts and the document of the editor's autosave. */

import type { Json, Post, Storage } from '../contract/storage.ts'
import { revisionType } from '../features/content/revisions/model.ts'
import { revisionedFieldsOf } from '../features/shared/own-fields.ts'
import { revisionedKeys } from '../features/shared/post-meta.ts'
import { autosaveSlug } from '../site/post-keys.ts'
import { renderWithin } from './documents/draw.ts'
import type { Visit } from './visit.ts'

export interface Draft {
  readonly post: Post
  /** The meta values that revisions store. */
  readonly meta: readonly { readonly key: string; readonly value: Json }[]
  readonly keys: ReadonlySet<string>
}

/** Returns a visit that reads the post as the user saved it last, by hand or automatically. */
export async function withDraft(post: Post, user: number, visit: Visit): Promise<{ post: Post; visit: Visit }> {
  const keys = [...revisionedKeys, ...revisionedFieldsOf(visit.app, post.type)]
  const draft = await readDraft(post, { user, keys }, visit.storage)
  if (!draft) return { post, visit }
  const storage = draftStorage(visit.storage, draft)
  const { app, settings: site, work } = visit
  const render = renderWithin({ storage, site, work, noStore: true }, app)
  return { post: draft.post, visit: { ...visit, storage, render, isDraft: true } }
}

/** Returns undefined when the post was saved later, or the user has no autosave. */
async function readDraft(
  post: Post,
  { user, keys }: { readonly user: number; readonly keys: readonly string[] },
  storage: Storage,
): Promise<Draft | undefined> {
  const { idsPage } = await storage.posts.query({
    types: [revisionType],
    parents: [post.id],
    slugs: [autosaveSlug(post.id)],
    authors: [user],
    order: { by: 'id', descending: true },
    offset: 0,
    limit: 1,
  })
  const [row] = await storage.posts.read(idsPage.map(({ id }) => id))
  if (!row || row.modifiedGmt < post.modifiedGmt) return undefined
  const meta = await storage.meta.read('post', [row.id], keys)
  // Interface: an autosave stores the edited texts; the others are empty.
  const { title, content, excerpt } = row
  const texts = Object.entries({ title, content, excerpt }).filter(([, text]) => text !== '')
  return { post: { ...post, ...Object.fromEntries(texts) }, meta, keys: new Set(keys) }
}

/** The storage has no `changes`, so that no cache stores its reads. */
export function draftStorage(storage: Storage, { post, meta, keys: revisioned }: Draft): Storage {
  const { posts, meta: stored, terms, users, options, records } = storage
  return {
    ...{ terms, users, options, records },
    posts: {
      query: (query) => posts.query(query),
      read: async (ids) => (await posts.read(ids)).map((row) => (row.id === post.id ? post : row)),
      insert: (rows) => posts.insert(rows),
      update: (updates) => posts.update(updates),
      remove: (ids) => posts.remove(ids),
      takenSlugs: (type, slugs, parent) => posts.takenSlugs(type, slugs, parent),
      childCounts: (type, parents) => posts.childCounts(type, parents),
    },
    meta: {
      write: (owner, entries) => stored.write(owner, entries),
      async read(owner, ids, keys) {
        const entries = await stored.read(owner, ids, keys)
        if (owner !== 'post' || !ids.includes(post.id)) return entries
        const isWanted = (key: string) => keys === undefined || keys.includes(key)
        const own = meta.filter(({ key }) => isWanted(key)).map(({ key, value }) => ({ id: post.id, key, value }))
        return [...entries.filter(({ id, key }) => id !== post.id || !revisioned.has(key)), ...own]
      },
    },
  }
}
