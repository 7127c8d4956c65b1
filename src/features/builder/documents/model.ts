/**
 * Imports the media of a document: images are fetched and uploaded first, then records and references change in one
 * transaction. The files are pending until then, as those of uploads are.
 */

import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'
import { editorOf } from '../../content/content-types/model.ts'
import { columnsToSave, mayEditPost, trashStatuses } from '../../content/posts/model.ts'
import { saveRevision } from '../../content/revisions/model.ts'
import { documentTypes, elementsKey } from '../../shared/elements.ts'
import { revisionedFieldsOf } from '../../shared/own-fields.ts'
import { discardPending, forgetPaths, removePending, reservePaths } from '../../shared/pending-files.ts'
import { revisionedKeys } from '../../shared/post-meta.ts'
import { type DownloadedImage, downloadImages, importError } from './image-download.ts'
import {
  findImported,
  type ImportedFile,
  importedAddresses,
  insertMedia,
  titleOf,
  type UploadedFile,
} from './imported-files.ts'
import { imageAddresses, replaceReferences } from './references.ts'

export { replaceReferences }

/** Throws 404 for an unknown document and 403 for one that the user may not edit. */
async function readDocument({ storage, user }: Pick<Context, 'storage' | 'user'>, id: number): Promise<Post> {
  const [post] = await storage.posts.read([id])
  if (!post || !documentTypes.includes(post.type)) throw importError('There is no such document.', 404)
  const trashedFrom = (await trashStatuses(storage, [post])).get(id)
  const document = trashedFrom === undefined ? post : { ...post, trashedFrom }
  if (!mayEditPost(editorOf(user, post.type), document)) {
    throw importError('You may not edit this document.', 403)
  }
  return post
}

async function readElements(storage: Storage, id: number): Promise<Json> {
  const [entry] = await storage.meta.read('post', [id], [elementsKey])
  if (typeof entry?.value !== 'string' || entry.value === '') return []
  try {
    return JSON.parse(entry.value) as Json
  } catch {
    throw importError('The elements of the document cannot be read.', 409)
  }
}

export async function importMedia(context: Context, id: number): Promise<void> {
  await readDocument(context, id)
  const addresses = await foreignAddresses(context, await readElements(context.storage, id))
  if (addresses.length === 0) return
  const downloads = await downloadImages(context.app, addresses)
  const existing = await findImported(context.storage, [...new Set(downloads.map(({ digest }) => digest))])
  const planned = uniqueByDigest(downloads)
    .filter(({ digest }) => !existing.has(digest))
    .map((file) => withPath(context, file))
  const paths = planned.map(({ path }) => path)
  if (paths.length > 0) await reservePaths(context, paths)
  let usedPaths: ReadonlySet<string>
  try {
    const uploaded: UploadedFile[] = []
    for (const file of planned) uploaded.push(await uploadFile(context, file))
    usedPaths = await save(context, id, downloads, uploaded)
  } catch (error) {
    await discardPending(context, paths, error)
    throw error
  }
  // A parallel import has stored the others too. A failure leaves their notes, and the pictures are stored.
  const unused = paths.filter((path) => !usedPaths.has(path))
  if (unused.length > 0) await removePending(context, unused).catch(() => undefined)
}

/** Image addresses on other sites, without those of imported files. */
async function foreignAddresses({ storage, settings }: Context, elements: Json): Promise<string[]> {
  const own = [settings.url, settings.home].map((url) => `${url}/`)
  const others = imageAddresses(elements).filter((address) => !own.some((start) => address.startsWith(start)))
  const imported = await importedAddresses(storage, others)
  return others.filter((address) => !imported.has(address))
}

const uniqueByDigest = (downloads: readonly DownloadedImage[]): DownloadedImage[] => [
  ...new Map(downloads.map((file) => [file.digest, file])).values(),
]

/** The path contains a random part, so no other file has it. */
function withPath({ app, settings }: Context, file: DownloadedImage): DownloadedImage & { readonly path: string } {
  const name = titleOf(file.address)
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  const [year, month] = settings.time.now(app.clock).local.split('-')
  const path = `${year}/${month}/${name || 'picture'}-${randomId().slice(0, 13)}.${file.image.extension}`
  return { ...file, path }
}

