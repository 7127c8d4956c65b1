/** The files that a picture becomes: the upload without what tells a place or a device, a turned or smaller copy, and its sizes. */

import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { fileFailure } from '../../../services/file-failures.ts'
import {
  type ImageMetadata,
  type ImageStep,
  imagesOf,
  isNotWritten,
  type WriteOptions,
} from '../../../services/images.ts'
import type { FileSource } from '../../../services/media-driver.ts'
import type { CutPicture, PictureFacts } from '../../../services/picture-data/index.ts'
import { copyTexts } from './image-meta.ts'
import { fitted, isSlow, largestSide, type PlannedSize, plannedSizes, sizesOf } from './sizes.ts'

export type FilesContext = Pick<Context, 'storage' | 'app'>

/** A file on this machine, which stays the caller's. */
export interface LocalFile {
  readonly path: string
  readonly size: number
  readonly type: string
  readonly extension: string
  readonly head: Uint8Array
  /** The extent of a drawing, which its first bytes do not state. */
  readonly extent?: { readonly width?: number; readonly height?: number } | undefined
  chunks(range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
}

export interface DraftOptions {
  readonly makesSizes: boolean
  /** True: sizes that take long are made beside the request. */
  readonly mayDefer?: boolean
  /** False: a picture that browsers do not show gets no copy in another format. */
  readonly converts?: boolean
  /** True: the file is shown under its path, so no turned copy and none in another format replaces it. */
  readonly keepsPath?: boolean
  /** For a picture that replaces nothing: these changes come first. */
  readonly steps?: readonly ImageStep[]
}

export interface Draft extends FileSource {
  readonly suffix: string
  readonly role: 'file' | 'original' | 'size'
  readonly name: string
  readonly extension: string
  readonly width?: number
  readonly height?: number
}

export interface MadeDrafts {
  readonly made: readonly Draft[]
  readonly facts: PictureFacts
  /** There was no library that reads the picture. */
  readonly unprocessed?: boolean
  /** The sizes are to be made beside the request. */
  readonly isDeferred?: boolean
}

/** The files that are made on the way, in the private folder of this machine. */
export class Drafts {
  readonly #removals: (() => Promise<void>)[] = []

