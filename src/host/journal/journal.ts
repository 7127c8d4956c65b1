/** A journal receives the requests of an api while they are recorded or replayed. */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { Actor } from '../../core/declare/actor.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import type { ApiError } from '../../core/declare/errors.ts'
import type { Incoming } from '../../core/declare/request.ts'
import type { ResponseData, Result } from '../../core/declare/result.ts'
import type { Pipeline } from '../../core/pipeline/pipeline.ts'
import type { Router } from '../../core/routing/router.ts'
import type { SiteDocument } from '../../management/transfer/document.ts'
import type { SiteApiOptions } from '../site-options.ts'

/** The parts of an api that a journal uses. Functions of modules that it shares with the api are handed over. */
export interface JournaledApi {
  readonly options: SiteApiOptions
  readonly pipeline: Pick<Pipeline, 'handle' | 'call' | 'runDue'>
  readonly router: Router
  readonly app: AppContext
  readonly storage: Storage
  readonly ready: () => Promise<void>
  readonly export: () => Promise<SiteDocument>
  readonly toApiError: (error: unknown, names: AppContext['names']) => ApiError | undefined
  readonly effectiveMethod: (incoming: Incoming) => string
  readonly withRestRoute: (incoming: Incoming) => Incoming
  readonly sha256Of: (text: string) => string
  readonly isApiError: (error: unknown) => error is ApiError
}

export interface Journal {
  /** False: nothing runs but what the journal begins. */
  readonly runsByItself: boolean
  bind(api: JournaledApi): void
  clock(given: () => number): () => number
  handle(incoming: Incoming): MaybePromise<ResponseData>
  call(incoming: Incoming, user: Actor): Promise<Result>
  /** `run` answers false where it does nothing. */
  runDue(run: () => Promise<boolean>): Promise<unknown>
  /** Called when the api closes and its work has ended. */
  end(): Promise<void>
}

/** Writes one entry of the journal. */
export interface Recorder {
  handle(incoming: Incoming): Promise<ResponseData>
  call(incoming: Incoming, user: Actor): Promise<Result>
  runDue(run: () => Promise<boolean>): Promise<boolean>
  end(): Promise<void>
}
