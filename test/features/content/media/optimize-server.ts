/**
 * A process that makes pictures smaller until it has written the given number of files, where the test kills it. Prints
 * `stopped`.
 */
import { writeSync } from 'node:fs'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createImages } from '../../../../src/services/images.ts'
import { createMedia, type Media } from '../../../../src/services/media.ts'
import type { FileSource } from '../../../../src/services/media-driver.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'

const [folder = '', count = '1'] = process.argv.slice(2)
const files = createMedia({ folder: `${folder}/uploads` })
let left = Number(count)

async function counted<T>(write: Promise<T> | T): Promise<T> {
  const written = await write
  left -= 1
  if (left > 0) return written
  writeSync(1, 'stopped\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return written
}

const media: Media = {
  ...files,
  write: (path, bytes, type) => counted(files.write(path, bytes, type)),
  ...(files.store && { store: (path: string, source: FileSource) => counted(files.store?.(path, source) ?? '') }),
}
const api = createSiteApi({
  storage: sqliteStorage(`${folder}/site.db`),
  profile: full,
  url: 'https://quay.example',
  services: { media, images: createImages({ optimizes: true }) },
})
await api.site.images.optimize()
await api.site.runDue()
writeSync(1, 'done\n')
