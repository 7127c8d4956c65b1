/** Changes a stored picture: adds sizes of it, and makes new pictures from it. */
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { inOwnTransaction } from '../../../core/pipeline/hooks.ts'
import { type ImageStep, imagesOf } from '../../../services/images.ts'
import { attachmentMetadataKey } from '../../../site/post-keys.ts'
import type { editArgs, Modifier } from './args.ts'
import { storedTexts } from './image-meta.ts'
import { keepFile, keepSizes } from './kept-files.ts'
import { fileMissing, withLocal } from './local-file.ts'
import {
  addressOf,
  type FileDetails,
  type FoundMedium,
  folderOf,
  type MediumFileMeta,
  nameOf,
  pathsOf,
  readFileMeta,
} from './model.ts'
import { enterSizes } from './optimization/jobs.ts'
import { isSlow, plannedSizes, sizesOf } from './sizes.ts'
import { mediaFolder } from './upload.ts'
import { type WriteContext, writeDetails, writeMedium } from './write.ts'

type EditContext = Context<ArgValues<typeof editArgs>, FoundMedium>

/** Makes a new picture and a new record of it; the source stays. */
export async function editPicture(context: EditContext): Promise<FoundMedium> {
  const { args, resource, storage, app } = context
  const file = (await readFileMeta(storage, [resource.id]))(resource.id)
  const path = editedPath(context, file)
  requirePicture(resource, file)
  const modifiers = modifiersOf(args)
  if (modifiers.length === 0) throw new ApiError('rest_image_not_edited', 'The request changes nothing.', 400)
  if (!(await imagesOf(app).isAvailable())) throw noLibrary()
  return withLocal(context, resource.mimeType, path, async (local) => {
    const metadata = await imagesOf(app).measure(local.path)
    const kept = await keepFile(context, local, {
      folder: await mediaFolder(context),
      stem: `${stemOf(path)}-edited`,
      makesSizes: true,
      mayDefer: true,
      steps: stepsOf(modifiers, metadata),
    })
    const parent = { attachment_id: resource.id, file: path }
    return writeMedium(editedValues(context, file), kept, { parent_image: parent })
  })
}

const hrefOf = (address: string): string => (URL.canParse(address) ? new URL(address).href : address)

/** The file that `src` names: one of this medium, in the size that is shown or as it was uploaded. */
function editedPath(context: EditContext, file: MediumFileMeta): string {
  const { src } = context.args
  // Clients may write an address with letters of other scripts, or with their escapes.
  const path = pathsOf(file).find((one) => hrefOf(addressOf(context, one)) === hrefOf(src))
  if (path === undefined) throw fileMissing()
  return path
}

function requirePicture({ mimeType }: FoundMedium, { path }: MediumFileMeta): void {
  if (path === undefined || !/^image\/(?:jpeg|png|gif|webp|avif)$/.test(mimeType)) {
    throw new ApiError('rest_cannot_edit_file_type', 'Files of this type can not be edited.', 400)
  }
}

const noLibrary = () =>
  new ApiError(
    'rest_image_editor_missing',
    'This site can not change pictures: the package sharp is not installed.',
    501,
  )

/** The texts of the source, unless others are sent. */
function editedValues(context: EditContext, file: MediumFileMeta): WriteContext {
  const { args, resource } = context
  const { title = resource.title, caption = resource.excerpt, description = resource.content, post } = args
  const { alt_text = file.alternative } = args
  const values = { title, caption, description, alt_text, ...(post === undefined ? {} : { post }) }
  return { ...context, args: values, resource: undefined }
}

/** Cuts off the suffixes that an earlier edit or a smaller copy added. */
const stemOf = (path: string) =>
  nameOf(path)
    .replace(/\.\w+$/, '')
    .replace(/-(?:scaled|rotated|edited(?:-\d+)?)$/, '')

// ---------------------------------------------------------------- changes

/** Interface: single arguments are an older form: first the rotation, then the crop. */
function modifiersOf({ modifiers, rotation, x, y, width, height }: EditContext['args']): readonly Modifier[] {
  if (modifiers !== undefined) return modifiers
  const rotated: Modifier[] = rotation === undefined ? [] : [{ type: 'rotate', args: { angle: rotation } }]
  if (x === undefined || y === undefined || width === undefined || height === undefined) return rotated
  return [...rotated, { type: 'crop', args: { left: x, top: y, width, height } }]
}

