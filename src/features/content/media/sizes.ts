/** The sizes in which pictures are kept, and which of them a picture has. */
import type { Json, Storage } from '../../../contract/storage.ts'
import type { FileDetails } from './model.ts'

export interface SizeRule {
  readonly name: string
  /** 0: as wide or high as the proportions give. */
  readonly width: number
  readonly height: number
  /** The middle of the picture in exactly this size. */
  readonly isCropped?: boolean
}

/** Interface: those of a new site, in the order in which missing ones are listed. */
const defaultSizes: readonly SizeRule[] = [
  { name: 'thumbnail', width: 150, height: 150, isCropped: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768, height: 0 },
  { name: 'large', width: 1024, height: 1024 },
  { name: '1536x1536', width: 1536, height: 1536 },
  { name: '2048x2048', width: 2048, height: 2048 },
]

/** A picture that is wider or higher is shown by a copy of this size. */
export const largestSide = 2560

const sizesOption = 'image_sizes'

/** The sizes of a site: the option `image_sizes` changes or adds some, `{ "hero": { "width": 1200, "height": 400, "crop": true } }`. */
export async function sizesOf(storage: Storage): Promise<readonly SizeRule[]> {
  const { [sizesOption]: stored } = await storage.options.read([sizesOption])
  const rules = new Map(defaultSizes.map((rule) => [rule.name, rule]))
  if (typeof stored === 'object' && stored !== null && !Array.isArray(stored)) {
    for (const [name, value] of Object.entries(stored)) rules.set(name, toRule(name, value as Json))
  }
  return [...rules.values()].filter(({ width, height }) => width > 0 || height > 0)
}

function toRule(name: string, value: Json): SizeRule {
  const { width, height, crop } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly [member: string]: Json
  }
  const length = (member: Json | undefined) => (typeof member === 'number' && member > 0 ? Math.round(member) : 0)
  return { name, width: length(width), height: length(height), isCropped: crop === true }
}

export interface PlannedSize {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly isCropped: boolean
  /** Ends the name of its file. Default: its extent. */
  readonly suffix?: string
}

/** Pixels of all sizes of an AVIF picture that a request waits for. */
const mostAwaitedPixels = 400_000

/** Whether sizes take so long that no request waits for them: the encoder of AVIF needs seconds for a million pixels. */
export const isSlow = (type: string, sizes: readonly PlannedSize[]): boolean =>
  type === 'image/avif' && sizes.reduce((sum, { width, height }) => sum + width * height, 0) > mostAwaitedPixels

interface Extent {
  readonly width: number
  readonly height: number
}

/** The sizes that are smaller than the picture. */
export function plannedSizes({ width, height }: Extent, rules: readonly SizeRule[]): readonly PlannedSize[] {
  return rules.flatMap((rule) => {
    const made = rule.isCropped
      ? { width: Math.min(width, rule.width || width), height: Math.min(height, rule.height || height) }
      : fitted({ width, height }, rule)
    const isSmaller = made.width < width || made.height < height
    return isSmaller ? [{ name: rule.name, ...made, isCropped: rule.isCropped ?? false }] : []
  })
}

/** Computes the largest extent of these proportions within the bounds; never larger than the picture. */
export function fitted({ width, height }: Extent, bounds: Extent): Extent {
  const scale = Math.min(1, bounds.width > 0 ? bounds.width / width : 1, bounds.height > 0 ? bounds.height / height : 1)
  if (scale === 1) return { width, height }
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Interface: a document may show its first page in these; nothing here draws them. */
const documentSizes = ['thumbnail', 'medium', 'large']

/** The names of sizes that a file should have and does not. */
export function missingSizes(
  mimeType: string,
  { width, height, sizes = {} }: FileDetails,
  rules: readonly SizeRule[],
): readonly string[] {
  if (mimeType === 'application/pdf') return documentSizes.filter((name) => !Object.hasOwn(sizes, name))
  if (!mimeType.startsWith('image/') || mimeType === 'image/svg+xml' || width === undefined || height === undefined)
    return []
  return plannedSizes({ width, height }, rules)
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(sizes, name))
}
