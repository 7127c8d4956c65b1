/** Imported files as media: each file is stored once, identified by its digest. */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Collection, PostValues, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import type { DownloadedImage } from './image-download.ts'

/** Maps the digest of a file to its medium. */
export const importedFiles: Collection = {
  name: 'builder_imported_files',
  fields: { digest: 'text', medium: 'integer', address: 'text' },
  indexed: ['address'],
  unique: [['digest']],
}

export interface ImportedFile {
  readonly medium: number
  /** The address as the media service returned it. */
  readonly address: string
}

/** Existing media by digest. A row whose medium was deleted is ignored. */
export async function findImported(storage: Storage, digests: readonly string[]): Promise<Map<string, ImportedFile>> {
  const { rows } = await storage.records.query(importedFiles, { where: { field: 'digest', in: digests } })
  const posts = await storage.posts.read(rows.map(({ medium }) => Number(medium)))
  const media = new Set(posts.filter(({ type }) => type === 'attachment').map(({ id }) => id))
  const present = rows.filter(({ medium }) => media.has(Number(medium)))
  return new Map(
    present.map(({ digest, medium, address }) => [
      String(digest),
      { medium: Number(medium), address: String(address) },
    ]),
  )
}

/** The subset of `addresses` that belong to imported files. */
export async function importedAddresses(storage: Storage, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await storage.records.query(importedFiles, { where: { field: 'address', in: addresses } })
  return new Set(rows.map((row) => String(row['address'])))
}

/** A file that the media service has stored. */
export interface UploadedFile extends DownloadedImage {
  readonly path: string
  readonly publicAddress: string
}

/** Inserts the posts, meta and digest rows of new media, in one batch each. */
export async function insertMedia(
  { storage, user, settings, app }: Pick<Context, 'storage' | 'user' | 'settings' | 'app'>,
  files: readonly UploadedFile[],
  parent: number,
): Promise<Map<string, ImportedFile>> {
  if (files.length === 0) return new Map()
  const { local, gmt } = settings.time.now(app.clock)
  const slugs = await createSlugs(storage, files)
  const rows = files.map(
    (file, index): PostValues => ({
      ...blankPost,
      type: 'attachment',
      status: 'inherit',
      slug: slugs[index] ?? '',
      title: titleOf(file.address),
      author: user.id,
      parent,
      date: local,
      dateGmt: gmt,
      modified: local,
      modifiedGmt: gmt,
      mimeType: file.image.type,
    }),
  )
  const ids = await storage.posts.insert(rows)
  const media = files.map((file, index) => ({ file, id: ids[index] ?? 0 }))
  await storage.meta.write(
    'post',
    media.flatMap(({ file: { path, image }, id }) => [
      { id, key: attachedFileKey, value: path },
      ...(image.size ? [{ id, key: attachmentMetadataKey, value: { file: path, ...image.size } }] : []),
    ]),
  )
  await removeStaleRows(storage, files)
  await storage.records.insert(
    importedFiles,
    media.map(({ file, id }) => ({ digest: file.digest, medium: id, address: file.publicAddress })),
  )
  return new Map(media.map(({ file, id }) => [file.digest, { medium: id, address: file.publicAddress }]))
}

/** Removes rows whose medium was deleted. By id, so that a row inserted in parallel still causes a conflict. */
async function removeStaleRows(storage: Storage, files: readonly UploadedFile[]): Promise<void> {
  const where = { field: 'digest', in: files.map(({ digest }) => digest) }
  const { rows } = await storage.records.query(importedFiles, { where })
  if (rows.length > 0) await storage.records.remove(importedFiles, { field: 'id', in: rows.map(({ id }) => id) })
}

/** The file name without extension: `https://a.example/b/Pier%20at%20dusk.JPG?w=3` gives `Pier at dusk`. */
export function titleOf(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  const bare = last.replace(/\.\w{1,5}$/, '')
  try {
    return decodeURIComponent(bare).replaceAll('\0', '').slice(0, 200)
  } catch {
    return bare.slice(0, 200)
  }
}

/** Unused slugs; files with the same name get a part of their digest appended. */
async function createSlugs(storage: Storage, files: readonly UploadedFile[]): Promise<string[]> {
  const candidateLists = files.map(({ address, digest }) => {
    const base = toSlug(titleOf(address)).slice(0, 100) || 'picture'
    return [base, `${base}-${digest.slice(0, 8)}`, `${base}-${digest}`] as const
  })
  const taken = new Set(await storage.posts.takenSlugs('attachment', [...new Set(candidateLists.flat())]))
  return candidateLists.map((candidates) => {
    const slug = candidates.find((candidate) => !taken.has(candidate)) ?? candidates[2]
    taken.add(slug)
    return slug
  })
}
