/** The driver that keeps media files in a folder on disk. A module of its own, loaded with the first file. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { MediaDriver } from './media-driver.ts'

export function folderMedia(folder: string): MediaDriver {
  const base = resolve(folder)
  const pathOf = (key: string) => join(base, ...key.split(':'))
  const getItemRaw = (key: string) => readFile(pathOf(key)).catch(absent)
  return {
    getItem: getItemRaw,
    getItemRaw,
    async setItemRaw(key, value) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      // A web server may read the folder: it sees the file of before or the new one, never a part.
      const draft = join(dirname(path), `.${crypto.randomUUID()}`)
      try {
        await writeFile(draft, value)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    removeItem: (key) => rm(pathOf(key), { force: true }),
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'EISDIR') throw error
}
