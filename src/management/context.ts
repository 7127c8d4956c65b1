/** Declares the context that all of `api.site` shares, with helpers that read and write storage in bulk. */

import type { Json, MaybePromise, Storage } from '../contract/storage.ts'
import type { StoredReferences } from '../contract/stored-references.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Context } from '../core/declare/context.ts'
import type {
  DocumentSection,
  KitFileRules,
  KitRules,
  PersistedCollection,
  PersistedData,
} from '../core/declare/feature.ts'
import type { NameMap } from '../names/word-map.ts'
import { categories, tags } from '../site/post-keys.ts'
import type { EmbeddedKinds } from './transfer/embedded.ts'

export interface ManagementContext {
  readonly storage: Storage
  readonly app: Pick<AppContext, 'clock' | 'settings' | 'passwordCost'>
  /** Opens the storage on first use. */
  readonly ready: () => MaybePromise<void>
  /**
   * Runs `work` and the hooks of the events that it queues in one transaction, again where the database asks for it; listeners
   * receive the events after the commit.
   */
  readonly write: <T>(work: (transaction: Storage, queue: Context['emit']) => MaybePromise<T>) => Promise<T>
  readonly runDue: () => Promise<void>
  /** Maps the names in export files to those of the service. */
  readonly fileWords: NameMap
  /** Stores the files of media that a document contains. Without it, such a document is refused. */
  readonly documentFiles?: DocumentFiles
  /** Stores the files of imported media. Without it, records are imported without files. */
  readonly mediaFiles?: MediaFiles
  /** Returns the types of widgets among these that the site does not know. Absent: it draws no documents. */
  readonly unknownWidgets?: (types: readonly string[]) => Promise<readonly string[]>
  /** Returns the settings of a kit that no page shows. Absent: none are named. */
  readonly undrawnKitSettings?: (settings: { readonly [name: string]: Json }) => Promise<readonly string[]>
  /** Reads a zip archive. Without it, kits are refused. */
  readonly readArchive?: ReadArchive
  /** Writes one: the same files make the same bytes. */
  readonly writeArchive?: (files: readonly ArchivedFile[]) => Uint8Array<ArrayBuffer>
  /** Without it, imports report no shortcodes. */
  readonly unknownShortcodes?: UnknownShortcodes
  /** The collections, post types and options of features. Default: none. */
  readonly persisted?: readonly PersistedData[]
}

/** Names what looks like a shortcode in a text and is none of this site. */
export type UnknownShortcodes = (text: string) => readonly string[]

/** Returns the files of an archive; throws an error with the code `archive` for one that is broken or exceeds a limit. */
export type ReadArchive = (
  bytes: Uint8Array,
  limits: {
    readonly files: number
    readonly fileBytes: number
    readonly totalBytes: number
    /** The largest allowed ratio of unpacked to packed size. */
    readonly ratio: number
  },
) => ArchivedFile[]

export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The files of media that a site document contains: pending until the records are written. */
interface DocumentFiles {
  /** Returns the meta value that describes the file, and the paths that are pending. */
  keep(file: {
    readonly path: string
    readonly type: string
    readonly bytes: Uint8Array
  }): Promise<{ readonly details: Json; readonly pending: readonly string[] }>
  /** In the transaction that writes the records. Throws when the files are gone meanwhile. */
  commit(transaction: Storage, pending: readonly string[]): Promise<void>
  /** Removes the files after a failure of that transaction. */
  discard(pending: readonly string[], failure: unknown): Promise<void>
}

/** Stores the files of media records that exist, by the rules of uploads. */
export interface MediaFiles {
  /** Rejects where an upload would be refused. */
  attach(medium: number, file: FileToAttach): Promise<AttachedFile>
  /** The public address of a path. */
  addressOf(path: string): MaybePromise<string>
}

interface FileToAttach {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array> | { readonly url: string }
  /** The folder below the uploads; it ends with a slash. */
  readonly folder: string
  /** Written with the record. */
  readonly meta: { readonly [key: string]: Json }
}

interface AttachedFile {
  readonly path: string
  /** The meta value of the file. */
  readonly details: { readonly [member: string]: Json }
}

/** Runs `work` in a transaction; without one where the storage has none. */
export const inOneTransaction = <T>(storage: Storage, work: (transaction: Storage) => Promise<T>): MaybePromise<T> =>
  storage.atomic ? storage.atomic(work) : work(storage)

/** Rows per read. */
export const windowSize = 500

/** All rows of a query, read in windows. The order has to end in id, so that windows do not overlap. */
export async function readAll<T>(read: (offset: number, limit: number) => MaybePromise<readonly T[]>): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const window = await read(rows.length, windowSize)
    for (const row of window) rows.push(row)
    if (window.length < windowSize) return rows
  }
}

/** The rows of a query in windows. The order has to end in id, so that windows do not overlap. */
export async function* readWindows<T>(
  read: (offset: number, limit: number) => MaybePromise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let offset = 0; ; offset += windowSize) {
    const window = await read(offset, windowSize)
    if (window.length > 0) yield window
    if (window.length < windowSize) return
  }
}

/** Splits rows into lists of at most `windowSize`. */
export function* windowsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += windowSize) yield rows.slice(from, from + windowSize)
}

