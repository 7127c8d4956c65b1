/** The file of a record that is there already, such as one that was imported: by the rules of uploads. */

import type { Json, MaybePromise, Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { fileAddress, mediaOf } from '../../../services/media.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import type { Settings } from '../../../site/settings.ts'
import { discardPending, forgetPaths } from '../../shared/pending-files.ts'
import { keepFile } from './kept-files.ts'
import { type UploadContent, uploadFrom } from './management.ts'
import { findMedium } from './model.ts'
import { takeFile } from './receive.ts'

interface AttachOptions {
  readonly name: string
  readonly content: UploadContent
  /** The path begins below the uploads and ends with a slash. */
  readonly folder: string
  /** Written with the record. */
  readonly meta: { readonly [key: string]: Json }
}

interface Attached {
  readonly path: string
  readonly details: { readonly [member: string]: Json }
}

async function attachFile(
  context: Pick<Context, 'storage' | 'app'>,
  medium: number,
  { name, content, folder, meta }: AttachOptions,
): Promise<Attached> {
  // Whoever imports a site brings its logos and icons.
  const file = await takeFile(uploadFrom(context, name, content), { limits: context.app.limits, takesSvg: true })
  try {
    const stem = file.name.slice(0, -file.extension.length - 1)
    const kept = await keepFile(context, file, { folder, stem, makesSizes: true })
    // The cast: the meta value of a file is JSON.
    const details = { file: kept.path, ...kept.details } as unknown as Attached['details']
    try {
      await retryTransaction(context.storage, async (storage) => {
        const row = await findMedium({ args: { id: medium }, storage })
        await storage.posts.update([{ id: row.id, changes: { mimeType: kept.type } }])
        await storage.meta.write('post', [
          { id: medium, key: attachedFileKey, value: kept.path },
          { id: medium, key: attachmentMetadataKey, value: details },
          ...Object.entries(meta).map(([key, value]) => ({ id: medium, key, value })),
        ])
        if (!(await forgetPaths(storage, kept.paths))) {
          throw new ApiError('rest_upload_too_slow', 'Storing the file took longer than an hour.', 503)
        }
      })
    } catch (error) {
      await discardPending(context, kept.paths, error)
      throw error
    }
    return { path: kept.path, details }
  } finally {
    await file.remove()
  }
}

/** Files of media for whoever writes records without routes. `settings` has the address of the site. */
export function mediaFiles(
  context: { readonly storage: Storage; readonly app: AppContext },
  settings: () => MaybePromise<Pick<Settings, 'url'>>,
) {
  return {
    attach: (medium: number, file: AttachOptions) => attachFile(context, medium, file),
    addressOf: async (path: string) => fileAddress(mediaOf(context.app), await settings(), path),
  }
}
