/** The library of what was imported: each file once, whatever address it came from. */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import type { Collection, PostValues, Storage } from '../../../storage/contract.ts'
import type { DownloadedImage } from './image-download.ts'

/** Which medium a file is, by its digest. */
export const importedFiles: Collection = {
  name: 'builder_imported_files',
  fields: { digest: 'text', medium: 'integer', address: 'text' },
  indexed: ['address'],
  unique: [['digest']],
}

export interface ImportedFile {
  readonly medium: number
  /** As the media service answered it. */
  readonly address: string
}

/** The media that are there already, by digest. One whose record was removed meanwhile counts as not there. */
export function findImported(storage: Storage, digests: readonly string[]): MaybePromise<Map<string, ImportedFile>> {
  const where = { field: 'digest', in: digests }
  return andThen(storage.records.query(importedFiles, { where }), ({ rows }) =>
    andThen(storage.posts.read(rows.map(({ medium }) => Number(medium))), (posts) => {
      const media = new Set(posts.filter(({ type }) => type === 'attachment').map(({ id }) => id))
      const present = rows.filter(({ medium }) => media.has(Number(medium)))
      return new Map(
        present.map(({ digest, medium, address }) => [
          String(digest),
          { medium: Number(medium), address: String(address) },
        ]),
      )
    }),
  )
}

/** Which of these addresses are those of imported files. */
export function importedAddresses(storage: Storage, addresses: readonly string[]): MaybePromise<ReadonlySet<string>> {
  const where = { field: 'address', in: addresses }
  return andThen(
    storage.records.query(importedFiles, { where }),
    ({ rows }) => new Set(rows.map((row) => String(row['address']))),
  )
}

/** A file that the media service has taken. */
export interface UploadedFile extends DownloadedImage {
  readonly path: string
  readonly publicAddress: string
}

/** Makes the records of new media, all at once. */
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
      type: 'attachment',
      status: 'inherit',
      slug: slugs[index] ?? '',
      title: titleOf(file.address),
      content: '',
      excerpt: '',
      author: user.id,
      parent,
      date: local,
      dateGmt: gmt,
      modified: local,
      modifiedGmt: gmt,
      password: '',
      commentStatus: 'closed',
      pingStatus: 'closed',
      format: 'standard',
      sticky: false,
      template: '',
      featuredMedia: 0,
      mimeType: file.picture.type,
    }),
  )
  const ids = await storage.posts.insert(rows)
  const made = files.map((file, index) => ({ file, id: ids[index] ?? 0 }))
  await storage.meta.write(
    'post',
    made.flatMap(({ file: { path, picture }, id }) => [
      { id, key: attachedFileKey, value: path },
      ...(picture.size ? [{ id, key: attachmentMetadataKey, value: { file: path, ...picture.size } }] : []),
    ]),
  )
  await removeStaleRows(storage, files)
  await storage.records.insert(
    importedFiles,
    made.map(({ file, id }) => ({ digest: file.digest, medium: id, address: file.publicAddress })),
  )
  return new Map(made.map(({ file, id }) => [file.digest, { medium: id, address: file.publicAddress }]))
}

/** Rows of media that were removed make room. By id: a row that comes in meanwhile must stand in the way. */
async function removeStaleRows(storage: Storage, files: readonly UploadedFile[]): Promise<void> {
  const where = { field: 'digest', in: files.map(({ digest }) => digest) }
  const { rows } = await storage.records.query(importedFiles, { where })
  if (rows.length > 0) await storage.records.remove(importedFiles, { field: 'id', in: rows.map(({ id }) => id) })
}

/** `https://a.example/b/Pier%20at%20dusk.JPG?w=3`: Pier at dusk. */
export function titleOf(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  const bare = last.replace(/\.\w{1,5}$/, '')
  try {
    return decodeURIComponent(bare).replaceAll('\0', '').slice(0, 200)
  } catch {
    return bare.slice(0, 200)
  }
}

/** Slugs that nobody has; the digest tells apart what has one name. */
async function createSlugs(storage: Storage, files: readonly UploadedFile[]): Promise<string[]> {
  const forms = files.map(({ address, digest }) => {
    const base = toSlug(titleOf(address)).slice(0, 100) || 'picture'
    return [base, `${base}-${digest.slice(0, 8)}`, `${base}-${digest}`] as const
  })
  const taken = new Set(await storage.posts.takenSlugs('attachment', [...new Set(forms.flat())]))
  return forms.map((candidates) => {
    const slug = candidates.find((one) => !taken.has(one)) ?? candidates[2]
    taken.add(slug)
    return slug
  })
}
