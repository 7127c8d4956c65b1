/** From a file on this machine to the files of a medium: the picture without personal data, its sizes, and free names for all. */

import type { Json } from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import type { ImageTexts } from '../../../services/images.ts'
import { isStored, mediaOf, storeFile } from '../../../services/media.ts'
import type { PictureFacts } from '../../../services/picture-data/index.ts'
import { discardPending, noteReplaced, reservePaths } from '../../shared/pending-files.ts'
import {
  type Draft,
  type DraftOptions,
  Drafts,
  draftsOf,
  type FilesContext,
  type LocalFile,
  type MadeDrafts,
  sizeDrafts,
} from './drafts.ts'
import { imageMetaOf } from './image-meta.ts'
import type { FileDetails, SizeFile } from './model.ts'
import type { PlannedSize } from './sizes.ts'
import { cleanedSvg, svgFile } from './svg.ts'

interface KeepOptions extends DraftOptions {
  /** The path begins below the folder of uploads and ends with a slash. */
  readonly folder: string
  /** The name without its ending; a number is added where it is taken. */
  readonly stem: string
}

export interface KeptFiles {
  /** The file that the record shows. */
  readonly path: string
  readonly type: string
  readonly stem: string
  readonly details: FileDetails
  /** The metadata that the picture has. */
  readonly facts: PictureFacts
  /** The paths that are noted as pending. */
  readonly paths: readonly string[]
}

/** Stores all files of a medium under free names. They are pending until the record is written. */
export async function keepFile(context: FilesContext, file: LocalFile, options: KeepOptions): Promise<KeptFiles> {
  const drafts = new Drafts()
  try {
    const drafted = await draftsOf(context, file, options, drafts)
    const { made, facts } = drafted
    const stem = await reserveStem(context, options, made)
    const paths = made.map((draft) => pathOf(options.folder, stem, draft))
    await storeAll(context, made, paths, paths)
    const shown = made.findIndex(({ role }) => role === 'file')
    const { type } = made[shown] as Draft
    return { path: paths[shown] as string, type, stem, details: detailsOf(drafted, stem), facts, paths }
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
  const sent = await writeTemporaryFile(oneChunk(bytes), { limitBytes: bytes.length, tooLarge })
  const isSvg = type === svgFile.type || /\.svg$/i.test(path)
  const { file, extent } = isSvg
    ? await cleanedSvg(sent, context.app.limits).finally(sent.remove)
    : { file: sent, extent: undefined }
  try {
    const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
    const { details, pending } = await keepAt(context, { ...file, type, extension, extent }, path)
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
    const drafted = await draftsOf(context, file, { makesSizes: true, keepsPath: true }, drafts)
    const { made } = drafted
    const paths = made.map((draft) => pathOf(folder, stem, draft))
    const pending = await noteReplaced(context, paths)
    await storeAll(context, made, paths, pending)
    return { details: detailsOf(drafted, stem), pending }
  } finally {
    await drafts.remove()
  }
}

interface SizesOptions {
  readonly folder: string
  readonly stem: string
  readonly sizes: readonly PlannedSize[]
  readonly texts: ImageTexts
}

/** Makes sizes of a stored picture; returns them with their pending paths. Throws `rest_upload_conflict` where a name is taken. */
export async function keepSizes(
  context: FilesContext,
  picture: Pick<LocalFile, 'path' | 'type' | 'extension'>,
  { folder, stem, sizes, texts }: SizesOptions,
): Promise<{ readonly sizes: FileDetails['sizes']; readonly paths: readonly string[] }> {
  const drafts = new Drafts()
  try {
    const made = await sizeDrafts(context, picture, sizes, { drafts, texts })
    const paths = made.map((draft) => pathOf(folder, stem, draft))
    if (paths.length > 0 && !(await reservePaths(context, paths))) {
      throw new ApiError('rest_upload_conflict', 'The sizes of this picture are being made by another request.', 409)
    }
    await storeAll(context, made, paths, paths)
    return { sizes: sizesIn(made, stem), paths }
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

// ---------------------------------------------------------------- names

const pathOf = (folder: string, stem: string, draft: Draft) => folder + fileName(stem, draft)
const fileName = (stem: string, { suffix, extension }: Draft) => `${stem}${suffix}.${extension}`

/** Other uploads may take a name between the look and the note. */
const attempts = 5

async function reserveStem(
  context: FilesContext,
  { folder, stem }: KeepOptions,
  drafts: readonly Draft[],
): Promise<string> {
  const pathsOf = (name: string) => drafts.map((draft) => pathOf(folder, name, draft))
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
  const free = `${stem}-${randomId().slice(0, 8)}`
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

function detailsOf({ made, facts, unprocessed, isDeferred }: MadeDrafts, stem: string): FileDetails {
  const shown = made.find(({ role }) => role === 'file') as Draft
  const original = made.find(({ role }) => role === 'original')
  const { width, height, size } = shown
  const meta = imageMetaOf(facts)
  return {
    ...(width === undefined || height === undefined ? {} : { width, height }),
    filesize: size,
    sizes: sizesIn(made, stem),
    ...(original ? { original_image: fileName(stem, original) } : {}),
    ...(meta ? { image_meta: meta } : {}),
    ...(unprocessed ? { unprocessed } : {}),
    ...(isDeferred ? { sizes_pending: true } : {}),
  }
}

function sizesIn(drafts: readonly Draft[], stem: string): { readonly [name: string]: SizeFile } {
  const sizes = drafts.filter(({ role }) => role === 'size')
  return Object.fromEntries(
    sizes.map((draft) => {
      const { name, width = 0, height = 0, size, type } = draft
      return [name, { file: fileName(stem, draft), width, height, filesize: size, mime_type: type }]
    }),
  )
}
