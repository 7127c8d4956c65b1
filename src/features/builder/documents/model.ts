/**
 * Importing the media of a document: first everything is fetched and written to the media service, then records and
 * references change in one transaction. Whatever fails, nothing of it stays.
 */
import type { Context } from '../../../core/declare/context.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'
import type { Json, Post, Storage } from '../../../storage/contract.ts'
import { editorOf } from '../../content/content-types/model.ts'
import { mayEditPost, trashStatuses } from '../../content/posts/model.ts'
import { saveRevision } from '../../content/revisions/model.ts'
import { documentTypes, elementsKey } from '../../shared/elements/model.ts'
import { revisionedKeys } from '../../shared/post-meta/model.ts'
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

/** A document that the caller may change; throws 404 and 403. */
async function readDocument({ storage, user }: Pick<Context, 'storage' | 'user'>, id: number): Promise<Post> {
  const [post] = await storage.posts.read([id])
  if (!post || !documentTypes.includes(post.type)) throw importError('There is no such document.', 404)
  const trashedFrom = (await trashStatuses(storage, [post])).get(id)
  const found = trashedFrom === undefined ? post : { ...post, trashedFrom }
  if (!mayEditPost(editorOf(user, post.type), found)) {
    throw importError('Sorry, you are not allowed to edit this document.', 403)
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
  const known = await findImported(context.storage, [...new Set(downloads.map(({ digest }) => digest))])
  const written: UploadedFile[] = []
  let used: ReadonlySet<string> = new Set()
  try {
    for (const file of uniqueByDigest(downloads)) {
      if (!known.has(file.digest)) written.push(await uploadFile(context, file))
    }
    used = await save(context, id, downloads, written)
  } finally {
    // After a failure all of them; else those that somebody else has brought meanwhile.
    for (const { path } of written) if (!used.has(path)) await mediaOf(context.app).remove(path)
  }
}

/** Addresses of other sites, which none of the own media has. */
async function foreignAddresses({ storage, settings }: Context, elements: Json): Promise<string[]> {
  const own = [settings.url, settings.home].map((url) => `${url}/`)
  const others = imageAddresses(elements).filter((address) => !own.some((start) => address.startsWith(start)))
  const imported = await importedAddresses(storage, others)
  return others.filter((address) => !imported.has(address))
}

const uniqueByDigest = (downloads: readonly DownloadedImage[]): DownloadedImage[] => [
  ...new Map(downloads.map((file) => [file.digest, file])).values(),
]

/** Under a name that nobody else writes, so that taking it back harms nobody. */
async function uploadFile({ app, settings }: Context, file: DownloadedImage): Promise<UploadedFile> {
  const name = titleOf(file.address)
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  const [year, month] = settings.time.now(app.clock).local.split('-')
  const path = `${year}/${month}/${name || 'picture'}-${crypto.randomUUID().slice(0, 13)}.${file.picture.extension}`
  const publicAddress = await mediaOf(app).write(path, file.bytes, file.picture.type)
  return { ...file, path, publicAddress }
}

// ---------------------------------------------------------------- all in one transaction

/** Others may import the same file at the same time: whoever comes second uses theirs. */
const maxTries = 3

/** Answers the paths of the files that a record leads to. */
async function save(
  context: Context,
  id: number,
  downloads: readonly DownloadedImage[],
  written: readonly UploadedFile[],
): Promise<ReadonlySet<string>> {
  const { storage } = context
  for (let left = maxTries; ; left--) {
    const told: (() => void)[] = []
    const work = (inside: Storage) => saveInTransaction({ ...context, storage: inside }, id, downloads, written, told)
    try {
      const used = await (storage.atomic ? storage.atomic(work) : work(storage))
      for (const tell of told) tell()
      return used
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'storage_conflict' || left === 1) throw error
    }
  }
}

async function saveInTransaction(
  context: Context,
  id: number,
  downloads: readonly DownloadedImage[],
  written: readonly UploadedFile[],
  told: (() => void)[],
): Promise<ReadonlySet<string>> {
  const { storage, settings, app, emit } = context
  // As it stands now: somebody may have saved it while the pictures were on their way.
  const before = await readDocument(context, id)
  const elements = await readElements(storage, id)
  const known = await findImported(storage, [...new Set(downloads.map(({ digest }) => digest))])
  const fresh = written.filter(({ digest }) => !known.has(digest))
  const made = await insertMedia(context, fresh, id)
  const media = new Map([...known, ...made])
  const byAddress = new Map(downloads.map(({ address, digest }) => [address, media.get(digest)]))
  const next = JSON.stringify(replaceReferences(elements, (address) => replacementOf(settings, byAddress.get(address))))
  const { local, gmt } = settings.time.now(app.clock)
  const changes = { modified: local, modifiedGmt: gmt }
  await storage.meta.write('post', [{ id, key: elementsKey, value: next }])
  await storage.posts.update([{ id, changes }])
  const post = { ...before, ...changes, version: before.version + 1 }
  const revision = await saveRevision(context, post, {
    ...(await readRevisionedMeta(storage, id)),
    [elementsKey]: next,
  })
  told.push(() => {
    for (const { medium } of made.values()) emit('media.created', { id: medium })
    emit('post.updated', { post, before, changedMeta: [elementsKey] })
    if (revision !== undefined) emit('revision.created', { id: revision, post: id })
  })
  return new Set(fresh.map(({ path }) => path))
}

const replacementOf = (settings: Context['settings'], imported: ImportedFile | undefined) =>
  imported && { id: imported.medium, url: wholeAddress(settings, imported.address) }

/** What every revision keeps of the meta. */
async function readRevisionedMeta(storage: Storage, id: number): Promise<{ [key: string]: Json }> {
  const entries = await storage.meta.read('post', [id], revisionedKeys)
  const stored = new Map(entries.map(({ key, value }) => [key, value]))
  return Object.fromEntries(revisionedKeys.map((key) => [key, stored.get(key) ?? '']))
}
