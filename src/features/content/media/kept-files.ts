/** From a file on this machine to the files of a medium: the picture without personal data, its sizes, and free names for all. */

import type { Json } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { fileFailure } from '../../../services/file-failures.ts'
import { type ImageMetadata, type ImageStep, imagesOf, isNotWritten } from '../../../services/images.ts'
import { isStored, mediaOf, storeFile } from '../../../services/media.ts'
import type { FileSource } from '../../../services/media-driver.ts'
import { discardPending, noteReplaced, reservePaths } from '../../shared/pending-files.ts'
import type { FileDetails, SizeFile } from './model.ts'
import { fitted, largestSide, type PlannedSize, plannedSizes, sizesOf } from './sizes.ts'

type FilesContext = Pick<Context, 'storage' | 'app'>

/** A file on this machine, which stays the caller's. */
export interface LocalFile {
  readonly path: string
  readonly size: number
  readonly type: string
  readonly extension: string
  readonly head: Uint8Array
  chunks(): AsyncIterable<Uint8Array>
}

interface KeepOptions {
  /** The path begins below the folder of uploads and ends with a slash. */
  readonly folder: string
  /** The name without its ending; a number is added where it is taken. */
  readonly stem: string
  readonly makesSizes: boolean
  /** For a picture that replaces nothing: these changes come first. */
  readonly steps?: readonly ImageStep[]
}

export interface KeptFiles {
  /** The file that the record shows. */
  readonly path: string
  readonly stem: string
  readonly details: FileDetails
  /** The paths that are noted as pending. */
  readonly paths: readonly string[]
}

interface Draft extends FileSource {
  readonly suffix: string
  readonly role: 'file' | 'original' | 'size'
  readonly name: string
  readonly width?: number
  readonly height?: number
}

/** Stores all files of a medium under free names. They are pending until the record is written. */
export async function keepFile(context: FilesContext, file: LocalFile, options: KeepOptions): Promise<KeptFiles> {
  const drafts = new Drafts()
  try {
    const { made, unprocessed } = await draftsOf(context, file, options, drafts)
    const stem = await reserveStem(context, options, file.extension, made)
    const paths = made.map((draft) => pathOf(options.folder, stem, draft, file.extension))
    await storeAll(context, made, paths, paths)
    const shown = made.findIndex(({ role }) => role === 'file')
    return { path: paths[shown] as string, stem, details: detailsOf(made, stem, file.extension, unprocessed), paths }
  } finally {
    await drafts.remove()
  }
}

/**
 * Stores a file of a site document at its path, with its sizes beside it, and returns the meta value of the file. `pending`: the paths
 * that are noted as such; a file that was there, such as a copy of the uploads, is replaced and not noted.
 */
