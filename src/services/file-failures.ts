/**
 * Failures of disks and file stores become the error that storages throw: a full disk, missing rights or a file store without an answer
 * are 503 for the client, as for rows, and the next attempt may succeed.
 */

import { StorageUnavailable } from '../contract/errors.ts'
import type { MaybePromise } from '../contract/storage.ts'
import { isApiError } from '../core/declare/errors.ts'
import { isProgramError } from '../core/runtime/program-error.ts'
import type { Media } from './media.ts'
import type { StoredFile } from './media-driver.ts'

/** Awaits a call of the file system or of a file store. */
export async function fileAccess<T>(call: () => MaybePromise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw fileFailure(error)
  }
}

/** Reads a file piece by piece. */
export async function* fileChunks(open: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* open()
  } catch (error) {
    throw fileFailure(error)
  }
}

/** Without paths, so that the log counts equal failures in one line; the cause has them. */
export function fileFailure(error: unknown): unknown {
  if (isApiError(error) || isProgramError(error) || error instanceof StorageUnavailable) return error
  const reason = (error instanceof Error ? error.message : String(error)).replace(/'[^']*'/g, 'a file')
  return new StorageUnavailable(`the files can not be read or written: ${reason}`, { written: 'no', cause: error })
}

/** A media service, of the host too, whose failures are those of a storage. */
export function guardedMedia(media: Media): Media {
  const { store, open, has } = media
  return {
    addressOf: (path) => media.addressOf(path),
    isReadOnly: media.isReadOnly === true,
    write: (path, bytes, type) => fileAccess(() => media.write(path, bytes, type)),
    read: (path) => fileAccess(() => media.read(path)),
    remove: (path) => fileAccess(() => media.remove(path)),
    ...(store ? { store: (path, source) => storeFrom(source, (one) => store.call(media, path, one)) } : {}),
    ...(open ? { open: (path) => fileAccess(async () => guardedFile(await open.call(media, path))) } : {}),
    ...(has ? { has: (path) => fileAccess(() => has.call(media, path)) } : {}),
  }
}

type Source = Parameters<NonNullable<Media['store']>>[1]

/** An error of the source is no failure of the files. */
async function storeFrom<T>(source: Source, store: (source: Source) => Promise<T>): Promise<T> {
  let failure: { readonly error: unknown } | undefined
  async function* chunks() {
    try {
      yield* source.chunks()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    return await store({ size: source.size, type: source.type, chunks })
  } catch (error) {
    throw failure ? failure.error : fileFailure(error)
  }
}

function guardedFile(file: StoredFile | undefined): StoredFile | undefined {
  if (!file) return undefined
  const { size, modified } = file
  return {
    ...(modified === undefined ? { size } : { size, modified }),
    chunks: (range) => fileChunks(() => file.chunks(range)),
  }
}
