/** GIF files: packets of programs go, and comments that tell a place or a device; frames, and how often they repeat, stay. */
import { ascii, type ByteReader, joined, PartList, Unreadable } from './bytes.ts'
import type { CutParts } from './jpeg.ts'
import { isHarmless } from './texts.ts'

const mostBlocks = 100_000

export async function cutGif(reader: ByteReader): Promise<CutParts> {
  const parts = new PartList()
  await reader.need(0, 13)
  let at = 13 + tableBytes(reader.window(10)[0] as number)
  parts.keep(0, at)
  for (let count = 0; count < mostBlocks; count++) {
    // Some writers leave out the mark of the end.
    if (at === reader.size) return { parts, facts: [] }
    await reader.need(at, 1)
    const kind = reader.window(at)[0]
    if (kind === 0x3b) {
      parts.keep(at, at + 1)
      return { parts, facts: [] }
    }
    if (kind === 0x2c) {
      await reader.need(at, 10)
      // Blocks of data follow the table of colours and the size of codes.
      const end = await endOfBlocks(reader, at + 11 + tableBytes(reader.window(at)[9] as number))
      parts.keep(at, end)
      at = end
    } else if (kind === 0x21) {
      await reader.need(at, 3)
      const [, label = 0] = reader.window(at)
      const end = await endOfBlocks(reader, at + 2)
      const isKept = drawn.has(label) || (await isKeptExtension(reader, { label, at, end }))
      if (isKept) parts.keep(at, end)
      at = end
    } else throw new Unreadable('a block of an unknown kind')
  }
  throw new Unreadable('the file has too many blocks')
}

const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** How a frame is shown, and plain text. */
const drawn = new Set([0xf9, 0x01])
const longestComment = 4096

async function isKeptExtension(
  reader: ByteReader,
  { label, at, end }: { readonly label: number; readonly at: number; readonly end: number },
): Promise<boolean> {
  if (label === 0xff) return repeats(reader, at)
  if (label !== 0xfe || end - at > longestComment) return false
  const blocks = await reader.bytes(at + 2, end - at - 2)
  const parts: Uint8Array[] = []
  for (let from = 0; from < blocks.length; from += 1 + (blocks[from] as number)) {
    parts.push(blocks.subarray(from + 1, from + 1 + (blocks[from] as number)))
  }
  return isHarmless(joined(parts))
}

/** How often the frames are repeated, and the profile of colours. */
async function repeats(reader: ByteReader, at: number): Promise<boolean> {
  await reader.need(at, 14)
  return /^(?:NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/.test(ascii(reader.window(at), 3, 14))
}

async function endOfBlocks(reader: ByteReader, from: number): Promise<number> {
  let at = from
  for (;;) {
    await reader.need(at, 1)
    const window = reader.window(at)
    let index = 0
    while (index < window.length) {
      const length = window[index] as number
      index += 1 + length
      if (length === 0) return at + index
    }
    at += index
  }
}
