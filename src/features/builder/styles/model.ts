/**
 * Style sheets that features make from the kit and from documents: written through `services.media`, remembered with a
 * version, and forgotten when what they were made from changes. Whoever needs one makes it again.
 */
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'
import type { Collection, Storage, StoredRecord } from '../../../storage/contract.ts'

/** No export carries these rows: the files that they tell of stay behind, and each can be made again. */
export const styleSheets: Collection = {
  name: 'builder_style_sheets',
  fields: { key: 'text', path: 'text', address: 'text', digest: 'text', version: 'integer' },
  unique: [['key']],
}

export interface StyleSheet {
  readonly url: string
  /** Unix time of its last change; belongs into the address that a page uses. */
  readonly version: number
}

type ReadContext = Pick<Context, 'storage' | 'settings'>
type WriteContext = Pick<Context, 'storage' | 'settings' | 'app'>

/** Under which a sheet is remembered; its file has the same name. */
export type StyleKey = string

const pathOf = (key: StyleKey) => `builder/css/${key}.css`

/**
 * Keeps a sheet; one that says what is kept already is not written again. Waits for the media service, so an endpoint
 * that calls it declares `atomic: false`.
 */
export async function writeStyleSheet(context: WriteContext, key: StyleKey, css: string): Promise<StyleSheet> {
  if (!/^[a-z0-9-]{1,64}$/.test(key)) throw new TypeError(`${JSON.stringify(key)} is no key of a style sheet`)
  const bytes = new TextEncoder().encode(css)
  const digest = await digestOf(bytes)
  const before = await findRow(context.storage, key)
  if (before?.digest === digest) return sheetView(context, before)
  const path = pathOf(key)
  const address = await mediaOf(context.app).write(path, bytes, 'text/css')
  const now = Math.floor(context.app.clock() / 1000)
  // Changed twice within a second: caches must see two versions.
  const version = Math.max(now, Number(before?.version ?? 0) + 1)
  const row = { key, path, address, digest, version }
  await replaceRow(context.storage, row)
  return sheetView(context, row)
}

/** Undefined: nobody has made it since it was last forgotten. */
export function readStyleSheet(context: ReadContext, key: StyleKey): MaybePromise<StyleSheet | undefined> {
  return andThen(findRow(context.storage, key), (row) => row && sheetView(context, row))
}

/** For writes that change what sheets are made from: part of their transaction. The next sheet replaces the file. */
export function forgetStyleSheets(storage: Storage): MaybePromise<void> {
  return andThen(storage.records.remove(styleSheets, { every: [] }), () => undefined)
}

/** Forgets all sheets and removes their files. Waits for the media service, as `putStyles` does. */
export async function clearStyleSheets({ storage, app }: Pick<Context, 'storage' | 'app'>): Promise<void> {
  const { rows } = await storage.records.query(styleSheets, {})
  // Rows first: should a file stay behind, nothing leads to it any more.
  await forgetStyleSheets(storage)
  for (const { path } of rows) await mediaOf(app).remove(String(path))
}

type Row = Pick<StoredRecord, string>

function findRow(storage: Storage, key: StyleKey): MaybePromise<StoredRecord | undefined> {
  return andThen(
    storage.records.query(styleSheets, { where: { field: 'key', is: key }, limit: 1 }),
    ({ rows: [row] }) => row,
  )
}

/** Two who make the same sheet at once: whoever comes second writes over the first. */
async function replaceRow(storage: Storage, row: { readonly [field: string]: string | number }): Promise<void> {
  const replace = async (inside: Storage) => {
    await inside.records.remove(styleSheets, { field: 'key', is: row['key'] as string })
    await inside.records.insert(styleSheets, [row])
  }
  const attempt = () => Promise.resolve(storage.atomic ? storage.atomic(replace) : replace(storage))
  await attempt().catch((error: { readonly code?: unknown }) => {
    if (error?.code !== 'storage_conflict') throw error
    return attempt()
  })
}

const sheetView = ({ settings }: Pick<Context, 'settings'>, { address, version }: Row): StyleSheet => ({
  url: wholeAddress(settings, String(address)),
  version: Number(version),
})

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
