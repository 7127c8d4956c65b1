/**
 * Notes files that are being written or removed. Bytes and rows are in different places, so a crash between them would
 * leave files that belong to no record: each path is noted before its bytes are written, and the note goes in the
 * transaction that writes the record. A removal is noted in the transaction that removes the record. A note that is older
 * than an hour belongs to no running process, and a scheduled task removes its files.
 */

import type { Collection, Storage } from '../../contract/storage.ts'
import type { Context, HookContext } from '../../core/declare/context.ts'
import type { ScheduledTask } from '../../core/declare/scheduled-task.ts'
import { bringForward, changeDue, dueTimeOf } from '../../core/pipeline/scheduled-tasks.ts'
import { mayBeWritten, outsideUnit } from '../../core/runtime/unit-of-work.ts'
import { isStored, mediaOf } from '../../services/media.ts'

const pendingFiles: Collection = {
  name: 'pending_files',
  fields: { path: 'text', since: 'integer' },
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
  try {
    await storage.records.insert(
      pendingFiles,
      paths.map((path) => ({ path, since })),
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
  await bringForward(storage, task, since + staleMs)
  return true
}

/** In the transaction that writes the record. False: the paths were given up meanwhile, and their files removed. */
export const forgetPaths = async (storage: Storage, paths: readonly string[]): Promise<boolean> =>
  (await storage.records.remove(pendingFiles, { field: 'path', in: [...paths] })) === paths.length

/** In the transaction that removes the record: `removePending` follows after its commit. */
export async function noteRemoval({ storage, app }: FilesContext, paths: readonly string[]): Promise<void> {
  const since = app.clock()
  const known = await storage.records.query(pendingFiles, { where: { field: 'path', in: [...paths] } })
  const noted = new Set(known.rows.map(({ path }) => path))
  const rows = paths.filter((path) => !noted.has(path)).map((path) => ({ path, since }))
  if (rows.length > 0) await storage.records.insert(pendingFiles, rows)
  await bringForward(storage, task, since + staleMs)
}

/** Removes the files of noted paths, then the notes. */
export async function removePending({ storage, app }: FilesContext, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const media = mediaOf(app)
  for (const path of paths) await media.remove(path)
  await forgetPaths(outsideUnit(storage), paths)
}

/**
 * After a failure of the transaction that writes the record. Where the record may be there all the same, or the files can not be
 * removed now, the notes stay: the scheduled task removes what still has one in an hour.
 */
export async function discardPending(context: FilesContext, paths: readonly string[], failure: unknown): Promise<void> {
  if (mayBeWritten(failure)) return
  await removePending(context, paths).catch(() => undefined)
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
    await removePending(
      context,
      rows.map(({ path }) => String(path)),
    )
    await changeDue(storage, task, () => nextDue(storage))
  },
}

async function nextDue(storage: Storage): Promise<number> {
  const { rows } = await storage.records.query(pendingFiles, { order: [{ by: 'since' }], limit: 1 })
  const [first] = rows
  return first ? Number(first['since']) + staleMs : Number.POSITIVE_INFINITY
}
