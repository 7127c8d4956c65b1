/** Restores the site, or one record, to a moment: writes the differences in one transaction, which the history records too. */
import type { Past } from '../../../contract/past.ts'
import type { Post } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { markRestored } from './collections.ts'
import { historyOf } from './model.ts'
import { readPast } from './past.ts'
import { Restoration } from './restoration.ts'

/** Events of this feature. */
export interface HistoryEvents {
  /** The records are named as in the history: `post:12`. */
  'history.restored': { readonly moment: string; readonly records: readonly string[] }
}

/** Names the records that a restoration has changed. */
export interface Restored {
  readonly moment: string
  /** The records that were changed. */
  readonly records: readonly string[]
  /** Media that were uploaded or removed since: their files do not come back, and none is removed. */
  readonly left: readonly string[]
}

type Context = Pick<HookContext, 'storage' | 'app' | 'settings' | 'emit'>

/** Runs inside a transaction. `record` is named as in the history; undefined restores the whole site. */
export async function restoreTo(context: Context, moment: string, record?: string): Promise<Restored> {
  const { storage, app } = context
  const whole = await readPast(storage, moment)
  const past = record === undefined ? whole : onlyOf(whole, record)
  const { storageAsOf, scope } = historyOf(app)
  const restoration = new Restoration(storage, await storageAsOf(storage, past), past, scope)
  try {
    await restoration.run(modifiedNow(context))
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_conflict') throw error
    throw new ApiError('history_conflict', 'Another record has this slug now: change it, or restore the site.', 409)
  }
  const restored: Restored = { moment, records: [...restoration.records], left: [...restoration.left] }
  if (restored.records.length > 0) {
    await markRestored(storage)
    await tell(context, restored, restoration)
  }
  return restored
}

function onlyOf(past: Past, record: string): Past {
  const [kind = '', key = ''] = record.split(/:(.*)/s)
  const one = <K, V>(map: ReadonlyMap<K, V>, of: string, id: K) =>
    new Map([...map].filter(([known]) => kind === of && known === id))
  const collection = past.records.get(kind)
  return {
    ...past,
    posts: new Map([...past.posts].filter(([id]) => kind === 'post' && id === Number(key))),
    terms: one(past.terms, 'term', Number(key)),
    options: one(past.options, 'option', key),
    records: new Map(collection ? [[kind, one(collection, kind, Number(key))]] : []),
  }
}

function modifiedNow({ app, settings }: Context): Pick<Post, 'modified' | 'modifiedGmt'> {
  const modifiedGmt = new Date(app.clock()).toISOString().slice(0, 19)
  return { modifiedGmt, modified: settings.time.toLocal(modifiedGmt) }
}

/** Listeners learn of each post; hooks of features do not run: what they would write is restored, too. */
async function tell({ emit, storage }: Context, restored: Restored, { posts }: Restoration): Promise<void> {
  emit('history.restored', { moment: restored.moment, records: restored.records })
  const now = new Map((await storage.posts.read([...posts.keys()])).map((post) => [post.id, post]))
  for (const [id, before] of posts) {
    const post = now.get(id)
    if (!post && before) emit('post.deleted', { post: before }, { isHooked: true })
    else if (post && before) emit('post.updated', { post, before, changedMeta: [] }, { isHooked: true })
    else if (post) emit('post.created', { post }, { isHooked: true })
  }
}
