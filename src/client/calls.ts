/** The calls of a client as types: by method, with the paths and arguments of one profile. */

import type { Method } from '../core/declare/endpoint.ts'
import type { Profile } from '../core/declare/profile.ts'
import type { ClientError, Failure, Success, SuccessOf } from './result.ts'
import type { BatchPaths, DataOf, PagedPaths, Parameters, PathsOf, RouteAt, RowOf, StatusOf } from './routes.ts'

export interface CallOptions {
  /** Beside those of the client, such as `If-Match`. */
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  /** Of each attempt; 0: as long as it takes. Default: that of the client. */
  readonly timeoutMs?: number
  /** How often this call is made again, whatever its method: say it for a write only if a second one does no harm. */
  readonly retries?: number
  /** In place of the arguments that are not in the path: for endpoints that take a body of any form. */
  readonly body?: unknown
  /** Handed to `fetch`: `credentials`, `cache`, what a framework adds to it. */
  readonly init?: Omit<RequestInit, 'method' | 'body' | 'headers' | 'signal'>
}

/** How errors come: as values, or thrown. */
export type Mode = 'value' | 'throw'
type Given<X extends Mode, S> = Promise<X extends 'throw' ? S : S | Failure>

export type Caller<P extends Profile, M extends Method, X extends Mode> = <
  K extends PathsOf<P, M>,
  const F extends string = never,
>(
  path: K,
  ...rest: Parameters<RouteAt<P, M, K>, F, CallOptions>
) => Given<X, SuccessOf<RouteAt<P, M, K>, F>>

type DataAt<P extends Profile, K, F extends string> = DataOf<RouteAt<P, 'GET', K>, StatusOf<RouteAt<P, 'GET', K>>, F>

export interface Calls<P extends Profile, X extends Mode> {
  readonly get: Caller<P, 'GET', X>
  readonly post: Caller<P, 'POST', X>
  readonly put: Caller<P, 'PUT', X>
  readonly patch: Caller<P, 'PATCH', X>
  readonly delete: Caller<P, 'DELETE', X>
  /** Status and headers of what GET answers, such as the total of a listing. */
  head<K extends PathsOf<P, 'GET'>>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, never, CallOptions>
  ): Given<X, Success<StatusOf<RouteAt<P, 'GET', K>>, undefined>>
  /** The same as the method of that name. */
  request<M extends Method, K extends PathsOf<P, M>, const F extends string = never>(
    method: M,
    path: K,
    ...rest: Parameters<RouteAt<P, M, K>, F, CallOptions>
  ): Given<X, SuccessOf<RouteAt<P, M, K>, F>>
}

export interface Client<P extends Profile = Profile> extends Calls<P, 'value'> {
  /** The same calls, which reject with the error instead of giving it. */
  readonly orThrow: Calls<P, 'throw'>
  /**
   * All rows of a listing, page by page as they are asked for. Throws the error that ends it. A row that moves to the next
   * page meanwhile is given once.
   *
   * ```ts
   * for await (const post of client.iterate('/cms/v2/posts', { per_page: 100 })) console.log(post.slug)
   * ```
   */
  iterate<K extends PagedPaths<P>, const F extends string = never>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, F, CallOptions>
  ): AsyncGenerator<RowOf<DataAt<P, K, F>>, void, undefined>
  /** The same page by page, each with its answer. Begins with the `page` that is given. */
  pages<K extends PagedPaths<P>, const F extends string = never>(
    path: K,
    ...rest: Parameters<RouteAt<P, 'GET', K>, F, CallOptions>
  ): AsyncGenerator<SuccessOf<RouteAt<P, 'GET', K>, F>, void, undefined>
  /**
   * Several writes in one request: in order, in one transaction, each with a result of its own. More than 25 go in several
   * requests, one after the other.
   *
   * ```ts
   * const { results } = await client.batch((call) => [
   *   call.post('/cms/v2/posts', { title: 'One' }),
   *   call.delete('/cms/v2/posts/{id}', { id: 7 }),
   * ])
   * ```
   */
  batch<const C extends readonly BatchCall[]>(
    make: (context: BatchCalls<P>) => C,
    options?: BatchOptions,
  ): Promise<BatchOutcome<C>>
}

// ---------------------------------------------------------------- batch

/** A call that waits for its batch. The last member is never there: it carries the type. */
export interface BatchCall<S extends Success = Success> {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** Why it cannot be sent. */
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

export interface BatchOptions extends Omit<CallOptions, 'body'> {
  /** `require-all-validate`: nothing runs unless the routes and arguments of all are right. At most 25 calls. */
  readonly validation?: 'normal' | 'require-all-validate'
  /** All or nothing: after a failure nothing of the batch stays. At most 25 calls. */
  readonly atomic?: boolean
}

export type BatchResults<C extends readonly BatchCall[]> = {
  readonly [I in keyof C]: (C[I] extends BatchCall<infer S> ? S : never) | Failure
}

export interface BatchOutcome<C extends readonly BatchCall[]> {
  /** In the order of the calls. One that was not run has the error `client_not_run`. */
  readonly results: BatchResults<C>
  /** Why the batch as a whole came to nothing, or was cut short. An error of one call alone is in its result. */
  readonly error?: ClientError
  /** Nothing of it was done: a call was found wrong beforehand, or one of an all-or-nothing batch failed. */
  readonly failed?: 'validation' | 'atomic'
}
