/**
 * Endpoint, feature and profile: plain values from which the router, the checks, the handler's types, the site index and
 * everything else a client can learn is made. Declaring does no work.
 */

import type { Settings } from '../../site/settings.ts'
import type { Collection, Storage } from '../../storage/contract.ts'
import type { UpkeepTask } from '../pipeline/scheduled-tasks.ts'
import type { BodyArguments } from '../request/body.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Eventually } from '../runtime/maybe-promise.ts'
import type { Site } from './app-context.ts'
import type { Args, ArgValues } from './args.ts'
import type { ApiError, ErrorBody } from './errors.ts'
import type { EventName, EventPayloads, Follower, PendingEvent } from './events.ts'
import type { Readable } from './pattern.ts'
import type { Actor } from './permissions.ts'
import type { Answers } from './response-schema.ts'
import type { Answer, Reply } from './result.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Interface: POST, PUT and PATCH on one record do the same. */
export const EDITABLE = ['POST', 'PUT', 'PATCH'] as const satisfies readonly Method[]

/** One call of an endpoint: everything a permission or a handler may use. */
export interface Call<A = { readonly [name: string]: unknown }, S = unknown> {
  readonly args: A
  /** What the endpoint's `subject` found. */
  readonly subject: S
  readonly user: Actor
  /** Inside the request's own transaction when the endpoint writes. */
  readonly storage: Storage
  readonly site: Site
  readonly settings: Settings
  readonly incoming: Incoming
  /** All that the body carried, unchecked: only for endpoints whose body has no fixed form. */
  readonly sent: BodyArguments | undefined
  /** The whole body where the endpoint takes one of any form: a list, a text. */
  readonly body: unknown
  /** The route as it stands in the index, below the root. */
  readonly route: string
  /** Told to listeners once everything is committed; forgotten when the request fails. */
  emit<N extends EventName>(name: N, payload: EventPayloads[N]): void
  /** Runs another request with the same identity, in the storage that is given. Batch is made of it. */
  readonly within: Within
}

export interface Within {
  /** Errors that a client made come as replies; a failure of the storage is thrown. */
  run(incoming: Incoming, options: RunOptions): Eventually<Reply>
  /** Checks route and arguments of a request without running it; the error when they do not hold. */
  validate(incoming: Incoming, accept: Accept): Eventually<ApiError | undefined>
  /** Has the events of inner requests told once the outer one is committed. */
  tell(events: readonly PendingEvent[]): void
}

/** Answers an error instead of running an endpoint, e.g. for routes that batch may not call. */
export type Accept = (endpoint: AnyEndpoint) => ApiError | undefined

export interface RunOptions {
  readonly storage: Storage
  readonly accept?: Accept
  /** True: the caller holds the transaction, and takes back what a failed request wrote. */
  readonly insideTransaction: boolean
  /** Where the request's events are put if it succeeds. */
  readonly events: PendingEvent[]
}

/** Who may call. `check` answers the refusal, or nothing. It changes nothing: OPTIONS asks it for each method. */
export interface Permission<A = never, S = never> {
  /**
   * In words, for the documentation and the permission table: `anyone`, `signed in`, `edit_posts`, ... It begins with
   * `anyone` where a visitor may be let through, and is nothing else where nobody is refused.
   */
  readonly who: string
  readonly check: (call: Call<A, S>) => Eventually<ApiError | undefined>
}

export interface Endpoint<A extends Args = Args, S = unknown, R = unknown> {
  /** The exact pattern that the index publishes, below the namespace. */
  readonly path: string
  readonly methods: readonly Method[]
  readonly args: A
  readonly summary?: string
  /** Listed in the index with this flag, and callable from a batch. */
  readonly batch?: boolean
  /** Answers, but is no part of the interface: pages for people. */
  readonly unlisted?: boolean
  /** Finds what the path names, and throws 404 when it is not there: existence comes before permission. */
  readonly subject?: (call: Call<ArgValues<A>, undefined>) => Eventually<S>
  readonly permission: Permission<ArgValues<A>, S>
  /** Answers a page of a listing (`pageOf`): its totals and the pages around it stand in the headers. */
  readonly paged?: boolean
  /** What a success answers, by its status: for the OpenAPI document and the types of clients. */
  readonly answers?: Answers
  readonly handler: (call: Call<ArgValues<A>, S>) => Eventually<R>
  /** Makes the record's answers conditional: ETag and 304 on reads, If-Match and 412 on writes. */
  readonly tag?: (call: Call<ArgValues<A>, S>) => Eventually<Tag>
  /** False for handlers that wait for the outside world, which must not hold a transaction meanwhile. */
  readonly atomic?: boolean
  /** The body may be of any type and form; it is handed over as `call.body`. */
  readonly takesAnyBody?: boolean
  /** Below the general limit for routes that take small bodies only. */
  readonly bodyLimitBytes?: number
  /** For pages: shows people what was refused, whatever refused it. The settings are missing when they could not be read. */
  readonly refusalPage?: (refusal: ErrorBody, settings: Settings | undefined) => Answer
}

