/** Fetches the images of a document, a few at a time. The first failure rejects the whole download. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { httpClientOf } from '../../../services/http-client/index.ts'
import { type DetectedImage, detectImage } from '../../../services/image-type.ts'

export interface DownloadedImage {
  /** The URL as the document contains it. */
  readonly address: string
  readonly bytes: Uint8Array
  readonly digest: string
  readonly image: DetectedImage
}

/** Interface: all errors of an import share one code. */
export const importError = (message: string, status: number) => new ApiError('builder_import_error', message, status)

const maxImages = 100
const concurrency = 4

export async function downloadImages(app: Context['app'], addresses: readonly string[]): Promise<DownloadedImage[]> {
  if (addresses.length > maxImages) {
    throw importError(`The document refers to more than ${maxImages} pictures of other sites.`, 400)
  }
  const downloads: DownloadedImage[] = []
  const pending = [...addresses]
  const next = async (): Promise<void> => {
    for (let address = pending.shift(); address !== undefined; address = pending.shift()) {
      downloads.push(await fetchImage(app, address))
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, next))
  } finally {
    pending.length = 0
  }
  return downloads
}

async function fetchImage(app: Context['app'], address: string): Promise<DownloadedImage> {
  const response = await httpClientOf(app)
    .get(address, { accept: 'image/*' })
    .catch((error: { readonly code?: unknown }) => {
      throw downloadError(error?.code, address)
    })
  if (response.status !== 200) throw importError(`${shown(address)} was not found.`, 502)
  const image = detectImage(response.body)
  if (!image) throw importError(`${shown(address)} is no picture of a known kind.`, 400)
  return { address, bytes: response.body, digest: await digestOf(response.body), image }
}

/** 400 for addresses and sizes that the document must not contain; 502 for errors of the other site. */
function downloadError(code: unknown, address: string): ApiError {
  if (code === 'refused') return importError(`${shown(address)} is no public address.`, 400)
  if (code === 'too_large') return importError(`${shown(address)} is too large.`, 400)
  return importError(`${shown(address)} could not be fetched.`, 502)
}

const shown = (address: string) => address.slice(0, 200)

async function digestOf(bytes: Uint8Array): Promise<string> {
  // The cast: no SharedArrayBuffer is used here.
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
