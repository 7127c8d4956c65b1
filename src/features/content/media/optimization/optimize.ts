/**
 * Makes the files of a picture smaller: each in its format, and copies in the formats of the preset. A file is replaced
 * only by a smaller one. Files that are written before the record are noted as pending, so that a process that ends in
 * the middle leaves none.
 */

import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Storage } from '../../../../contract/storage.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { retryTransaction } from '../../../../core/runtime/retry-transaction.ts'
import { fileFailure } from '../../../../services/file-failures.ts'
import {
  type ImageEncoding,
  type Images,
  type ImageTexts,
  imagesOf,
  isNotWritten,
} from '../../../../services/images.ts'
import { mediaOf, openStored, storeFile } from '../../../../services/media.ts'
import type { FileSource } from '../../../../services/media-driver.ts'
import type { TemporaryFile } from '../../../../services/temporary-file.ts'
import { attachmentMetadataKey } from '../../../../site/post-keys.ts'
import { atTarget, TargetFailure } from '../../../shared/deliveries.ts'
import { discardPending, forgetPaths, noteRemoval, removePending, reservePaths } from '../../../shared/pending-files.ts'
import { type ImageMeta, storedTexts } from '../image-meta.ts'
import {
  type FileDetails,
  folderOf,
  type MediumFileMeta,
  nameOf,
  type Optimization,
  pathsOf,
  readFileMeta,
} from '../model.ts'
import { copyPath } from './copies.ts'
import type { OptimizationSettings } from './settings.ts'

type FilesContext = Pick<BackgroundContext, 'storage' | 'app'>
type Encode = NonNullable<Images['encode']>

/** Loaded with the first picture: the only code here that needs a disk. */
const disk = () => import('../../../../services/temporary-file.ts')

const types: { readonly [ending: string]: string } = lookupTable({
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
})
const typeOf = (path: string): string | undefined => types[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]

/** A file has to become this much smaller. */
const worthwhile = 0.98

type Optimized = 'done' | 'nothing to do' | 'changed meanwhile'

export async function optimizeMedium(
  context: FilesContext,
  id: number,
  settings: OptimizationSettings,
): Promise<Optimized> {
  const { encode } = imagesOf(context.app)
  const before = await fileOf(context.storage, id)
  const key = JSON.stringify(settings)
  if (!encode || before.path === undefined || before.details.optimization?.settings === key) return 'nothing to do'
  const work = new Work(context, encode, { ...settings, texts: storedTexts(before.details.image_meta) })
  try {
    for (const path of ownPaths(before)) {
      const isShown = path === before.path
      await work.take(path, { isShown, backup: isShown ? backupPath(before, settings) : undefined })
    }
    if (work.isEmpty) return 'nothing to do'
    return (await store(context, id, before, work, key)) ? 'done' : 'changed meanwhile'
  } finally {
    await work.dispose()
  }
}

const fileOf = async (storage: Storage, id: number): Promise<MediumFileMeta> => (await readFileMeta(storage, [id]))(id)

/** Returns the paths of the picture itself, without the copies that an earlier run has made. */
function ownPaths({ path, details }: MediumFileMeta): readonly string[] {
  const { optimization: _made, ...own } = details
  return pathsOf({ path, alternative: '', details: own }).filter((one) => typeOf(one) !== undefined)
}

/** Where the upload is to be kept. It is kept once: a later run must not take a smaller picture for it. */
function backupPath({ path = '', details }: MediumFileMeta, { keepsUpload }: OptimizationSettings): string | undefined {
  const isKept = details.optimization?.backup !== undefined
  return keepsUpload && !isKept ? `${folderOf(path)}originals/${nameOf(path)}` : undefined
}

interface Taken {
  readonly isShown: boolean
  readonly backup: string | undefined
}

/** A file that is to be written. */
interface Made extends FileSource {
  readonly path: string
}

/** `texts`: the words of people, which stay in every file. */
type WorkSettings = OptimizationSettings & { readonly texts: ImageTexts }

