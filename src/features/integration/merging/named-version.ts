/** Finds the version of a record that a client has read by its tag: goes back through the changes of the record until the tag is that of it. */
import type { Storage } from '../../../contract/storage.ts'
import type { StaleWrite } from '../../../core/pipeline/stale-writes/stale-write.ts'
import { anyOption, keepsHistory, newestChangesOf, storageBefore } from '../history/model.ts'
import { watched } from './watched-storage.ts'

/** A version with more changes of the record after it is not found: each one back takes all changes after it. */
const maxChanges = 100

/** Returns the storage as it was with that version. Undefined: the history does not have it. */
export async function storageOfNamed(write: StaleWrite): Promise<Storage | undefined> {
  const { context } = write
  if (!keepsHistory(context.app)) return undefined
  const changes = await newestChangesOf(context.storage, await recordsOf(write), maxChanges)
  for (let count = 1; count <= changes.length; count++) {
    const storage = await storageBefore(context.app, context.storage, changes.slice(0, count))
    if (await isNamedIn(write, storage)) return storage
  }
  return undefined
}

/** The records that the tag is made of. */
async function recordsOf(write: StaleWrite): Promise<ReadonlySet<string>> {
  const records = new Set<string>()
  await write.readTag(watched(write.context.storage, records))
  // Settings are read before the request.
  return records.size === 0 ? new Set([anyOption]) : records
}

/** A record that was not there has no tag, and a change that does not fit the stored text ends the way back. */
async function isNamedIn(write: StaleWrite, storage: Storage): Promise<boolean> {
  try {
    return await write.isNamed(storage)
  } catch (error) {
    const { status, code } = error as { readonly status?: unknown; readonly code?: unknown }
    if (status === 404 || status === 410 || code === 'broken_undo') return false
    throw error
  }
}
