/**
 * Where the media service keeps its bytes: a folder, the memory of the process, or a driver of the host. The interface is
 * the part of unstorage's drivers that is needed here, so those for S3, Redis and others fit as they are.
 */

/**
 * A store of files by key; the segments of a key are separated by colons (`2024:05:pier.jpg`). The drivers of the package
 * unstorage have this shape. A driver without the raw methods receives the bytes as a text in base64.
 *
 * ```ts
 * import s3 from 'unstorage/drivers/s3'
 * const media = createMedia({ driver: s3({ bucket, region, endpoint, accessKeyId, secretAccessKey }) })
 * ```
 */
export interface MediaDriver {
  getItem(key: string, options: object): unknown
  setItem?(key: string, value: string, options: object): unknown
  /** Gives a `Uint8Array` or an `ArrayBuffer`; null or undefined if there is no such file. */
  getItemRaw?(key: string, options: object): unknown
  setItemRaw?(key: string, value: Uint8Array, options: object): unknown
  removeItem?(key: string, options: object): unknown
  /** Whether there is such a file. Default: it is read. */
  hasItem?(key: string, options: object): unknown
  /** `{ size, mtime }`; null if there is no such file. Without it a file is read whole to be served. */
  getMeta?(key: string, options: object): unknown
  /**
   * Writes a file piece by piece; no reader sees it before its end. Without this method a file is in memory while it is
   * written.
   */
  setItemStream?(key: string, chunks: AsyncIterable<Uint8Array>, options: { size: number; type: string }): unknown
  /** The bytes from `start` on, before `end`. */
  getItemStream?(key: string, range: { start: number; end: number }): AsyncIterable<Uint8Array>
}

/** A file that is about to be written. Its bytes may be read more than once. */
export interface FileSource {
  readonly size: number
  readonly type: string
  chunks(): AsyncIterable<Uint8Array>
}

/** A file that is there. */
export interface StoredFile {
  readonly size: number
  /** When it was written, in milliseconds since 1970; absent where the driver does not know. */
  readonly modified?: number
  /** The bytes from `start` on, before `end`. */
  chunks(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
}

/** unstorage marks bytes that a driver keeps as a text, so files that it wrote before are read. */
const base64Prefix = 'base64:'

export async function writeFile(driver: MediaDriver, key: string, bytes: Uint8Array): Promise<void> {
  if (driver.setItemRaw) await driver.setItemRaw(key, bytes, {})
  else if (driver.setItem) await driver.setItem(key, base64Prefix + toBase64(bytes), {})
  else throw new TypeError('the driver of the media service can not write: it has neither setItemRaw nor setItem')
}

/** Piece by piece where the driver can. */
export async function writeSource(driver: MediaDriver, key: string, source: FileSource): Promise<void> {
  const { size, type } = source
  if (driver.setItemStream) await driver.setItemStream(key, source.chunks(), { size, type })
  else await writeFile(driver, key, await collected(source))
}

async function collected({ size, chunks }: FileSource): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunks()) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

export async function openFile(driver: MediaDriver, key: string): Promise<StoredFile | undefined> {
  const { getMeta, getItemStream } = driver
  if (getMeta && getItemStream) {
    const meta = metaOf(await getMeta.call(driver, key, {}))
    if (meta) return { ...meta, chunks: (range) => getItemStream.call(driver, key, range) }
    if (driver.hasItem && !(await driver.hasItem(key, {}))) return undefined
  }
  const bytes = await readFile(driver, key)
  return bytes && storedBytes(bytes)
}

/** A file whose bytes are in memory. */
export const storedBytes = (bytes: Uint8Array): StoredFile => ({
  size: bytes.length,
  async *chunks({ start, end }) {
    yield bytes.subarray(start, end)
  },
})

/** A driver that does not know the size gives no such answer. */
function metaOf(found: unknown): Pick<StoredFile, 'size' | 'modified'> | undefined {
  if (typeof found !== 'object' || found === null) return undefined
  const { size, mtime } = found as { readonly size?: unknown; readonly mtime?: unknown }
  if (typeof size !== 'number') return undefined
  const modified = mtime instanceof Date ? mtime.getTime() : typeof mtime === 'string' ? Date.parse(mtime) : Number.NaN
  return Number.isNaN(modified) ? { size } : { size, modified }
}

export async function hasFile(driver: MediaDriver, key: string): Promise<boolean> {
  if (driver.hasItem) return (await driver.hasItem(key, {})) === true
  return (await readFile(driver, key)) !== undefined
}

export async function readFile(driver: MediaDriver, key: string): Promise<Uint8Array | undefined> {
  const value = await (driver.getItemRaw ? driver.getItemRaw(key, {}) : driver.getItem(key, {}))
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (typeof value !== 'string') return undefined
  if (!value.startsWith(base64Prefix)) return new TextEncoder().encode(value)
  return Uint8Array.from(atob(value.slice(base64Prefix.length)), (character) => character.charCodeAt(0))
}

export async function removeFile(driver: MediaDriver, key: string): Promise<void> {
  if (!driver.removeItem) throw new TypeError('the driver of the media service can not remove: it has no removeItem')
  await driver.removeItem(key, {})
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/**
 * A driver that keeps the files in the memory of the process, for tests and for sites that end with it.
 *
 * ```ts
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1, services: { media: createMedia({ driver: memoryMedia() }) } })
 * ```
 */
export function memoryMedia(): MediaDriver {
  const files = new Map<string, Uint8Array>()
  const getItemRaw = (key: string) => files.get(key)?.slice()
  return {
    getItem: getItemRaw,
    getItemRaw,
    setItemRaw: (key, value) => void files.set(key, value.slice()),
    removeItem: (key) => void files.delete(key),
    hasItem: (key) => files.has(key),
  }
}
