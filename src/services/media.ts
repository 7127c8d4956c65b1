/**
 * Stores files that the service generates or fetches: images and style sheets. Default: a folder on disk, whose
 * driver is loaded with the first file.
 */
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'
import { type MediaDriver, readFile, removeFile, writeFile } from './media-driver.ts'

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
  /** Replaces the folder: a driver of the package unstorage (S3, Redis, ...), `memoryMedia()`, or your own. */
  readonly driver?: MediaDriver
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
  let loaded: Promise<MediaDriver> | undefined
  const files = async () => {
    if (driver) return driver
    loaded ??= import('./media-folder.ts').then(({ folderMedia }) => folderMedia(folder))
    return loaded
  }
  const base = address.replace(/\/+$/, '')
  const addressOf = (path: string) => `${base}/${path.split('/').map(encodeURIComponent).join('/')}`
  return {
    addressOf,
    async write(path, bytes) {
      const key = keyOf(path)
      await writeFile(await files(), key, bytes)
      return addressOf(path)
    },
    async read(path) {
      const key = keyOf(path)
      return readFile(await files(), key)
    },
    async remove(path) {
      const key = keyOf(path)
      await removeFile(await files(), key)
    },
  }
}

/** Letters, digits, `_`, `.` and `-`: portable names that can not leave the folder. */
const segment = /^[\w-][\w.-]{0,199}$/

function keyOf(path: string): string {
  const segments = path.split('/')
  if (segments.every((name) => segment.test(name) && !name.endsWith('.'))) return segments.join(':')
  throw new TypeError(`${JSON.stringify(path)} is no path of a file`)
}
