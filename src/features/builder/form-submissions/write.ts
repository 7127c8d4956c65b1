/** Inserts, changes, trashes, restores and removes submissions. */

import type { RecordValues, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { bringForward } from '../../../core/pipeline/scheduled-tasks.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { isFilePath } from '../../../services/media.ts'
import { noteRemoval } from '../../shared/pending-files.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import {
  type ActionEntry,
  type FormSnapshot,
  formDeliveries,
  nowText,
  readSubmissions,
  type Submission,
  type SubmittedValue,
  searchText,
  snapshotsCollection,
  submissionsCollection,
  toSnapshot,
  toSubmission,
} from './model.ts'
import { countReferers } from './referers.ts'

type WriteContext = Pick<Context, 'storage' | 'app' | 'emit'>

export const noSuchSubmission = () => new ApiError('rest_not_found', 'There is no such submission.', 404)

interface FindContext {
  readonly args: { readonly id?: number }
  readonly storage: Storage
}

/** For conditions: what the routes change. The actions of the form report to the record meanwhile. */
export async function storedSubmission({ args, storage }: FindContext) {
  const [submission] = await readSubmissions(storage, [args.id ?? 0])
  return storedState(submission && [submission.id, submission.status, submission.isRead, submission.values])
}

export async function findSubmission({ args, storage }: FindContext): Promise<Submission> {
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
  more: RecordValues,
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
      ...more,
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
export async function updateSnapshot(
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

/** Enters results of actions in the log of a submission, each in the place of an earlier one of its name. */
export async function enterLog(storage: Storage, id: number, entries: readonly ActionEntry[]): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [submission] = await readSubmissions(storage, [id])
    if (!submission) return
    const { actions, version } = submission
    const added = entries.map((entry) => {
      const before = actions.find(({ name }) => name === entry.name)
      return { ...entry, createdAt: before?.createdAt ?? entry.createdAt }
    })
    const others = actions.filter(({ name }) => !entries.some((entry) => entry.name === name))
    const changes = { actions: [...others, ...added].map((each) => ({ ...each })), version: version + 1 }
    const when: Where = { field: 'version', is: version }
    if ((await storage.records.update(submissionsCollection, [{ id, changes, when }])).length > 0) return
  }
  throw new ApiError('rest_conflict', 'Too many others change the submission. Please try again.', 409)
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

/** The scheduled task of the feature. */
export const task = 'form_submissions'
/** How long submissions stay in the trash. */
export const trashMs = 30 * 24 * 60 * 60 * 1000

/** Returns the count. Interface: trashing counts submissions in the trash too, and restarts their retention period. */
export async function trashSubmissions({ storage, app, emit }: WriteContext, ids: readonly number[]): Promise<number> {
  const changes = { status: 'trash', updated_at: nowText(app.clock) }
  const changed = await storage.records.update(
    submissionsCollection,
    ids.map((id) => ({ id, changes })),
  )
  if (changed.length === 0) return 0
  await bringForward(storage, task, app.clock() + trashMs)
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

/**
 * Removes submissions permanently, in the trash or not, with their files and pending messages. Returns the number of
 * removed submissions.
 */
export async function removeSubmissions(context: WriteContext, ids: readonly number[]): Promise<number> {
  const { storage, emit } = context
  const { rows } = await storage.records.query(submissionsCollection, { where: { field: 'id', in: [...ids] } })
  const submissions = rows.map(toSubmission)
  if (submissions.length === 0) return 0
  const removedIds = submissions.map(({ id }) => id)
  const afterCommit = await noteRemoval(context, rows.flatMap(filesOf))
  await storage.records.remove(submissionsCollection, { field: 'id', in: removedIds })
  await storage.records.remove(formDeliveries, { field: 'submission', in: removedIds })
  await countReferers(storage, submissions, -1)
  emit('submission.deleted', { ids: removedIds }, { afterCommit })
  return removedIds.length
}

/** The paths of the files that came with a form. A site document may name others, which are not theirs to remove. */
export const filesOf = ({ files }: StoredRecord): string[] =>
  Array.isArray(files) ? files.map(String).filter((path) => path.startsWith('forms/') && isFilePath(path)) : []
