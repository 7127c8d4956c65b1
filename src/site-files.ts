/** The stored files of a site as something that adapters mount, like the api itself. */
import type { AppContext } from './core/declare/app-context.ts'
import { defaultLimits } from './core/declare/limits.ts'
import type { ResponseData } from './core/declare/result.ts'
import { internalErrorResponse, type MountedApi } from './core/pipeline/mount.ts'
import { keepSeeded } from './features/content/media/kept-files.ts'
import { fileResponse } from './services/file-responses.ts'
import { createImages } from './services/images.ts'
import { type Media, mediaOf } from './services/media.ts'
import type { Storage } from './storage/contract.ts'

/** Serves the uploaded files, with the methods of an api that adapters mount. */
export type SiteFiles = MountedApi

export function createSiteFiles(app: AppContext): SiteFiles {
  const media = mediaOf(app)
  return {
    // The address of the files may be a whole one.
    root: new URL(media.addressOf('x'), 'http://localhost').pathname.replace(/\/x$/, ''),
    covers: () => true,
    handle: (incoming) =>
      fileResponse(media, incoming).catch((error): ResponseData => {
        const id = crypto.randomUUID()
        app.log.error('a file could not be read', { id, error, method: incoming.method, path: incoming.path })
        return internalErrorResponse(id)
      }),
  }
}

type SeededFile = Parameters<typeof keepSeeded>[1]

/** Stores the files of site documents, for commands that write a site without serving it. */
export function seededFiles(storage: Storage, media: Media) {
  const parts = { services: { media, images: createImages() }, limits: defaultLimits }
  // The cast: nothing else of an app is needed for a file.
  return (file: SeededFile) => keepSeeded({ storage, app: parts as unknown as AppContext }, file)
}
