/** Inserts, changes, trashes, restores and removes submissions, with the scheduled task that empties the trash. */
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { bringForward, changeDue } from '../../../core/pipeline/scheduled-tasks.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import type { Storage, Where } from '../../../storage/contract.ts'
import { tryInsert } from '../../shared/transactions/model.ts'
import {
  type FormSnapshot,
  nowText,
  readSubmissions,
  type Submission,
  type SubmittedValue,
  searchText,
  snapshotsCollection,
  submissionsCollection,
  textAt,
  toSnapshot,
  toSubmission,
} from './model.ts'
import { countReferers } from './referers.ts'

type WriteContext = Pick<Context, 'storage' | 'app' | 'emit'>

export const noSuchSubmission = () => new ApiError('rest_not_found', 'There is no such submission.', 404)

export async function findSubmission({
  args,
  storage,
}: {
  readonly args: { readonly id?: number }
  readonly storage: Storage
}): Promise<Submission> {
  const [submission] = await readSubmissions(storage, [args.id ?? 0])
  if (!submission) throw noSuchSubmission()
  return submission
}

// ---------------------------------------------------------------- adding

/** Before a submission of a form is stored. */
export interface FormSubmissionsChanges {
  'submission.saving': NewSubmission
}

export type NewSubmission = Omit<Submission, 'id' | 'status' | 'isRead' | 'createdAt' | 'updatedAt' | 'version'>

/** Also updates the snapshot of the form and the count of the page. Runs in the caller's transaction. */
export async function insertSubmission(
  { storage, app }: Pick<WriteContext, 'storage' | 'app'>,
  added: NewSubmission,
  form: Omit<FormSnapshot, 'keys'>,
): Promise<Submission> {
  const now = nowText(app.clock)
  const submission = { ...added, status: 'new', isRead: false, createdAt: now, updatedAt: now, version: 1 } as const
  const [id = 0] = await storage.records.insert(submissionsCollection, [
    {
      post_id: added.postId,
      element_id: added.elementId,
      form_name: added.formName,
      referer: added.referer,
      referer_title: added.refererTitle,
      user_id: added.userId,
      user_agent: added.userAgent,
      user_ip: added.userIp,
      status: 'new',
      is_read: false,
      created_at: now,
      updated_at: now,
      fields: added.values.map(({ key, value }) => ({ key, value })),
      main: added.main,
      actions: added.actions.map((entry) => ({ ...entry })),
      version: 1,
    },
  ])
  // Searches match the id, which is known only after the insert.
  await storage.records.update(submissionsCollection, [{ id, changes: { search_text: searchText(id, added.values) } }])
  await updateSnapshot(storage, form, added.values)
  await countReferers(storage, [added], 1)
  return { ...submission, id }
}

/** An attempt fails only when another writer has written, so some writer always makes progress. */
const maxAttempts = 20

/** Stores the fields and keys of a form. Without `fields` only the keys of the values are added. */
async function updateSnapshot(
  storage: Storage,
  { postId, elementId, name, fields }: Pick<FormSnapshot, 'postId' | 'elementId' | 'name'> & Partial<FormSnapshot>,
  values: readonly SubmittedValue[],
): Promise<void> {
  const where: Where = {
    every: [
      { field: 'element_id', is: elementId },
      { field: 'post_id', is: postId },
    ],
  }
  for (let attempt = 1; ; attempt++) {
    const { rows } = await storage.records.query(snapshotsCollection, { where })
    const [row] = rows
    const before = row ? toSnapshot(row) : { name, fields: [], keys: [] }
    const latestFields = fields ?? before.fields
    const next = {
      name: fields ? name : before.name,
      fields: latestFields.map((field) => ({ ...field })),
      keys: [...new Set([...before.keys, ...latestFields.map(({ id }) => id), ...values.map(({ key }) => key)])],
    }
    if (row) {
      const isSame = JSON.stringify([before.name, before.fields, before.keys]) === JSON.stringify(Object.values(next))
      if (!isSame) await storage.records.update(snapshotsCollection, [{ id: row.id, changes: next }])
      return
    }
    const conflict = await tryInsert(storage, snapshotsCollection, [
      { post_id: postId, element_id: elementId, ...next },
    ])
    if (!conflict) return
    if (attempt === maxAttempts) throw conflict
  }
}

// ---------------------------------------------------------------- changing

interface Changes {
  readonly isRead?: boolean | undefined
  readonly values?: { readonly [key: string]: unknown } | undefined
}

