/**
 * Publishes scheduled posts on time without another process: an option stores the next due time, and the first request
 * after it publishes the due posts.
 */

import type { Post, PostQuery, Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import type { FeatureOption } from '../../../site/settings.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'

/** The due time of the next scheduled post in GMT; empty: no post is scheduled; missing: unknown. */
export const nextDueOption = 'next_due'

export const nextDueTime: FeatureOption = { name: nextDueOption, inSettings: 'hidden', isDerived: true }

const windowSize = 100
/** The most by which a time zone shifts its clocks: posts ordered by site time are out of GMT order by no more. */
const maxShiftMs = 3 * 3_600_000

const toText = (time: number) => new Date(time).toISOString().slice(0, 19)

const scheduledQuery = (app: AppContext, more: Partial<PostQuery>): PostQuery => ({
  types: publicTypesOf(app).map(({ name }) => name),
  statuses: [{ status: 'future' }],
  order: { by: 'date', descending: false },
  offset: 0,
  limit: windowSize,
  ...more,
})

export const publishScheduled: ScheduledTask = {
  dueAt: ({ options: { [nextDueOption]: due } }) => {
    if (typeof due !== 'string') return undefined
    return due === '' ? Number.POSITIVE_INFINITY : Date.parse(`${due}Z`)
  },
  run: async (context) => {
    await publishDue(context)
    await advanceNextDue(context)
  },
}

/** In windows, until no post is due. */
async function publishDue(context: HookContext): Promise<void> {
  const { storage, app } = context
  for (;;) {
    // The end is exclusive: a post due in the current second is due.
    const dates = [{ field: 'dateGmt', before: toText(app.clock() + 1000) }] as const
    const { idsPage } = await storage.posts.query(scheduledQuery(app, { dates }))
    if (idsPage.length === 0) return
    const updates = idsPage.map(({ id }) => ({ id, changes: { status: 'publish' }, when: { status: 'future' } }))
    // Only the posts that this update has changed: another process may have published the others.
    const published = await storage.posts.update(updates)
    for (const post of await storage.posts.read(published)) context.emit('post.published', { post })
  }
}

/** Another process may change the due time at the same time; after the last attempt the next request tries again. */
const maxAttempts = 21

/** Compare and set: a post that another process schedules at the same time must not be missed. */
async function advanceNextDue({ storage, app }: HookContext): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const options = await storage.options.read([nextDueOption])
    const before = options[nextDueOption] ?? null
    const next = await earliestDue(storage, app)
    if (before === next || (await storage.options.swap(nextDueOption, before, next))) return
  }
}

/** A post without a date in GMT is never due, and must not come before those that will be. */
const dated = { field: 'dateGmt', after: '0000-01-01T00:00:00' } as const

/** The due time of the next scheduled post in GMT; empty when there is none. */
async function earliestDue(storage: Storage, app: AppContext): Promise<string> {
  const first = await storage.posts.query(scheduledQuery(app, { limit: 1, dates: [dated] }))
  const [head] = first.idsPage
  const [row] = head ? await storage.posts.read([head.id]) : []
  if (!row) return ''
  const before = toText(Date.parse(`${row.date}Z`) + maxShiftMs)
  const { idsPage } = await storage.posts.query(scheduledQuery(app, { dates: [dated, { field: 'date', before }] }))
  const posts = await storage.posts.read(idsPage.map(({ id }) => id))
  return posts.flatMap(({ dateGmt }) => dateGmt ?? []).sort()[0] ?? ''
}

/** After the write of a post: moves the due time forward if the post is scheduled earlier. */
export async function updateNextDue(
  { storage }: Pick<HookContext, 'storage'>,
  { status, dateGmt }: Pick<Post, 'status' | 'dateGmt'>,
): Promise<void> {
  if (status !== 'future' || dateGmt === null) return
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { [nextDueOption]: before } = await storage.options.read([nextDueOption])
    // Undefined: the due time is not known yet, and the next request looks for it.
    if (before === undefined || (before !== '' && String(before) <= dateGmt)) return
    if (await storage.options.swap(nextDueOption, before, dateGmt)) return
  }
  await storage.options.write({ [nextDueOption]: null })
}
