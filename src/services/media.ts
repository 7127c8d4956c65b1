/**
 * Stores files that the service generates or fetches: images and style sheets. Default: a folder on disk; a driver of
 * unstorage (S3, Redis, ...) can replace it. The driver is loaded with the first file.
 */
import type { Driver } from 'unstorage'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'

export interface Media {
  /**
   * Stores a file under its path (`2024/05/pier.jpg`), replacing an existing one. Returns its public URL; one that starts
   * with `/` is relative to the URL of the site.
   */
  write(path: string, bytes: Uint8Array, type: string): Promise<string>
  /** Undefined if there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Does nothing if there is no such file. */
  remove(path: string): Promise<void>
  /** The public URL of a path, whether or not the file exists; relative to the URL of the site if it starts with `/`. */
  addressOf(path: string): string
}

export interface CreateMedia {
  /** A folder on disk, created with the first file. Default: `uploads` in the working directory. */
  readonly folder?: string
  /** Replaces the folder. */
  readonly driver?: Driver
  /** The URL at which the host serves the files. Default: `/uploads` on the site. */
  readonly address?: string
}

/** The media service of a site. */
export const mediaOf = ({ services }: Pick<AppContext, 'services'>): Media => services['media'] as Media

/** The absolute form of a URL that `write` returned. */
export const wholeAddress = ({ url }: Pick<Settings, 'url'>, address: string): string =>
  address.startsWith('/') ? url + address : address

/** The default URL path of uploads. */
export const uploadsAddress = '/uploads'

export function createMedia({ folder = 'uploads', driver, address = uploadsAddress }: CreateMedia = {}): Media {
  let storage: ReturnType<typeof open> | undefined
  const files = () => {
    storage ??= open(folder, driver)
    return storage
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

async function open(folder: string, customDriver: Driver | undefined) {
  const { createStorage } = await import('unstorage')
  // `fs-lite`: the driver `fs` would watch the folder and load a package for that.
  const driver = customDriver ?? (await import('unstorage/drivers/fs-lite')).default({ base: folder })
  return createStorage({ driver })
}

/** Letters, digits, `_`, `.` and `-`: portable names that can not leave the folder. */
const segment = /^[\w-][\w.-]{0,199}$/

function keyOf(path: string): string {
  const segments = path.split('/')
  if (segments.every((name) => segment.test(name) && !name.endsWith('.'))) return segments.join(':')
  throw new TypeError(`${JSON.stringify(path)} is no path of a file`)
}
