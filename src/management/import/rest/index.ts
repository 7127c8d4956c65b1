/**
 * Imports a running site over REST: the records of an export file, and users with roles and settings. An interrupted run goes on
 * where it stopped. At the end, it reads all records once more and compares them with the stored rows.
 */

import type { Json } from '../../../contract/storage.ts'
import { digests } from '../../../core/runtime/digests.ts'
import { importStateOption, type ManagementContext } from '../../context.ts'
import { type CheckRecords, type ImportOptions, importRecords } from '../index.ts'
import type { FileRecord } from '../reader.ts'
import type { ImportReport } from '../report.ts'
import { SiteValues } from '../site-values.ts'
import { createRestClient, type RestAccess } from './client.ts'
import { discoverRest } from './discovery.ts'
import { type FoundKit, kitOf } from './kit.ts'
import { type Listings, listingsOf } from './listings.ts'
import { importSettings } from './settings.ts'

/** The options of an import, and how the other site is reached. */
export type RestImportOptions = ImportOptions & RestAccess

/** One kind of records, there and here. */
export interface KindComparison {
  readonly kind: string
  readonly there: number
  readonly here: number
  /** The digest of all records of the kind, in their order. */
  readonly digestThere: string
  readonly digestHere: string
  /** The ids there of the first records that differ. */
  readonly different: readonly number[]
}

/** The result of the import of a running site, and how both sites compare. */
export interface RestImportReport extends ImportReport {
  readonly comparison: readonly KindComparison[]
}

interface State {
  readonly root: string
  /** Rows of each list that are stored. */
  readonly done: { readonly [list: string]: number }
  /** Other addresses that guids begin with. */
  readonly addresses: readonly string[]
}

export async function importRest(
  context: ManagementContext,
  address: string,
  { user, password, fetch, wait, concurrency, ...options }: RestImportOptions,
): Promise<RestImportReport> {
  await context.ready()
  const access: RestAccess = {
    ...{ user, password },
    ...(fetch ? { fetch } : {}),
    ...(wait ? { wait } : {}),
    ...(concurrency === undefined ? {} : { concurrency }),
  }
  const found = await discoverRest(address, access)
  const client = createRestClient(found.root, found.namespace, access)
  await client.get('/users/me', { context: 'edit' })
  const listings = await listingsOf(client, found.namespace)
  const { builder } = found
  const kit = await kitOf(builder === undefined ? undefined : createRestClient(found.root, builder, access), found.site)
  const progress = await createProgress(context, found.root)
  const comparison: KindComparison[] = []
  const report = await importRecords(
    context,
    {
      head: { version: found.namespace, title: found.title, site: found.site, addresses: progress.state.addresses },
      chunks: chunksOf({ ...listings, kit }, progress),
      siteValues: SiteValues.ofRunningSite(context),
      async verify(check, warn) {
        await importSettings(context, client, warn)
        kit.warnOfMissing(warn)
        comparison.push(...(await compared(listings, check)))
      },
    },
    options,
  )
  await progress.clear()
  return { ...report, comparison }
}

/** The kit comes before the lists: one that a list shows whole wins over it. */
async function* chunksOf({ declared, lists, kit }: Listings & { readonly kit: FoundKit }, progress: Progress) {
  let bytes = 0
  yield { records: [...declared, ...kit.records], bytes }
  for (const { name, pages, record } of lists) {
    let done = progress.state.done[name] ?? 0
    for await (const page of pages(done)) {
      const records = page.map(record)
      kit.observe(records)
      bytes += JSON.stringify(page).length
      done += page.length
      yield { records, bytes, written: () => progress.save(name, done, records) }
    }
  }
}

// ---------------------------------------------------------------- the progress of interrupted runs

interface Progress {
  readonly state: State
  save(list: string, done: number, records: readonly FileRecord[]): Promise<void>
  clear(): Promise<void>
}

async function createProgress({ storage }: ManagementContext, root: string): Promise<Progress> {
  const { [importStateOption]: stored } = await storage.options.read([importStateOption])
  const before = stored as unknown as State | undefined
  let state: State = before?.root === root ? before : { root, done: {}, addresses: [] }
  return {
    get state() {
      return state
    },
    async save(list, done, records) {
      const origins = records.flatMap(({ fields }) => originOf(fields['guid'] ?? ''))
      state = {
        root,
        done: { ...state.done, [list]: done },
        addresses: [...new Set([...state.addresses, ...origins])].slice(0, 100),
      }
      await storage.options.write({ [importStateOption]: state as unknown as Json })
    },
    async clear() {
      await storage.options.write({ [importStateOption]: null })
    },
  }
}

const originOf = (guid: string): readonly string[] => (URL.canParse(guid) ? [new URL(guid).origin] : [])

// ---------------------------------------------------------------- the comparison

async function compared({ declared, lists }: Listings, check: CheckRecords): Promise<KindComparison[]> {
  const kinds = new Map<string, Comparing>()
  const add = async (records: readonly FileRecord[]) => {
    for (const { kind, number, source, here } of await check(records)) {
      const comparing = kinds.get(kind) ?? { there: 0, here: 0, digestThere: '', digestHere: '', different: [] }
      kinds.set(kind, comparing)
      comparing.there++
      comparing.digestThere = next(comparing.digestThere, source)
      if (here !== undefined) {
        comparing.here++
        comparing.digestHere = next(comparing.digestHere, here)
      }
      if (here !== source && comparing.different.length < 10) comparing.different.push(number)
    }
  }
  for (let from = 0; from < declared.length; from += 100) await add(declared.slice(from, from + 100))
  for (const { pages, record } of lists) for await (const page of pages(0)) await add(page.map(record))
  return [...kinds].map(([kind, comparing]) => ({ kind, ...comparing }))
}

type Comparing = { -readonly [K in keyof Omit<KindComparison, 'kind' | 'different'>]: KindComparison[K] } & {
  readonly different: number[]
}

const next = (before: string, record: string): string => digests().sha256(before + record, 'hex')

export const isSame = ({ there, here, digestThere, digestHere }: KindComparison): boolean =>
  there === here && digestThere === digestHere