/** The current time in GMT. */
export const nowGmt = ({ app }: ManagementContext): string => new Date(app.clock()).toISOString().slice(0, 19)

const builtInTypes = ['attachment', 'page', 'post', 'revision']

export const postTypesOf = ({ persisted = [] }: Pick<ManagementContext, 'persisted'>): readonly string[] => [
  ...new Set([...builtInTypes, ...persisted.flatMap(({ postTypes = [] }) => postTypes)]),
]

/** Lists categories, tags and the taxonomies of features. */
export const taxonomiesOf = ({ persisted = [] }: ManagementContext): readonly string[] => [
  ...new Set([categories, tags, ...persisted.flatMap(({ taxonomies = [] }) => taxonomies)]),
]

/** By type of posts, how items of a file are read and written that have more than posts have. */
export const itemRulesOf = ({ persisted = [] }: ManagementContext): NonNullable<PersistedData['items']> =>
  Object.assign({}, ...persisted.map(({ items = {} }) => items))

/** Lists each collection once; several features may name the same one. */
export const collectionsOf = ({ persisted = [] }: ManagementContext): readonly PersistedCollection[] => [
  ...new Map(
    persisted.flatMap(({ collections = [] }) => collections).map((entry) => [entry.collection.name, entry]),
  ).values(),
]

/** Meta keys whose values are ids, and of what. */
export const metaReferencesOf = ({
  persisted = [],
}: Pick<ManagementContext, 'persisted'>): { readonly [key: string]: string } =>
  Object.assign({}, ...persisted.map(({ metaReferences = {} }) => metaReferences))

/** How ids inside values are found: in meta by its key, and in contents and excerpts. */
export const embeddedReferencesOf = ({ persisted = [] }: Pick<ManagementContext, 'persisted'>): EmbeddedKinds => ({
  meta: Object.assign({}, ...persisted.map(({ embeddedReferences = {} }) => embeddedReferences)),
  texts: persisted.find(({ textReferences }) => textReferences)?.textReferences,
})

/** All declarations of where stored rows name other rows. */
export function storedReferencesOf(context: Pick<ManagementContext, 'persisted'>): StoredReferences {
  const { meta, texts } = embeddedReferencesOf(context)
  // The cast: the declarations say so.
  const ids = metaReferencesOf(context) as StoredReferences['meta']
  return { postTypes: postTypesOf(context), meta: ids, embedded: meta, texts }
}

/** The members of site documents that features add. */
export const sectionsOf = ({ persisted = [] }: ManagementContext): readonly DocumentSection[] => [
  ...new Map(persisted.flatMap(({ sections = [] }) => sections).map((section) => [section.member, section])).values(),
]

/** The largest archive of a kit that is read. */
export const kitArchiveBytes = 64 * 1024 * 1024

/** Where kits are stored: the type of their rows, and the meta keys of the type of a document and of its settings. */
export const kitType = 'builder_library'
export const documentTypeKey = '_builder_template_type'
export const settingsKey = '_builder_page_settings'

/** Undefined in a profile without kits. */
export const kitRulesOf = ({ persisted = [] }: ManagementContext): KitRules | undefined =>
  persisted.find(({ kit }) => kit !== undefined)?.kit

/** The options that kits have in files, by the name of the file. */
export const kitFilesOf = ({ persisted = [] }: ManagementContext): ReadonlyMap<string, KitFileRules> =>
  new Map(persisted.flatMap(({ kitFiles = {} }) => Object.entries(kitFiles)))

const featureOptionsOf = ({ persisted = [] }: ManagementContext) => persisted.flatMap(({ options = [] }) => options)

/** How far an import over REST has come. */
export const importStateOption = 'import_state'

/** The types that imports have kept although the profile lacks them. Exports have it, so that a seeded site knows them again. */
export const keptTypesOption = 'kept_types'

export async function readKeptTypes({ options }: Storage): Promise<readonly string[]> {
  const { [keptTypesOption]: stored } = await options.read([keptTypesOption])
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}

/** The context of a site that has these types too. */
export const withTypes = (context: ManagementContext, postTypes: readonly string[]): ManagementContext => ({
  ...context,
  persisted: [...(context.persisted ?? []), { postTypes }],
})

/** Reads all options but those that features store for themselves. */
export async function siteOptions(storage: Storage, context: ManagementContext): Promise<{ [name: string]: Json }> {
  const options = Object.entries(await storage.options.read())
  const excluded = new Set(featureOptionsOf(context).map(({ name }) => name))
  return Object.fromEntries(options.filter(([name]) => !excluded.has(name)))
}

/** The values that remove the computed options, so that the service computes them again after a seed or an import. */
export const clearedDerivedOptions = (context: ManagementContext): { readonly [name: string]: null } =>
  Object.fromEntries(
    featureOptionsOf(context)
      .filter(({ isDerived }) => isDerived)
      .map(({ name }) => [name, null]),
  )

/** The meta of one row in the form that storage writes. */
export const metaEntries = (id: number, meta: { readonly [key: string]: Json }) =>
  Object.entries(meta).map(([key, value]) => ({ id, key, value }))
