/**
 * Imports the content of another system from its export file: authors, categories, tags, posts, pages and media records.
 * The file is read once as a stream; importing it again creates no duplicates.
 */
import type { Json } from '../../contract/storage.ts'
import { clearedDerivedOptions, kitFilesOf, type ManagementContext } from '../context.ts'
import { bytesOf, isArchive, withFirst } from './first-chunk.ts'
import { IconLibraries } from './icons.ts'
import { KeptTypes } from './kept-types/index.ts'
import { KitImport } from './kit.ts'
import { KitFileError, readKitArchive } from './kit-archive.ts'
import { takeKitFiles } from './kit-files.ts'
import { type ImportedFileSource, importMediaFiles } from './media/index.ts'
import type { MediaRewrite } from './media/rewrite.ts'
import type { RecordCheck } from './merge/record-check.ts'
import { NetworkObserver } from './network.ts'
import { type FileHead, type FileRecord, type FileSource, ImportFileError, readExportFile } from './reader.ts'
import { RecordImport } from './record-import.ts'
import { createReport, type ImportReport, type ReportBuilder, type SourceNetwork, type Warn } from './report.ts'
import { ShortcodeReport } from './shortcodes.ts'
import { type NamedPages, SiteValues, type TakenOptions } from './site-values.ts'

// Loaded together: whoever writes kits takes the rules of those who read them.
export { exportKit } from '../kit-export/index.ts'

/** Events of imports. */
export interface SiteImportEvents {
  'site.imported': { readonly items: number }
}

/** How a file is imported. */
export interface ImportOptions extends NamedPages {
  /** True: rows of an earlier import are overwritten with the values of the file. Default: they stay unchanged. */
  readonly update?: boolean
  /**
   * Where the files of media come from. `fetch`: from the old site, through `services.outbound`, which refuses addresses that are not
   * public; `link`: they stay there; or a copy of its uploads. Texts and documents then lead to the new addresses. Default: records
   * are imported with the paths of the old site, and the host provides the files.
   */
  readonly media?: ImportedFileSource
  /**
   * The address of the old site, whose links to its pages are led to the same paths of this site. Default: the address in the file.
   */
  readonly urlFrom?: string
  /** True: the kit of the source replaces that of the site. Default: only an empty site without a kit takes it. */
  readonly kit?: boolean
  /**
   * True: items of types that the profile lacks are stored as private records, with terms (of other taxonomies too), comments and meta,
   * and the report has the declarations of these types. Default: they are left out.
   */
  readonly keepUnknown?: boolean
  /** Called with the items and bytes read so far, then with the files of media. */
  readonly progress?: (done: ImportProgress) => void
}

export interface ImportProgress {
  readonly items: number
  readonly bytes: number
  readonly files?: { readonly done: number; readonly total: number }
}

/** Gives records in the order in which they are written, and describes the site that they come from. */
export interface RecordSource {
  readonly head: FileHead
  readonly chunks: AsyncIterable<RecordChunk>
  /** Called at the end, with a function that compares records with the stored rows, and one that reports values that are left out. */
  readonly verify?: (check: CheckRecords, warn: Warn) => Promise<void>
  readonly siteValues: SiteValues
  /** The files of a kit that have a part of its design each, by name. */
  readonly design?: ReadonlyMap<string, Json>
}

interface RecordChunk {
  readonly records: readonly FileRecord[]
  /** Read so far. */
  readonly bytes: number
  /** Called when the records are stored. */
  readonly written?: () => Promise<void>
}

export type CheckRecords = (records: readonly FileRecord[]) => Promise<readonly RecordCheck[]>

export async function importSite(
  context: ManagementContext,
  source: FileSource,
  options: ImportOptions = {},
): Promise<ImportReport> {
  await context.ready()
  const { first, all } = await withFirst(source)
  if (isArchive(first)) {
    const bytes = await bytesOf(all)
    return importKit(context, bytes, options)
  }
  const head: FileHead = { version: '', title: '', site: '' }
  const siteValues = await SiteValues.open(context)
  return importRecords(context, { head, chunks: readExportFile(all, head), siteValues }, options)
}