  async write(
    context: FilesContext,
    from: string,
    steps: readonly ImageStep[],
    options: Omit<WriteOptions, 'pixels'>,
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
      .write(from, path, steps, { ...options, pixels: context.app.limits.imagePixels })
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

const unreadableCode = 'rest_upload_image_unreadable'

const unreadable = (cause: unknown) =>
  Object.assign(new ApiError(unreadableCode, 'The picture is broken, or too large to be read.', 400), { cause })

/** By these types, pictures are changed; others are kept as they are. */
const changedTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
/** Photos of telephones: most browsers do not show them, and most copies of sharp do not read them. */
const telephoneTypes: readonly string[] = ['image/heic', 'image/heif']

export async function draftsOf(
  context: FilesContext,
  file: LocalFile,
  options: DraftOptions,
  drafts: Drafts,
): Promise<MadeDrafts> {
  const cut = file.type.startsWith('image/') ? await cutOf(file) : undefined
  const whole = { suffix: '', role: 'file', name: '', type: file.type, extension: file.extension } as const
  if (telephoneTypes.includes(file.type)) return telephoneDrafts(context, file, { ...options, cut, whole }, drafts)
  const isChangeable = changedTypes.includes(file.type)
  const metadata = isChangeable ? await metadataOf(context, file) : undefined
  if (metadata === undefined) {
    const facts = cut?.facts ?? {}
    const extent = turnedExtent(await sizeInHead(file), facts)
    return { made: [{ ...whole, ...source(cut ?? file), ...extent }], facts, unprocessed: isChangeable }
  }
  return pictureDrafts(context, file, { ...options, cut, whole, metadata }, drafts)
}

async function cutOf(file: LocalFile): Promise<CutPicture | undefined> {
  const { cutPicture } = await import('../../../services/picture-data/index.ts')
  return cutPicture(file.type, { size: file.size, chunks: (range) => file.chunks(range) })
}

type Whole = Omit<Draft, 'size' | 'chunks'>

interface PictureOptions extends DraftOptions {
  readonly cut: CutPicture | undefined
  readonly whole: Whole
  readonly metadata: ImageMetadata
}

async function pictureDrafts(
  context: FilesContext,
  file: LocalFile,
  { makesSizes, mayDefer = false, keepsPath = false, steps = [], cut, whole, metadata }: PictureOptions,
  drafts: Drafts,
): Promise<MadeDrafts> {
  const { orientation: _orientation, ...words }: PictureFacts = cut?.facts ?? {}
  const texts = copyTexts(words)
  const isMoving = metadata.pixels > metadata.width * metadata.height
  const { picture, turn } = await pictureItself(context, file, { steps, cut, metadata, isMoving }, drafts)
  const { width, height } = picture
  const own = { ...whole, ...source(picture), width, height }
  const facts: PictureFacts = turn === undefined ? words : { ...words, orientation: turn }
  if (!makesSizes) return { made: [own], facts }
  const planned = plannedSizes({ width, height }, await sizesOf(context.storage))
  if (mayDefer && isSlow(file.type, planned)) return { made: [own], facts, isDeferred: true }
  // From the whole picture: its proportions are exact.
  const sizes = await sizeDrafts(context, { ...whole, path: picture.path }, planned, { drafts, texts })
  const isLarge = !isMoving && Math.max(width, height) > largestSide
  const isTurned = !isMoving && !keepsPath && turn !== undefined && turn > 1
  if (!isLarge && !isTurned) return { made: [own, ...sizes], facts }
  const target = fitted({ width, height }, { width: largestSide, height: largestSide })
  const shown = await drafts.write(context, picture.path, isLarge ? [{ do: 'resize', ...target }] : [], { texts })
  const copy = { ...whole, ...source(shown), width: shown.width, height: shown.height }
  return {
    made: [{ ...copy, suffix: isLarge ? '-scaled' : '-rotated' }, { ...own, role: 'original' }, ...sizes],
    // The copy that is shown is turned.
    facts: turn === undefined ? facts : { ...facts, orientation: 1 },
  }
}

interface ItselfOptions extends Pick<PictureOptions, 'steps' | 'cut' | 'metadata'> {
  readonly isMoving: boolean
}

/** The picture before copies are made of it. `turn`: its EXIF data, which stay, say how it is turned. */
async function pictureItself(
  context: FilesContext,
  file: LocalFile,
  { steps = [], cut, metadata, isMoving }: ItselfOptions,
  drafts: Drafts,
) {
  // A container that cannot be read may have anything in it: the picture is written anew.
  const isUnknown = cut === undefined && (metadata.hasPersonalData || !isMoving)
  const texts = copyTexts(cut?.facts ?? {})
  if (steps.length > 0 || isUnknown) {
    return { picture: await drafts.write(context, file.path, steps, { texts }), turn: undefined }
  }
  const { width, height } = metadata
  return { picture: { path: file.path, ...source(cut ?? file), width, height }, turn: cut?.facts.orientation }
}

/**
 * Interface: a photo of a telephone is shown by a copy that all browsers read, and the upload stays beside it. Where no library reads
 * it, the upload is the file.
 */
async function telephoneDrafts(
  context: FilesContext,
  file: LocalFile,
  { makesSizes, converts = true, keepsPath = false, cut, whole }: Omit<PictureOptions, 'metadata'>,
  drafts: Drafts,
): Promise<MadeDrafts> {
  // No library would write it anew, so a place in it would stay.
  if (cut === undefined) throw unreadable(new Error('the boxes of the file can not be read'))
  const { facts } = cut
  const texts = copyTexts(facts)
  const extent = await sizeInHead(file)
  const original = { ...whole, ...source(cut) }
  const metadata = converts && makesSizes && !keepsPath ? await readable(metadataOf(context, file)) : undefined
  const target = metadata && fitted(metadata, { width: largestSide, height: largestSide })
  const format = 'jpeg'
  const shown =
    target && (await readable(drafts.write(context, file.path, [{ do: 'resize', ...target }], { texts, format })))
  if (!metadata || !shown) return { made: [{ ...original, ...extent }], facts, unprocessed: true }
  const copy = { ...whole, type: 'image/jpeg', extension: 'jpg' }
  const planned = plannedSizes(metadata, await sizesOf(context.storage))
  const sizes = await sizeDrafts(context, { ...copy, path: file.path }, planned, { drafts, texts, format })
  const suffix = Math.max(metadata.width, metadata.height) > largestSide ? '-scaled' : ''
  const { width, height } = shown
  return {
    made: [{ ...copy, ...source(shown), suffix, width, height }, { ...original, role: 'original' }, ...sizes],
    facts,
  }
}

/** Undefined for a picture that the library does not read. */
async function readable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === unreadableCode) return undefined
    throw error
  }
}

const source = ({ size, chunks }: Pick<FileSource, 'size' | 'chunks'>) => ({ size, chunks: () => chunks() })

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

async function sizeInHead({
  head,
  type,
  extent,
}: LocalFile): Promise<{ readonly width?: number; readonly height?: number }> {
  if (extent || !type.startsWith('image/')) return extent ?? {}
  const { detectImage } = await import('../../../services/image-type.ts')
  return detectImage(head)?.size ?? {}
}

/** The extent that browsers show: they turn a picture by its EXIF data. */
function turnedExtent(
  extent: { readonly width?: number; readonly height?: number },
  { orientation = 1 }: PictureFacts,
) {
  const { width, height } = extent
  return orientation >= 5 && width !== undefined && height !== undefined ? { width: height, height: width } : extent
}

export async function sizeDrafts(
  context: FilesContext,
  picture: Pick<LocalFile, 'path' | 'type' | 'extension'>,
  sizes: readonly PlannedSize[],
  { drafts, ...options }: Omit<WriteOptions, 'pixels'> & { readonly drafts: Drafts },
): Promise<readonly Draft[]> {
  const made: Draft[] = []
  const { type, extension } = picture
  for (const { name, width, height, isCropped, suffix = `-${width}x${height}` } of sizes) {
    const step = { do: isCropped ? 'cover' : 'resize', width, height } as const
    const written = await drafts.write(context, picture.path, [step], options)
    made.push({ suffix, role: 'size', name, type, extension, ...source(written), width, height })
  }
  // Two rules may give one size.
  return [...new Map(made.map((draft) => [draft.suffix, draft])).values()]
}
