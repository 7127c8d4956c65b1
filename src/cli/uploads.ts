/** Serves the uploaded files of a site from the command line; hosts serve them on their own. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { createMedia, type Media, uploadsAddress } from '../services/media.ts'

/** Next to the SQLite file; in the working directory for other storages. */
const uploadsFolder = (storage: string): string =>
  storage.startsWith('sqlite:') ? join(dirname(storage.slice('sqlite:'.length)), 'uploads') : 'uploads'

export const uploadsOf = (storage: string): Media => createMedia({ folder: uploadsFolder(storage) })

/** By file extension. Other files, SVG too, are sent as downloads, because they could contain scripts. */
const types: { readonly [extension: string]: string } = {
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

/** Serves GET and HEAD below `/uploads`; responds with 404 to other requests. */
export const serveUploads =
  (media: Media) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    void respond(media, request, response).catch(() => response.destroy())
  }

async function respond(media: Media, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await fileOf(media, request)
  if (!bytes) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' })
    response.end('Not found\n')
    return
  }
  const extension = /\.(\w+)(?:\?|$)/.exec(request.url ?? '')?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(types, extension) ? types[extension] : undefined
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
    // An invalid path, such as one with `..`.
    return undefined
  }
}
