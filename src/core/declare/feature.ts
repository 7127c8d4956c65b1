/** A feature: its endpoints, and what else it adds to a site. A plain value; declaring does no work. */

import type { Collection, Json, MaybePromise, RecordValues, Storage } from '../../contract/storage.ts'
import type { EmbeddedReferences } from '../../contract/stored-references.ts'
import type { FeatureOption } from '../../site/settings.ts'
import type { ChangeObserver } from '../changes/row-change.ts'
import type { AppContext } from './app-context.ts'
import type { Arg, Args } from './args.ts'
import type { Context, HookContext } from './context.ts'
import type { Contributed, ReadContributions } from './contributions.ts'
import type { AnyEndpoint } from './endpoint.ts'
import type { EventName, EventPayloads, Hook, PendingEvent } from './events.ts'
import type { BackgroundWork, ScheduledTask } from './scheduled-task.ts'

/** Loads the records behind links of one shape, all in one call, for `_embed`. */
export interface Embedder {
  /** Matches the path of a link below the root. */
  readonly path: RegExp
  readonly load: (links: readonly URL[], context: Context) => MaybePromise<ReadonlyMap<string, unknown>>
}

/** The data that a feature stores besides posts, pages, media and revisions. Seed and export include it. */
export interface PersistedData {
  readonly postTypes?: readonly string[]
  /** Taxonomies besides categories and tags. */
  readonly taxonomies?: readonly string[]
  readonly collections?: readonly PersistedCollection[]
  /** Meta keys of posts whose values are ids, and of what: a `post` or a `term`. Documents have references there. */
  readonly metaReferences?: { readonly [key: string]: 'post' | 'term' }
  /** Meta keys of posts whose values have ids inside. Documents have references there, too. */
  readonly embeddedReferences?: { readonly [metaKey: string]: EmbeddedReferences }
  /** How ids in contents and excerpts are found. */
  readonly textReferences?: EmbeddedReferences
  /** Members of site documents that only this feature knows, such as `menus`. */
  readonly sections?: readonly DocumentSection[]
  /** The fields that are stored as meta: of posts by type, of terms by taxonomy, of users, and of records by collection. */
  readonly fields?: FieldsOfRows
  /** Where the comments of an import go; without it they are left out. */
  readonly comments?: CommentRows
  /** By type of posts: how its items are read from the meta of a file. Other types keep their meta under its own keys. */
  readonly items?: { readonly [postType: string]: FileItems }
  /** How the settings of a stored kit become those of the site. */
  readonly kit?: KitRules
  /** Options that kits have in files beside their settings, by the name of the file. */
  readonly kitFiles?: { readonly [file: string]: KitFileRules }
  /** Options that the feature stores for itself, such as locks and keys. An export leaves them out. */
  readonly options?: readonly FeatureOption[]
}

/** The declared fields of rows. A seed, an import and `api.site` store them in their declared types, as the routes do. */
interface FieldsOfRows {
  readonly posts?: { readonly [type: string]: Args }
  readonly terms?: { readonly [taxonomy: string]: Args }
  /** Terms of all taxonomies have these. */
  readonly everyTerm?: Args
  readonly users?: Args
  /** Rows of these collections have them in their field `meta`. */
  readonly records?: { readonly [collection: string]: Args }
}

/** The meta of an item of a file, with serialized values as JSON. */
export interface FileMeta {
  readonly [key: string]: Json
}

/** The items of a type in files, which have other meta than the rows. */
export interface FileItems {
  readonly fromFile: (meta: FileMeta, neutralWord: (word: string) => string) => ImportedItem
  readonly toFile: (item: ImportedItem, fileWord: (word: string) => string) => FileMeta
}

/** The values that an item of a file keeps. Numbers are ids of the file; 0: none. */
export interface ImportedItem {
  readonly meta: { readonly [key: string]: Json }
  readonly parent: number
  /** By meta key, the post or the term whose id is stored there. */
  readonly references: { readonly [metaKey: string]: { readonly kind: 'post' | 'term'; readonly number: number } }
}

/** A kit is a document whose page settings are the design of the whole site. */
export interface KitRules {
  /** The options that a site has as soon as its kit is changed; the first one is the id of the kit. */
  readonly stored: readonly string[]
  /** `onProblem` receives the name of a setting of which something is left out. */
  readonly optionsOf: (kit: StoredKit, onProblem: (setting: string) => void) => MaybePromise<KitOptions>
  /** The way back: the settings of a kit document, of the options that are stored. */
  readonly settingsOf: (options: { readonly [name: string]: Json }) => StoredKit['settings']
}

