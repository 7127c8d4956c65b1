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
}

/** unstorage marks bytes that a driver keeps as a text, so files that it wrote before are read. */
const base64Prefix = 'base64:'

export async function writeFile(driver: MediaDriver, key: string, bytes: Uint8Array): Promise<void> {
  if (driver.setItemRaw) await driver.setItemRaw(key, bytes, {})
  else if (driver.setItem) await driver.setItem(key, base64Prefix + toBase64(bytes), {})
  else throw new TypeError('the driver of the media service can not write: it has neither setItemRaw nor setItem')
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
  }
}
