/** The types of a client's calls: by method, with the paths and arguments of one profile. */

import type { Method } from '../core/declare/endpoint.ts'
import type { Profile } from '../core/declare/profile.ts'
import type {
  BatchPaths,
  DataOf,
  PagedPaths,
  Parameters,
  PathsOf,
  RouteAt,
  RowOf,
  StatusOf,
} from '../core/pipeline/called-routes.ts'
import type { Explanation } from '../core/pipeline/explanation/explain.ts'
import type { ClientError, Failure, Success, SuccessOf } from './result.ts'
import type { UploadOptions } from './upload.ts'

/** The options of one call. */
export interface CallOptions {
  /** Headers that are sent in addition to those of the client, such as `If-Match`. */
  readonly headers?: { readonly [name: string]: string }
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** The time of each attempt; 0: no timeout. Default: that of the client. */
  readonly timeoutMs?: number
  /** The number of retries, of a write too: its attempts share one Idempotency-Key. Default: that of the client, for GET and HEAD. */
  readonly retries?: number
  /** Replaces the arguments that are not in the path: for endpoints that accept any body. */
  readonly body?: unknown
  /** True: a write is only tried. The result is that of the write, and its `dryRun` lists what it would have changed. */
  readonly dryRun?: boolean
  /**
   * The ETag that was read, or the id of a revision: a write of an older version is merged with what others have saved since. 409
   * (`rest_merge_conflict`) has what both have changed.
   */
  readonly merge?: string | number
  /** The id of a release: a write is kept in it, and a read answers from the site as it would be with it. A token of a preview reads. */
  readonly release?: number | string
  /** Passed to `fetch`: `credentials`, `cache`, extensions of a framework. */
  readonly init?: Omit<RequestInit, 'method' | 'body' | 'headers' | 'signal'>
}

/** Whether errors are returned or thrown. */
type ErrorMode = 'value' | 'throw'
type ResultOf<X extends ErrorMode, S> = Promise<X extends 'throw' ? S : S | Failure>

type Caller<P extends Profile, M extends Method, X extends ErrorMode> = <
  K extends PathsOf<P, M>,
  const F extends string = never,
>(
  path: K,
  ...rest: Parameters<RouteAt<P, M, K>, F, CallOptions>
) => ResultOf<X, SuccessOf<RouteAt<P, M, K>, F>>

type DataAt<P extends Profile, K, F extends string> = DataOf<RouteAt<P, 'GET', K>, StatusOf<RouteAt<P, 'GET', K>>, F>

/** Arguments of the route that fit in a query. */
interface UploadArgs {
  readonly title?: string
  readonly caption?: string
  readonly description?: string
  readonly alt_text?: string
  readonly slug?: string
  readonly status?: 'publish' | 'private'
  readonly author?: number
  readonly post?: number
  readonly generate_sub_sizes?: boolean
}

type Uploaded<P extends Profile> =
  '/cms/v2/media' extends PathsOf<P, 'POST'> ? SuccessOf<RouteAt<P, 'POST', '/cms/v2/media'>> : never

/** The calls of a client, by method. */
export interface Calls<P extends Profile, X extends ErrorMode> {
  /** Reads: `client.get('/cms/v2/posts/{id}', { id: 7 })`. Arguments are sent in the path and the query. */
  readonly get: Caller<P, 'GET', X>
  /** Creates or changes a record. Arguments are sent in the path and a JSON body. */
  readonly post: Caller<P, 'POST', X>
  /** Changes a record, as `post` does. */
  readonly put: Caller<P, 'PUT', X>
  /** Changes a record, as `post` does. */
  readonly patch: Caller<P, 'PATCH', X>
  /** Moves a record to the trash, or removes it with `force: true`. */
  readonly delete: Caller<P, 'DELETE', X>
  /** Sends a HEAD request: the status and headers of a GET, such as the total of a list. */
  head<K extends PathsOf<P, 'GET'>>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, never, CallOptions>
  ): ResultOf<X, Success<StatusOf<RouteAt<P, 'GET', K>>, undefined>>
  /**
   * Uploads a file to `/cms/v2/media`, with the arguments of that route. A failed upload is not repeated.
   *
   * ```ts
   * const { data } = await client.upload(file, { alt_text: 'The pier' }, { onProgress: (sent, total) => show(sent / total) })
   * ```
   */
  upload(file: Blob, args?: UploadArgs, options?: UploadOptions): ResultOf<X, Uploaded<P>>
  /** A call with the method as an argument. */
  request<M extends Method, K extends PathsOf<P, M>, const F extends string = never>(
    method: M,
    path: K,
    ...rest: Parameters<RouteAt<P, M, K>, F, CallOptions>
  ): ResultOf<X, SuccessOf<RouteAt<P, M, K>, F>>
  /**
   * Tells the steps of a call and what would make it pass; nothing is carried out. Over HTTP for administrators. The arguments need not
   * fit the route.
   *
   * ```ts
   * const { data } = await client.explain('POST', '/cms/v2/posts', { status: 'publish' })
   * ```
   */
  explain<M extends Method>(
    method: M,
    path: PathsOf<P, M>,
    args?: { readonly [name: string]: unknown },
    options?: CallOptions,
  ): ResultOf<X, Success<200, Explanation>>
}

