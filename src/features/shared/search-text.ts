/**
 * Posts that the page builder made before their content kept the search text of their document: a scheduled task writes it, so that
 * the search finds them. It works in slices over the ids, each of them a transaction; a process that stops loses no more than one.
 */

import type { Post } from '../../contract/storage.ts'
import type { HookContext } from '../../core/declare/context.ts'
import type { ScheduledTask } from '../../core/declare/scheduled-task.ts'
import { changeDue, dueTimeOf } from '../../core/pipeline/scheduled-tasks.ts'
import { editModeKey } from '../../render/builder/records/keys.ts'
import { publicTypesOf } from './declared-types.ts'
import { renderedDocumentOf, searchTextOf } from './rendered-documents.ts'

/** Events for the host's listeners. */
export interface SearchTextEvents {
  /** The task has written the search text of a slice of posts that the page builder made: the search finds them from now on. */
  'search.indexed': {
    /** The ids of the posts that were written. */
    readonly posts: readonly number[]
    /** False: more may follow in the next slice. */
    readonly isDone: boolean
  }
}

const task = 'plain-forms'
/** The highest id that the task has visited. */
export const searchTextsOption = 'plain_forms_after'

/** One slice holds its transaction, and writes wait for it: it ends at the first of these bounds. */
const sliceBounds = { windows: 5, ids: 500, documents: 10, ms: 200 } as const
const pauseMs = 1000

export const writeSearchTexts: ScheduledTask = {
  mayWait: true,
  dueAt: (settings) => dueTimeOf(settings, task),
  run: async (context) => {
    const { storage, app } = context
    if (!(await claimSlice(context))) return
    const from = Number((await storage.options.read([searchTextsOption]))[searchTextsOption] ?? 0)
    const end = await highestId(context)
    const { after, posts } = await writeSlice(context, from, end)
    const isDone = after >= end
    await storage.options.write({ [searchTextsOption]: after })
    await changeDue(storage, task, () => (isDone ? Number.POSITIVE_INFINITY : app.clock() + pauseMs))
    if (posts.length > 0) context.emit('search.indexed', { posts, isDone })
  },
}

/** Moves the due time on before the work: of several processes that notice it, one goes on, and the others find it moved. */
async function claimSlice({ storage, app }: HookContext): Promise<boolean> {
  let isClaimed = false
  await changeDue(storage, task, (known) => {
    isClaimed = known === undefined || known <= app.clock()
    return isClaimed ? app.clock() + pauseMs : undefined
  })
  return isClaimed
}

const typesOf = ({ app }: HookContext) => publicTypesOf(app).map(({ name }) => name)

async function highestId(context: HookContext): Promise<number> {
  const order = { by: 'id', descending: true } as const
  const { idsPage } = await context.storage.posts.query({ types: typesOf(context), order, offset: 0, limit: 1 })
  return idsPage[0]?.id ?? 0
}

async function writeSlice(
  context: HookContext,
  from: number,
  end: number,
): Promise<{ readonly after: number; readonly posts: readonly number[] }> {
  const posts: number[] = []
  const deadline = performance.now() + sliceBounds.ms
  let drawn = 0
  let after = from
  for (let window = 0; window < sliceBounds.windows && after < end; window++) {
    const last = Math.min(after + sliceBounds.ids, end)
    for (const post of await postsWithoutText(context, after, last)) {
      // At least one in each slice, however slow the machine is.
      if (drawn > 0 && (drawn >= sliceBounds.documents || performance.now() > deadline)) return { after, posts }
      drawn += 1
      if (await writeSearchText(context, post)) posts.push(post.id)
      after = post.id
    }
    after = last
  }
  return { after, posts }
}

/** The built posts with an id above `after` and up to `last` whose content is empty, ascending. */
async function postsWithoutText(context: HookContext, after: number, last: number): Promise<readonly Post[]> {
  const { storage } = context
  const ids = Array.from({ length: last - after }, (_, index) => after + 1 + index)
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types: typesOf(context), ids, order, offset: 0, limit: ids.length })
  const modes = await storage.meta.read(
    'post',
    idsPage.map(({ id }) => id),
    [editModeKey],
  )
  const rows = await storage.posts.read(modes.flatMap(({ id, value }) => (value === 'builder' ? [id] : [])))
  return rows.filter(({ content }) => content.trim() === '')
}

/** False: there is no text, or somebody has saved the post meanwhile, which writes its text too. */
async function writeSearchText(context: HookContext, post: Post): Promise<boolean> {
  const built = await renderedDocumentOf(context, post, { [editModeKey]: 'builder' })
  const content = built ? searchTextOf(built) : ''
  if (content === '') return false
  const update = { id: post.id, changes: { content }, when: { version: post.version } }
  return (await context.storage.posts.update([update])).length > 0
}