async function uploadFile({ app }: Context, file: ReturnType<typeof withPath>): Promise<UploadedFile> {
  return { ...file, publicAddress: await mediaOf(app).write(file.path, file.bytes, file.image.type) }
}

// ---------------------------------------------------------------- transaction

/** A parallel import of the same file causes a conflict; the next try uses the row of the other import. */
const maxTries = 3

/** Returns the paths of the uploaded files that media refer to. */
async function save(
  context: Context,
  id: number,
  downloads: readonly DownloadedImage[],
  uploaded: readonly UploadedFile[],
): Promise<ReadonlySet<string>> {
  const { storage } = context
  for (let left = maxTries; ; left--) {
    const pendingEvents: (() => void)[] = []
    const work = (transaction: Storage) => {
      pendingEvents.length = 0
      return saveInTransaction({ ...context, storage: transaction }, id, { downloads, uploaded, pendingEvents })
    }
    try {
      const usedPaths = await retryTransaction(storage, work)
      for (const emit of pendingEvents) emit()
      return usedPaths
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'storage_conflict' || left === 1) throw error
    }
  }
}

interface ImportState {
  readonly downloads: readonly DownloadedImage[]
  readonly uploaded: readonly UploadedFile[]
  /** Filled in the transaction, emitted after its commit. */
  readonly pendingEvents: (() => void)[]
}

async function saveInTransaction(
  context: Context,
  id: number,
  { downloads, uploaded, pendingEvents }: ImportState,
): Promise<ReadonlySet<string>> {
  const { storage, settings, app, emit } = context
  // Read again: the document may have been saved during the download.
  const before = await readDocument(context, id)
  const elements = await readElements(storage, id)
  const existing = await findImported(storage, [...new Set(downloads.map(({ digest }) => digest))])
  const newFiles = uploaded.filter(({ digest }) => !existing.has(digest))
  const newPaths = newFiles.map(({ path }) => path)
  if (newPaths.length > 0 && !(await forgetPaths(storage, newPaths))) {
    throw importError('Storing the pictures took longer than an hour.', 503)
  }
  const inserted = await insertMedia(context, newFiles, id)
  const media = new Map([...existing, ...inserted])
  const byAddress = new Map(downloads.map(({ address, digest }) => [address, media.get(digest)]))
  const next = JSON.stringify(replaceReferences(elements, (address) => replacementOf(settings, byAddress.get(address))))
  const { local, gmt } = settings.time.now(app.clock)
  const changes = await columnsToSave(context, before, { modified: local, modifiedGmt: gmt })
  await storage.meta.write('post', [{ id, key: elementsKey, value: next }])
  await storage.posts.update([{ id, changes }])
  const post = { ...before, ...changes, version: before.version + 1 }
  const { id: revision } = await saveRevision(context, post, {
    ...(await readRevisionedMeta(context, before)),
    [elementsKey]: next,
  })
  pendingEvents.push(() => {
    for (const { medium } of inserted.values()) emit('media.created', { id: medium })
    emit('post.updated', { post, before, changedMeta: [elementsKey] })
    if (revision !== undefined) emit('revision.created', { id: revision, post: id })
  })
  return new Set(newPaths)
}

const replacementOf = (settings: Context['settings'], imported: ImportedFile | undefined) =>
  imported && { id: imported.medium, url: wholeAddress(settings, imported.address) }

/** The stored values of all meta keys that a revision contains. */
async function readRevisionedMeta(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  { id, type }: Pick<Post, 'id' | 'type'>,
): Promise<{ [key: string]: Json }> {
  const keys = [...revisionedKeys, ...revisionedFieldsOf(app, type)]
  const entries = await storage.meta.read('post', [id], keys)
  const stored = new Map(entries.map(({ key, value }) => [key, value]))
  return Object.fromEntries(keys.map((key) => [key, stored.get(key) ?? '']))
}
