/** `api.site`: what the host does with a site that the REST interface does not offer. Nobody's rights are asked here. */

import type { ManagementContext } from './context.ts'
import type { ImportOptions } from './import/index.ts'
import type { FileSource } from './import/reader.ts'
import type { ImportReport } from './import/report.ts'
import { createMedia, type SiteMedia } from './media.ts'
import { createOptions, type SiteOptions } from './options.ts'
import { createPasswords, type SitePasswords } from './passwords.ts'
import { createTerms, type SiteTerms } from './terms.ts'
import type { SiteDocument } from './transfer/document.ts'
import { exportSite } from './transfer/export.ts'
import { isEmpty, type SeededIds, type SeedOptions, seed } from './transfer/seed.ts'
import { createUsers, type SiteUsers } from './users.ts'

export interface SiteManagement {
  readonly users: SiteUsers
  readonly passwords: SitePasswords
  readonly terms: SiteTerms
  readonly media: SiteMedia
  readonly options: SiteOptions
  /**
   * Writes a document in the portable site format into an empty storage, whole or not at all, and answers the id of
   * everything in it. Rejects with a SiteDocumentError that names the place of a mistake.
   *
   * ```ts
   * const ids = await api.site.seed(JSON.parse(text), { baseUrl: 'https://example.com' })
   * ids['post.hello'] // 31
   * ```
   */
  seed(document: unknown, options?: SeedOptions): Promise<SeededIds>
  /** The whole site as a document. Secrets leave as digests; a seed of it gives an equal site. */
  export(): Promise<SiteDocument>
  /**
   * Takes over the content of another system from its standard export file (XML, version 1.x), read as a stream: authors,
   * categories, tags, posts, pages and the records of media. An import that was cut off, or a newer file, is simply
   * imported again. Rejects with an ImportFileError where the file can not be read on; all before that place stays, and
   * the error carries the report.
   *
   * ```ts
   * const report = await api.site.import(createReadStream('export.xml'))
   * report.problems // what could not be carried over
   * ```
   */
  import(file: FileSource, options?: ImportOptions): Promise<ImportReport>
  isEmpty(): Promise<boolean>
  /** Publishes scheduled posts that are due. Every request and a timer of the process do it too; each post once. */
  runDue(): Promise<void>
}

export function createSiteManagement(parts: ManagementContext): SiteManagement {
  return {
    users: createUsers(parts),
    passwords: createPasswords(parts),
    terms: createTerms(parts),
    media: createMedia(parts),
    options: createOptions(parts),
    seed: (document, options = {}) => seed(parts, document, options),
    export: () => exportSite(parts),
    // Loaded on use: few processes ever need it.
    import: async (file, options) => (await import('./import/index.ts')).importSite(parts, file, options),
    isEmpty: () => isEmpty(parts),
    runDue: () => parts.runDue(),
  }
}
