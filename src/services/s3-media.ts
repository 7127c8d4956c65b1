/** Exports `site-api/media/s3`: uploaded files in a bucket of an S3-like service, such as S3, R2 or MinIO. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import type { MediaDriver } from './media-driver.ts'

/** The options of `s3Media`. */
export interface S3MediaOptions {
  /** The address with the name of the bucket: `https://s3.eu-central-1.amazonaws.com/files`. */
  readonly url: string
  /** The region of the bucket. Default: `auto`, for R2. */
  readonly region?: string
  /** The name of a key that may read, write and remove files of the bucket. */
  readonly accessKeyId: string
  /** The secret of that key. Read it from the environment. */
  readonly secretAccessKey: string
}

/**
 * A driver of `createMedia` for a bucket. Files stream to it and back, with ranges. Without `address` in `createMedia` the site serves
 * them itself; with the public address of the bucket or of a CDN, visitors load them from there. It needs sockets of Node.
 *
 * ```ts
 * const driver = s3Media({ url: 'https://ACCOUNT.r2.cloudflarestorage.com/files', accessKeyId, secretAccessKey })
 * const media = createMedia({ driver, address: 'https://files.example.com' })
 * ```
 */
export function s3Media({ url, region = 'auto', ...credentials }: S3MediaOptions): MediaDriver {
  const client = new AwsClient({ service: 's3', region, ...credentials })
  const base = url.replace(/\/+$/, '')
  const addressOf = (key: string) => `${base}/${key.split(':').map(encodeURIComponent).join('/')}`

  /** S3 takes no body of unknown length, and `fetch` sends streams without one. */
  async function send(key: string, body: Readable, { size, type }: { size: number; type: string }): Promise<void> {
    const headers = { 'Content-Type': type || 'application/octet-stream', 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' }
    const signed = await client.sign(addressOf(key), { method: 'PUT', headers })
    const request = signed.url.startsWith('https:') ? requestHttps : requestHttp
    const upload = request(signed.url, {
      method: 'PUT',
      headers: { ...Object.fromEntries(signed.headers), 'Content-Length': size },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      upload.on('response', resolve).on('error', reject),
    )
    const [response] = await Promise.all([answered, pipeline(body, upload)])
    response.resume()
    if (response.statusCode !== 200) throw new Error(`the bucket answered ${response.statusCode} to ${key}`)
  }

  async function ask(method: string, key: string, headers: { readonly [name: string]: string } = {}) {
    const response = await client.fetch(addressOf(key), { method, headers })
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new Error(`the bucket answered ${response.status} to ${method} ${key}`)
  }

  const read = async (key: string) => (await ask('GET', key))?.arrayBuffer()

  return {
    getItem: read,
    getItemRaw: read,
    setItemRaw: (key, bytes) => send(key, Readable.from([bytes]), { size: bytes.length, type: '' }),
    removeItem: async (key) => void (await ask('DELETE', key)),
    hasItem: async (key) => (await ask('HEAD', key)) !== undefined,
    async getMeta(key) {
      const found = await ask('HEAD', key)
      if (!found) return null
      const mtime = Date.parse(found.headers.get('last-modified') ?? '')
      return { size: Number(found.headers.get('content-length')), mtime: new Date(mtime) }
    },
    // The service shows a file when all of it has arrived.
    setItemStream: (key, chunks, options) => send(key, Readable.from(chunks), options),
    async *getItemStream(key, { start, end }) {
      if (end <= start) return
      const response = await ask('GET', key, { Range: `bytes=${start}-${end - 1}` })
      if (!response?.body) throw new Error(`the bucket has no ${key}`)
      yield* response.body
    },
  }
}
