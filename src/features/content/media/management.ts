/** Uploads media by the rules of the route, and removes them with their files: `api.site.media` of profiles with media. */

import type { Json, Post } from '../../../contract/storage.ts'
import { system } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { EmitOptions, PendingEvent } from '../../../core/declare/events.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { asUnitsOfWork } from '../../../core/runtime/unit-of-work.ts'
import { addressOf, mediaRecords, readFileMeta } from './model.ts'
import { addressUpload, type Upload } from './receive.ts'
import { type CreateArgs, createMedium } from './upload.ts'
import { removeMedium } from './write.ts'

/** Where the bytes of an upload come from: memory, a stream, or an address that is fetched. */
export type UploadContent =
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | { readonly url: string }

/** The record of an uploaded file. */
export interface UploadValues
  extends Pick<
    CreateArgs,
    'slug' | 'author' | 'post' | 'date' | 'date_gmt' | 'comment_status' | 'alt_text' | 'generate_sub_sizes'
  > {
  readonly title?: string
  readonly caption?: string
  readonly description?: string
  readonly status?: 'private' | 'publish'
  /** Values of fields that `metaFields` declares. */
  readonly meta?: { readonly [key: string]: Json }
}

/** The record of an uploaded file. */
export interface UploadedMedium {
  readonly post: Post
  /** The public address of the file. */
  readonly address: string
  /** A path below the folder of uploads. */
  readonly path: string
}

/** Uploads of files by the host. No permission is checked. */
export interface SiteUploads {
  /**
   * Stores a file and its record by the rules of `POST /cms/v2/media`: type by content, free name, sizes of pictures. Rejects
   * with the ApiError of the route. `name` may be left out for an address.
   *
   * ```ts
   * const { post } = await api.site.media.upload('pier.jpg', createReadStream('pier.jpg'), { alt_text: 'The pier' })
   * ```
   */
  upload(name: string, content: UploadContent, values?: UploadValues): Promise<UploadedMedium>
  /** Removes the record and its files. Returns false if there was none. */
  remove(id: number): Promise<boolean>
}

export const siteMedia = (options: ExtensionOptions): SiteUploads =>
  asUnitsOfWork(options.storage, (storage) => uploadsOn({ ...options, storage }))

function uploadsOn(options: ExtensionOptions): SiteUploads {
  const { storage, app, ready, emit } = options
  /** The events of what `work` does; its transactions are its own. */
  const run = async <T>(
    args: CreateArgs,
    work: (context: Context<CreateArgs, undefined>) => Promise<T>,
  ): Promise<T> => {
    await ready()
    const events: PendingEvent[] = []
    const settings = await app.settings.read(storage)
    const values = { args, user: system, storage, app, settings, resource: undefined, body: undefined }
    const queue = (name: string, payload: unknown, emitted?: EmitOptions) =>
      void events.push({ ...emitted, name, payload } as PendingEvent)
    // The cast: the rest of a context belongs to a request, and the rules do not read it.
    const done = await work({ ...values, emit: queue } as unknown as Context<CreateArgs, undefined>)
    await emit(events)
    return done
  }
  return {
    upload: (name, content, values = {}) =>
      run(values as CreateArgs, async (create) => {
        const medium = await createMedium(create, uploadFrom(create, name, content))
        const { path = '' } = (await readFileMeta(storage, [medium.id]))(medium.id)
        const { above: _above, ...post } = medium
        return { post, path, address: addressOf(create, path) }
      }),
    remove: (id) =>
      run({}, async (context) => {
        const [row] = await storage.posts.read([id])
        if (row?.type !== mediaRecords.name) return false
        await removeMedium(context, row)
        return true
      }),
  }
}

export function uploadFrom({ app }: Pick<Context, 'app'>, name: string, content: UploadContent): Upload {
  if ('url' in content) return addressUpload(app, content.url)
  return {
    kind: 'raw',
    async take() {
      const { writeTemporaryFile } = await import('../../../services/temporary-file.ts')
      const { uploadBytes } = app.limits
      const tooLarge = () => new RangeError(`the file is larger than ${uploadBytes} bytes`)
      return { name, file: await writeTemporaryFile(chunksOf(content), { limitBytes: uploadBytes, tooLarge }) }
    },
  }
}

async function* chunksOf(content: Exclude<UploadContent, { readonly url: string }>): AsyncIterable<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* (content instanceof Blob ? content.stream() : content) as AsyncIterable<Uint8Array>
}
