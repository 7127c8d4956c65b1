/** The stored files of a site as something that adapters mount, like the api itself. */

import type { MaybePromise, Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import { defaultLimits } from '../core/declare/limits.ts'
import type { ResponseData } from '../core/declare/result.ts'
import { createFailureLog } from '../core/pipeline/errors/storage-failures.ts'
import { internalErrorResponse, type MountedApi, unavailableResponse } from '../core/pipeline/mount.ts'
import { isStorageFailure } from '../core/runtime/unit-of-work.ts'
import { mediaFiles } from '../features/content/media/attach.ts'
import { keepSeeded } from '../features/content/media/kept-files.ts'
import { copiesOf } from '../features/content/media/optimization/copies.ts'
import { discardPending, forgetPaths } from '../features/shared/pending-files.ts'
import type { ManagementContext } from '../management/context.ts'
import { fileResponse } from '../services/file-responses.ts'
import type { HttpClient } from '../services/http-client/index.ts'
import { createImages, imagesOf } from '../services/images.ts'
import { type Media, mediaOf } from '../services/media.ts'
import type { Settings } from '../site/settings.ts'

/** Serves the uploaded files, with the methods of an api that adapters mount. */
export type SiteFiles = MountedApi

/** `assertServing`: throws once the api closes. */
export function createSiteFiles(app: AppContext, assertServing: () => void): SiteFiles {
  const media = mediaOf(app)
  const failures = createFailureLog(app.log)
  const options = imagesOf(app).encode ? { copiesOf } : {}
  return {
    // The address of the files may be a whole one.
    root: new URL(media.addressOf('x'), 'http://localhost').pathname.replace(/\/x$/, ''),
    covers: () => true,
    async handle(incoming): Promise<ResponseData> {
      try {
        assertServing()
        return await fileResponse(media, incoming, options)
      } catch (error) {
        if (isStorageFailure(error)) return unavailableResponse(failures.add(error, incoming))
        const id = crypto.randomUUID()
        app.log.error('a file could not be read', { id, error, method: incoming.method, path: incoming.path })
        return internalErrorResponse(id)
      }
    },
  }
}

// Named, for the type declarations: what the media feature has is not exported.
type ManagedFiles = Required<Pick<ManagementContext, 'documentFiles' | 'mediaFiles'>>
interface FilesContext {
  readonly storage: Storage
  readonly app: AppContext
}

/** Stores the files of site documents and of imports. */
export const filesOf = (context: FilesContext, site?: () => MaybePromise<Pick<Settings, 'url'>>): ManagedFiles => ({
  documentFiles: {
    keep: (file) => keepSeeded(context, file),
    async commit(storage, paths) {
      if (paths.length > 0 && !(await forgetPaths(storage, paths))) {
        throw new Error('storing the files took longer than an hour: seed again')
      }
    },
    discard: (paths, failure) => discardPending(context, paths, failure),
  },
  mediaFiles: mediaFiles(context, site ?? (() => context.app.settings.read(context.storage))),
})

interface CommandServices {
  readonly media: Media
  readonly outbound: HttpClient
}

/** For commands that write a site without serving it. */
export function commandFiles(storage: Storage, services: CommandServices): ManagedFiles {
  const parts = { clock: Date.now, services: { ...services, images: createImages() }, limits: defaultLimits }
  // A site without an address in its options gets one when it is served: the addresses of files are relative to it.
  const site = async () => ({ url: `${(await storage.options.read(['url']))['url'] ?? ''}`.replace(/\/+$/, '') })
  // The cast: nothing else of an app is needed for a file.
  return filesOf({ storage, app: parts as unknown as AppContext }, site)
}
