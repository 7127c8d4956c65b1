/** Svg files of the library. They are stored as the cleaner leaves them, never as they came. */
import { ApiError } from '../../../core/declare/errors.ts'
import type { Limits } from '../../../core/declare/limits.ts'
import { detectImage } from '../../../services/image-type.ts'
import type { TemporaryFile } from '../../../services/temporary-file.ts'
import type { LocalFile } from './drafts.ts'

export const svgFile = { type: 'image/svg+xml', extension: 'svg' } as const

/** A larger one holds pictures, or a map. */
const maxBytes = 1_048_576

const latin1 = new TextDecoder('latin1')

/** The name says so, and the content is no picture of another kind, which keeps its own rules. */
export const isSvg = (name: string, head: Uint8Array): boolean =>
  /\.svg$/i.test(name) && detectImage(head) === undefined && /<(?:svg|!--|!doctype|\?xml)/i.test(latin1.decode(head))

interface CleanFile {
  /** The caller removes it, and the file that was given. */
  readonly file: TemporaryFile
  readonly extent: NonNullable<LocalFile['extent']>
}

export async function cleanedSvg(
  file: Pick<TemporaryFile, 'size' | 'read'>,
  { uploadBytes }: Pick<Limits, 'uploadBytes'>,
): Promise<CleanFile> {
  if (file.size > maxBytes) {
    throw new ApiError('rest_upload_svg_too_large', `The svg file is larger than ${maxBytes} bytes.`, 413)
  }
  // With the engine, which has the cleaner: alone it would be one more file of the first import of the package.
  const { cleanSvg } = await import('../../../render/builder/assembly/content-render.ts')
  const clean = cleanSvg(new TextDecoder().decode(await file.read()))
  if (clean === undefined) {
    throw new ApiError(
      'rest_upload_svg_unreadable',
      'The svg file is not well formed, draws nothing, or draws too much.',
      400,
    )
  }
  const { source, ...extent } = clean
  const { writeTemporaryFile } = await import('../../../services/temporary-file.ts')
  const limits = { limitBytes: uploadBytes, tooLarge: () => new RangeError('the cleaned file is too large') }
  return { file: await writeTemporaryFile(chunksOf(new TextEncoder().encode(source)), limits), extent }
}

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
