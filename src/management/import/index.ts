/**
 * Imports the content of another system from its export file: authors, categories, tags, posts, pages and media records.
 * The file is read once as a stream; importing it again creates no duplicates.
 */
import { createNames } from '../../names/word-map.ts'
import { clearedDerivedOptions, itemReadersOf, type ManagementContext, postTypesOf, taxonomiesOf } from '../context.ts'
import { createAuthors } from './authors.ts'
import type { RecordCheck } from './checks/record-check.ts'
import type { LooseComment } from './comments.ts'
import { type MappedItem, mapItem } from './map.ts'
import { mapComments } from './map-comments.ts'
import { type ImportedFileSource, importMediaFiles } from './media/index.ts'
import type { Rewrite } from './media/rewrite.ts'
import { type FileHead, type FileRecord, type FileSource, ImportFileError, readExportFile } from './reader.ts'
import { createReport, type ImportReport, type ReportBuilder } from './report.ts'
import { createTermImport } from './terms.ts'
import type { Warn } from './warnings.ts'
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

/** What is imported: records in the order in which they are written, and what the source says of itself. */
export interface RecordSource {
  readonly head: FileHead
  readonly chunks: AsyncIterable<RecordChunk>
  /** Called when all is written, with a function that compares records with what is stored. */
  readonly verify?: (check: CheckRecords) => Promise<void>
}

interface RecordChunk {
  readonly records: readonly FileRecord[]
  /** Read so far. */
  readonly bytes: number
  /** Called when the records are stored. */
  readonly written?: () => Promise<void>
}

export type CheckRecords = (records: readonly FileRecord[]) => Promise<readonly RecordCheck[]>

export const importSite = (
  context: ManagementContext,
  source: FileSource,
  options: ImportOptions = {},
): Promise<ImportReport> => {
  const head: FileHead = { version: '', title: '', site: '' }
  return importRecords(context, { head, chunks: readExportFile(source, head) }, options)
}

export async function importRecords(
  context: ManagementContext,
  { head, chunks, verify }: RecordSource,
  { update = false, media, progress }: ImportOptions = {},
): Promise<ImportReport> {
  await context.ready()
  const settings = await context.app.settings.read(context.storage)
  const report = createReport()
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
  const mapped = (record: FileRecord, warn: Warn) => mapItem(record, { ...mapping, site: head.site }, warn)
  const loose = (records: readonly FileRecord[]): readonly LooseComment[] =>
    records.map(({ fields, comments }) => ({
      post: Number(fields['wp:post_id']) || 0,
      comments: mapComments(comments, settings.time),
    }))
  let items = 0
  let bytes = 0
  let hasBegun = false
  let declared: FileRecord[] = []
  let batch: MappedItem[] = []
  let comments: FileRecord[] = []
  let length = 0

  const declare = async () => {
    await authors.declare(declared.filter(({ kind }) => kind === 'author'))
    await terms.declare(declared.filter(({ kind }) => kind !== 'author'))
    declared = []
  }
  const flush = async () => {
    await declare()
    if (!hasBegun) await writer.begin([head.site, ...(head.addresses ?? [])])
    hasBegun = true
    const pending = batch
    const pendingComments = comments
    batch = []
    comments = []
    length = 0
    if (pending.length > 0) await writer.write(pending)
    if (pendingComments.length > 0) await writer.writeComments(loose(pendingComments))
    progress?.({ items, bytes })
  }
  const addItem = (record: FileRecord) => {
    items++
    const what = record.fields['title'] ?? ''
    const item = mapped(record, (kind, which, count) => report.add(kind, which, { line: record.line, what }, count))
    if (!item) return
    batch.push(item)
    length += item.row.content.length + item.comments.reduce((sum, { content }) => sum + content.length, 0)
  }
  const addRecord = async (record: FileRecord) => {
    if (record.kind === 'item') addItem(record)
    else (record.kind === 'comment' ? comments : declared).push(record)
    if (batch.length >= batchSize || length >= batchLength || comments.length >= batchSize) await flush()
  }

  let fileError: ImportFileError | undefined
  try {
    for await (const { records, bytes: read, written } of chunks) {
      bytes = read
      for (const record of records) await addRecord(record)
      if (written) {
        await flush()
        await written()
      }
      progress?.({ items, bytes })
    }
  } catch (error) {
    // Records before the mistake are still imported.
    if (!(error instanceof ImportFileError)) throw error
    fileError = error
  }
  await flush()
  await writer.finish()
  let rewrite: Rewrite | undefined
  if (media !== undefined) {
    const filesDone =
      progress && ((files: { readonly done: number; readonly total: number }) => progress({ items, bytes, files }))
    rewrite = await importMediaFiles(context, { source: media, report, ...(filesDone ? { progress: filesDone } : {}) })
  }
  await verify?.(async (records) => {
    const of = (...kinds: readonly string[]) => records.filter(({ kind }) => kinds.includes(kind))
    const posts = of('item').flatMap((record) => mapped(record, () => undefined) ?? [])
    return [
      ...(await authors.check(of('author'))),
      ...(await terms.check(of('category', 'tag', 'term'))),
      ...(await writer.check(posts, rewrite)),
      ...(await writer.checkComments(loose(of('comment')))),
    ]
  })
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
    source: { version: head.version, title: head.title, site: head.site },
    items,
    bytes,
    counts: report.counts,
    problems: report.problems,
    ...(fileError ? { error: { message: fileError.message, line: fileError.line, byte: fileError.byte } } : {}),
  }
}
