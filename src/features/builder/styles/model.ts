/**
 * Generated style sheets: written through `services.media`, stored with a version, and removed from the cache when their
 * sources change. Features generate them on demand.
 */

import type { Collection, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'

/** Not part of an export: the files are not exported either, and can be generated again. */
export const styleSheets: Collection = {
  name: 'builder_style_sheets',
  fields: { key: 'text', path: 'text', address: 'text', digest: 'text', version: 'integer' },
  unique: [['key']],
}

export interface StyleSheet {
  readonly url: string
  /** Unix time of the last change; part of the URL that a page uses. */
  readonly version: number
}

type ReadContext = Pick<Context, 'storage' | 'settings'>
type WriteContext = Pick<Context, 'storage' | 'settings' | 'app'>

/** Identifies a sheet; also the name of its file. */
export type StyleKey = string

const pathOf = (key: StyleKey) => `builder/css/${key}.css`

/**
 * Writes a sheet, unless the stored one has the same digest. Calls the media service, so an endpoint that uses it
 * declares `atomic: false`.
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
  // Two changes within a second still need two versions.
  const version = Math.max(now, Number(before?.version ?? 0) + 1)
  const row = { key, path, address, digest, version }
  await replaceRow(context.storage, row)
  return sheetView(context, row)
}

/** Undefined when the sheet was not generated since the cache was last cleared. */
export async function readStyleSheet(context: ReadContext, key: StyleKey): Promise<StyleSheet | undefined> {
  const row = await findRow(context.storage, key)
  return row && sheetView(context, row)
}

/** Removes the rows of all sheets, in the transaction of a write to their sources. Files are overwritten later. */
export async function forgetStyleSheets(storage: Storage): Promise<void> {
  await storage.records.remove(styleSheets, { every: [] })
}

/** Removes all sheets and their files. Calls the media service, as `writeStyleSheet` does. */
export async function clearStyleSheets({ storage, app }: Pick<Context, 'storage' | 'app'>): Promise<void> {
  const { rows } = await storage.records.query(styleSheets, {})
  // Rows first: if removing a file fails, no row refers to it.
  await forgetStyleSheets(storage)
  for (const { path } of rows) await mediaOf(app).remove(String(path))
}

type Row = Pick<StoredRecord, string>

async function findRow(storage: Storage, key: StyleKey): Promise<StoredRecord | undefined> {
  const { rows } = await storage.records.query(styleSheets, { where: { field: 'key', is: key }, limit: 1 })
  return rows[0]
}

/** Of two parallel writers of the same sheet, the second replaces the row of the first. */
async function replaceRow(storage: Storage, row: { readonly [field: string]: string | number }): Promise<void> {
  const replace = async (transaction: Storage) => {
    await transaction.records.remove(styleSheets, { field: 'key', is: row['key'] as string })
    await transaction.records.insert(styleSheets, [row])
  }
  const attempt = () => retryTransaction(storage, replace)
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
