/** Adding, changing, trashing, restoring and removing submissions, and what is done to them with time. */
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { ScheduledTask } from '../../../core/declare/scheduled-task.ts'
import { bringForward, changeDue } from '../../../core/pipeline/scheduled-tasks.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import type { Storage, Where } from '../../../storage/contract.ts'
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

type Writer = Pick<Context, 'storage' | 'app' | 'emit'>

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

export type NewSubmission = Omit<Submission, 'id' | 'status' | 'isRead' | 'createdAt' | 'updatedAt' | 'version'>

/** With the snapshot of its form and the page it came from, all in the caller's transaction. */
export async function insertSubmission(
  { storage, app }: Pick<Writer, 'storage' | 'app'>,
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
  // The id is part of what a search finds, and known only now.
  await storage.records.update(submissionsCollection, [{ id, changes: { search_text: searchText(id, added.values) } }])
  await keepSnapshot(storage, form, added.values)
  await countReferers(storage, [added], 1)
  return { ...submission, id }
}

/** Each lost race is somebody else's progress. */
const maxRounds = 20

/** Without `fields` only the keys of the values are added. */
async function keepSnapshot(
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
  for (let round = 1; ; round++) {
    const { rows } = await storage.records.query(snapshotsCollection, { where })
    const [row] = rows
    const before = row ? toSnapshot(row) : { name, fields: [], keys: [] }
    const shown = fields ?? before.fields
    const next = {
      name: fields ? name : before.name,
      fields: shown.map((field) => ({ ...field })),
      keys: [...new Set([...before.keys, ...shown.map(({ id }) => id), ...values.map(({ key }) => key)])],
    }
    if (row) {
      const isSame = JSON.stringify([before.name, before.fields, before.keys]) === JSON.stringify(Object.values(next))
      if (!isSame) await storage.records.update(snapshotsCollection, [{ id: row.id, changes: next }])
      return
    }
    try {
      // In a savepoint: a refused row must not end the whole transaction.
      const insert = (inside: Storage) =>
        inside.records.insert(snapshotsCollection, [{ post_id: postId, element_id: elementId, ...next }])
      await (storage.atomic ? storage.atomic(insert) : insert(storage))
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'storage_conflict' || round === maxRounds) throw error
    }
  }
}

// ---------------------------------------------------------------- changing

export interface Changes {
  readonly isRead?: boolean | undefined
  readonly values?: { readonly [key: string]: unknown } | undefined
}

/** Interface: only values that are there change; their texts lose markup and line breaks. */
export async function updateSubmission(context: Writer, id: number, { isRead, values }: Changes): Promise<Submission> {
  const { storage, app, emit } = context
  for (let round = 1; round <= maxRounds; round++) {
    const [submission] = await readSubmissions(storage, [id])
    if (!submission) throw noSuchSubmission()
    const next = submission.values.map(({ key, value }) => ({
      key,
      value: values && Object.hasOwn(values, key) ? foldedText(String(values[key])) : value,
    }))
    const version = submission.version + 1
    const changes = {
      updated_at: nowText(app.clock),
      ...(isRead === undefined ? {} : { is_read: isRead }),
      ...(values ? { fields: next, search_text: searchText(id, next), version } : {}),
    }
    // Somebody else may have changed other values at the same moment.
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

const foldedText = (text: string): string =>
  stripTags(text)
    .replace(/[\t\n\v\f\r ]+/g, ' ')
    .trim()

/** Answers how many there were. */
export async function markSubmissions(
  { storage, app, emit }: Writer,
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

/** Interface: what lies in the trash already counts, and its time there begins anew. */
export async function trashSubmissions({ storage, app, emit }: Writer, ids: readonly number[]): Promise<number> {
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

/** Interface: the moment of the last change stays as it was. Answers how many came out of the trash. */
export async function restoreSubmissions({ storage, emit }: Writer, ids: readonly number[]): Promise<number> {
  const when: Where = { field: 'status', is: 'trash' }
  const changed = await storage.records.update(
    submissionsCollection,
    ids.map((id) => ({ id, changes: { status: 'new' }, when })),
  )
  if (changed.length > 0) emit('submission.restored', { ids: changed })
  return changed.length
}

/** For good, in the trash or not. Answers how many there were. */
export async function removeSubmissions(
  { storage, emit }: Pick<Writer, 'storage' | 'emit'>,
  ids: readonly number[],
): Promise<number> {
  const found = await readSubmissions(storage, ids)
  if (found.length === 0) return 0
  const gone = found.map(({ id }) => id)
  await storage.records.remove(submissionsCollection, { field: 'id', in: gone })
  await countReferers(storage, found, -1)
  emit('submission.deleted', { ids: gone })
  return gone.length
}

// ---------------------------------------------------------------- with time

const window = 500

/** What has been in the trash for 30 days goes. What was seeded is made ready for searches. */
export const scheduledTask: ScheduledTask = {
  dueAt: ({ due }) => due[task],
  run: async (context) => {
    await completeRows(context)
    await purge(context)
    await changeDue(context.storage, task, () => nextPurge(context.storage))
  },
}

/** Rows of a seed know neither the id that they got nor what else is made of them here. */
async function completeRows({ storage }: HookContext): Promise<void> {
  for (;;) {
    const query = { where: { field: 'search_text', is: null }, limit: window }
    const rows = (await storage.records.query(submissionsCollection, query)).rows.map(toSubmission)
    await storage.records.update(
      submissionsCollection,
      rows.map(({ id, values }) => ({ id, changes: { search_text: searchText(id, values) } })),
    )
    await countReferers(storage, rows, 1)
    for (const own of Map.groupBy(rows, ({ postId, elementId }) => `${postId}_${elementId}`).values()) {
      const [{ postId, elementId, formName } = rows[0] as Submission] = own
      const values = own.flatMap((one) => one.values)
      await keepSnapshot(storage, { postId, elementId, name: formName, fields: undefined }, values)
    }
    if (rows.length < window) return
  }
}

const isTrash: Where = { field: 'status', is: 'trash' }

async function purge(context: HookContext): Promise<void> {
  const before = textAt(context.app.clock() - retentionMs)
  for (;;) {
    const where: Where = { every: [isTrash, { field: 'updated_at', to: before }] }
    const { rows } = await context.storage.records.query(submissionsCollection, { where, limit: window })
    await removeSubmissions(
      context,
      rows.map(({ id }) => id),
    )
    if (rows.length < window) return
  }
}

async function nextPurge({ records }: Storage): Promise<number> {
  const query = { where: isTrash, order: [{ by: 'updated_at' }], limit: 1 }
  const { rows } = await records.query(submissionsCollection, query)
  const [first] = rows
  return first ? Date.parse(`${String(first['updated_at'])}Z`) + retentionMs : Number.POSITIVE_INFINITY
}
