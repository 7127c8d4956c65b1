/** Creates and reads addresses that show a post before it is published to anyone who has the address. */

import type { Post } from '../contract/storage.ts'
import { pagesSecret, previewAddress, readPreviewToken } from '../features/shared/access/preview-token.ts'
import type { PagesApi } from './api.ts'
import type { Visit } from './visit.ts'

/** The rights and the lifetime of a preview. */
export interface PreviewOptions {
  /** The user whose rights show the post. Default: its author. */
  readonly as?: number
  /** How long the address works, in milliseconds. Default: a day. */
  readonly forMs?: number
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the address of a preview, signed for one post and a limited time. Rejects with a TypeError for an unknown post.
 *
 * ```ts
 * await previewUrl(api, 12) // https://example.com/?p=12&preview=3.lx2k…
 * ```
 */
export async function previewUrl(
  api: PagesApi,
  id: number,
  { as, forMs = dayMs }: PreviewOptions = {},
): Promise<string> {
  const { storage, app, ready } = api['~parts']
  await ready()
  const [post] = await storage.posts.read([id])
  if (!post || post.type === 'revision') throw new TypeError(`there is no post ${id}`)
  const { home } = await app.settings.read(storage)
  const preview = { post: id, user: as ?? post.author, until: Math.trunc(app.clock() + forMs) }
  return previewAddress(home, preview, await pagesSecret(storage))
}

/** A post and the user whose rights show it. */
export interface Previewed {
  readonly post: Post
  readonly user: number
}

/** Returns undefined when the request has no valid token. */
export async function previewedPost(visit: Visit): Promise<Previewed | undefined> {
  const { query, storage, app, secret } = visit
  const token = query.get('preview')
  const id = Number(/^\d{1,15}$/.exec(query.get('p') ?? '')?.[0] ?? 0)
  if (token === null || id === 0) return undefined
  const preview = readPreviewToken(token, id, app.clock(), await secret())
  if (!preview) return undefined
  const [post] = await storage.posts.read([id])
  return post && post.status !== 'trash' && post.type !== 'revision' ? { post, user: preview.user } : undefined
}
