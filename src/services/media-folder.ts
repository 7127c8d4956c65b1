/** Keeps media files in a folder on disk. The module is loaded with the first file. */
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { MediaDriver } from './media-driver.ts'

export function folderMedia(folder: string): MediaDriver {
  const base = resolve(folder)
  const pathOf = (key: string) => join(base, ...key.split(':'))
  const getItemRaw = (key: string) => readFile(pathOf(key)).catch(absent)
  return {
    getItem: getItemRaw,
    getItemRaw,
    setItemRaw: (key, value) => replaceFile(pathOf(key), value),
    setItemStream: (key, chunks) => replaceFile(pathOf(key), chunks),
    getItemStream: (key, { start, end }) =>
      end > start ? createReadStream(pathOf(key), { start, end: end - 1 }) : noBytes(),
    removeItem: (key) => rm(pathOf(key), { force: true }).catch(absent),
    hasItem: async (key) => (await fileAt(pathOf(key))) !== undefined,
    getMeta: (key) => fileAt(pathOf(key)),
  }
}

/** A web server may read the folder: it sees the file of before or the new one, never a part. */
async function replaceFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.${crypto.randomUUID()}`)
  try {
    await writeFile(draft, content)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
}

async function fileAt(path: string) {
  const found = await stat(path).catch(absent)
  return found?.isFile() ? { size: found.size, mtime: found.mtime } : undefined
}

async function* noBytes(): AsyncIterable<Uint8Array> {}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'EISDIR') throw error
}
