/** Merges the arguments of a stale write with the values that are stored. */

import { equalJson } from '../../../contract/equal-json.ts'
import type { Json, Storage } from '../../../contract/storage.ts'
import type { ArgumentValues } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { MergeStale, StaleWrite } from '../../../core/pipeline/stale-writes/stale-write.ts'
import { mergedValue } from '../../shared/merge/values.ts'
import type { MergeConflict } from '../../shared/merge/versions.ts'
import { anyOption, keepsHistory, newestChangesOf, storageBefore } from '../history/model.ts'
import { watched } from './watched-storage.ts'

/** A version with more changes of the record after it is not found: each one back takes all changes after it. */
const maxChanges = 100

/**
 * Returns the storage as it was with the version that the client has read: goes back through the changes of the record until its tag is
 * that of the client. Undefined: the history does not have it.
 */
async function storageOfNamed(write: StaleWrite): Promise<Storage | undefined> {
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

export const mergeStale: MergeStale = async (write) => {
  const { context, sent } = write
  const base = await baseOf(write)
  if (!base) return undefined
  const stored = await write.valuesIn(context.storage)
  const merged: { [argument: string]: Json | undefined } = {}
  const conflicts: MergeConflict[] = []
  // An argument that GET does not answer with, such as a password, is written as it was sent.
  for (const name of Object.keys(sent).filter((one) => Object.hasOwn(stored, one))) {
    const one = mergedValue(versionsOf(write, name, base, stored), name)
    merged[name] = one.value
    conflicts.push(...one.conflicts)
  }
  if (conflicts.length > 0) throw await conflictError(write, conflicts, merged)
  return write.keepsAbsent ? withoutStored(write, merged, stored) : merged
}

async function baseOf(write: StaleWrite): Promise<ArgumentValues | undefined> {
  if (write.revision !== undefined) {
    const values = await write.valuesOfRevision(write.revision)
    if (values) return values
    throw new ApiError('rest_merge_no_base', 'The record has no such revision: name another one as the base.', 404)
  }
  const storage = await storageOfNamed(write)
  return storage && write.valuesIn(storage)
}

function versionsOf({ sent, partial }: StaleWrite, name: string, base: ArgumentValues, stored: ArgumentValues) {
  const mine = plain(sent[name])
  const limited = (value: Json | undefined) => (partial.includes(name) ? picked(value, mine) : value)
  return { base: limited(plain(base[name])), mine, theirs: limited(plain(stored[name])) }
}

/** The value that a text stands for: `{ raw, rendered }` in answers, and sometimes in arguments. */
function plain(value: unknown): Json | undefined {
  // The cast: arguments and answers are JSON.
  return isMap(value) && typeof value['raw'] === 'string' ? value['raw'] : (value as Json | undefined)
}

/** The members that `mine` names: the write leaves all others as they are. */
function picked(value: Json | undefined, mine: Json | undefined): Json | undefined {
  if (!isMap(value) || !isMap(mine)) return value
  const names = Object.keys(mine).filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(names.map((name) => [name, value[name] as Json]))
}

const isMap = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that is stored already is not written: it may be one that only others may write. */
function withoutStored({ sent }: StaleWrite, merged: ArgumentValues, stored: ArgumentValues): ArgumentValues {
  const isStored = (name: string) =>
    equalJson(merged[name], plain(stored[name])) && !equalJson(merged[name], plain(sent[name]))
  return Object.fromEntries(Object.entries(merged).map(([name, value]) => [name, isStored(name) ? undefined : value]))
}

async function conflictError(
  { context: { app }, tag }: StaleWrite,
  conflicts: readonly MergeConflict[],
  merged: ArgumentValues,
): Promise<ApiError> {
  const { toPublic } = app.names
  const named = (member: string) =>
    member.replace(/^[\w-]+(?:\.[\w-]+)?/, (path) =>
      path
        .split('.')
        .map((word) => toPublic(word))
        .join('.'),
    )
  const message = 'Both have changed the same: decide, and send the result under the tag.'
  return new ApiError('rest_merge_conflict', message, 409, {
    conflicts: conflicts.map(({ member, base, mine, theirs }) => ({
      member: named(member),
      base,
      yours: mine,
      theirs,
    })),
    merged: Object.fromEntries(
      Object.entries(merged).map(([name, value]) => [
        toPublic(name),
        name === 'meta' ? publicKeys(value, toPublic) : value,
      ]),
    ),
    etag: await tag(),
  })
}

const publicKeys = (value: unknown, toPublic: (name: string) => string): unknown =>
  isMap(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [toPublic(name), one])) : value