export async function keepSeeded(
  context: FilesContext,
  { path, type, bytes }: { readonly path: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<{ readonly details: Json; readonly pending: readonly string[] }> {
  const { writeTemporaryFile } = await import('../../../services/temporary-file.ts')
  const tooLarge = () => new RangeError('the file is larger than it was')
  const file = await writeTemporaryFile(oneChunk(bytes), { limitBytes: bytes.length, tooLarge })
  try {
    const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
    const { details, pending } = await keepAt(context, { ...file, type, extension }, path)
    // The cast: the details are JSON.
    return { details: { file: path, ...details } as unknown as Json, pending }
  } finally {
    await file.remove()
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function keepAt(context: FilesContext, file: LocalFile, path: string) {
  const drafts = new Drafts()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const stem = path.slice(folder.length).replace(/\.[^.]*$/, '')
  try {
    const { made, unprocessed } = await draftsOf(context, file, { makesSizes: true }, drafts)
    const paths = made.map((draft) => pathOf(folder, stem, draft, file.extension))
    const pending = await noteReplaced(context, paths)
    await storeAll(context, made, paths, pending)
    return { details: detailsOf(made, stem, file.extension, unprocessed), pending }
  } finally {
    await drafts.remove()
  }
}

/** Makes sizes of a stored picture; returns them with their pending paths. */
export async function keepSizes(
  context: FilesContext,
  picture: LocalFile & { readonly width: number; readonly height: number },
  { folder, stem, existing }: { readonly folder: string; readonly stem: string; readonly existing: readonly string[] },
): Promise<{ readonly sizes: FileDetails['sizes']; readonly paths: readonly string[] }> {
  const drafts = new Drafts()
  try {
    const rules = (await sizesOf(context.storage)).filter(({ name }) => !existing.includes(name))
    const made = await sizeDrafts(context, picture, plannedSizes(picture, rules), drafts)
    const paths = made.map((draft) => pathOf(folder, stem, draft, picture.extension))
    if (paths.length > 0 && !(await reservePaths(context, paths))) {
      throw new ApiError('rest_upload_conflict', 'The sizes of this picture are being made by another request.', 409)
    }
    await storeAll(context, made, paths, paths)
    return { sizes: sizesIn(made, stem, picture.extension), paths }
  } finally {
    await drafts.remove()
  }
}

/** After a failure, the files of `pending` go again. */
async function storeAll(
  context: FilesContext,
  drafts: readonly Draft[],
  paths: readonly string[],
  pending: readonly string[],
): Promise<void> {
  try {
    for (const [index, draft] of drafts.entries()) await storeFile(mediaOf(context.app), paths[index] as string, draft)
  } catch (error) {
    await discardPending(context, pending, error)
    throw error
  }
}

// ---------------------------------------------------------------- drafts

/** The files that are made on the way, in the private folder of this machine. */
class Drafts {
  readonly #removals: (() => Promise<void>)[] = []

  async write(
    context: FilesContext,
    from: string,
    steps: readonly ImageStep[],
  ): Promise<{
    readonly path: string
    readonly width: number
    readonly height: number
    readonly size: number
    chunks(): AsyncIterable<Uint8Array>
  }> {
    const { draftPath, writtenDraft } = await import('../../../services/temporary-file.ts')
    const path = await draftPath()
    const { width, height } = await imagesOf(context.app)
      .write(from, path, steps, { pixels: context.app.limits.imagePixels })
      .catch((cause) => {
        throw isNotWritten(cause) ? fileFailure(cause) : unreadable(cause)
      })
    const draft = await writtenDraft(path)
    this.#removals.push(draft.remove)
    return { ...draft, width, height }
  }

  async remove(): Promise<void> {
    for (const remove of this.#removals) await remove()
  }
}

const unreadable = (cause: unknown) =>
  Object.assign(new ApiError('rest_upload_image_unreadable', 'The picture is broken, or too large to be read.', 400), {
    cause,
  })

/** By these types, pictures are changed; others are kept as they are. */
const changedTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']

async function draftsOf(
  context: FilesContext,
  file: LocalFile,
  { makesSizes, steps = [] }: Pick<KeepOptions, 'makesSizes' | 'steps'>,
  drafts: Drafts,
): Promise<{ readonly made: readonly Draft[]; readonly unprocessed: boolean }> {
  const whole = { suffix: '', role: 'file', name: '', type: file.type } as const
  if (!changedTypes.includes(file.type))
    return { made: [{ ...whole, ...source(file), ...(await sizeInHead(file)) }], unprocessed: false }
  const metadata = await metadataOf(context, file)
  if (metadata === undefined) {
    return { made: [{ ...whole, ...source(file), ...(await sizeInHead(file)) }], unprocessed: true }
  }
  const isChanged = metadata.hasPersonalData || steps.length > 0
  const picture = isChanged
    ? await drafts.write(context, file.path, steps)
    : { path: file.path, ...source(file), width: metadata.width, height: metadata.height }
  const { width, height } = picture
  const own = { ...source(picture), width, height }
  const isMoving = metadata.pixels > metadata.width * metadata.height
  if (!makesSizes) return { made: [{ ...whole, ...own }], unprocessed: false }
  const rules = await sizesOf(context.storage)
  if (isMoving || Math.max(width, height) <= largestSide) {
    const sizes = await sizeDrafts(context, { ...file, ...picture }, plannedSizes({ width, height }, rules), drafts)
    return { made: [{ ...whole, ...own }, ...sizes], unprocessed: false }
  }
  const target = fitted({ width, height }, { width: largestSide, height: largestSide })
  const scaled = await drafts.write(context, picture.path, [{ do: 'resize', ...target }])
  // From the whole picture: its proportions are exact.
  const sizes = await sizeDrafts(context, { ...file, ...picture }, plannedSizes({ width, height }, rules), drafts)
  return {
    made: [
      { ...whole, suffix: '-scaled', ...source(scaled), width: scaled.width, height: scaled.height },
      { ...whole, role: 'original', ...own },
      ...sizes,
    ],
    unprocessed: false,
  }
}

const source = ({ size, chunks }: Pick<FileSource, 'size' | 'chunks'>) => ({ size, chunks })

/** From the header, before anything is decoded; undefined without a library. Throws for a broken or too large picture. */
async function metadataOf({ app }: FilesContext, file: LocalFile): Promise<ImageMetadata | undefined> {
  const images = imagesOf(app)
  if (!(await images.isAvailable())) return undefined
  const metadata = await images.measure(file.path).catch((cause) => {
    throw unreadable(cause)
  })
  if (metadata.pixels > app.limits.imagePixels) {
    throw new ApiError(
      'rest_upload_image_too_large',
      `The picture has more than ${app.limits.imagePixels} pixels, all its frames together.`,
      413,
    )
  }
  return metadata
}

async function sizeInHead({ head, type }: LocalFile) {
  if (!type.startsWith('image/')) return {}
  const { detectImage } = await import('../../../services/image-type.ts')
  return detectImage(head)?.size ?? {}
}

async function sizeDrafts(
  context: FilesContext,
  picture: Pick<LocalFile, 'path' | 'type'>,
  sizes: readonly PlannedSize[],
  drafts: Drafts,
): Promise<readonly Draft[]> {
  const made: Draft[] = []
  for (const { name, width, height, isCropped } of sizes) {
    const step = { do: isCropped ? 'cover' : 'resize', width, height } as const
    const written = await drafts.write(context, picture.path, [step])
    made.push({
      suffix: `-${width}x${height}`,
      role: 'size',
      name,
      type: picture.type,
      ...source(written),
      width,
      height,
    })
  }
  // Two rules may give one size.
  return [...new Map(made.map((draft) => [draft.suffix, draft])).values()]
}

// ---------------------------------------------------------------- names

const pathOf = (folder: string, stem: string, { suffix }: Draft, extension: string) =>
  `${folder}${stem}${suffix}.${extension}`

/** Other uploads may take a name between the look and the note. */
const attempts = 5

async function reserveStem(
  context: FilesContext,
  { folder, stem }: KeepOptions,
  extension: string,
  drafts: readonly Draft[],
): Promise<string> {
  const pathsOf = (name: string) => drafts.map((draft) => pathOf(folder, name, draft, extension))
  if (await reservePaths(context, pathsOf(stem))) return stem
  const media = mediaOf(context.app)
  const isFree = async (number: number) => {
    for (const path of pathsOf(`${stem}-${number}`)) if (await isStored(media, path)) return false
    return true
  }
  let number = await firstFree(isFree)
  for (let attempt = 0; attempt < attempts; attempt++, number++) {
    if (await reservePaths(context, pathsOf(`${stem}-${number}`))) return `${stem}-${number}`
  }
  // So many uploads of one name at a time: a random part is free.
  const free = `${stem}-${crypto.randomUUID().slice(0, 8)}`
  if (await reservePaths(context, pathsOf(free))) return free
  throw new ApiError('rest_upload_conflict', 'There is no free name for this file.', 409)
}

const firstNumbers = 10

/**
 * Doubles and halves the number beyond ten: a store of files elsewhere takes a request for each look.
 *
 * `Choice:` beyond ten files of one name, the number of the next is a free one right behind a taken one. It is the smallest free one unless
 * a number below it was left out or has become free.
 */
async function firstFree(isFree: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 0
  while (taken < firstNumbers) if (await isFree(++taken)) return taken
  let free = taken * 2
  while (!(await isFree(free))) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return free
}

function detailsOf(drafts: readonly Draft[], stem: string, extension: string, unprocessed: boolean): FileDetails {
  const shown = drafts.find(({ role }) => role === 'file') as Draft
  const original = drafts.find(({ role }) => role === 'original')
  const { width, height, size } = shown
  return {
    ...(width === undefined || height === undefined ? {} : { width, height }),
    filesize: size,
    sizes: sizesIn(drafts, stem, extension),
    ...(original ? { original_image: `${stem}.${extension}` } : {}),
    ...(unprocessed ? { unprocessed } : {}),
  }
}

function sizesIn(drafts: readonly Draft[], stem: string, extension: string): { readonly [name: string]: SizeFile } {
  const sizes = drafts.filter(({ role }) => role === 'size')
  return Object.fromEntries(
    sizes.map(({ name, suffix, width = 0, height = 0, size, type }) => [
      name,
      { file: `${stem}${suffix}.${extension}`, width, height, filesize: size, mime_type: type },
    ]),
  )
}
