/**
 * Imports the content of another system from its export file: authors, categories, tags, posts, pages and media records.
 * The file is read once as a stream; importing it again creates no duplicates.
 */
import { createNames } from '../../names/word-map.ts'
import { clearedDerivedOptions, itemReadersOf, type ManagementContext, postTypesOf, taxonomiesOf } from '../context.ts'
import { createAuthors } from './authors.ts'
import { type MappedItem, mapItem } from './map.ts'
import { type ImportedFileSource, importMediaFiles } from './media/index.ts'
import { type FileHead, type FileRecord, type FileSource, ImportFileError, readExportFile } from './reader.ts'
import { createReport, type ImportReport, type ReportBuilder } from './report.ts'
import { createTermImport } from './terms.ts'
import { createItemWriter } from './write.ts'

/** Events of imports. */
export interface SiteImportEvents {
  'site.imported': { readonly items: number }
}

/** How a file is imported. */
export interface ImportOptions {
  /** True: rows of an earlier import are overwritten with the values of the file. Default: they stay unchanged. */
  readonly update?: boolean
  /**
   * Where the files of media come from. `fetch`: from the old site, through `services.outbound`, which refuses addresses that are not
   * public; `link`: they stay there; or a copy of its uploads. Texts and documents then lead to the new addresses. Default: records
   * are imported with the paths of the old site, and the host provides the files.
   */
  readonly media?: ImportedFileSource
  /** Called with the items and bytes read so far, then with the files of media. */
  readonly progress?: (done: ImportProgress) => void
}

export interface ImportProgress {
  readonly items: number
  readonly bytes: number
  readonly files?: { readonly done: number; readonly total: number }
}

/** Items per transaction. */
const batchSize = 100
/** Characters of content per transaction: long items end a batch earlier, which bounds memory. */
const batchLength = 256 * 1024

export async function importSite(
  context: ManagementContext,
  source: FileSource,
  { update = false, media, progress }: ImportOptions = {},
): Promise<ImportReport> {
  await context.ready()
  const settings = await context.app.settings.read(context.storage)
  const report = createReport()
  const head: FileHead = { version: '', title: '', site: '' }
  const authors = createAuthors(context, report)
  const terms = createTermImport(context, report, { update, names: createNames(context.fileWords) })
  const sitePart = { permalink: settings.permalink, defaultCategory: settings.defaultCategory }
  const writer = createItemWriter({ context, authors, terms, report, ...sitePart, update })
  const mapping = {
    names: createNames(context.fileWords),
    time: settings.time,
    clock: context.app.clock,
    postTypes: postTypesOf(context),
    taxonomies: taxonomiesOf(context),
    items: itemReadersOf(context),
  }
  let items = 0
  let bytes = 0
  let hasBegun = false
  let declared: FileRecord[] = []
  let batch: MappedItem[] = []
  let length = 0

  const declare = async () => {
    await authors.declare(declared.filter(({ kind }) => kind === 'author'))
    await terms.declare(declared.filter(({ kind }) => kind !== 'author'))
    declared = []
  }
  const flush = async () => {
    await declare()
    if (!hasBegun) await writer.begin(head.site)
    hasBegun = true
    const pending = batch
    batch = []
    length = 0
    if (pending.length > 0) await writer.write(pending)
    progress?.({ items, bytes })
  }
  const addRecord = async (record: FileRecord) => {
    if (record.kind !== 'item') {
      declared.push(record)
      return
    }
    items++
    const what = record.fields['title'] ?? ''
    const item = mapItem(record, { ...mapping, site: head.site }, (kind, which, count) =>
      report.add(kind, which, { line: record.line, what }, count),
    )
    if (!item) return
    batch.push(item)
    length += item.row.content.length + item.comments.reduce((sum, { content }) => sum + content.length, 0)
    if (batch.length >= batchSize || length >= batchLength) await flush()
  }

  let fileError: ImportFileError | undefined
  try {
    for await (const { records, bytes: read } of readExportFile(source, head)) {
      bytes = read
      for (const record of records) await addRecord(record)
      progress?.({ items, bytes })
    }
  } catch (error) {
    // Records before the mistake are still imported.
    if (!(error instanceof ImportFileError)) throw error
    fileError = error
  }
  await flush()
  await writer.finish()
  if (media !== undefined) {
    const filesDone =
      progress && ((files: { readonly done: number; readonly total: number }) => progress({ items, bytes, files }))
    await importMediaFiles(context, { source: media, report, ...(filesDone ? { progress: filesDone } : {}) })
  }
  await context.write(async ({ options }, queue) => {
    await options.write(clearedDerivedOptions)
    queue('site.imported', { items })
  })
  const finished = reportOf({ head, items, bytes, report, fileError })
  if (fileError) throw Object.assign(fileError, { report: finished })
  return finished
}

interface Finished {
  readonly head: FileHead
  readonly items: number
  readonly bytes: number
  readonly report: ReportBuilder
  readonly fileError: ImportFileError | undefined
}

function reportOf({ head, items, bytes, report, fileError }: Finished): ImportReport {
  return {
    source: { ...head },
    items,
    bytes,
    counts: report.counts,
    problems: report.problems,
    ...(fileError ? { error: { message: fileError.message, line: fileError.line, byte: fileError.byte } } : {}),
  }
}
