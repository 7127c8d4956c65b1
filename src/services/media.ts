/**
 * Stores files that the service generates or fetches: images and style sheets. Default: a folder on disk, whose
 * driver is loaded with the first file.
 */
import type { AppContext } from '../core/declare/app-context.ts'
import { ApiError } from '../core/declare/errors.ts'
import { joinBytes } from '../core/runtime/bytes.ts'
import { isWorkerd } from '../core/runtime/code-generation.ts'
import type { Settings } from '../site/settings.ts'
import {
  type FileSource,
  hasFile,
  type MediaDriver,
  openFile,
  readFile,
  removeFile,
  type StoredFile,
  storedBytes,
  writeFile,
  writeSource,
} from './media-driver.ts'

/** Stores the bytes of media. Paths are relative to the uploads, with slashes. */
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
  /** Like `write`, piece by piece. Without it, a file is in memory while it is written. */
  store?(path: string, source: FileSource): Promise<string>
  /** A file to be read in parts; undefined if there is none. Without it, a file is read whole. */
  open?(path: string): Promise<StoredFile | undefined>
  /** Default: the file is read. */
  has?(path: string): Promise<boolean>
  /** True: there is nowhere to keep files, so the site offers no uploads. Default: false. */
  readonly isReadOnly?: boolean
}

export async function storeFile(media: Media, path: string, source: FileSource): Promise<void> {
  if (media.store) await media.store(path, source)
  else await media.write(path, await bytesOf(source), source.type)
}

async function bytesOf(source: FileSource): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of source.chunks()) parts.push(chunk)
  return joinBytes(parts, source.size)
}

export async function openStored(media: Media, path: string): Promise<StoredFile | undefined> {
  if (media.open) return media.open(path)
  const bytes = await media.read(path)
  return bytes && storedBytes(bytes)
}

export const isStored = async (media: Media, path: string): Promise<boolean> =>
  media.has ? media.has(path) : (await media.read(path)) !== undefined

/** Whether a path can be one of a file: portable names that can not leave the folder. */
export const isFilePath = (path: string): boolean =>
  path.split('/').every((name) => segment.test(name) && !name.endsWith('.') && isShort(name))

/** File systems take 255 bytes for a name. */
const isShort = (name: string): boolean => name.length <= 200 && new TextEncoder().encode(name).length <= 255

/** The options of `createMedia`. */
export interface CreateMedia {
  /** A folder on disk, created with the first file. Default: `uploads` in the working directory. */
  readonly folder?: string
  /** Replaces the folder: a driver of the package unstorage (S3, Redis, ...), `memoryMedia()`, or your own. Default: the folder. */
  readonly driver?: MediaDriver
  /** The URL at which the host serves the files. Default: `/uploads` on the site. */
  readonly address?: string
}

/** The media service of a site. */
export const mediaOf = ({ services }: Pick<AppContext, 'services'>): Media => services['media'] as Media

/** Whether the site has a place for files, for endpoints that store some. */
export const keepsFiles = (app: Pick<AppContext, 'services'>): boolean => !mediaOf(app).isReadOnly

/** The absolute form of a URL that `write` returned. */
export const wholeAddress = ({ url }: Pick<Settings, 'url'>, address: string): string =>
  address.startsWith('/') ? url + address : address

/** Whether the file of a record is on another server: its path is its address there. */
const isElsewhere = (path: string): boolean => /^https?:\/\//i.test(path)

/** The public address of the file of a record. */
export const fileAddress = (media: Media, settings: Pick<Settings, 'url'>, path: string): string =>
  isElsewhere(path) ? path : wholeAddress(settings, media.addressOf(path))

/** The default URL path of uploads. */
const uploadsAddress = '/uploads'

const noFiles: MediaDriver = {
  getItem: () => null,
  hasItem: () => false,
  setItemRaw() {
    throw new ApiError(
      'rest_upload_not_supported',
      'This site has nowhere to keep files: give services.media a driver, such as s3Media.',
      501,
    )
  },
  removeItem: () => undefined,
}

/**
 * Creates the default of `services.media`: a folder, or a driver of your own.
 *
 * ```ts
 * import { createMedia } from 'site-api'
 *
 * export const media = createMedia({ folder: '/var/lib/site/uploads' })
 * ```
 */
export function createMedia({ folder, driver, address = uploadsAddress }: CreateMedia = {}): Media {
  let loaded: Promise<MediaDriver> | undefined
  // Cloudflare has no disk: uploads need a driver there.
  const isReadOnly = driver === undefined && folder === undefined && isWorkerd()
  const files = async () => {
    if (driver) return driver
    if (isReadOnly) return noFiles
    loaded ??= import('./media-folder.ts').then(({ folderMedia }) => folderMedia(folder ?? 'uploads'))
    return loaded
  }
  const base = address.replace(/\/+$/, '')
  const addressOf = (path: string) => `${base}/${path.split('/').map(encodeURIComponent).join('/')}`
  /** Rejects for a wrong path before a driver is loaded. */
  const atKey = async <T>(path: string, work: (driver: MediaDriver, key: string) => Promise<T>): Promise<T> => {
    const key = keyOf(path)
    return work(await files(), key)
  }
  return {
    addressOf,
    isReadOnly,
    async write(path, bytes) {
      await atKey(path, (into, key) => writeFile(into, key, bytes))
      return addressOf(path)
    },
    read: (path) => atKey(path, readFile),
    remove: (path) => atKey(path, removeFile),
    async store(path, source) {
      await atKey(path, (into, key) => writeSource(into, key, source))
      return addressOf(path)
    },
    open: (path) => atKey(path, openFile),
    has: (path) => atKey(path, hasFile),
  }
}

/** Letters of all scripts, digits, signs such as emoji, `_`, `.` and `-`: portable names that can not leave the folder. */
const segment = /^[\p{L}\p{N}\p{So}_-][\p{L}\p{M}\p{N}\p{So}_.-]*$/u

function keyOf(path: string): string {
  if (isFilePath(path)) return path.replaceAll('/', ':')
  throw new TypeError(`${JSON.stringify(path)} is no path of a file`)
}
