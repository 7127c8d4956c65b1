/**
 * An endpoint: a plain value from which the router, the argument checks, the handler's types, the site index, OpenAPI and the
 * client's types are made. Declaring does no work.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { AppContext } from './app-context.ts'
import type { Args, ArgValues } from './args.ts'
import type { Context } from './context.ts'
import type { EndpointExample } from './documentation.ts'
import type { ErrorBody } from './errors.ts'
import type { Readable } from './pattern.ts'
import type { Permission } from './permissions.ts'
import type { BodyArguments, Incoming } from './request.ts'
import type { Responses } from './response-schema.ts'
import type { Result } from './result.ts'

/** The methods that endpoints serve. HEAD and OPTIONS are answered from the declarations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * Interface: POST, PUT and PATCH on one record do the same.
 *
 * ```ts
 * import { args, EDITABLE, endpoint, signedIn } from 'site-api'
 *
 * export const rename = endpoint({
 *   path: '/name',
 *   methods: EDITABLE,
 *   args: { name: args.required(args.str()) },
 *   permission: signedIn,
 *   handler: ({ args: { name } }) => ({ name }),
 * })
 * ```
 */
export const EDITABLE = ['POST', 'PUT', 'PATCH'] as const satisfies readonly Method[]

/** The declaration of an endpoint. `A` are its arguments, `S` is the record in its path, `R` its result. */
export interface Endpoint<A extends Args = Args, S = unknown, R = unknown> {
  /** The exact pattern that the index publishes, below the namespace. */
  readonly path: string
  /** The methods that it serves; HEAD and OPTIONS come with them. */
  readonly methods: readonly Method[]
  /** The arguments by name, in path, query and body: checked before the handler runs, and published in the index. */
  readonly args: A
  /** Says in a few words what it does, for the OpenAPI document and the docs page. */
  readonly summary?: string
  /** A request that works, for the OpenAPI document and the form of the docs page. Not part of the site index. */
  readonly example?: EndpointExample<ArgValues<A>>
  /** Listed in the index with this flag, and callable from a batch. */
  readonly batch?: boolean
  /** Answers, but is no part of the interface: pages for people. */
  readonly unlisted?: boolean
  /**
   * False where the site lacks what it needs, such as a place for files: it answers with an error that says so, and the index, `Allow` and
   * the OpenAPI document leave it out. Default: true.
   */
  readonly isOffered?: (app: AppContext) => boolean
  /** Finds what the path names, and throws 404 when it is not there: existence comes before permission. */
  readonly resource?: (context: Context<ArgValues<A>, undefined>) => MaybePromise<S>
  /** Who may call it: `anyone`, `signedIn`, `can('capability')`, or one of `permission(who, check)`. */
  readonly permission: Permission<ArgValues<A>, S>
  /**
   * A caller who may not call it for any record is refused before the record is looked up, so that the response does not
   * disclose which exist.
   */
  readonly hidesRecords?: boolean
  /** Answers a page of a listing (`pageOf`): the headers have its totals and the pages around it. */
  readonly paged?: boolean
  /** Declares the response of a success by its status: for the OpenAPI document and the types of clients. */
  readonly responses?: Responses
  /** Answers a call: returns the data, or a `result` with status and headers. */
  readonly handler: (context: Context<ArgValues<A>, S>) => MaybePromise<R>
  /**
   * Requests of a batch may run side by side: none reads what another one writes, apart from slugs, which a storage merges
   * (runtime/merged-storage.ts).
   */
  readonly isIndependent?: boolean
  /**
   * The responses follow from the storage, the settings, the arguments and the sender alone: not from the time, a header or another
   * service. They are cached until a write touches what they were made from, up to `limits.responseBytes`: those to visitors for all of
   * them, those to a user for this user. `by-column`: they show few columns of the posts that they read, and the other columns do not end
   * them.
   */
  readonly cacheable?: boolean | 'by-column'
  /** Makes the record's answers conditional: ETag and 304 on reads, If-Match and 412 on writes. */
  readonly etag?: (context: Context<ArgValues<A>, S>) => MaybePromise<EntityTag>
  /**
   * The same for documents whose writes have no row at hand (options, meta, lists): reads their state from the storage, and reads it once
   * more for the tag of the response to a write. A write with neither refuses the headers of conditions.
   */
  readonly stored?: (context: Context<ArgValues<A>, S>) => MaybePromise<StoredState>
  /** A stale write is merged, for clients that ask for it (`Prefer: merge`). Absent: it is refused. */
  readonly merges?: MergeRule<ArgValues<A>, S>
  /**
   * False for handlers that wait for the outside world, which must not hold a transaction meanwhile; `own` for those that open the
   * transaction themselves and may run inside another.
   */
  readonly atomic?: boolean | 'own'
  /** The body may be of any type and form; it is handed over as `context.body`. */
  readonly takesAnyBody?: boolean
  /**
   * Reads the body instead of the pipeline: for bodies that are files. Runs after the sign-in and before the arguments are
   * checked; throws the error of a caller who may not send one. `dispose` runs when the request has been answered.
   */
  readonly receive?: (
    incoming: Incoming,
    context: Pick<Context, 'app' | 'user' | 'settings'>,
  ) => MaybePromise<ReceivedBody | undefined>
  /** The response holds a secret that is shown once: it is not kept for requests that are sent again with an Idempotency-Key. */
  readonly showsSecret?: boolean
  /** The handler reads undeclared members of the body (`context.sent`), so that none of them is a mistake. */
  readonly takesAnyMembers?: boolean
  /** Below the general limit for routes that take small bodies only. */
  readonly bodyLimitBytes?: number
  /** For pages: shows people what was refused, whatever refused it. The settings are missing when they could not be read. */
  readonly errorPage?: (refusal: ErrorBody, settings: Settings | undefined) => Result
}

