/** Finds the medium that an address of the old site means: the file itself, the upload it was made from, or one of its sizes. */
import type { Json } from '../../../contract/storage.ts'

export interface MediumSize {
  readonly width: number
  readonly height: number
  /** Its new address. */
  readonly address: string
}

export interface ImportedMedium {
  readonly id: number
  /** The id on the old site. */
  readonly number: number
  /** The address on the old site. */
  readonly url: string
  /** The new address; undefined where the file stays on the old site. */
  readonly address: string | undefined
  readonly sizes: readonly MediumSize[]
}

interface OldAddress {
  readonly medium: ImportedMedium
  /** Where the file is now; undefined: where it was. */
  readonly address: string | undefined
}

export interface OldAddresses {
  readonly hosts: readonly string[]
  find(address: string): OldAddress | undefined
}

const sizeSuffix = /-(\d{1,5})x(\d{1,5})(?=\.\w+$)/
const scaledSuffix = /-scaled(?=\.\w+$)/

/** Host and path: the scheme may have changed since a text was written, and characters may be escaped or not. */
function keyOf(address: string): string | undefined {
  const whole = address.startsWith('//') ? `https:${address}` : address
  if (!URL.canParse(whole)) return undefined
  const { host, pathname } = new URL(whole)
  try {
    return host + decodeURIComponent(pathname)
  } catch {
    return host + pathname
  }
}

export function createOldAddresses(media: readonly ImportedMedium[]): OldAddresses {
  const byKey = new Map<string, ImportedMedium>()
  const hosts = new Set<string>()
  for (const medium of media) {
    const key = keyOf(medium.url)
    if (key === undefined) continue
    hosts.add(new URL(medium.url).host)
    byKey.set(key, medium)
    // Sizes are called after the upload, of which the file may be a smaller copy.
    const upload = key.replace(scaledSuffix, '')
    if (!byKey.has(upload)) byKey.set(upload, medium)
  }
  return {
    hosts: [...hosts],
    find(address) {
      const key = keyOf(address)
      if (key === undefined) return undefined
      const whole = byKey.get(key)
      if (whole) return { medium: whole, address: whole.address }
      const [suffix, width, height] = sizeSuffix.exec(key) ?? []
      if (suffix === undefined) return undefined
      const medium = byKey.get(key.replace(suffix, '')) ?? byKey.get(key.replace(sizeSuffix, '-scaled'))
      return medium && { medium, address: sizeAddress(medium, Number(width), Number(height)) }
    },
  }
}

/** The same size, else the smallest one that is not smaller, else the whole file. */
function sizeAddress({ address, sizes }: ImportedMedium, width: number, height: number): string | undefined {
  if (address === undefined) return undefined
  const large = sizes.filter((size) => size.width >= width && size.height >= height)
  large.sort((one, other) => one.width * one.height - other.width * other.height)
  return large[0]?.address ?? address
}

/** The sizes in the meta value of a file. */
export function sizesIn(details: Json | undefined): readonly { file: string; width: number; height: number }[] {
  const { sizes } = (details ?? {}) as { readonly sizes?: { readonly [name: string]: Json } }
  return Object.values(sizes ?? {}).flatMap((size) => {
    const { file, width, height } = (size ?? {}) as { readonly [member: string]: Json }
    return typeof file === 'string' && typeof width === 'number' && typeof height === 'number'
      ? [{ file, width, height }]
      : []
  })
}
