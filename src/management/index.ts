/** `api.site`: operations for the host that the REST interface does not offer. No permission is checked. */

import type { Storage } from '../contract/storage.ts'
import type { DryRunReport } from '../core/pipeline/dry-run/report.ts'
import { asUnitsOfWork } from '../core/runtime/unit-of-work.ts'
import type { ManagementContext } from './context.ts'
import type { ImportOptions } from './import/index.ts'
import type { FileSource } from './import/reader.ts'
import type { ImportReport } from './import/report.ts'
import type { RestImportOptions, RestImportReport } from './import/rest/index.ts'
import { createKit, type SiteKit } from './kit.ts'
import type { KitExportOptions } from './kit-export/index.ts'
import { createMedia, type SiteMedia } from './media.ts'
import { createOptions, type SiteOptions } from './options.ts'
import { createPasswords, type SitePasswords } from './passwords.ts'
import { createRoles, type SiteRoles } from './roles.ts'
import type { SiteDocument } from './transfer/document.ts'
import type { ExportOptions } from './transfer/keys.ts'
import { isEmpty, type SeededIds, type SeedOptions } from './transfer/seed.ts'
import type { Transfers } from './transfers.ts'
import { createUsers, type SiteUsers } from './users.ts'

/** `api.site`: the functions that every site has, whatever its profile. They run without a signed-in user. */
export interface SiteManagement {
  readonly users: SiteUsers
  readonly passwords: SitePasswords
  readonly media: SiteMedia
  readonly options: SiteOptions
  readonly roles: SiteRoles
  readonly kit: SiteKit
  /**
   * Writes a document in the portable site format, or a list of documents that complete each other, into an empty
   * storage, in one transaction, and returns the id of each entry. Of a file, such as `await openAsBlob('site.json')` of
   * `node:fs` or any other Blob, only a part is in memory at a time. Rejects with a SiteDocumentError that names the position
   * of the first mistake, with a SyntaxError for a file that is no JSON, and with a NotEmptyError.
   *
   * ```ts
   * const ids = await api.site.seed(JSON.parse(text), { baseUrl: 'https://example.com' })
   * ids['post.hello'] // 31
   * ```
   */
  seed(document: unknown, options?: SeedOptions): Promise<SeededIds>
  /**
   * The whole site as a document. Secrets are exported as digests; seeding the document gives an equal site, with the same ids
   * if they are exported: `export({ ids: true })`.
   */
  export(options?: ExportOptions): Promise<SiteDocument>
  /**
   * The same document as a stream of JSON in UTF-8, for sites of any size: at no time more than a few rows and the keys of the
   * entries are in memory. Writes of others wait until the stream is read or cancelled.
   *
   * ```ts
   * await pipeline(api.site.exportStream(), createWriteStream('site.json'))
   * ```
   */
  exportStream(options?: ExportOptions): ReadableStream<Uint8Array<ArrayBuffer>>
  /**
   * Imports the content of another system from its standard export file (XML, version 1.x), read as a stream, or from a site kit or a
   * template kit (zip), which is taken over whole or rejects with a KitFileError and writes nothing: authors,
   * terms, posts, pages, comments, menus and media. Importing the same or a newer file again creates no duplicates.
   * Rejects with an ImportFileError where the file can not be parsed; records before that position stay, and the error
   * has the report.
   *
   * ```ts
   * const report = await api.site.import(createReadStream('export.xml'), { media: 'fetch' })
   * report.problems // what could not be imported
   * ```
   */
  import(file: FileSource, options?: ImportOptions): Promise<ImportReport>
  /**
   * Imports a running site over its REST interface, with the login and an application password of a user who may edit it. The
   * same rules as for files, and users with roles and the settings too. An interrupted run goes on where it stopped. At the end
   * all records are read once more and compared. Rejects with a RestImportError where the site can not be read.
   *
   * ```ts
   * const report = await api.site.importFrom('https://old.example/wp-json', { user: 'ann', password, media: 'fetch' })
   * report.comparison // counts and digests of each kind, there and here
   * ```
   */
  importFrom(address: string, options: RestImportOptions): Promise<RestImportReport>
  isEmpty(): Promise<boolean>
  /**
   * Runs `work` in a transaction that is rolled back, and returns its result with the changes that it would have made. No file is
   * stored, and no other server is asked. Rejects as `work` does, and on a storage without transactions.
   *
   * ```ts
   * const { result, changes } = await api.site.dryRun((site) => site.import(createReadStream('export.xml')))
   * ```
   */
  dryRun<T>(work: (site: ManagedSite) => Promise<T>): Promise<DryRunReport & { readonly result: T }>
  /** Publishes scheduled posts that are due. Requests and a timer of the process do the same; each post is published once. */
  runDue(): Promise<void>
}

/** The functions that a dry run offers: all but itself. */
export type ManagedSite = Omit<SiteManagement, 'dryRun'>

/** `contextOn` makes the context of one call, on the storage that notes its commits. Without transfers, their calls are refused. */
export function createSiteManagement(
  storage: Storage,
  contextOn: (storage: Storage) => ManagementContext,
  given: Transfers | undefined,
): ManagedSite {
  const transfers = () => given ?? withoutTransfers()
  const units = <M extends { readonly [K in keyof M]: (...values: never[]) => Promise<unknown> }>(
    create: (context: ManagementContext) => M,
  ) => asUnitsOfWork(storage, (inside) => create(contextOn(inside)))
  /** Kits are written by the import, which has most of it. */
  const kitOf = async (context: ManagementContext, options: KitExportOptions | undefined) =>
    (await transfers().importers()).exportKit(context, options)
  return {
    users: units(createUsers),
    passwords: units(createPasswords),
    media: units(createMedia),
    options: units(createOptions),
    roles: units(createRoles),
    kit: units((context) => ({ ...createKit(context), export: async (options) => kitOf(context, options) })),
    ...units((context) => createTransfer(context, transfers)),
    exportStream: (options) => transfers().exportStream(contextOn(storage), options),
  }
}

/** Refuses where no feature of the profile brings them. */
export function withoutTransfers(): never {
  throw new TypeError('No feature of the profile seeds, exports or imports: add toolFeatures to its features.')
}

type Transfer = Omit<ManagedSite, 'users' | 'passwords' | 'media' | 'options' | 'roles' | 'kit' | 'exportStream'>

const createTransfer = (context: ManagementContext, transfers: () => Transfers): Transfer => ({
  seed: async (document, options = {}) => transfers().seed(context, document, options),
  export: async (options) => transfers().exportSite(context, options),
  import: async (file, options) => (await transfers().importers()).importSite(context, file, options),
  importFrom: async (address, options) => (await transfers().restImporter()).importRest(context, address, options),
  isEmpty: () => isEmpty(context),
  runDue: () => context.runDue(),
})
