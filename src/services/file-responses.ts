/**
 * Serves stored files: with ranges and validators, so that players can seek and caches can ask. What a browser could run is
 * sent as a download.
 */
import type { Incoming } from '../core/declare/request.ts'
import { jsonType, type ResponseData, type ResponseHeaders } from '../core/declare/result.ts'
import { shownType, typeOfName } from './file-types.ts'
import { isFilePath, type Media, openStored } from './media.ts'
import type { StoredFile } from './media-driver.ts'

interface FileOptions {
  /** The copies of a file in other formats, the best first: those that are stored are sent to browsers that read them. */
  readonly copiesOf?: (path: string) => readonly FileCopy[]
}

interface FileCopy {
  readonly path: string
  /** The type as browsers list it in `Accept`. */
  readonly type: string
}

/** Responds to GET and HEAD; the path of the request is that of a file, with a leading slash. */
export async function fileResponse(
  media: Media,
  incoming: Incoming,
  { copiesOf }: FileOptions = {},
): Promise<ResponseData> {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return refused(405, { Allow: 'GET, HEAD' })
  const found = await foundFile(media, incoming, copiesOf)
  if (!found) return refused(404)
  const { path, file, vary } = found
  const etag = tagOf(file)
  const headers = { ...headersOf(path), ...validators(file, etag), ...vary }
  if (isUnchanged(incoming, file, etag)) return { status: 304, headers, body: null }
  const range = rangeFor(incoming, file, etag)
  if (range === 'outside') return refused(416, { 'Content-Range': `bytes */${file.size}` })
  const { start, end } = range ?? { start: 0, end: file.size }
  const body = incoming.method === 'HEAD' || end <= start ? null : streamOf(file.chunks({ start, end }))
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(end - start),
      ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${file.size}` } : {}),
    },
    body: body ?? new Uint8Array(0),
  }
}

async function foundFile(media: Media, incoming: Incoming, copiesOf: FileOptions['copiesOf']) {
  const path = pathOf(incoming.path)
  if (path === undefined) return undefined
  const copies = copiesOf?.(path) ?? []
  const vary: ResponseHeaders = copies.length > 0 ? { Vary: 'Accept' } : {}
  const copy = await acceptedCopy(media, incoming, copies)
  if (copy) return { ...copy, vary }
  const file = await openStored(media, path)
  return file && { path, file, vary }
}

/** Compares names only: every client accepts `image/*`, whether or not it can show the type. */
async function acceptedCopy(media: Media, incoming: Incoming, copies: readonly FileCopy[]) {
  const accept = copies.length > 0 ? (incoming.header('accept') ?? '') : ''
  for (const { path, type } of copies) {
    if (!accept.includes(type)) continue
    const file = await openStored(media, path)
    if (file) return { path, file }
  }
  return undefined
}

function pathOf(encoded: string): string | undefined {
  try {
    const path = decodeURIComponent(encoded.replace(/^\/+/, ''))
    return isFilePath(path) ? path : undefined
  } catch {
    return undefined
  }
}

const refused = (status: number, headers: ResponseHeaders = {}): ResponseData => ({
  status,
  headers: { 'Content-Type': jsonType, 'X-Content-Type-Options': 'nosniff', ...headers },
  body: JSON.stringify({ code: `file_${status}`, message: messages[status], data: { status } }),
})

const messages: { readonly [status: number]: string } = {
  404: 'There is no such file.',
  405: 'Files are read with GET and HEAD.',
  416: 'The file does not have this part.',
}

function headersOf(path: string): ResponseHeaders {
  const shown = shownType(path)
  return {
    'Content-Type': shown ?? typeOfName(path),
    'X-Content-Type-Options': 'nosniff',
    // No script runs, whatever a browser takes the file for.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=3600',
    ...(shown === undefined ? { 'Content-Disposition': 'attachment' } : {}),
  }
}

// ---------------------------------------------------------------- validators (RFC 9110)

/**
 * Files are replaced as a whole and rarely, so size and time identify their state. The tag is weak if the time is not known.
 */
function tagOf({ size, modified }: StoredFile): string {
  if (modified === undefined) return `W/"${size.toString(36)}"`
  return `"${size.toString(36)}-${Math.round(modified * 1000).toString(36)}"`
}

const validators = ({ modified }: StoredFile, etag: string): ResponseHeaders => ({
  ETag: etag,
  ...(modified === undefined ? {} : { 'Last-Modified': new Date(modified).toUTCString() }),
})

const bare = (tag: string) => tag.trim().replace(/^W\//, '')

function isUnchanged(incoming: Incoming, { modified }: StoredFile, etag: string): boolean {
  const tags = incoming.header('if-none-match')
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => bare(tag) === bare(etag))
  const since = Date.parse(incoming.header('if-modified-since') ?? '')
  return !Number.isNaN(since) && modified !== undefined && Math.floor(modified / 1000) * 1000 <= since
}

interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Undefined for the whole file. Several ranges are answered with the whole, as the standard allows. */
function rangeFor(incoming: Incoming, file: StoredFile, etag: string): ByteRange | 'outside' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(incoming.header('range')?.trim() ?? '') ?? []
  if ((from === '' && to === '') || !isSameFile(incoming, file, etag)) return undefined
  const { size } = file
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start >= size ? 'outside' : { start, end }
}

/** `If-Range`: a part is sent only of the file that the client has begun. Weak tags never match. */
function isSameFile(incoming: Incoming, { modified }: StoredFile, etag: string): boolean {
  const condition = incoming.header('if-range')?.trim()
  if (condition === undefined) return true
  if (condition.startsWith('"')) return condition === etag
  return modified !== undefined && Date.parse(condition) === Math.floor(modified / 1000) * 1000
}

/** Web streams are what every runtime sends. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
