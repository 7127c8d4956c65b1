/**
 * Where files live that the service makes or fetches: pictures, style sheets. By default a folder on disk; any driver of
 * unstorage (S3, Redis, ...) takes its place. Nothing is opened, not even loaded, before the first file.
 */
import type { Driver } from 'unstorage'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'

export interface Media {
  /**
   * Keeps a file under its path (`2024/05/pier.jpg`), in place of one that is there. Answers its public address; one that
   * begins with `/` is below the address of the site.
   */
  write(path: string, bytes: Uint8Array, type: string): Promise<string>
  /** Undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>
  /** A file that is not there may be removed. */
  remove(path: string): Promise<void>
  /** The public address of a path, whether a file is there or not; one that begins with `/` is below that of the site. */
  addressOf(path: string): string
}

export interface CreateMedia {
  /** A folder on disk, made when the first file is written. Default: `uploads` where the process was started. */
  readonly folder?: string
  /** Keeps the files instead of the folder. */
  readonly driver?: Driver
  /** Where the host serves the files. Default: `/uploads`, below the address of the site. */
  readonly address?: string
}

/** The one that a site uses. */
export const mediaOf = ({ services }: Pick<AppContext, 'services'>): Media => services['media'] as Media

/** The whole address of what `write` answered. */
export const wholeAddress = ({ url }: Pick<Settings, 'url'>, address: string): string =>
  address.startsWith('/') ? url + address : address

/** Where a site of ours serves the files that are kept under a path. */
export const uploadsAddress = '/uploads'

export function createMedia({ folder = 'uploads', driver, address = uploadsAddress }: CreateMedia = {}): Media {
  let opened: ReturnType<typeof open> | undefined
  const files = () => {
    opened ??= open(folder, driver)
    return opened
  }
  const base = address.replace(/\/+$/, '')
  const addressOf = (path: string) => `${base}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    addressOf,
    async write(path, bytes) {
      await (await files()).setItemRaw(keyOf(path), bytes)
      return addressOf(path)
    },
    async read(path) {
      const bytes: unknown = await (await files()).getItemRaw(keyOf(path))
      return bytes instanceof Uint8Array ? bytes : undefined
    },
    async remove(path) {
      await (await files()).removeItem(keyOf(path))
    },
  }
}

async function open(folder: string, given: Driver | undefined) {
  const { createStorage } = await import('unstorage')
  // The plain driver: the other one would watch the folder, and load a package for it.
  const driver = given ?? (await import('unstorage/drivers/fs-lite')).default({ base: folder })
  return createStorage({ driver })
}

/** Letters, digits and a few signs: a name means the same on every disk, and never leaves the folder. */
const segment = /^[\w-][\w.-]{0,199}$/

function keyOf(path: string): string {
  const segments = path.split('/')
  if (segments.every((one) => segment.test(one) && !one.endsWith('.'))) return segments.join(':')
  throw new TypeError(`${JSON.stringify(path)} is no path of a file`)
}
