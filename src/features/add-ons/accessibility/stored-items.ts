/**
 * The states of remediations, for conditions. Clients read them in the list of a page: a write that names the page takes the tag of
 * that list, and all others refuse conditions.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { StoredState } from '../../../core/declare/endpoint.ts'
import { sortedEntries, storedState } from '../../../core/pipeline/etag.ts'
import { type Input, integerOf, optionalUrl } from './args.ts'
import { findRemediation, listGlobalRemediations, listPageRemediations, readOverrides } from './model.ts'

interface StoredContext {
  readonly args: Input
  readonly storage: Storage
}

/** Reads the remediations of a page, which include those of all pages; without a page, the latter. */
export async function readItems(storage: Storage, url: string | undefined) {
  const [page, overrides, global] = await Promise.all([
    url === undefined ? [] : listPageRemediations(storage, url),
    url === undefined ? new Map<number, boolean>() : readOverrides(storage, url),
    listGlobalRemediations(storage),
  ])
  return { page, overrides, global }
}

async function itemsOf(storage: Storage, url: string | undefined) {
  const { page, overrides, global } = await readItems(storage, url)
  return { page: page.map(sortedEntries), overrides: [...overrides], global: global.map(sortedEntries) }
}

/** For routes that name a page. */
export const storedItems = async ({ args, storage }: StoredContext): Promise<StoredState> =>
  storedState(await itemsOf(storage, optionalUrl(args)))

/** For routes that name a remediation, and perhaps the page on which the client sees it. */
export async function storedItem({ args, storage }: StoredContext): Promise<StoredState> {
  const row = await findRemediation(storage, integerOf(args, 'id'))
  const list = await itemsOf(storage, optionalUrl(args) ?? (row && String(row['url'])))
  return storedState(list, { exists: row !== undefined })
}
