/** Reads the beginning of a file, which says whether it is an archive. */
import { joinBytes } from '../../core/runtime/bytes.ts'
import { KitFileError, kitLimits } from './kit-archive.ts'
import type { FileSource } from './reader.ts'

type Chunk = Uint8Array | string

/** Gives the first four bytes or more, and all chunks. */
export async function withFirst(source: FileSource): Promise<{ readonly first: Uint8Array; readonly all: FileSource }> {
  const iterator = source[Symbol.asyncIterator]()
  const read: Chunk[] = []
  let length = 0
  while (length < 4) {
    const { done, value } = await iterator.next()
    if (done) break
    read.push(value)
    length += typeof value === 'string' ? value.length : value.byteLength
  }
  return { first: joined(read), all: { [Symbol.asyncIterator]: () => chunksOf(read, iterator) } }
}

async function* chunksOf(read: readonly Chunk[], iterator: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  try {
    yield* read
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

const joined = (chunks: readonly Chunk[]): Uint8Array => {
  const parts = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  return joinBytes(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}

/** Compares the beginning with the signature of zip files. */
export const isArchive = ([p, k, three, four]: Uint8Array): boolean =>
  p === 0x50 && k === 0x4b && three === 3 && four === 4

export async function bytesOf(source: FileSource): Promise<Uint8Array> {
  const chunks: Chunk[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length > kitLimits.archiveBytes) throw new KitFileError('the archive is larger than 64 MB')
  }
  return joined(chunks)
}
