/**
 * Files that are on their way in: in a private folder of the machine until their content is checked, so that no upload is in
 * memory as a whole and none is seen before it is complete. The only code here that needs a disk.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileAccess, fileChunks } from './file-failures.ts'

interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file that was received. */
export interface TemporaryFile {
  /** The path on this machine. */
  readonly path: string
  readonly size: number
  /** The first bytes, by which the type is detected. */
  readonly head: Uint8Array
  /** The MD5 digest in hexadecimal. */
  readonly md5: string
  /** All bytes, or those from `start` on, before `end`. */
  chunks(range?: ByteRange): AsyncIterable<Uint8Array>
  /** The whole file, which the caller knows to be small. */
  read(): Promise<Uint8Array>
  remove(): Promise<void>
}

const headBytes = 64 * 1024

/**
 * Throws the error of `tooLarge` at the first byte beyond the limit, those of `chunks` as they are, and StorageUnavailable for a full
 * disk or missing rights; nothing stays then.
 */
export async function writeTemporaryFile(
  chunks: AsyncIterable<Uint8Array>,
  { limitBytes, tooLarge }: { readonly limitBytes: number; readonly tooLarge: () => Error },
): Promise<TemporaryFile> {
  const path = await draftPath()
  const hash = createHash('md5')
  const head: Uint8Array[] = []
  let headSize = 0
  let size = 0
  let file: FileHandle | undefined
  try {
    const opened = await fileAccess(() => open(path, 'wx', 0o600))
    file = opened
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > limitBytes) throw tooLarge()
      hash.update(chunk)
      if (headSize < headBytes) {
        // A copy: the source may use its memory again.
        head.push(chunk.slice(0, headBytes - headSize))
        headSize += Math.min(chunk.length, headBytes - headSize)
      }
      await fileAccess(() => opened.writeFile(chunk))
    }
    // Some file systems report a full disk here.
    await fileAccess(() => opened.close())
  } catch (error) {
    await file?.close().catch(() => undefined)
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
  return temporaryFile(path, size, Buffer.concat(head), hash.digest('hex'))
}

function temporaryFile(path: string, size: number, head: Uint8Array, md5: string): TemporaryFile {
  return {
    path,
    size,
    head,
    md5,
    chunks: (range) => chunksOf(path, range),
    async read() {
      const parts: Uint8Array[] = []
      for await (const part of fileChunks(() => createReadStream(path))) parts.push(part)
      return Buffer.concat(parts)
    },
    remove: () => removed(path),
  }
}

/** The last byte of a stream belongs to it. */
async function* chunksOf(path: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  if (range && range.end <= range.start) return
  const options = range && { start: range.start, end: range.end - 1 }
  yield* fileChunks(() => createReadStream(path, options))
}

/** A file that stays is removed with those of a day ago: the work with it is done. */
const removed = (path: string) => rm(path, { force: true }).catch(() => undefined)

/** A path in the private folder for a file that another program writes. */
export async function draftPath(): Promise<string> {
  const folder = join(tmpdir(), `site-api-uploads-${process.getuid?.() ?? 0}`)
  await fileAccess(() => mkdir(folder, { recursive: true, mode: 0o700 }))
  if (!isTidied) void removeOld(folder).catch(() => undefined)
  isTidied = true
  return join(folder, crypto.randomUUID())
}

/** A file that another program has written to a path of `draftPath`. */
export async function writtenDraft(path: string): Promise<Pick<TemporaryFile, 'path' | 'size' | 'chunks' | 'remove'>> {
  const { size } = await fileAccess(() => stat(path))
  return { path, size, chunks: (range) => chunksOf(path, range), remove: () => removed(path) }
}

let isTidied = false
const dayMs = 86_400_000

/**
 * Removes files of a process that was killed during an upload. It runs once per process: a file of a day ago has no process.
 */
async function removeOld(folder: string): Promise<void> {
  const before = Date.now() - dayMs
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < before) await rm(path, { force: true })
  }
}
