/** Reads the remediations of pages, and which of them are shown. */

import type { Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import { actorOf } from '../../../core/declare/actor.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { overrides, remediations } from './model.ts'

/** A change of a page. */
export interface Remediation {
  readonly id: number
  readonly category: string
  readonly rule: string
  readonly group: string
  readonly isGlobal: boolean
  /** `type`, `xpath` and members that depend on the type, as an administrator wrote them. They may contain markup. */
  readonly content: { readonly [member: string]: unknown }
  /** Whether its author may write unfiltered HTML at this moment. Without the right it must not write what runs a script. */
  readonly isTrusted: boolean
}

export interface StoredRemediation extends Remediation {
  readonly isActive: boolean
  /** The override of the page, for global ones. */
  readonly isActiveHere: boolean | undefined
}

export const isShown = ({ isActive, isActiveHere }: StoredRemediation): boolean => isActiveHere ?? isActive

export const isOverridden = ({ isActive, isActiveHere }: StoredRemediation): boolean =>
  isActive && isActiveHere === false

export const toRemediation = ({ isActive: _, isActiveHere: __, ...remediation }: StoredRemediation): Remediation =>
  remediation

export type Reader = Pick<ExtensionOptions, 'storage' | 'app'>

/** Lists all remediations of a page in order of creation, also those that are switched off. */
export const readRemediations = async (reader: Reader, url: string): Promise<readonly StoredRemediation[]> =>
  (await readForPages(reader, [url]))[0] ?? []

/** Does it for several pages, in their order, with the same number of reads. */
export async function readForPages(
  { storage, app }: Reader,
  urls: readonly string[],
): Promise<readonly (readonly StoredRemediation[])[]> {
  const where: Where = {
    some: [
      { field: 'url', in: [...new Set(urls)] },
      { field: 'global', is: true },
    ],
  }
  const { rows } = await storage.records.query(remediations, { where })
  const trusted = await readTrusted({ storage, app }, rows)
  const isGlobal = (row: StoredRecord) => row['global'] === true
  const overridden = rows.some(isGlobal) ? await readOverridden(storage, urls) : new Map<string, boolean>()
  const ordered = rows.toSorted((a, b) => a.id - b.id)
  return urls.map((url) =>
    ordered
      .filter((row) => isGlobal(row) || row['url'] === url)
      .map((row) => ({
        ...{ id: row.id, category: String(row['category']), rule: String(row['rule']), group: String(row['group']) },
        isGlobal: isGlobal(row),
        // The cast: every stored content is the JSON text of an object.
        content: JSON.parse(String(row['content'])) as Remediation['content'],
        isTrusted: trusted.has(Number(row['author'] ?? 0)),
        isActive: row['active'] === true,
        isActiveHere: isGlobal(row) ? overridden.get(`${row.id} ${url}`) : undefined,
      })),
  )
}

async function readOverridden(storage: Storage, urls: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await storage.records.query(overrides, { where: { field: 'url', in: [...new Set(urls)] } })
  return new Map(rows.map((row) => [`${row['remediation']} ${row['url']}`, row['active'] === true]))
}

/** The authors who may write unfiltered HTML now. Rows without an author have none. */
async function readTrusted({ storage, app }: Reader, rows: readonly StoredRecord[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(rows.map((row) => Number(row['author'] ?? 0)))].filter((id) => id > 0)
  if (ids.length === 0) return new Set()
  const { roles } = await app.settings.read(storage)
  const users = await storage.users.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length })
  const mayWriteAnything = users.rows.filter((user) => !user.blocked && actorOf(user, roles).can('unfiltered_html'))
  return new Set(mayWriteAnything.map(({ id }) => id))
}
