/**
 * The scheduled task of form submissions: completes seeded rows, empties the trash, and removes old submissions by their
 * rules.
 */

import type { Storage, Where } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { changeDue, dueTimeOf } from '../../../core/pipeline/scheduled-tasks.ts'
import { type Submission, searchText, submissionsCollection, textAt, toSubmission } from './model.ts'
import { countReferers } from './referers.ts'
import { hasRetention, removeExpired } from './retention.ts'
import { removeSubmissions, task, trashMs, updateSnapshot } from './write.ts'

const windowSize = 500

/** Completes seeded rows and removes submissions that have been in the trash for 30 days. */
export const scheduledTask: ScheduledTask = {
  dueAt: (settings) => dueTimeOf(settings, task),
  run: async (context) => {
    await completeRows(context)
    await emptyTrash(context)
    await removeExpired(context)
    await changeDue(context.storage, task, () => nextDueAt(context))
  },
}

/** Seeded rows lack `search_text`, which contains the id, the counts of their pages, and perhaps a form snapshot. */
async function completeRows({ storage }: HookContext): Promise<void> {
  for (;;) {
    const query = { where: { field: 'search_text', is: null }, limit: windowSize }
    const rows = (await storage.records.query(submissionsCollection, query)).rows.map(toSubmission)
    await storage.records.update(
      submissionsCollection,
      rows.map(({ id, values }) => ({ id, changes: { search_text: searchText(id, values) } })),
    )
    await countReferers(storage, rows, 1)
    for (const group of Map.groupBy(rows, ({ postId, elementId }) => `${postId}_${elementId}`).values()) {
      const [{ postId, elementId, formName } = rows[0] as Submission] = group
      const values = group.flatMap((submission) => submission.values)
      await updateSnapshot(storage, { postId, elementId, name: formName, fields: undefined }, values)
    }
    if (rows.length < windowSize) return
  }
}

const isTrash: Where = { field: 'status', is: 'trash' }

async function emptyTrash(context: HookContext): Promise<void> {
  const before = textAt(context.app.clock() - trashMs)
  for (;;) {
    const where: Where = { every: [isTrash, { field: 'updated_at', to: before }] }
    const { rows } = await context.storage.records.query(submissionsCollection, { where, limit: windowSize })
    await removeSubmissions(
      context,
      rows.map(({ id }) => id),
    )
    if (rows.length < windowSize) return
  }
}

const dayMs = 24 * 60 * 60 * 1000

async function nextDueAt({ storage, app }: HookContext): Promise<number> {
  const trashed = await nextTrash(storage)
  return (await hasRetention(storage)) ? Math.min(trashed, app.clock() + dayMs) : trashed
}

async function nextTrash({ records }: Storage): Promise<number> {
  const query = { where: isTrash, order: [{ by: 'updated_at' }], limit: 1 }
  const { rows } = await records.query(submissionsCollection, query)
  const [first] = rows
  return first ? Date.parse(`${String(first['updated_at'])}Z`) + trashMs : Number.POSITIVE_INFINITY
}
