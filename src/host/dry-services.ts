/** How the services of a site behave in a dry run. */

import { lookupTable } from '../contract/lookup-table.ts'
import type { DryService, NoteCall } from '../core/pipeline/dry-run/services.ts'
import type { Mail } from '../services/mail.ts'
import type { Media } from '../services/media.ts'
import { isStored, openStored } from '../services/media.ts'
import type { StoredFile } from '../services/media-driver.ts'

/** All other services are asked nothing: those of a host, and those that other servers answer. */
export const dryOnes: { readonly [service: string]: DryService } = lookupTable({
  render: 'as-is',
  builder: 'as-is',
  icons: 'as-is',
  images: 'as-is',
  history: 'as-is',
  releaseOptions: 'as-is',
  publishing: 'as-is',
  sitePages: 'as-is',
  // They bound how much a caller may try: a dry run is a try, too.
  visitors: 'as-is',
  passwordAttempts: 'as-is',
  packages: ['declares', 'installed'],
  mail: (_: Mail, note: NoteCall): Mail => ({
    send: ({ to, subject }) => note({ service: 'mail', call: 'send', detail: { to, subject } }),
  }),
  media: dryMedia,
})

/** The files of the run are in memory until it ends; those that are there stay as they are. */
export function dryMedia(media: Media, note: NoteCall): Required<Media> {
  /** Undefined: the run has removed it. */
  const files = new Map<string, StoredFile | undefined>()
  const store: Required<Media>['store'] = async (path, source) => {
    const { size, type } = source
    files.set(path, { size, chunks: ({ start, end }) => sliced(source.chunks(), start, end) })
    note({ service: 'media', call: 'write', detail: { path, type, bytes: size } })
    return media.addressOf(path)
  }
  const open = async (path: string) => (files.has(path) ? files.get(path) : openStored(media, path))
  return {
    addressOf: (path) => media.addressOf(path),
    isReadOnly: media.isReadOnly === true,
    store,
    open,
    write: (path, bytes, type) =>
      store(path, {
        ...{ size: bytes.length, type },
        chunks: async function* () {
          yield bytes
        },
      }),
    has: async (path) => (files.has(path) ? files.get(path) !== undefined : isStored(media, path)),
    read: async (path) => {
      if (!files.has(path)) return media.read(path)
      const file = files.get(path)
      return file && bytesOf(file)
    },
    remove: async (path) => {
      files.set(path, undefined)
      note({ service: 'media', call: 'remove', detail: { path } })
    },
  }
}

async function bytesOf({ size, chunks }: StoredFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunks({ start: 0, end: size })) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** The bytes from `start` on, before `end`. */
async function* sliced(chunks: AsyncIterable<Uint8Array>, start: number, end: number) {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at >= end) return
  }
}
