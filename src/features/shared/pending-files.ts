/**
 * Notes files that are being written or removed. Bytes and rows are in different places, so a crash between them would
 * leave files that belong to no record: each path is noted before its bytes are written, and the note goes in the
 * transaction that writes the record. A removal is noted in the transaction that removes the record. A note that is older
 * than an hour belongs to no running process, and a scheduled task removes its files.
 */

import type { Collection, Storage, Where } from '../../contract/storage.ts'
import type { Context, HookContext } from '../../core/declare/context.ts'
import type { AfterCommit } from '../../core/declare/events.ts'
import type { ScheduledTask } from '../../core/declare/scheduled-task.ts'
import { bringForward, changeDue, dueTimeOf } from '../../core/pipeline/scheduled-tasks.ts'
import { mayBeWritten, outsideUnit } from '../../core/runtime/unit-of-work.ts'
import { isStored, mediaOf } from '../../services/media.ts'

export const pendingFiles: Collection = {
  name: 'pending_files',
  /** `claims`: true until it is known that no file had the path. */
  fields: { path: 'text', since: 'integer', claims: 'boolean' },
  unique: [['path']],
  indexed: ['since'],
}

const task = 'pending-files'
const staleMs = 3_600_000
/** Files that one run removes: it holds the transaction meanwhile. */
const windowSize = 100

type FilesContext = Pick<Context, 'storage' | 'app'>

/**
 * Notes paths before their files are written. False: one of them is taken, by a file or by another upload. The uniqueness of
 * notes decides between uploads at the same time.
 */
export async function reservePaths({ storage: used, app }: FilesContext, paths: readonly string[]): Promise<boolean> {
  const storage = outsideUnit(used)
  const since = app.clock()
  let ids: readonly number[]
  try {
    // A claim: a process that ends before the look must not have the file of a record removed.
    ids = await storage.records.insert(
      pendingFiles,
      paths.map((path) => ({ path, since, claims: true })),
    )
  } catch (error) {
    if ((error as { code?: unknown }).code === 'storage_conflict') return false
    throw error
  }
  // After the note: a file that is there now belongs to somebody else.
  const media = mediaOf(app)
  const taken = await Promise.all(paths.map((path) => isStored(media, path)))
  if (taken.includes(true)) {
    await forgetPaths(storage, paths)
    return false
  }
  await storage.records.update(
    pendingFiles,
    ids.map((id) => ({ id, changes: { claims: false } })),
  )
  await bringForward(storage, task, since + staleMs)
  return true
}

/**
 * Notes the paths of files that may replace others, and takes over the notes that a killed process has left. Returns the noted ones:
 * a file that was there without a note is not that of the caller.
 */
export async function noteReplaced(
  { storage: used, app }: FilesContext,
  paths: readonly string[],
): Promise<readonly string[]> {
  const storage = outsideUnit(used)
  const since = app.clock()
  const { rows } = await storage.records.query(pendingFiles, { where: { field: 'path', in: [...paths] } })
  const left = new Set(rows.map(({ path }) => String(path)))
  const media = mediaOf(app)
  const stored = await Promise.all(paths.map((path) => left.has(path) || isStored(media, path)))
  const free = paths.filter((_, index) => !stored[index])
  await storage.records.update(
    pendingFiles,
    rows.map(({ id }) => ({ id, changes: { since, claims: false } })),
  )
  if (free.length > 0)
    await storage.records.insert(
      pendingFiles,
      free.map((path) => ({ path, since })),
    )
  await bringForward(storage, task, since + staleMs)
  return [...left, ...free]
}

/** In the transaction that writes the record. False: the paths were given up meanwhile, and their files removed. */
export const forgetPaths = async (storage: Storage, paths: readonly string[]): Promise<boolean> =>
  (await storage.records.remove(pendingFiles, { field: 'path', in: [...paths] })) === paths.length

/**
 * In the transaction that removes the record. The result is the `afterCommit` of the event of the removal, so that the files are gone
 * when the caller has the answer. Undefined without paths.
 */
export async function noteRemoval(
  { storage, app }: FilesContext,
  paths: readonly string[],
): Promise<AfterCommit | undefined> {
  if (paths.length === 0) return undefined
  const since = app.clock()
  const known = await storage.records.query(pendingFiles, { where: { field: 'path', in: [...paths] } })
  const noted = new Set(known.rows.map(({ path }) => path))
  const later = known.rows.filter((row) => Number(row['since']) > since)
  await storage.records.update(
    pendingFiles,
    later.map(({ id }) => ({ id, changes: { since } })),
  )
  const rows = paths.filter((path) => !noted.has(path)).map((path) => ({ path, since }))
  if (rows.length > 0) await storage.records.insert(pendingFiles, rows)
  await bringForward(storage, task, since + staleMs)
  return (committed) => removePending({ storage: committed, app }, paths)
}