/** One transaction writes the kit, or nothing of it. */
async function importKit(
  context: ManagementContext,
  bytes: Uint8Array,
  { media, ...options }: ImportOptions,
): Promise<ImportReport> {
  const { head, records, design } = await readKitArchive(bytes, context.readArchive, kitFilesOf(context).keys())
  const report = await context.write(async (transaction, queue) => {
    const inside: ManagementContext = {
      ...context,
      storage: transaction,
      write: async (work) => work(transaction, queue),
    }
    const siteValues = await SiteValues.open(inside)
    const source = { head, chunks: chunkOf(records, bytes.length), siteValues, design }
    const written = await importRecords(inside, source, options)
    const failed = written.problems.find(({ kind }) => kind === 'not-written')
    if (failed) throw new KitFileError(`${failed.count} of its items could not be written: ${failed.what}`)
    return written
  })
  if (media === undefined) return report
  // Outside the transaction: files may come from the network.
  const siteValues = SiteValues.ofRunningSite(context)
  const { problems } = await importRecords(context, { head, chunks: chunkOf([], 0), siteValues }, { media })
  return { ...report, problems: [...report.problems, ...problems] }
}

async function* chunkOf(records: readonly FileRecord[], bytes: number): AsyncGenerator<RecordChunk> {
  yield { records, bytes }
}

export async function importRecords(
  given: ManagementContext,
  { head, chunks, verify, siteValues, design = new Map() }: RecordSource,
  { update = false, media, kit = false, keepUnknown = false, urlFrom, progress, ...pages }: ImportOptions = {},
): Promise<ImportReport> {
  await given.ready()
  const types = await KeptTypes.open(given, keepUnknown)
  const { context } = types
  const report = createReport()
  const icons = new IconLibraries()
  const networks = new NetworkObserver()
  const shortcodes = new ShortcodeReport(context.unknownShortcodes, report)
  let bytes = 0
  const onWrite = () => progress?.({ items: records.items, bytes })
  const records = await RecordImport.open(context, {
    ...{ head, report, update, types, onWrite, unknownWidgets: context.unknownWidgets },
    ...(urlFrom === undefined ? {} : { urlFrom }),
  })
  const kits = await KitImport.open(context)
  let fileError: ImportFileError | undefined
  try {
    for await (const { records: read, bytes: readBytes, written } of chunks) {
      bytes = readBytes
      for (const record of read) {
        siteValues.observe(record, head)
        kits.observe(record)
        icons.observe(record)
        networks.observe(record)
        shortcodes.observe(record)
        await records.add(record)
      }
      if (written) {
        await records.flush()
        await written()
      }
      progress?.({ items: records.items, bytes })
    }
  } catch (error) {
    // Records before the mistake are still imported.
    if (!(error instanceof ImportFileError)) throw error
    fileError = error
  }
  await records.finish()
  const { items } = records
  let rewrite: MediaRewrite | undefined
  if (media !== undefined) {
    const filesDone =
      progress && ((files: { readonly done: number; readonly total: number }) => progress({ items, bytes, files }))
    rewrite = await importMediaFiles(context, { source: media, report, ...(filesDone ? { progress: filesDone } : {}) })
  }
  const warn: Warn = (kind, what, count) => report.add(kind, what, { line: 0, what }, count)
  await verify?.((all) => records.check(all, rewrite), warn)
  const idOf = (number: number) => records.idOf(number)
  const settings = {
    ...(await siteValues.write(head, { ...pages, idOf, warn })),
    ...(await kits.write({ isWanted: kit, report, idOf })),
  }
  await takeKitFiles(context, design, { replaces: kit || kits.isOpen, report })
  await context.write(async ({ options }, queue) => {
    await options.write(clearedDerivedOptions(context))
    queue('site.imported', { items })
  })
  const declarations = await types.declarations(idOf)
  const network = networks.found(head, report)
  const finished = reportOf({
    head,
    items,
    bytes,
    report,
    settings,
    fileError,
    icons: icons.toList(),
    declarations,
    fields: types.fields(),
    network,
  })
  if (fileError) throw Object.assign(fileError, { report: finished })
  return finished
}

interface Finished {
  readonly head: FileHead
  readonly items: number
  readonly bytes: number
  readonly report: ReportBuilder
  readonly settings: TakenOptions
  readonly fileError: ImportFileError | undefined
  readonly icons: readonly string[]
  readonly declarations: string | undefined
  readonly fields: string | undefined
  readonly network: SourceNetwork | undefined
}

function reportOf({
  head,
  items,
  bytes,
  report,
  settings,
  fileError,
  icons,
  declarations,
  fields,
  network,
}: Finished): ImportReport {
  return {
    source: { version: head.version, title: head.title, site: head.site, ...(network ? { network } : {}) },
    items,
    bytes,
    counts: report.counts,
    settings,
    problems: report.problems,
    ...(icons.length > 0 ? { icons } : {}),
    ...(declarations === undefined ? {} : { declarations }),
    ...(fields === undefined ? {} : { fields }),
    ...(fileError ? { error: { message: fileError.message, line: fileError.line, byte: fileError.byte } } : {}),
  }
}