/** The copies of the files of one picture, which stay in the private folder of this machine until all of them are there. */
class Work {
  readonly replaced: (Made & { readonly width: number; readonly height: number })[] = []
  readonly copies: Made[] = []
  backup: Made | undefined
  before = 0
  after = 0
  best = 0
  readonly #context: FilesContext
  readonly #encode: Encode
  readonly #settings: WorkSettings
  readonly #drafts: { remove(): Promise<void> }[] = []

  constructor(context: FilesContext, encode: Encode, settings: WorkSettings) {
    this.#context = context
    this.#encode = encode
    this.#settings = settings
  }

  get isEmpty(): boolean {
    return this.before === 0
  }

  /** `backup`: where the upload goes, for the file that is shown; undefined where it is kept already, or not kept. */
  async take(path: string, { isShown, backup }: Taken): Promise<void> {
    // Of a process that ended in the middle, the upload may be there already, and the file may be smaller already.
    const source = (backup === undefined ? undefined : await this.#fetch(backup)) ?? (await this.#fetch(path))
    const metadata = source && (await atTarget(() => imagesOf(this.#context.app).measure(source.path)))
    // Moving pictures would lose their motion, and larger ones than the site takes are not decoded.
    const { imagePixels } = this.#context.app.limits
    if (!source || !metadata || metadata.pixels > Math.min(imagePixels, metadata.width * metadata.height)) return
    const { within } = this.#settings
    const own = await this.#draft(source, isShown && within ? { within } : {})
    const isBetter = own.size < source.size * worthwhile
    const type = typeOf(path) ?? ''
    this.before += source.size
    const size = isBetter ? own.size : source.size
    this.after += size
    if (isBetter) {
      this.replaced.push({ ...own, path, type })
      if (backup !== undefined) this.backup = { path: backup, size: source.size, chunks: source.chunks, type }
    }
    this.best += Math.min(size, ...(await this.#copiesOf(path, source, size)))
  }

  /** Returns the sizes of the copies that are smaller than the picture. */
  async #copiesOf(path: string, source: TemporaryFile, own: number): Promise<number[]> {
    const sizes: number[] = []
    const { within, formats } = this.#settings
    for (const format of formats.filter((one) => typeOf(path) !== `image/${one}`)) {
      const copy = await this.#draft(source, { format, ...(within ? { within } : {}) })
      if (copy.size >= own * worthwhile) continue
      sizes.push(copy.size)
      this.copies.push({ ...copy, path: copyPath(path, format), type: `image/${format}` })
    }
    return sizes
  }

  async #fetch(path: string): Promise<TemporaryFile | undefined> {
    const file = await openStored(mediaOf(this.#context.app), path)
    if (!file) return undefined
    const limitBytes = this.#context.app.limits.imageBytes
    const tooLarge = () => new TargetFailure(`${path} is larger than ${limitBytes} bytes`)
    const { writeTemporaryFile } = await disk()
    const source = await writeTemporaryFile(file.chunks({ start: 0, end: file.size }), { limitBytes, tooLarge })
    this.#drafts.push(source)
    return source
  }

  async #draft(source: TemporaryFile, encoding: Pick<ImageEncoding, 'format' | 'within'>) {
    const { draftPath, writtenDraft } = await disk()
    const target = await draftPath()
    const { isLossy, texts } = this.#settings
    const { imagePixels: pixels } = this.#context.app.limits
    const encode = async () => this.#encode(source.path, target, { ...encoding, isLossy, pixels, texts })
    const { width, height } = await atTarget(() =>
      encode().catch((cause) => {
        throw isNotWritten(cause) ? fileFailure(cause) : cause
      }),
    )
    const draft = await writtenDraft(target)
    this.#drafts.push(draft)
    return { ...draft, width, height }
  }

  async dispose(): Promise<void> {
    for (const draft of this.#drafts) await draft.remove()
  }
}

/** False: the record has changed while the pictures were made. */
async function store(
  context: FilesContext,
  id: number,
  before: MediumFileMeta,
  work: Work,
  settings: string,
): Promise<boolean> {
  const media = mediaOf(context.app)
  const { backup } = work
  // Removed while the pictures were made: a file that is written now would stay.
  if (!(await isThere(context.storage, id))) return false
  const added = [...work.copies, ...(backup ? [backup] : [])]
  const paths = added.map(({ path }) => path)
  // Left by a process that ended in the middle, or by another preset; only this feature writes in these folders.
  await removePending(context, paths)
  if (paths.length > 0) await reservePaths(context, paths)
  let obsolete: readonly string[] | undefined
  try {
    for (const file of added) await storeFile(media, file.path, file)
    for (const file of work.replaced) await storeFile(media, file.path, file)
    obsolete = await retryTransaction(context.storage, (inside) =>
      writeDetails({ ...context, storage: inside }, id, before, { work, settings, backup, paths }),
    )
  } catch (error) {
    await discardPending(context, paths, error)
    throw error
  }
  // A failure leaves their notes, and the pictures are stored.
  await removePending(context, obsolete ?? paths).catch(() => undefined)
  return obsolete !== undefined
}

const isThere = async ({ posts }: Storage, id: number): Promise<boolean> => (await posts.read([id])).length > 0

interface Writing {
  readonly work: Work
  readonly settings: string
  readonly backup: Made | undefined
  readonly paths: readonly string[]
}

/**
 * Returns the paths that have no use after the commit: of earlier copies, or of all files where the record was removed meanwhile.
 * Undefined: the record has changed meanwhile.
 */
async function writeDetails(
  context: FilesContext,
  id: number,
  before: MediumFileMeta,
  { work, settings, backup, paths }: Writing,
): Promise<readonly string[] | undefined> {
  const { storage } = context
  if (!(await isThere(storage, id))) {
    const replaced = work.replaced.map(({ path }) => path)
    await noteRemoval(context, replaced)
    return [...paths, ...replaced]
  }
  const now = await fileOf(storage, id)
  if (JSON.stringify(now.details) !== JSON.stringify(before.details)) return undefined
  if (paths.length > 0 && !(await forgetPaths(storage, paths))) return undefined
  const folder = folderOf(before.path ?? '')
  const below = (path: string) => path.slice(folder.length)
  const kept = backup ? below(backup.path) : before.details.optimization?.backup
  const optimization: Optimization = {
    settings,
    before: work.before,
    after: work.after,
    best: work.best,
    copies: work.copies.map(({ path }) => below(path)),
    ...(kept === undefined ? {} : { backup: kept }),
  }
  const details = { ...withSizes(before, work), optimization }
  await storage.posts.update([{ id, changes: {} }])
  await storage.meta.write('post', [{ id, key: attachmentMetadataKey, value: details as never }])
  const obsolete = pathsOf(before).filter((path) => /\/optimized\//.test(path) && !paths.includes(path))
  await noteRemoval(context, obsolete)
  return obsolete
}

/** The sizes of the files that were replaced. */
function withSizes({ path, details }: MediumFileMeta, { replaced }: Work): FileDetails {
  const folder = folderOf(path ?? '')
  const made = new Map(replaced.map((file) => [file.path, file]))
  const shown = made.get(path ?? '')
  const sizes = Object.entries(details.sizes ?? {}).map(([name, size]) => {
    const { size: filesize } = made.get(folder + size.file) ?? {}
    return [name, filesize === undefined ? size : { ...size, filesize }]
  })
  return {
    ...details,
    ...(shown ? { filesize: shown.size, width: shown.width, height: shown.height } : {}),
    ...(shown && details.image_meta ? { image_meta: turned(details.image_meta) } : {}),
    ...(details.sizes ? { sizes: Object.fromEntries(sizes) } : {}),
  }
}

/** Written pictures are turned. */
const turned = (meta: ImageMeta): ImageMeta =>
  Object.hasOwn(meta, 'orientation') ? { ...meta, orientation: '1' } : meta
