/** Fetching the pictures of a document, a few at a time. The first that fails fails all. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { httpClientOf } from '../../../services/http-client/index.ts'
import { type DetectedImage, detectImage } from '../../../services/image-type.ts'

export interface DownloadedImage {
  /** As the document names it. */
  readonly address: string
  readonly bytes: Uint8Array
  readonly digest: string
  readonly picture: DetectedImage
}

/** Interface: one code for all that goes wrong with an import. */
export const importError = (message: string, status: number) => new ApiError('builder_import_error', message, status)

const maxImages = 100
const atOnce = 4

export async function downloadImages(site: Context['app'], addresses: readonly string[]): Promise<DownloadedImage[]> {
  if (addresses.length > maxImages) {
    throw importError(`The document refers to more than ${maxImages} pictures of other sites.`, 400)
  }
  const downloads: DownloadedImage[] = []
  const waiting = [...addresses]
  const next = async (): Promise<void> => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      downloads.push(await fetchImage(site, address))
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, next))
  } finally {
    waiting.length = 0
  }
  return downloads
}

async function fetchImage(site: Context['app'], address: string): Promise<DownloadedImage> {
  const answer = await httpClientOf(site)
    .get(address, { accept: 'image/*' })
    .catch((error: { readonly code?: unknown }) => {
      throw downloadError(error?.code, address)
    })
  if (answer.status !== 200) throw importError(`${shown(address)} was not found.`, 502)
  const picture = detectImage(answer.body)
  if (!picture) throw importError(`${shown(address)} is no picture of a known kind.`, 400)
  return { address, bytes: answer.body, digest: await digestOf(answer.body), picture }
}

/** What the document asks for against the rules is its own mistake; all else is the other site's. */
function downloadError(code: unknown, address: string): ApiError {
  if (code === 'refused') return importError(`${shown(address)} is no public address.`, 400)
  if (code === 'too_large') return importError(`${shown(address)} is too large.`, 400)
  return importError(`${shown(address)} could not be fetched.`, 502)
}

const shown = (address: string) => address.slice(0, 200)

async function digestOf(bytes: Uint8Array): Promise<string> {
  // The cast: nobody hands out shared memory here.
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
