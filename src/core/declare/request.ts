/** A request as the pipeline sees it, read lazily. Adapters and batch create it; types only. */
import type { MaybePromise } from '../../contract/storage.ts'

/** Raw bytes, or a value that the host has parsed already. */
export type SentBody = { readonly bytes: Uint8Array } | { readonly parsed: unknown } | undefined

/** The members of a body that is an object. */
export type BodyArguments = { readonly [name: string]: unknown }

/** A request as adapters hand it over: no `Request` is built. The path is below the root of the API. */
export interface Incoming {
  /** Upper case. */
  readonly method: string
  /** The path begins below the root with a slash, still percent-encoded. */
  readonly path: string
  /** The query without the question mark. */
  readonly query: string
  /** `batch` and `call` are made inside the process: identity is never read from them. */
  readonly source: 'http' | 'batch' | 'call'
  /** False when there is certainly no body; spares the wait. */
  readonly mayHaveBody: boolean
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined
  /** Rejects with 413 beyond the limit. Called once. */
  readBody(limitBytes: number): MaybePromise<SentBody>
  /** The body piece by piece, instead of `readBody`; absent for requests without bytes. A reader that stops early leaves the rest. */
  openBody?(): AsyncIterable<Uint8Array>
  /** The host's own request, for its `authenticate`. */
  readonly native?: unknown
  /** Aborts when the client disconnects before the response. Created on access: it is expensive on Node. */
  readonly signal?: AbortSignal
}