/** Values by the name of the argument that writes them. */
export type ArgumentValues = { readonly [argument: string]: unknown }

/** How the arguments of a write are merged. */
export interface MergeRule<A = { readonly [name: string]: unknown }, S = unknown> {
  /** The values that the arguments would have to write the record as it is. Absent: GET at the same address answers with them. */
  readonly values?: (context: Context<A, S>) => MaybePromise<ArgumentValues>
  /** The arguments as they are merged, where these are others than those that were sent. */
  readonly sent?: (context: Context<A, S>) => ArgumentValues
  /** The arguments whose absent members stay as they are, such as `meta`. */
  readonly partial?: readonly string[]
  /** True: a write without an argument leaves its value. Then values that are stored already are left out of the merged write. */
  readonly keepsAbsent?: true
  /** The values of a revision that a client names as its base; undefined: the record has no such revision. */
  readonly revision?: (context: Context<A, S>, revision: number) => MaybePromise<ArgumentValues | undefined>
}

/** A body that an endpoint has read itself; undefined instead of it: the pipeline reads it. */
export interface ReceivedBody {
  readonly args: BodyArguments | undefined
  /** The handler gets it as `context.body`. */
  readonly whole: unknown
  /** A digest of the bytes, by which a request with an `Idempotency-Key` is compared; the handler may have read them, or reads them after. */
  readonly digest?: () => Promise<string>
  readonly dispose?: () => Promise<void>
}

/**
 * The state of a record (title, text, status, ...), and everything else that its response depends on. Letters and digits
 * only.
 */
export interface EntityTag {
  readonly state: string
  /** Absent: reads make the answer and take its digest, which saves the body but not the work. */
  readonly view?: string
}

/** The state of a document, for conditions: `storedState` of core/pipeline/etag.ts makes one. */
export interface StoredState {
  /** Letters and digits, which differ after each change; absent: there is no such document. */
  readonly state?: string
  /** Whether `*` matches. It differs from having a state where the path names a part of a document that is read as a whole. */
  readonly exists: boolean
  /** The states of documents that hold this one, which clients may read in its place. They are read for a condition alone. */
  readonly within?: () => MaybePromise<readonly string[]>
}

/** An endpoint whose inner types no longer matter. Handlers are only ever called with what their own schema made. */
export type AnyEndpoint = Endpoint<Args, never, unknown> | Endpoint<Args, unknown, unknown>

/** The types of clients derive from these. The last member is absent at run time: it carries the types. */
export interface DeclaredEndpoint<
  P extends string = string,
  M extends Method = Method,
  A extends Args = Args,
  W extends Responses = Responses,
  B extends boolean = boolean,
> extends Endpoint<Args, unknown, unknown> {
  readonly '~declared'?: { path: P; method: M; args: A; responses: W; batch: B } | undefined
}

type Declaration<
  A extends Args,
  S,
  R,
  P extends string,
  M extends Method,
  W extends Responses,
  B extends boolean,
> = Endpoint<A, S, R> & {
  /** The path below the namespace; `digits('id')` and `parameter('slug', …)` are its parameters. */
  readonly path: P
  /** The methods that it serves; HEAD and OPTIONS come with them. */
  readonly methods: readonly M[]
  readonly responses?: W
  readonly batch?: B
}

/** Nothing has this type: the message of the compiler quotes its sentence. */
interface Refused<S extends string> {
  readonly '~refused': S
}

/** A path of any text would let clients call any path: only the patterns of its parameters may be wide. */
export type LiteralPath<P extends string> =
  Record<never, never> extends { readonly [K in Readable<P>]: true }
    ? Refused<'Write the path as a literal, or a template of literals with `as const`: clients know the route by it.'>
    : unknown

/** Declares an endpoint. With `Checked` the compiler refuses a path that is not a literal. */
type Declare<Checked extends boolean> = <
  const A extends Args,
  S = undefined,
  R = unknown,
  const P extends string = string,
  const M extends Method = Method,
  const W extends Responses = Responses,
  const B extends boolean = false,
>(
  declaration: Declaration<A, S, R, P, M, W, B> & (Checked extends true ? { readonly path: LiteralPath<P> } : unknown),
) => DeclaredEndpoint<Readable<P>, M, A, W, B>

/**
 * Declares an endpoint: one value from which routing, checks, index, OpenAPI and the types of clients follow.
 *
 * ```ts
 * import { anyone, args, endpoint } from 'site-api'
 *
 * export const greet = endpoint({
 *   path: '/greeting',
 *   methods: ['GET'],
 *   args: { name: args.required(args.str({ maxLength: 40 })) },
 *   permission: anyone,
 *   handler: ({ args: { name } }) => ({ text: `Hello, ${name}` }),
 * })
 * ```
 */
export const endpoint: Declare<true> = (declaration) =>
  // The cast: the pipeline calls it only with values that passed its own schema.
  declaration as never

/** The same for a path below a base that a function is given: the text is known where that function is called. */
export const endpointBelow: Declare<false> = endpoint as never

/** Whether the site has what the endpoint needs. */
export const isOffered = (declared: Pick<AnyEndpoint, 'isOffered'>, app: AppContext): boolean =>
  declared.isOffered?.(app) ?? true
