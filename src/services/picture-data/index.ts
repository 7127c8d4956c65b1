/**
 * Cuts the metadata that tell a place or a device out of the file of a picture, without touching its pixels, and reads the words that
 * people wrote about it. It is the site's work on bytes: no library for pictures is needed.
 */
import { ByteReader, type ByteSource, type PartList, Unreadable } from './bytes.ts'
import type { CutParts } from './jpeg.ts'
import { mergedFacts, type PictureFacts } from './texts.ts'

export type { PictureFacts } from './texts.ts'

export interface CutPicture {
  readonly size: number
  /** False: the file stays as it came, byte for byte. */
  readonly isChanged: boolean
  readonly facts: PictureFacts
  chunks(): AsyncIterable<Uint8Array>
}

type Cutter = (reader: ByteReader) => Promise<CutParts>

/** Each format is loaded with its first picture. */
const cutters = new Map<string, () => Promise<Cutter>>([
  ['image/jpeg', async () => (await import('./jpeg.ts')).cutJpeg],
  ['image/png', async () => (await import('./png.ts')).cutPng],
  ['image/webp', async () => (await import('./webp.ts')).cutWebp],
  ['image/gif', async () => (await import('./gif.ts')).cutGif],
  ['image/avif', async () => (await import('./isobmff.ts')).cutBoxes],
  ['image/heic', async () => (await import('./isobmff.ts')).cutBoxes],
  ['image/heif', async () => (await import('./isobmff.ts')).cutBoxes],
])

/** Undefined for a type without such metadata, and for a file whose container cannot be read. */
export async function cutPicture(type: string, source: ByteSource): Promise<CutPicture | undefined> {
  const cutter = await cutters.get(type)?.()
  if (!cutter) return undefined
  let cut: CutParts
  try {
    cut = await cutter(new ByteReader(source))
  } catch (error) {
    // A range error is that of a number that points out of a block.
    if (error instanceof Unreadable || error instanceof RangeError) return undefined
    throw error
  }
  return cutPictureOf(cut.parts, cut.facts, source, type)
}

function cutPictureOf(parts: PartList, facts: readonly PictureFacts[], source: ByteSource, type: string): CutPicture {
  const { orientation, ...merged }: PictureFacts = mergedFacts(facts)
  // In a file of boxes a property of the picture turns it, and readers leave the EXIF data aside.
  const turns = orientation !== undefined && /^image\/(?:jpeg|png|webp)$/.test(type)
  return {
    size: parts.size,
    isChanged: !parts.isWhole(source.size),
    facts: turns ? { ...merged, orientation } : merged,
    chunks: () => parts.chunksFrom(source),
  }
}