/** How an option becomes a file of a kit, and the way back. */
export interface KitFileRules {
  readonly option: string
  /** The value of the option with what the file adds. Documents name its members by their ids, which stay. */
  readonly withFile: (stored: Json | undefined, file: Json, rules: TakenFile) => Json
  /** Undefined where the site has nothing to write. */
  readonly fileOf: (stored: Json | undefined) => Json | undefined
}

export interface TakenFile {
  /** Members of the site with the same ids get the values of the file. */
  readonly replaces: boolean
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  /** Receives the id of a member that is left out. */
  readonly onProblem: (id: string) => void
}

export interface StoredKit {
  readonly id: number
  readonly settings: { readonly [name: string]: Json }
  /** The kit may bring custom CSS. */
  readonly mayStyle: boolean
}

export interface KitOptions {
  readonly options: { readonly [name: string]: Json }
  /** The global items that change. */
  readonly changed: readonly { readonly kind: 'colors' | 'typography'; readonly id: string }[]
}

/** The collection of comments, and how its rows are made. */
export interface CommentRows {
  readonly collection: Collection
  readonly row: (comment: ImportedComment) => RecordValues
}

/** A comment of another system, with ids of this site. */
interface ImportedComment {
  readonly post: number
  /** 0: the comment begins a thread. */
  readonly parent: number
  /** 0: a visitor, or a user who is not on this site. */
  readonly author: number
  readonly authorName: string
  readonly authorEmail: string
  readonly authorUrl: string
  readonly authorIp: string
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  /** HTML as written. */
  readonly content: string
  /** `approved`, `hold`, `spam`, `trash` or `post-trashed`. */
  readonly status: string
  readonly type: string
  /** By key, with declared fields in their types; absent: it has none. */
  readonly meta?: { readonly [key: string]: Json }
}

/**
 * A member of a site document: a list of entries that are shorter to write than the rows they stand for. A seed expands
 * them; an export writes the rows.
 */
export interface DocumentSection {
  /** `menus`. */
  readonly member: string
  /** The schema of one entry: an object without other members. */
  readonly entry: Arg
  readonly expand: (entry: never) => ExpandedEntries
}

/** Reads entries of the common members of a document, each with the kind of its key: `menu` for `menu.main`. */
export interface ExpandedEntries {
  /** The entries have the form of `terms`. */
  readonly terms?: readonly ExpandedEntry[]
  /** The entries have the form of `documents`. */
  readonly documents?: readonly ExpandedEntry[]
  /** Rows of collections, in which fields that refer to other rows hold references: `post.hello`. */
  readonly records?: readonly (ExpandedEntry & {
    readonly collection: string
    readonly row: { readonly [field: string]: Json }
  })[]
}

interface ExpandedEntry {
  readonly kind: string
  readonly key: string
  readonly [member: string]: unknown
}

export interface PersistedCollection {
  readonly collection: Collection
  /** The fields that hold ids, and of what: a `post` (of any type), a `user`, a `term`, or a row of the named collection. */
  readonly references?: { readonly [field: string]: string }
  /** Fields computed from others or from the id: an export leaves them out, and the feature computes them again. */
  readonly derived?: readonly string[]
  /** The history keeps its changes. Records about persons must not say so: the history outlives them. */
  readonly isHistorical?: true
}

/** The parts of an api that writes of the host use. */
export interface SiteParts {
  readonly storage: Storage
  readonly app: AppContext
  /** Opens the storage on first use. */
  readonly ready: () => MaybePromise<void>
  /** Emits events after a commit. Settles when their `afterCommit` is done. */
  readonly emit: (events: readonly PendingEvent[]) => MaybePromise<void>
}

/** The parts of an api that an extension of `api.site` uses. No permission is checked there: the host calls it. */
export interface ExtensionOptions extends SiteParts {
  /** Runs an endpoint as `api.call` does: with the id of a user, or 'system'. */
  readonly call: (
    method: string,
    path: string,
    args: { readonly [name: string]: unknown },
    options: { readonly as: number | 'system'; readonly dryRun?: boolean },
  ) => Promise<{ readonly data: unknown }>
}

/** The members that a feature adds to `api.site`: by name, a function that makes each. */
type SiteExtensionFactories<X = { readonly [name: string]: unknown }> = {
  readonly [K in keyof X]: (options: ExtensionOptions) => X[K]
}

/** Runs after the commit of an event, such as sending a mail. A failure is logged and fails no request. */
export type FeatureListeners = {
  readonly [N in EventName]?: (payload: EventPayloads[N], context: ListenerContext) => MaybePromise<void>
}

