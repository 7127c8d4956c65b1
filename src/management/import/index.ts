/**
 * Takes over the content of another system from its export file: authors, categories, tags, posts, pages and the records
 * of media. The file is read once, a piece at a time, and may be imported again without making anything twice.
 */
import { createNames } from '../../names/word-map.ts'
import { clearedDerivedOptions, type ManagementContext, postTypesOf } from '../context.ts'
import { createAuthors } from './authors.ts'
import { type MappedItem, mapItem } from './map.ts'
import { type FileHead, type FileRecord, type FileSource, ImportFileError, readExportFile } from './reader.ts'
import { createReport, type ImportReport } from './report.ts'
import { createTermImport } from './terms.ts'
import { createItemWriter } from './write.ts'

/** What it tells listeners. */
export interface SiteImportEvents {
  'site.imported': { readonly items: number }
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends SiteImportEvents {}
}

export interface ImportOptions {
  /** True: what an earlier import has made takes on what the file says now. Default: it is left alone. */
  readonly update?: boolean
  /** Called with what has been read so far. */
  readonly progress?: (done: { readonly items: number; readonly bytes: number }) => void
}

/** Items written in one transaction. */
const batchSize = 100
/** Characters: long items make a batch earlier, or the engine would keep room for all that passes through it. */
const batchLength = 256 * 1024

export async function importSite(
  parts: ManagementContext,
  source: FileSource,
  { update = false, progress }: ImportOptions = {},
): Promise<ImportReport> {
  await parts.ready()
  const settings = await parts.app.settings.read(parts.storage)
  const report = createReport()
  const head: FileHead = { version: '', title: '', site: '' }
  const people = createAuthors(parts, report)
  const terms = createTermImport(parts, report, { update })
  const writer = createItemWriter({ parts, people, terms, report, permalink: settings.permalink, update })
  const mapping = {
    names: createNames(parts.fileWords),
    ...{ time: settings.time, clock: parts.app.clock, postTypes: postTypesOf(parts) },
  }
  let items = 0
  let bytes = 0
  let hasBegun = false
  let declared: FileRecord[] = []
  let batch: MappedItem[] = []
  let length = 0

  const declare = async () => {
    await people.declare(declared.filter(({ kind }) => kind === 'author'))
    await terms.declare(declared.filter(({ kind }) => kind !== 'author'))
    declared = []
  }
  const flush = async () => {
    await declare()
    if (!hasBegun) await writer.begin(head.site)
    hasBegun = true
    const full = batch
    batch = []
    length = 0
    if (full.length > 0) await writer.write(full)
    progress?.({ items, bytes })
  }
  const take = async (record: FileRecord) => {
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
    length += item.row.content.length
    if (batch.length >= batchSize || length >= batchLength) await flush()
  }

  let broken: ImportFileError | undefined
  try {
    for await (const { records, bytes: read } of readExportFile(source, head)) {
      bytes = read
      for (const record of records) await take(record)
      progress?.({ items, bytes })
    }
  } catch (error) {
    // What stands before the mistake is taken over.
    if (!(error instanceof ImportFileError)) throw error
    broken = error
  }
  await flush()
  await writer.finish()
  await parts.storage.options.write(clearedDerivedOptions)
  parts.emit([{ name: 'site.imported', payload: { items } }])
  const done: ImportReport = {
    ...{ source: { ...head }, items, bytes, counts: report.counts, problems: report.problems },
    ...(broken ? { error: { message: broken.message, line: broken.line, byte: broken.byte } } : {}),
  }
  if (broken) throw Object.assign(broken, { report: done })
  return done
}
