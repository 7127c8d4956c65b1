/** Keeps uploaded files in a bucket of Cloudflare R2 that a Worker is bound to; exported as `site-api/media/r2`. */
import type { MediaDriver } from './media-driver.ts'

interface R2Object {
  readonly size: number
  readonly uploaded: Date
}

interface R2ObjectBody extends R2Object {
  readonly body: ReadableStream
  arrayBuffer(): Promise<ArrayBuffer>
}

interface PutOptions {
  readonly httpMetadata?: { readonly contentType: string }
}

/** The part of an `R2Bucket` that the driver uses. */
export interface R2BucketBinding {
  get(key: string, options?: { readonly range: { readonly offset: number; readonly length: number } }): Promise<unknown>
  head(key: string): Promise<unknown>
  put(key: string, value: ReadableStream | Uint8Array, options?: PutOptions): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/**
 * A driver of `createMedia` for a bucket that the program is bound to: no key and no address. Files stream to it and back, with ranges.
 * Without `address` in `createMedia` the site serves them itself; with the public address of the bucket, visitors load them from there.
 *
 * ```ts
 * const media = createMedia({ driver: r2Media(env.FILES), address: 'https://files.example.com' })
 * ```
 */
export function r2Media(bucket: R2BucketBinding): MediaDriver {
  const nameOf = (key: string) => key.replaceAll(':', '/')
  const read = async (key: string) => {
    const found = (await bucket.get(nameOf(key))) as R2ObjectBody | null
    return found?.arrayBuffer()
  }
  return {
    getItem: read,
    getItemRaw: read,
    setItemRaw: async (key, bytes) => void (await bucket.put(nameOf(key), bytes)),
    removeItem: async (key) => void (await bucket.delete(nameOf(key))),
    hasItem: async (key) => (await bucket.head(nameOf(key))) !== null,
    async getMeta(key) {
      const found = (await bucket.head(nameOf(key))) as R2Object | null
      return found && { size: found.size, mtime: new Date(found.uploaded) }
    },
    // The bucket shows a file when all of it has arrived.
    setItemStream: async (key, chunks, { size, type }) => {
      const httpMetadata = { contentType: type || 'application/octet-stream' }
      await bucket.put(nameOf(key), ofLength(chunks, size), { httpMetadata })
    },
    async *getItemStream(key, { start, end }) {
      if (end <= start) return
      const range = { offset: start, length: end - start }
      const found = (await bucket.get(nameOf(key), { range })) as R2ObjectBody | null
      if (!found) throw new Error(`the bucket has no ${key}`)
      yield* found.body
    },
  }
}

interface FixedLength {
  readonly readable: ReadableStream
  readonly writable: WritableStream<Uint8Array>
}

/** R2 takes no stream of unknown length; the runtime's own class says the length. */
function ofLength(chunks: AsyncIterable<Uint8Array>, size: number): ReadableStream {
  const stream = streamOf(chunks)
  const { FixedLengthStream } = globalThis as { FixedLengthStream?: new (size: number) => FixedLength }
  if (FixedLengthStream === undefined) return stream
  const { readable, writable } = new FixedLengthStream(size)
  // An error of the source reaches the reader of the other end.
  stream.pipeTo(writable).catch(() => undefined)
  return readable
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await iterator.return?.()),
  })
}
