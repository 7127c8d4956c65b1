/** The files that the service keeps, for a site served from the command line: a host serves them by its own means. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { createMedia, type Media, uploadsAddress } from '../services/media.ts'

/** Beside the SQLite file; below the working folder for everything else. */
export const uploadsFolder = (storage: string): string =>
  storage.startsWith('sqlite:') ? join(dirname(storage.slice('sqlite:'.length)), 'uploads') : 'uploads'

export const uploadsOf = (storage: string): Media => createMedia({ folder: uploadsFolder(storage) })

/** By ending. Anything else, SVG too, is only offered for download: it could hold a script. */
const types: { readonly [ending: string]: string } = {
  css: 'text/css; charset=UTF-8',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
}

export const isUpload = ({ url = '' }: IncomingMessage): boolean => url.startsWith(`${uploadsAddress}/`)

/** Answers GET and HEAD below `/uploads`, and 404 for all the rest. */
export const serveUploads =
  (media: Media) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    void answer(media, request, response).catch(() => response.destroy())
  }

async function answer(media: Media, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await fileOf(media, request)
  if (!bytes) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' })
    response.end('Not found\n')
    return
  }
  const ending = /\.(\w+)(?:\?|$)/.exec(request.url ?? '')?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(types, ending) ? types[ending] : undefined
  response.writeHead(200, {
    'Content-Type': type ?? 'application/octet-stream',
    'Content-Length': bytes.length,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    ...(type ? {} : { 'Content-Disposition': 'attachment' }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

async function fileOf(media: Media, { method, url = '' }: IncomingMessage): Promise<Uint8Array | undefined> {
  const [path = ''] = url.split('?', 1)
  if ((method !== 'GET' && method !== 'HEAD') || !path.startsWith(`${uploadsAddress}/`)) return undefined
  try {
    return await media.read(path.slice(uploadsAddress.length + 1))
  } catch {
    // A path that no file can have, such as one with `..`.
    return undefined
  }
}
