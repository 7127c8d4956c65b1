/**
 * Measures and changes pictures. Default: the package sharp, which a host installs beside this one; it is loaded with the
 * first picture. Without it a site keeps originals only.
 */
import type { Sharp as Picture, default as SharpLibrary } from 'sharp'
import type { AppContext } from '../core/declare/app-context.ts'
import { escapeHtml } from '../core/runtime/escape-html.ts'

/** Properties that the header of a picture states, before anything is decoded. */
export interface ImageMetadata {
  /** The width that is shown after the rotation in its EXIF data. */
  readonly width: number
  readonly height: number
  /** The pixels of all frames together. */
  readonly pixels: number
  /** Whether EXIF, XMP or IPTC data are in the file: place, camera, names. */
  readonly hasPersonalData: boolean
}

/** Lengths are pixels. */
export type ImageStep =
  /** Cuts the middle out in these proportions and makes it this large. */
  | { readonly do: 'cover'; readonly width: number; readonly height: number }
  | { readonly do: 'resize'; readonly width: number; readonly height: number }
  /** Clockwise, in degrees. */
  | { readonly do: 'rotate'; readonly angle: number }
  | { readonly do: 'flip'; readonly horizontal: boolean; readonly vertical: boolean }
  | {
      readonly do: 'crop'
      readonly left: number
      readonly top: number
      readonly width: number
      readonly height: number
    }

interface WrittenImage {
  readonly width: number
  readonly height: number
  readonly size: number
}

/** Both files are on this machine. */
export interface Images {
  /** False: there is no library, and pictures stay as they are. */
  isAvailable(): Promise<boolean>
  /** Rejects for a file that is no readable picture. */
  measure(path: string): Promise<ImageMetadata>
  /** Writes a picture of the same format, or of that in `options`, turned and without the data of the camera. */
  write(path: string, target: string, steps: readonly ImageStep[], options: WriteOptions): Promise<WrittenImage>
  /** Writes a picture in another format or quality. Absent: pictures are not optimized. */
  encode?(path: string, target: string, encoding: ImageEncoding): Promise<WrittenImage>
}

/** The words of people that stay in each copy of a picture. */
export interface ImageTexts {
  readonly copyright?: string
  readonly creator?: string
  readonly description?: string
}

export interface WriteOptions {
  /** The most pixels that are decoded. */
  readonly pixels: number
  /** Default: that of the picture. JPEG for formats that browsers do not show. */
  readonly format?: 'jpeg'
  readonly texts?: ImageTexts
}

/** How a picture is written. */
export interface ImageEncoding {
  /** Undefined: its own. */
  readonly format?: 'webp' | 'avif'
  /** True: much smaller, with losses that few people see. False: with fewer. */
  readonly isLossy: boolean
  /** The largest extent; a larger picture is made smaller. */
  readonly within?: { readonly width: number; readonly height: number }
  /** The most pixels that are decoded. */
  readonly pixels: number
  readonly texts?: ImageTexts
}

export const imagesOf = ({ services }: Pick<AppContext, 'services'>): Images => services['images'] as Images

type Sharp = typeof SharpLibrary
/** The default export of sharp. The declarations do not name the types of a package that a host may lack. */
type SharpExport = (...given: never[]) => object

/** The options of `createImages`. */
export interface CreateImages {
  /** Loads the package sharp. Default: `import('sharp')`. */
  readonly load?: () => Promise<SharpExport>
  /** How many pictures are decoded at once. Default: 2. */
  readonly concurrency?: number
  /** True: pictures are made smaller after their upload, by the preset of the site (docs/media.md). Default: false. */
  readonly optimizes?: boolean
}

/** Imports by a name that bundlers do not follow: they could not bundle a host without the package. */
const importInstalled = (name: string): Promise<unknown> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)

// The cast: the package that its types describe.
const defaultLoad = async (): Promise<Sharp> =>
  ((await importInstalled('sharp')) as { readonly default: Sharp }).default

/**
 * Creates the default of `services.images`. It resizes and rotates pictures with sharp, if the host has installed it.
 *
 * ```ts
 * import { createImages } from 'site-api'
 *
 * export const images = createImages({ concurrency: 1 })
 * ```
 */
export function createImages({ load = defaultLoad, concurrency = 2, optimizes = false }: CreateImages = {}): Images {
  let loading: Promise<Sharp | undefined> | undefined
  const library = () => {
    loading ??= load().then(
      // The cast: what sharp exports.
      (found) => prepared(found as unknown as Sharp),
      () => undefined,
    )
    return loading
  }
  const required = async () => {
    const found = await library()
    if (!found) throw new Error('the package sharp is not installed')
    return found
  }
  const limited = createLimit(concurrency)
  return {
    isAvailable: async () => (await library()) !== undefined,
    measure: async (path) => measure(await required(), path),
    write: async (path, target, steps, options) => {
      const open = await required()
      return limited(() => write(open, path, target, steps, options))
    },
    ...(optimizes
      ? {
          encode: async (path: string, target: string, encoding: ImageEncoding) => {
            const open = await required()
            return limited(() => encode(open, path, target, encoding))
          },
        }
      : {}),
  }
}

