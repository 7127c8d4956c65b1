/**
 * Scheduled posts become public on time without any other process: the moment of the next one is an option, and whoever
 * comes first after it publishes what is due.
 */
import type { Context, HookContext } from '../../../core/declare/context.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { nextDueOption } from '../../../site/settings.ts'
import type { Json, Post, PostQuery, Storage } from '../../../storage/contract.ts'

const windowSize = 100
/** Clocks of a zone change by this much at most, so that the order by site time is off by no more. */
const maxShiftMs = 3 * 3_600_000

const toText = (moment: number) => new Date(moment).toISOString().slice(0, 19)

const scheduledQuery = (more: Partial<PostQuery>): PostQuery => ({
  types: ['post', 'page'],
  statuses: [{ status: 'future' }],
  order: { by: 'date', descending: false },
  offset: 0,
  limit: windowSize,
  ...more,
})

export const publishScheduled: ScheduledTask = {
  dueAt: ({ nextDue }) => nextDue,
  run: (context) => andThen(publishDue(context), () => advanceNextDue(context.storage)),
}

/** In windows, until nothing is due any more. */
function publishDue(context: HookContext): MaybePromise<void> {
  const { storage, app } = context
  // The end is exclusive: a post due in this very second is due.
  const due = scheduledQuery({ dates: [{ field: 'dateGmt', before: toText(app.clock() + 1000) }] })
  return andThen(storage.posts.query(due), ({ heads }) => {
    if (heads.length === 0) return undefined
    const updates = heads.map(({ id }) => ({ id, changes: { status: 'publish' }, when: { status: 'future' } }))
    return andThen(storage.posts.update(updates), (published) =>
      andThen(storage.posts.read(published), (posts) => {
        // Only what this write has changed: another process may have been faster.
        for (const post of posts) context.emit('post.published', { post })
        return publishDue(context)
      }),
    )
  })
}

/** Another process may move the moment at the same time; after so many lost races the next request tries again. */
const maxTries = 20

/** Compare and set: a post that is scheduled meanwhile must not be forgotten. */
function advanceNextDue(storage: Storage, tries = maxTries): MaybePromise<void> {
  return andThen(storage.options.read([nextDueOption]), (options) =>
    andThen(earliestDue(storage), (next) => {
      const before = options[nextDueOption] ?? null
      if (before === next) return undefined
      return andThen(storage.options.swap(nextDueOption, before, next), (isSwapped) =>
        isSwapped || tries === 0 ? undefined : advanceNextDue(storage, tries - 1),
      )
    }),
  )
}

function earliestDue(storage: Storage): MaybePromise<string> {
  const gmtOf = (posts: readonly Post[]) => posts.flatMap(({ dateGmt }) => dateGmt ?? []).sort()[0] ?? ''
  return andThen(storage.posts.query(scheduledQuery({ limit: 1 })), ({ heads: [first] }) => {
    if (!first) return ''
    return andThen(storage.posts.read([first.id]), (rows) => {
      const [row] = rows
      if (!row) return ''
      const before = toText(Date.parse(`${row.date}Z`) + maxShiftMs)
      return andThen(storage.posts.query(scheduledQuery({ dates: [{ field: 'date', before }] })), ({ heads }) =>
        andThen(storage.posts.read(heads.map(({ id }) => id)), gmtOf),
      )
    })
  })
}

/** Called when a post is scheduled: brings the next moment forward where it has to. */
export function updateNextDue(
  { storage }: Pick<Context, 'storage'>,
  post: Pick<Post, 'status' | 'dateGmt'>,
  tries = maxTries,
): MaybePromise<void> {
  const { status, dateGmt } = post
  if (status !== 'future' || dateGmt === null) return undefined
  return andThen(storage.options.read([nextDueOption]), (options) => {
    const before: Json | undefined = options[nextDueOption]
    // Nobody has looked yet: whoever looks first will find this one too.
    if (before === undefined || (before !== '' && String(before) <= dateGmt)) return undefined
    return andThen(storage.options.swap(nextDueOption, before, dateGmt), (isSwapped) => {
      if (isSwapped) return undefined
      // Not known is safe: the next request looks for itself.
      return tries === 0
        ? storage.options.write({ [nextDueOption]: null })
        : updateNextDue({ storage }, post, tries - 1)
    })
  })
}
