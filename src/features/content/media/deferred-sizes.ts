/**
 * Makes the sizes of a picture beside requests, one after the other, the smallest first. Each is written to the record when it is there,
 * so a process that ends in the middle leaves the others to the next one.
 */

import type { Storage } from '../../../contract/storage.ts'
import { isApiError } from '../../../core/declare/errors.ts'
import type { BackgroundContext } from '../../../core/declare/scheduled-task.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { imagesOf } from '../../../services/images.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { type Attempted, atTarget } from '../../shared/deliveries.ts'
import { discardPending, forgetPaths, removePending } from '../../shared/pending-files.ts'
import type { LocalFile } from './drafts.ts'
import { storedTexts } from './image-meta.ts'
import { keepSizes } from './kept-files.ts'
import { withLocal } from './local-file.ts'
import { type FileDetails, folderOf, type MediumFileMeta, nameOf, readFileMeta } from './model.ts'
import { fitted, largestSide, type PlannedSize, plannedSizes, sizesOf } from './sizes.ts'

/** Stops between two sizes when the api closes; the next process goes on. */
export async function makeDeferredSizes(context: BackgroundContext, id: number): Promise<Attempted> {
  const { path, details } = await fileOf(context.storage, id)
  const [medium] = await context.storage.posts.read([id])
  if (!medium || path === undefined || !details.sizes_pending) return { result: 'delivered' }
  try {
    return await withLocal(context, medium.mimeType, path, (local) => new Work(context, id, local, path).run(details))
  } catch (error) {
    if (!isApiError(error) || error.status >= 500) throw error
    // The file is gone, or no library reads it: another attempt would not help, and the record waits for nothing.
    await writeDone(context, id)
    return { result: 'dead', error: error.message }
  }
}

async function writeDone(context: BackgroundContext, id: number): Promise<void> {
  await retryTransaction(context.storage, async (storage) => {
    const { sizes_pending: _pending, ...details } = (await fileOf(storage, id)).details
    if ((await storage.posts.update([{ id, changes: {} }])).length === 0) return
    await storage.meta.write('post', [{ id, key: attachmentMetadataKey, value: details as never }])
  })
}

const fileOf = async (storage: Storage, id: number): Promise<MediumFileMeta> => (await readFileMeta(storage, [id]))(id)

const area = ({ width, height }: PlannedSize) => width * height

/** The copy that is shown of a large picture. It is made like a size. */
const scaledName = 'scaled'

class Work {
  readonly #context: BackgroundContext
  readonly #id: number
  readonly #local: LocalFile
  readonly #path: string

  constructor(context: BackgroundContext, id: number, local: LocalFile, path: string) {
    this.#context = context
    this.#id = id
    this.#local = local
    this.#path = path
  }

  async run(details: FileDetails): Promise<Attempted> {
    const { storage, app, signal } = this.#context
    const { width, height, pixels } = await atTarget(() => imagesOf(app).measure(this.#local.path))
    const missing = (await sizesOf(storage)).filter(({ name }) => !Object.hasOwn(details.sizes ?? {}, name))
    const planned = plannedSizes({ width, height }, missing).toSorted((one, other) => area(one) - area(other))
    for (const size of planned) {
      if (signal.aborted) return closing
      const made = await this.#make(size, details)
      const change = (now: FileDetails) => ({ details: { ...now, sizes: { ...now.sizes, ...made.sizes } } })
      if (!(await this.#write(made.paths, change))) return { result: 'delivered' }
    }
    const isLarge = pixels <= width * height && Math.max(width, height) > largestSide
    if (isLarge && details.original_image === undefined) {
      if (signal.aborted) return closing
      await this.#showScaled(fitted({ width, height }, { width: largestSide, height: largestSide }), details)
    }
    await this.#write([], ({ sizes_pending: _pending, ...now }) => ({ details: now }))
    return { result: 'delivered' }
  }

  async #make(size: PlannedSize, { image_meta: meta }: FileDetails) {
    const folder = folderOf(this.#path)
    const stem = nameOf(this.#path).replace(/\.\w+$/, '')
    const options = { folder, sizes: [size], texts: storedTexts(meta) }
    try {
      return await keepSizes(this.#context, this.#local, { ...options, stem })
    } catch (error) {
      // Another upload has the name, or a process that ended in the middle has left its note.
      if ((error as { readonly code?: unknown }).code !== 'rest_upload_conflict') throw error
      return keepSizes(this.#context, this.#local, { ...options, stem: `${stem}-${randomId().slice(0, 8)}` })
    }
  }

  async #showScaled({ width, height }: Pick<PlannedSize, 'width' | 'height'>, details: FileDetails): Promise<void> {
    const made = await this.#make({ name: scaledName, width, height, isCropped: false, suffix: '-scaled' }, details)
    const shown = made.sizes?.[scaledName]
    if (!shown) return
    const path = folderOf(this.#path) + shown.file
    const { filesize } = shown
    await this.#write(made.paths, (now) => ({
      details: { ...now, file: path, width, height, filesize, original_image: nameOf(this.#path) },
      path,
    }))
  }

  /** Changes the details as they are now: another request may have written them meanwhile. False: the record is gone. */
  async #write(
    paths: readonly string[],
    change: (now: FileDetails) => { readonly details: FileDetails; readonly path?: string },
  ): Promise<boolean> {
    const context = this.#context
    const id = this.#id
    let isGone: boolean
    try {
      isGone = await retryTransaction(context.storage, async (storage) => {
        if ((await storage.posts.read([id])).length === 0) return true
        const { details, path } = change((await fileOf(storage, id)).details)
        if (!(await forgetPaths(storage, paths))) throw new Error('making a size took longer than an hour')
        // The row too: its version is that of all that belongs to it.
        await storage.posts.update([{ id, changes: {} }])
        await storage.meta.write('post', [
          { id, key: attachmentMetadataKey, value: details as never },
          ...(path === undefined ? [] : [{ id, key: attachedFileKey, value: path }]),
        ])
        return false
      })
    } catch (error) {
      await discardPending(context, paths, error)
      throw error
    }
    // Removed while its size was made.
    if (isGone) await removePending(context, paths)
    return !isGone
  }
}

const closing: Attempted = { result: 'again', error: 'the api closes' }