/** Nothing is cached: a picture is read once, and open files could not be removed on some systems. */
function prepared(library: Sharp): Sharp {
  library.cache(false)
  return library
}

async function measure(open: Sharp, path: string): Promise<ImageMetadata> {
  const found = await open(path, { limitInputPixels: false, animated: true }).metadata()
  const { width, height, pages = 1, pageHeight = height, autoOrient, exif, xmp, iptc } = found
  const isTurned = (found.orientation ?? 1) >= 5
  return {
    width: isTurned ? pageHeight : (autoOrient?.width ?? width),
    height: isTurned ? width : pageHeight,
    pixels: width * pageHeight * pages,
    hasPersonalData: exif !== undefined || xmp !== undefined || iptc !== undefined,
  }
}

const qualities = { jpeg: 82, webp: 82, avif: 60 } as const
const lossyQualities = { jpeg: 72, webp: 72, avif: 48 } as const
const fineQualities = { jpeg: 90, webp: 90, avif: 70 } as const

async function encode(
  open: Sharp,
  path: string,
  target: string,
  { format, isLossy, within, pixels, texts }: ImageEncoding,
): Promise<WrittenImage> {
  const options = { limitInputPixels: pixels, sequentialRead: true, failOn: 'truncated' as const }
  const { format: own, compression } = await open(path, options).metadata()
  const turned = open(path, options).autoOrient()
  const picture = within ? turned.resize({ ...within, fit: 'inside', withoutEnlargement: true }) : turned
  const quality = isLossy ? lossyQualities : fineQualities
  const named = format ?? (compression === 'av1' ? 'avif' : own)
  const written =
    named === 'png' ? picture.png({ compressionLevel: 9, palette: isLossy }) : inFormat(picture, named, quality)
  const { width, height, size } = await withTexts(written, texts).toFile(target)
  return { width, height, size }
}

/** In EXIF data; in an XMP packet where they have letters that libvips would replace. GIF files take neither. */
function withTexts(picture: Picture, { copyright, creator, description }: ImageTexts = {}): Picture {
  const fields = {
    ...(copyright === undefined ? {} : { Copyright: copyright }),
    ...(creator === undefined ? {} : { Artist: creator }),
    ...(description === undefined ? {} : { ImageDescription: description }),
  }
  const texts = Object.values(fields)
  if (texts.length === 0) return picture
  const isPlain = texts.every((text) => /^[ -~]*$/.test(text))
  return isPlain ? picture.withExif({ IFD0: fields }) : picture.withXmp(packetOf({ copyright, creator, description }))
}

function packetOf({ copyright, creator, description }: { readonly [name in keyof ImageTexts]: string | undefined }) {
  const property = (name: string, list: 'Alt' | 'Seq', text: string | undefined) => {
    if (text === undefined) return ''
    const language = list === 'Alt' ? ' xml:lang="x-default"' : ''
    return `<dc:${name}><rdf:${list}><rdf:li${language}>${escapeHtml(text)}</rdf:li></rdf:${list}></dc:${name}>`
  }
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
    property('rights', 'Alt', copyright) +
    property('creator', 'Seq', creator) +
    property('description', 'Alt', description) +
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
  )
}

async function write(
  open: Sharp,
  path: string,
  target: string,
  steps: readonly ImageStep[],
  { pixels, format: wanted, texts }: WriteOptions,
): Promise<WrittenImage> {
  const options = { limitInputPixels: pixels, sequentialRead: steps.length < 2, failOn: 'truncated' as const }
  const { format, compression } = await open(path, options).metadata()
  let picture = open(path, options).autoOrient()
  for (const step of steps) picture = apply(picture, step)
  const written = inFormat(picture, wanted ?? (compression === 'av1' ? 'avif' : format))
  const { width, height, size } = await withTexts(written, texts).toFile(target)
  return { width, height, size }
}

function apply(picture: Picture, step: ImageStep): Picture {
  switch (step.do) {
    case 'cover':
      return picture.resize(step.width, step.height, { fit: 'cover' })
    case 'resize':
      return picture.resize(step.width, step.height, { fit: 'fill' })
    case 'rotate':
      return picture.rotate(step.angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    case 'flip': {
      const flopped = step.horizontal ? picture.flop() : picture
      return step.vertical ? flopped.flip() : flopped
    }
    case 'crop': {
      const { left, top, width, height } = step
      return picture.extract({ left, top, width, height })
    }
  }
}

type Qualities = { readonly [format in keyof typeof qualities]: number }

function inFormat(picture: Picture, format: string, { jpeg, webp, avif }: Qualities = qualities): Picture {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality: jpeg, mozjpeg: false })
    case 'png':
      return picture.png()
    case 'gif':
      return picture.gif()
    case 'webp':
      return picture.webp({ quality: webp })
    case 'avif':
      // The encoder's default takes four times as long for files that are hardly smaller.
      return picture.avif({ quality: avif, effort: 2 })
    default:
      throw new Error(`pictures of the format ${format} are not written`)
  }
}

/** Runs at most so many at once; the others wait in order. */
function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Recognises the messages of libvips for a file that the system refuses to open or to write. */
export const isNotWritten = (cause: unknown): boolean =>
  /(?:unix|system|write) error|for write/i.test((cause as Error)?.message ?? '')
