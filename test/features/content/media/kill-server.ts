/** A server whose files block once one is stored, where the test kills it. Prints its URL and `stopped`. */
import { writeSync } from 'node:fs'
import { serveNode } from '../../../../adapters/node.ts'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { content } from '../../../../src/profiles/content.ts'
import { createMedia } from '../../../../src/services/media.ts'
import type { FileSource } from '../../../../src/services/media-driver.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'

const [folder = ''] = process.argv.slice(2)
const files = createMedia({ folder: `${folder}/uploads` })
const media = {
  ...files,
  store: async (path: string, source: FileSource) => {
    const address = await files.store?.(path, source)
    writeSync(1, `stopped ${path}\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    return String(address)
  },
}
const storage = sqliteStorage(`${folder}/site.db`)
const { url } = await serveNode(
  createSiteApi({ storage, profile: content, url: 'https://quay.example', services: { media } }),
  { port: 0 },
)
writeSync(1, `${url}\n`)