interface Extent {
  readonly width: number
  readonly height: number
}

/** Crops are in percent of the picture as the changes before have left it. */
function stepsOf(modifiers: readonly Modifier[], picture: Extent): readonly ImageStep[] {
  const steps: ImageStep[] = []
  let extent = picture
  for (const modifier of modifiers) {
    const step = stepOf(modifier, extent)
    extent = step.do === 'rotate' ? rotated(extent, step.angle) : step.do === 'crop' ? step : extent
    steps.push(step)
  }
  return steps
}

function stepOf(modifier: Modifier, extent: Extent): ImageStep {
  switch (modifier.type) {
    case 'flip':
      return { do: 'flip', ...modifier.args.flip }
    case 'rotate':
      // Without whole turns: the library takes no large angles.
      return { do: 'rotate', angle: modifier.args.angle % 360 }
    case 'crop':
      return cropOf(modifier.args, extent)
  }
}

function rotated({ width, height }: Extent, angle: number): Extent {
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(radians)), Math.abs(Math.sin(radians))]
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) }
}

function cropOf(
  { left, top, width, height }: Extent & { readonly left: number; readonly top: number },
  extent: Extent,
): Extract<ImageStep, { readonly do: 'crop' }> {
  const share = (percent: number, whole: number) => Math.round((Math.min(100, Math.max(0, percent)) * whole) / 100)
  const x = Math.min(share(left, extent.width), extent.width - 1)
  const y = Math.min(share(top, extent.height), extent.height - 1)
  return {
    do: 'crop',
    left: x,
    top: y,
    width: Math.max(1, Math.min(share(width, extent.width), extent.width - x)),
    height: Math.max(1, Math.min(share(height, extent.height), extent.height - y)),
  }
}

// ---------------------------------------------------------------- missing sizes

/** Makes the sizes that a picture should have and does not; beside the request, if they take long. */
export async function makeMissingSizes(context: Context<unknown, FoundMedium>): Promise<void> {
  const { resource, storage, app } = context
  const file = (await readFileMeta(storage, [resource.id]))(resource.id)
  const { path, details } = file
  if (path === undefined || !/^image\/(?:jpeg|png|gif|webp|avif)$/.test(resource.mimeType)) return
  if (!(await imagesOf(app).isAvailable())) throw noLibrary()
  if (await isEntered(context, resource, details)) return
  await withLocal(context, resource.mimeType, path, async (local) => {
    const { width, height } = await imagesOf(app).measure(local.path)
    const stem = nameOf(path).replace(/\.\w+$/, '')
    const existing = Object.keys(details.sizes ?? {})
    const rules = (await sizesOf(storage)).filter(({ name }) => !existing.includes(name))
    const texts = storedTexts(details.image_meta)
    const planned = plannedSizes({ width, height }, rules)
    const made = await keepSizes(context, local, { folder: folderOf(path), stem, sizes: planned, texts })
    const { unprocessed: _unprocessed, ...rest } = details
    const sizes = { ...details.sizes, ...made.sizes }
    await writeDetails(context, resource, { ...rest, width, height, sizes }, made.paths)
  })
}

/** True: the sizes are made beside requests, and are entered for that. */
async function isEntered(context: Context<unknown, FoundMedium>, medium: FoundMedium, details: FileDetails) {
  const { width = 0, height = 0, sizes = {} } = details
  const missing = (await sizesOf(context.storage)).filter(({ name }) => !Object.hasOwn(sizes, name))
  if (!details.sizes_pending && !isSlow(medium.mimeType, plannedSizes({ width, height }, missing))) return false
  const { unprocessed: _unprocessed, ...rest } = details
  await inOwnTransaction(context, async (inside) => {
    const pending = { ...rest, sizes_pending: true }
    await inside.storage.meta.write('post', [{ id: medium.id, key: attachmentMetadataKey, value: pending as never }])
    await enterSizes(inside, medium.id)
    inside.emit('media.updated', { id: medium.id })
  })
  return true
}
