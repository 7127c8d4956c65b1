/** Tells hooks and listeners of the posts that a release has changed. */
import type { Post } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook, PendingEvent } from '../../../core/declare/events.ts'
import { runFinalHooks } from '../../../core/pipeline/hooks.ts'
import { revisionType } from '../../content/revisions/model.ts'

type Context = Pick<HookContext, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

/**
 * Hooks of a change have run when it was written to the release, and what they wrote is in it. Those of the trash run now: comments and
 * notes, which are in no release, follow their post.
 */
export async function tellPublished(context: Context, posts: ReadonlyMap<number, Post | undefined>): Promise<void> {
  const { storage, app, emit } = context
  const now = new Map((await storage.posts.read([...posts.keys()])).map((post) => [post.id, post]))
  const events = [...posts].flatMap(([id, before]) => eventsOf(before, now.get(id)))
  for (const { name, payload, isHooked } of events) emit(name, payload, { isHooked })
  // The cast: the hooks of an app take this context; its type cannot say so without naming itself.
  const hooks = app.hooks as readonly Hook<Context>[]
  await runFinalHooks(
    events.filter(({ isHooked }) => isHooked),
    hooks,
    context,
  )
}

function eventsOf(before: Post | undefined, post: Post | undefined): PendingEvent[] {
  if ((post ?? before)?.type === revisionType) return []
  if (!post) return before ? [{ name: 'post.deleted', payload: { post: before } }] : []
  const isPublished = post.status === 'publish' && before?.status !== 'publish'
  const published: PendingEvent[] = isPublished ? [{ name: 'post.published', payload: { post }, isHooked: true }] : []
  if (!before) return [{ name: 'post.created', payload: { post }, isHooked: true }, ...published]
  const [wasTrashed, isTrashed] = [before.status === 'trash', post.status === 'trash']
  if (isTrashed && !wasTrashed) return [{ name: 'post.trashed', payload: { post } }]
  const isHooked = !wasTrashed || isTrashed
  return [{ name: 'post.updated', payload: { post, before, changedMeta: [] }, isHooked }, ...published]
}
