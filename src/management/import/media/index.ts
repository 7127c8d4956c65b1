/**
 * The files of imported media: fetched from the old site, read from a copy of its uploads, or left where they are. One that
 * can not be stored is reported and stays on the old site, where a later import tries it again.
 */

import type { Json, MaybePromise } from '../../../contract/storage.ts'
import { mayBeWritten } from '../../../core/runtime/unit-of-work.ts'
import { attachedFileKey, attachmentMetadataKey, importedStoredKey } from '../../../site/post-keys.ts'
import { inOneTransaction, type ManagementContext, type MediaFiles } from '../../context.ts'
import type { ReportBuilder } from '../report.ts'
import { createOldAddresses } from './addresses.ts'
import { type Details, importedMedia, type MediaRecord, toImported } from './records.ts'
import { MediaRewrite } from './rewrite.ts'
import { rewritePosts } from './rewrite-posts.ts'

/** Where the files of media come from: `fetch` from the old site, `link` leaves them there, or a copy of its uploads. */
export type ImportedFileSource =
  | 'fetch'
  | 'link'
  | {
      /** The file at a path below the uploads, such as `2023/05/pier.jpg`; undefined: there is none. */
      open(path: string): MaybePromise<AsyncIterable<Uint8Array> | undefined>
    }

interface MediaImportOptions {
  readonly source: ImportedFileSource
  readonly report: ReportBuilder
  readonly progress?: (done: { readonly done: number; readonly total: number }) => void
}

/** Files that are fetched at the same time. */
const concurrency = 4

export async function importMediaFiles(
  context: ManagementContext,
  { source, report, progress }: MediaImportOptions,
): Promise<MediaRewrite | undefined> {
  const files = context.mediaFiles
  if (!files) throw new TypeError('this site has no place for files')
  const open: MediaRecord[] = []
  for await (const record of importedMedia(context)) {
    if (record.isStored) report.count('files', 'existing')
    else open.push(record)
  }
  let done = 0
  const next = open.values()
  const work = async () => {
    for (const record of next) {
      if (source === 'link') await keepElsewhere(context, record)
      else await storeOrReport(context, record, { files, source, report })
      progress?.({ done: ++done, total: open.length })
    }
  }
  await Promise.all(Array.from({ length: source === 'link' ? 1 : concurrency }, work))
  return rewriteAll(context, files)
}

async function rewriteAll(context: ManagementContext, files: MediaFiles): Promise<MediaRewrite | undefined> {
  const media = []
  for await (const record of importedMedia(context)) media.push(await toImported(record, files))
  if (media.length === 0) return undefined
  const rewrite = new MediaRewrite(createOldAddresses(media))
  await rewritePosts(context, rewrite)
  return rewrite
}

interface StoreOptions {
  readonly files: MediaFiles
  readonly source: Exclude<ImportedFileSource, 'link'>
  readonly report: ReportBuilder
}

async function storeOrReport(context: ManagementContext, record: MediaRecord, options: StoreOptions): Promise<void> {
  const { report } = options
  try {
    await storeFirst(record, options)
    report.count('files', 'created')
  } catch (error) {
    if (mayBeWritten(error)) throw error
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message
    report.add('file-missing', reason.slice(0, 200), { line: 0, what: record.url })
    await keepElsewhere(context, record)
  }
}

/** The upload where the file is a smaller copy of it, else the file. Throws the reason of the last one that failed. */
async function storeFirst(record: MediaRecord, { files, source }: StoreOptions): Promise<void> {
  let failure: unknown
  for (const url of candidates(record)) {
    try {
      const content = source === 'fetch' ? { url } : await fromCopy(record, url, source)
      await files.attach(record.id, {
        ...{ content, name: nameIn(url), folder: folderOf(record) },
        meta: markOf(record),
      })
      return
    } catch (error) {
      if (mayBeWritten(error)) throw error
      failure = error
    }
  }
  throw failure
}

/** Known from then on: a later import does not fetch it. */
const markOf = ({ url }: MediaRecord) => ({ [importedStoredKey]: url })

function candidates({ url, old }: MediaRecord): readonly string[] {
  const { original_image: original } = old
  if (typeof original !== 'string' || !URL.canParse(url)) return [url]
  return [new URL(encodeURIComponent(original), url).href, url]
}

async function fromCopy(record: MediaRecord, url: string, { open }: Exclude<ImportedFileSource, string>) {
  const path = `${pathFolder(record)}${nameIn(url)}`
  // The whole uploads of a network have a folder for each site: it comes first, because another site may have a file of the same name.
  const content = (await openInNetwork(record, path, open)) ?? (await open(path))
  if (content === undefined) throw new Error(`there is no file ${path} in the folder`)
  return content
}

async function openInNetwork(
  { url }: MediaRecord,
  path: string,
  open: Exclude<ImportedFileSource, string>['open'],
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const [, current, former] = siteFolder.exec(url) ?? []
  const folder = current ?? former
  return folder === undefined ? undefined : open(`${folder}${path}`)
}

/** The folder that the uploads of a site of a network have in those of all. */
const siteFolder = /\/(?:uploads\/(sites\/\d+\/)|(blogs\.dir\/\d+\/files\/))/

function nameIn(url: string): string {
  const name = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name) || 'file'
  } catch {
    return name
  }
}

const belowUploads = /\/(?:uploads|blogs\.dir\/\d+\/files)\/(?:sites\/\d+\/)?([^?#]*)$/

/** Returns the folder below the uploads of the old site: from the path in the export, else from the address. */
function pathFolder({ path, url }: MediaRecord): string {
  const known = /^https?:/i.test(path) ? (belowUploads.exec(url)?.[1] ?? '') : path
  return known.slice(0, known.lastIndexOf('/') + 1)
}

/** By month, as uploads are. */
function folderOf(record: MediaRecord): string {
  const [month = `${record.date.slice(0, 7).replace('-', '/')}/`] = /^\d{4}\/\d{2}\//.exec(pathFolder(record)) ?? []
  return month
}

/** Shows the file, and its sizes, from the old site. */
async function keepElsewhere(
  { storage }: ManagementContext,
  { id, url, path, details, old }: MediaRecord,
): Promise<void> {
  if (path === url) return
  const { width, height } = details
  const value: Details = {
    file: url,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...old,
  }
  await inOneTransaction(storage, async (transaction) => {
    await transaction.posts.update([{ id, changes: {} }])
    await transaction.meta.write('post', [
      { id, key: attachedFileKey, value: url },
      { id, key: attachmentMetadataKey, value: value as Json },
    ])
  })
}