/**
 * In a transaction: files with notes that have no record go after this time, if no earlier call of `removeNoted` takes them. False: one
 * of them is gone.
 */
export async function removeLater(
  { storage, app }: FilesContext,
  paths: readonly string[],
  delayMs: number,
): Promise<boolean> {
  const since = app.clock() + delayMs - staleMs
  const { rows } = await storage.records.query(pendingFiles, { where: { field: 'path', in: [...paths] } })
  await storage.records.update(
    pendingFiles,
    rows.map(({ id }) => ({ id, changes: { since } })),
  )
  await bringForward(storage, task, since + staleMs)
  return rows.length === paths.length
}

/** Removes those of the files that have a note; `isDue`: and whose time has come. Throws as `removePending` does. */
export async function removeNoted(
  context: FilesContext,
  paths: readonly string[],
  { isDue = false } = {},
): Promise<void> {
  const due: Where[] = isDue ? [{ field: 'since', to: context.app.clock() - staleMs }] : []
  const { rows } = await outsideUnit(context.storage).records.query(pendingFiles, {
    where: { every: [{ field: 'path', in: [...paths] }, ...due] },
  })
  await removePending(
    context,
    rows.map(({ path }) => String(path)),
  )
}

/** Files that are removed side by side: their store may be across a network. */
const removedAtOnce = 10

/** Removes the files of noted paths, then their notes. Throws when a file can not be removed, after it has tried the others. */
export async function removePending(context: FilesContext, paths: readonly string[]): Promise<void> {
  const { failed, error } = await removeFiles(context, paths)
  if (failed.length > 0) throw error
}

async function removeFiles(
  { storage, app }: FilesContext,
  paths: readonly string[],
): Promise<{ readonly failed: readonly string[]; readonly error: unknown }> {
  const media = mediaOf(app)
  const failed = new Map<string, unknown>()
  for (let from = 0; from < paths.length; from += removedAtOnce) {
    const group = paths.slice(from, from + removedAtOnce)
    const remove = async (path: string) => media.remove(path)
    await Promise.all(group.map((path) => remove(path).catch((error: unknown) => void failed.set(path, error))))
  }
  const removed = paths.filter((path) => !failed.has(path))
  if (removed.length > 0) await forgetPaths(outsideUnit(storage), removed)
  return { failed: [...failed.keys()], error: failed.values().next().value }
}

/**
 * After a failure of the transaction that writes the record. Where the record may be there all the same, or the files can not be
 * removed now, the notes stay: the scheduled task removes what still has one in an hour. A path without a note is another record's now.
 */
export async function discardPending(context: FilesContext, paths: readonly string[], failure: unknown): Promise<void> {
  if (mayBeWritten(failure) || paths.length === 0) return
  await removeNoted(context, paths).catch(() => undefined)
}

/** Removes what crashed processes left. */
export const sweepPendingFiles: ScheduledTask = {
  mayWait: true,
  dueAt: (settings) => dueTimeOf(settings, task),
  run: async (context: HookContext) => {
    const { storage, app } = context
    const until = app.clock() - staleMs
    const { rows } = await storage.records.query(pendingFiles, {
      where: { field: 'since', to: until },
      order: [{ by: 'since' }],
      limit: windowSize,
    })
    const pathsOf = (claims: boolean) =>
      rows.filter((row) => (row.claims === true) === claims).map(({ path }) => String(path))
    await forgetPaths(storage, pathsOf(true))
    const { failed, error } = await removeFiles(context, pathsOf(false))
    if (failed.length > 0) await postpone(context, failed, error)
    await changeDue(storage, task, () => nextDue(storage))
  },
}

/** A file store that is away must not keep the other tasks of the transaction from their end. */
async function postpone({ storage, app }: FilesContext, paths: readonly string[], error: unknown): Promise<void> {
  app.log.error('files can not be removed now, and are tried again in an hour', {
    id: task,
    error,
    count: paths.length,
  })
  const since = app.clock()
  const { rows } = await storage.records.query(pendingFiles, { where: { field: 'path', in: [...paths] } })
  await storage.records.update(
    pendingFiles,
    rows.map(({ id }) => ({ id, changes: { since } })),
  )
}

async function nextDue(storage: Storage): Promise<number> {
  const { rows } = await storage.records.query(pendingFiles, { order: [{ by: 'since' }], limit: 1 })
  const [first] = rows
  return first ? Number(first['since']) + staleMs : Number.POSITIVE_INFINITY
}
