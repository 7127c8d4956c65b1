/** Reads the media of earlier and of this import, with the details of their files here and on the old site. */

import type { Json } from '../../../contract/storage.ts'
import {
  attachedFileKey,
  attachmentMetadataKey,
  importedFileKey,
  importedStoredKey,
  importedUrlKey,
} from '../../../site/post-keys.ts'
import type { ManagementContext, MediaFiles } from '../../context.ts'
import { importKey } from '../entries/posts.ts'
import { importedMeta } from '../imported-posts.ts'
import { type ImportedMedium, sizesIn } from './addresses.ts'

export interface MediaRecord {
  readonly id: number
  /** The id on the old site. */
  readonly number: number
  /** The address on the old site. */
  readonly url: string
  /** Site time. */
  readonly date: string
  /** A path below the uploads, or a whole address. */
  readonly path: string
  readonly details: Details
  /** The export describes the file and its sizes like this. */
  readonly old: Details
  /** The file was stored here by an import. */
  readonly isStored: boolean
}

export type Details = { readonly [member: string]: Json }

const keys = [
  importKey,
  importedUrlKey,
  importedFileKey,
  importedStoredKey,
  attachedFileKey,
  attachmentMetadataKey,
] as const

export async function* importedMedia(context: ManagementContext): AsyncGenerator<MediaRecord> {
  for await (const window of importedMeta(context, keys, ['attachment'])) {
    const meta = new Map<number, { [key: string]: Json }>()
    for (const { id, key, value } of window) meta.set(id, Object.assign(meta.get(id) ?? {}, { [key]: value }))
    for (const row of await context.storage.posts.read([...meta.keys()])) {
      const values = meta.get(row.id) ?? {}
      if (typeof values[importedUrlKey] === 'string') yield recordOf(row, values)
    }
  }
}

const recordOf = ({ id, date }: { readonly id: number; readonly date: string }, values: Details): MediaRecord => ({
  id,
  date,
  number: Number(`${values[importKey] ?? ''}`.split(' ', 1)[0]) || 0,
  url: `${values[importedUrlKey]}`,
  path: `${values[attachedFileKey] ?? ''}`,
  details: objectOf(values[attachmentMetadataKey]),
  old: objectOf(values[importedFileKey]),
  isStored: values[importedStoredKey] !== undefined,
})

const objectOf = (value: Json | undefined): Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Details) : {}

export async function toImported(record: MediaRecord, files: MediaFiles): Promise<ImportedMedium> {
  const { id, number, url, path, details, isStored } = record
  if (!isStored) return { id, number, url, address: undefined, sizes: [] }
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const sizes = await Promise.all(
    sizesIn(details).map(async ({ file, width, height }) => ({
      width,
      height,
      address: await files.addressOf(folder + file),
    })),
  )
  return { id, number, url, address: await files.addressOf(path), sizes }
}