type ListenerContext = Pick<Context, 'storage' | 'app' | 'settings'>

/** Makes an observer of the storage. `app` answers as soon as the observer gets changes. */
export type MakeObserver = (parts: { readonly app: () => AppContext }) => ChangeObserver

/**
 * The services that a feature brings, by name: a function makes each, once for an api. Code that several features share asks the
 * `services` of the api, and does without the ones that no feature of the profile brings. A service of the host replaces them.
 */
export type BroughtServices = { readonly [name: string]: () => unknown }

/** A feature as the pipeline sees it: its endpoints and what else it adds to a site. Made by `feature`. */
export interface Feature {
  readonly name: string
  readonly namespace: string
  readonly endpoints: readonly AnyEndpoint[]
  readonly embedders: readonly Embedder[]
  readonly persisted: PersistedData
  readonly scheduledTask?: ScheduledTask | readonly ScheduledTask[]
  readonly background?: BackgroundWork
  /** Runs when another feature emits an event, before the commit. */
  readonly hooks?: Hook<HookContext>
  readonly listeners?: FeatureListeners
  /** Gets each change of the storage, whoever makes it. Where no feature has one, the storage is not wrapped. */
  readonly observer?: MakeObserver
  readonly contributes?: Contributed
  /** The endpoints as a profile has them, where arguments depend on what its features contribute: their enums. */
  readonly completed?: (contributions: ReadContributions) => readonly AnyEndpoint[]
  /** The mistakes of its declaration, one sentence each, beside the others of a profile. `createSiteApi` throws them. */
  readonly problems?: (others: readonly Feature[]) => readonly string[]
  /** The declaration that it was made from, for other declarations: `taxonomy()` keeps it for content types. */
  readonly declaration?: unknown
  /** The history keeps all records that it answers with: it can be read as of a moment. */
  readonly isHistorical?: true
  /** Becomes part of `api.site` in profiles that have the feature. */
  readonly siteExtensions?: SiteExtensionFactories
  readonly services?: BroughtServices
}

/** The services that these features bring: of one name, that of the last feature. */
export const servicesOf = (features: readonly Pick<Feature, 'services'>[]): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(Object.assign({}, ...features.map(({ services }) => services)) as BroughtServices).map(
      ([name, make]) => [name, make()],
    ),
  )

/** A feature that keeps the types of its endpoints, for typed clients, and of what it adds to `api.site`. */
export interface DeclaredFeature<N extends string = string, E extends AnyEndpoint = AnyEndpoint, X = unknown>
  extends Feature {
  readonly namespace: N
  readonly endpoints: readonly E[]
  /** Type carrier; absent at run time. */
  readonly '~site'?: X
}

/**
 * The members that these features add to `api.site`. A feature without extensions adds nothing: its carrier has no
 * members.
 */
export type ExtensionsOf<F extends Feature> = Intersection<ExtensionsIn<F>>
type ExtensionsIn<F> = F extends { readonly '~site'?: infer X } ? ([keyof X] extends [never] ? never : X) : never
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/** The parts that a feature may have besides its endpoints. */
export interface FeatureParts<X = unknown> extends Partial<Pick<Feature, 'embedders' | 'persisted'>> {
  readonly scheduledTask?: ScheduledTask | readonly ScheduledTask[]
  readonly background?: BackgroundWork
  readonly hooks?: Hook<HookContext>
  readonly listeners?: FeatureListeners
  readonly observer?: MakeObserver
  readonly contributes?: Contributed
  readonly completed?: Feature['completed']
  readonly problems?: Feature['problems']
  readonly isHistorical?: true
  readonly siteExtensions?: SiteExtensionFactories<X>
  readonly services?: BroughtServices
}

/**
 * Declares a feature: endpoints below one namespace. Names and namespaces are checked by `createSiteApi`.
 *
 * ```ts
 * import { anyone, endpoint, feature } from 'site-api'
 *
 * export const clock = feature('clock', 'host/v1', [
 *   endpoint({ path: '/now', methods: ['GET'], args: {}, permission: anyone, handler: () => ({ now: Date.now() }) }),
 * ])
 * ```
 */
export function feature<const N extends string, const E extends readonly AnyEndpoint[], X = unknown>(
  name: string,
  namespace: N,
  endpoints: E,
  { embedders = [], persisted = {}, ...more }: FeatureParts<X> = {},
): DeclaredFeature<N, E[number], X> {
  return { name, namespace, endpoints, embedders, persisted, ...more }
}