/** What state a record is in (title, text, status, ...), and what else its answer depends on. Letters and digits only. */
export interface Tag {
  readonly state: string
  readonly view: string
}

/** An endpoint whose inner types no longer matter. Handlers are only ever called with what their own schema made. */
export type AnyEndpoint = Endpoint<Args, never, unknown> | Endpoint<Args, unknown, unknown>

/** What the types of clients are made of. The last member is never there: it carries the types. */
export interface DeclaredEndpoint<
  P extends string = string,
  M extends Method = Method,
  A extends Args = Args,
  W extends Answers = Answers,
  B extends boolean = boolean,
> extends Endpoint<Args, unknown, unknown> {
  readonly '~declared'?: { path: P; method: M; args: A; answers: W; batch: B }
}

export function endpoint<
  const A extends Args,
  S = undefined,
  R = unknown,
  const P extends string = string,
  const M extends Method = Method,
  const W extends Answers = Answers,
  const B extends boolean = false,
>(
  declaration: Endpoint<A, S, R> & {
    readonly path: P
    readonly methods: readonly M[]
    readonly answers?: W
    readonly batch?: B
  },
): DeclaredEndpoint<Readable<P>, M, A, W, B> {
  // The cast: from here on the machine calls it, and only with values that passed its own schema.
  return declaration as unknown as DeclaredEndpoint<Readable<P>, M, A, W, B>
}

/** Answers the records behind links of one shape, all at once, for `_embed`. */
export interface Embedder {
  /** Matches the path of a link below the root. */
  readonly path: RegExp
  readonly load: (links: readonly URL[], call: Call) => Eventually<ReadonlyMap<string, unknown>>
}

/** What a feature stores that is no post, page, medium or revision: seed and export carry it along. */
export interface Keeps {
  readonly postTypes?: readonly string[]
  readonly collections?: readonly KeptCollection[]
  /** Options that are left behind, because they tell of this moment only: who holds a lock, whose turn it is. */
  readonly passingOptions?: readonly string[]
}

export interface KeptCollection {
  readonly collection: Collection
  /** The fields that hold ids, and of what: a `post` (of any type), a `user`, a `term`, or a row of the collection that is named. */
  readonly references?: { readonly [field: string]: string }
  /** Fields that follow from others, or from the id: an export leaves them out, and the feature makes them again. */
  readonly derived?: readonly string[]
}

/** What features add to `api.site`, by name. Declared by merging, beside the feature's code. */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be merged into, and core names no member of a feature
export interface SiteExtensions {}

/** What such an addition works with. Nobody's rights are asked in it. */
export interface ExtensionParts {
  readonly storage: Storage
  readonly site: Site
  /** Opens the storage on first use. */
  readonly ready: () => Eventually<void>
  readonly tell: (events: readonly PendingEvent[]) => void
}

export type SiteExtenders = { readonly [K in keyof SiteExtensions]?: (parts: ExtensionParts) => SiteExtensions[K] }

export interface Feature {
  readonly name: string
  readonly namespace: string
  readonly endpoints: readonly AnyEndpoint[]
  readonly embedders: readonly Embedder[]
  readonly keeps: Keeps
  readonly upkeep?: UpkeepTask
  readonly follows?: Follower<Following>
  /** Becomes part of `api.site` where a profile has the feature. */
  readonly siteExtensions?: SiteExtenders
}

/** What a follower may use. */
export type Following = Pick<Call, 'storage' | 'site' | 'settings' | 'user' | 'emit'>

/** A feature that remembers its endpoints, for the types of clients. */
export interface DeclaredFeature<N extends string = string, E extends AnyEndpoint = AnyEndpoint> extends Feature {
  readonly namespace: N
  readonly endpoints: readonly E[]
}

export function feature<const N extends string, const E extends readonly AnyEndpoint[]>(
  name: string,
  namespace: N,
  endpoints: E,
  { embedders = [], keeps = {}, ...more }: Partial<Omit<Feature, 'name' | 'namespace' | 'endpoints'>> = {},
): DeclaredFeature<N, E[number]> {
  return { name, namespace, endpoints, embedders, keeps, ...more }
}

export interface Profile {
  readonly name: string
  readonly features: readonly Feature[]
  /** Interface: how the site index sends `gmt_offset`. */
  readonly gmtOffset: 'text' | 'number'
}

/** A profile that remembers its features, for the types of clients. */
export interface DeclaredProfile<F extends Feature = Feature> extends Profile {
  readonly features: readonly F[]
}

export const profile = <F extends Feature>(declaration: DeclaredProfile<F>): DeclaredProfile<F> => declaration