/** Interface: a change affects existing values only; markup and line breaks are removed from the new texts. */
export async function updateSubmission(
  context: WriteContext,
  id: number,
  { isRead, values }: Changes,
): Promise<Submission> {
  const { storage, app, emit } = context
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [submission] = await readSubmissions(storage, [id])
    if (!submission) throw noSuchSubmission()
    const next = submission.values.map(({ key, value }) => ({
      key,
      value: values && Object.hasOwn(values, key) ? toSingleLine(String(values[key])) : value,
    }))
    const version = submission.version + 1
    const changes = {
      updated_at: nowText(app.clock),
      ...(isRead === undefined ? {} : { is_read: isRead }),
      ...(values ? { fields: next, search_text: searchText(id, next), version } : {}),
    }
    // A concurrent request may have changed other values.
    const when: Where = values ? { field: 'version', is: submission.version } : { every: [] }
    const changed = await storage.records.update(submissionsCollection, [{ id, changes, when }])
    if (changed.length === 0) continue
    emit('submission.updated', { ids: [id] })
    return {
      ...submission,
      updatedAt: changes.updated_at,
      isRead: isRead ?? submission.isRead,
      values: next,
    }
  }
  throw new ApiError('rest_conflict', 'Too many others change the submission. Please try again.', 409)
}

const toSingleLine = (text: string): string =>
  stripTags(text)
    .replace(/[\t\n\v\f\r ]+/g, ' ')
    .trim()

/** Returns the number of existing submissions. */
export async function setReadStatus(
  { storage, app, emit }: WriteContext,
  ids: readonly number[],
  isRead: boolean | undefined,
): Promise<number> {
  const changes = { updated_at: nowText(app.clock), ...(isRead === undefined ? {} : { is_read: isRead }) }
  const changed = await storage.records.update(
    submissionsCollection,
    ids.map((id) => ({ id, changes })),
  )
  if (changed.length > 0) emit('submission.updated', { ids: changed })
  return changed.length
}

// ---------------------------------------------------------------- trash

const task = 'form_submissions'
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Returns the count. Interface: trashing counts submissions in the trash too, and restarts their retention period. */
export async function trashSubmissions({ storage, app, emit }: WriteContext, ids: readonly number[]): Promise<number> {
  const changes = { status: 'trash', updated_at: nowText(app.clock) }
  const changed = await storage.records.update(
    submissionsCollection,
    ids.map((id) => ({ id, changes })),
  )
  if (changed.length === 0) return 0
  await bringForward(storage, task, app.clock() + retentionMs)
  emit('submission.trashed', { ids: changed })
  return changed.length
}

/** Returns the number of restored submissions. Interface: restoring does not change `updated_at`. */
export async function restoreSubmissions({ storage, emit }: WriteContext, ids: readonly number[]): Promise<number> {
  const when: Where = { field: 'status', is: 'trash' }
  const changed = await storage.records.update(
    submissionsCollection,
    ids.map((id) => ({ id, changes: { status: 'new' }, when })),
  )
  if (changed.length > 0) emit('submission.restored', { ids: changed })
  return changed.length
}

/** Removes submissions permanently, in the trash or not. Returns the number of removed submissions. */
export async function removeSubmissions(
  { storage, emit }: Pick<WriteContext, 'storage' | 'emit'>,
  ids: readonly number[],
): Promise<number> {
  const submissions = await readSubmissions(storage, ids)
  if (submissions.length === 0) return 0
  const removedIds = submissions.map(({ id }) => id)
  await storage.records.remove(submissionsCollection, { field: 'id', in: removedIds })
  await countReferers(storage, submissions, -1)
  emit('submission.deleted', { ids: removedIds })
  return removedIds.length
}

// ---------------------------------------------------------------- scheduled task

const windowSize = 500

/** Completes seeded rows and removes submissions that have been in the trash for 30 days. */
export const scheduledTask: ScheduledTask = {
  dueAt: ({ due }) => due[task],
  run: async (context) => {
    await completeRows(context)
    await emptyTrash(context)
    await changeDue(context.storage, task, () => nextDueAt(context.storage))
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
  const before = textAt(context.app.clock() - retentionMs)
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

async function nextDueAt({ records }: Storage): Promise<number> {
  const query = { where: isTrash, order: [{ by: 'updated_at' }], limit: 1 }
  const { rows } = await records.query(submissionsCollection, query)
  const [first] = rows
  return first ? Date.parse(`${String(first['updated_at'])}Z`) + retentionMs : Number.POSITIVE_INFINITY
}
