/** Imports an export file into an empty site, and serves its pages with their files on a port. */
import sharp from 'sharp'
import { createNodeHandler, type NodeHandler, nodeListener, type Served, serveNode } from '../../adapters/node.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import type { ImportedFileSource } from '../../src/management/import/media/index.ts'
import type { ImportReport } from '../../src/management/import/report.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { memoryMedia } from '../../src/services/media-driver.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

export interface MovedSite {
  readonly api: SiteApi
  readonly url: string
  readonly report: ImportReport
  close(): Promise<void>
}

export interface MoveOptions {
  readonly media?: ImportedFileSource
  readonly progress?: (items: number) => void
}

export async function moveSite(file: AsyncIterable<Uint8Array>, options: MoveOptions = {}): Promise<MovedSite> {
  const media = createMedia({ driver: memoryMedia() })
  const storage = memoryStorage()
  let api: SiteApi | undefined
  let listener: NodeHandler | undefined
  const served: Served = await serveNode(
    async (url) => {
      api = createSiteApi({ storage, profile: full, url, services: { media } })
      return api
    },
    { port: 0, fallThrough: (request, response) => listener?.(request, response) },
  )
  if (!api) throw new Error('the server never asked for its site')
  const pages = nodeListener(createSitePages(api).fetch)
  listener = createNodeHandler(api.files, { fallThrough: pages })
  const { progress, media: source } = options
  const report = await api.site.import(file, {
    ...(source ? { media: source } : {}),
    ...(progress ? { progress: ({ items }: { readonly items: number }) => progress(items) } : {}),
  })
  const made = api
  return {
    ...{ api: made, url: served.url, report },
    async close() {
      await served.close({ graceMs: 0 })
      await made.close()
    },
  }
}

/** Makes files of the drawings: an SVG file stays one, others become pictures of their extension. */
export const drawn = (drawings: ReadonlyMap<string, string>): ImportedFileSource => ({
  async open(path) {
    const drawing = drawings.get(path)
    if (drawing === undefined) return undefined
    const bytes = Buffer.from(drawing)
    if (path.endsWith('.svg')) return pieces(bytes)
    const picture = sharp(bytes)
    return pieces(await (path.endsWith('.png') ? picture.png() : picture.jpeg({ quality: 82 })).toBuffer())
  },
})

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Gives the text of an export file as it would be read from a disk. */
export const bytesOf = (text: string): AsyncIterable<Uint8Array> => pieces(Buffer.from(text))