/** A client with the routes of a profile. Errors are returned as values; `orThrow` rejects instead. */
export interface Client<P extends Profile = Profile> extends Calls<P, 'value'> {
  /** The same calls, which reject with the error instead of returning it. */
  readonly orThrow: Calls<P, 'throw'>
  /**
   * Iterates over all rows of a listing, reading page by page. Throws on an error. A row that moves to the next page during
   * the iteration is returned once.
   *
   * ```ts
   * for await (const post of client.iterate('/cms/v2/posts', { per_page: 100 })) console.log(post.slug)
   * ```
   */
  iterate<K extends PagedPaths<P>, const F extends string = never>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, F, CallOptions>
  ): AsyncGenerator<RowOf<DataAt<P, K, F>>, void, undefined>
  /** Iterates over the pages of a listing, from `page` on. Throws on an error. */
  pages<K extends PagedPaths<P>, const F extends string = never>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, F, CallOptions>
  ): AsyncGenerator<SuccessOf<RouteAt<P, 'GET', K>, F>, void, undefined>
  /**
   * Sends several writes in one request: in order, in one transaction, with a result for each. More than 25 are split into
   * consecutive requests.
   *
   * ```ts
   * const { results } = await client.batch((call) => [
   *   call.post('/cms/v2/posts', { title: 'One' }),
   *   call.delete('/cms/v2/posts/{id}', { id: 7 }),
   * ])
   * ```
   */
  batch<const C extends readonly BatchCall[]>(
    make: (call: BatchCalls<P>) => C,
    options?: BatchOptions,
  ): Promise<BatchOutcome<C>>
}

// ---------------------------------------------------------------- batch

/** A call for a batch. `~success` carries the type and is never set. */
export interface BatchCall<S extends Success = Success> {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** The reason why it can not be sent. */
  readonly refused?: ClientError
  readonly '~success'?: S
}

type BatchCaller<P extends Profile, M extends Method> = <K extends BatchPaths<P, M>, const F extends string = never>(
  path: K,
  ...rest: Parameters<RouteAt<P, M, K>, F, Pick<CallOptions, 'headers'>>
) => BatchCall<SuccessOf<RouteAt<P, M, K>, F>>

/** The endpoints that say that a batch may call them. */
export interface BatchCalls<P extends Profile> {
  readonly post: BatchCaller<P, 'POST'>
  readonly put: BatchCaller<P, 'PUT'>
  readonly patch: BatchCaller<P, 'PATCH'>
  readonly delete: BatchCaller<P, 'DELETE'>
}

/** The options of a batch. */
export interface BatchOptions extends Omit<CallOptions, 'body'> {
  /**
   * `require-all-validate`: no call runs unless the routes and arguments of all calls are valid. At most 25 calls. Default: `normal`.
   */
  readonly validation?: 'normal' | 'require-all-validate'
  /** True: all calls of the batch succeed, or none is carried out. At most 25 calls. */
  readonly atomic?: boolean
}

type BatchResults<C extends readonly BatchCall[]> = {
  readonly [I in keyof C]: (C[I] extends BatchCall<infer S> ? S : never) | Failure
}

/** The outcome of a batch has a result for each call. */
export interface BatchOutcome<C extends readonly BatchCall[]> {
  /** Results in the order of the calls. A call that was not run has the error `client_not_run`. */
  readonly results: BatchResults<C>
  /** Why the whole batch failed or was cut short. The error of a single call is in its result. */
  readonly error?: ClientError
  /** No call was executed: a call was invalid, or a call of an `atomic` batch failed. */
  readonly failed?: 'validation' | 'atomic'
}
