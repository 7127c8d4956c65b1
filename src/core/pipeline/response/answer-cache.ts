/**
 * Whole answers to visitors, of endpoints whose answers follow from storage, settings and arguments alone. One is valid while the
 * token of the storage and the settings are the ones it was made with, so it is never stale, in no process. Equal requests at the
 * same time share one answer: after a write, a page that many ask for is made once.
 */

import { isPromise, type MaybePromise } from '../../../contract/maybe-promise.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Incoming } from '../../declare/request.ts'
import { isUnkept, type ResponseData, Result, Stream } from '../../declare/result.ts'
import { globalNames } from '../../request/argument-parser.ts'
import { decode } from '../../request/query-string.ts'
import type { Match } from '../../routing/route.ts'
import { RawJson, toJson } from '../../runtime/json.ts'
import { createLru } from '../../runtime/lru.ts'
import type { RequestScope } from '../request-scope.ts'

/** A kept answer, and the response that it became for requests without an `Origin`. */
export class KeptResult extends Result<RawJson> {
  ready: ResponseData | undefined
  /** JSON as it is sent: bytes, or a text of ASCII, which is sent as fast and is smaller. */
  readonly bytes: string | Uint8Array

  constructor(text: string, bytes: string | Uint8Array, { status, headers }: Result) {
    super(new RawJson(text), status, headers)
    this.bytes = bytes
  }
}

/** What an answer was made with. */
interface Version {
  readonly token: number | string
  readonly settings: Settings
}

interface Entry extends Version {
  readonly result: KeptResult
}

/** An answer that is being made. */
interface Pending extends Version {
  /** Undefined when it may not be shared. */
  readonly answer: Promise<KeptResult | undefined>
  isShared: boolean
}

interface AnswerCache {
  /** The kept answer to the request, or that of `answer`, which is kept if it may be. */
  answerOf(
    incoming: Incoming,
    match: Match,
    scope: RequestScope,
    answer: () => MaybePromise<Result>,
  ): MaybePromise<Result>
}

/** `maxBytes`: of all answers together; 0 keeps none. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = createLru<Entry>(maxBytes)
  const asked = createLru<true>(maxBytes / 16)

  /**
   * A full cache takes what is asked for a second time. Requests that all differ would else drive out what many ask for, and each
   * answer would live just long enough to be expensive to collect.
   */
  const isWorthKeeping = (key: string): boolean => {
    if (!entries.isFull || asked.get(key)) return true
    asked.set(key, true, keyBytes + key.length)
    return false
  }

  const pending = new Map<string, Pending>()

  /** Returns the result as it is kept, where it is kept or `making` is shared. */
  function keep(key: string, result: Result, version: Version, making?: Pending): Result {
    const isStored = entries.get(key) !== undefined || isWorthKeeping(key)
    if (!isStored && !making?.isShared) return result
    const kept = keptResult(result)
    if (isStored) entries.set(key, { ...version, result: kept }, weightOf(key, kept))
    return kept
  }

  /** `made`: is kept if it may be. Until it settles, equal requests wait for it. */
  function share(key: string, version: Version, made: Promise<Result>, mayKeep: (result: Result) => boolean) {
    const answered = made.then((result) => (mayKeep(result) ? keep(key, result, version, making) : result))
    // A failure may be one of the first request alone: those that wait try by themselves.
    const shared = answered.then(
      (result) => (result instanceof KeptResult ? result : undefined),
      () => undefined,
    )
    const making: Pending = { ...version, answer: shared, isShared: false }
    pending.set(key, making)
    shared.then(() => {
      if (pending.get(key) === making) pending.delete(key)
    })
    return answered
  }

  return {
    answerOf(incoming, match, scope, answer) {
      const { token, settings } = scope
      if (maxBytes === 0 || token === undefined || !mayBeKept(incoming, match, scope)) return answer()
      const key = keyOf(incoming)
      const entry = ifCurrent(entries.get(key), scope)
      if (entry) return entry.result
      if (!hasKnownNames(incoming, match)) return answer()
      const begun = ifCurrent(pending.get(key), scope)
      if (begun) {
        begun.isShared = true
        return begun.answer.then((kept) => kept ?? answer())
      }
      const version: Version = { token, settings }
      const mayKeep = (result: Result) => isKept(result, incoming, scope)
      const made = answer()
      if (isPromise(made)) return share(key, version, made, mayKeep)
      return mayKeep(made) ? keep(key, made, version) : made
    },
  }
}

const keyOf = ({ path, query }: Incoming): string => (query === '' ? path : `${path}?${query}`)

const ifCurrent = <V extends Version>(known: V | undefined, { token, settings }: RequestScope): V | undefined =>
  known?.token === token && known?.settings === settings ? known : undefined

function mayBeKept(incoming: Incoming, { routed }: Match, { user }: RequestScope): boolean {
  return (
    routed.endpoint.keepsAnswers === true &&
    user.isVisitor &&
    incoming.source === 'http' &&
    incoming.header('if-none-match') === undefined
  )
}

const isKept = (result: Result, incoming: Incoming, { events }: RequestScope): boolean =>
  result.status === 200 && !(result.data instanceof Stream) && events.length === 0 && !isUnkept(incoming)

/**
 * Requests that differ in names without effect would fill the cache with the same answer, and a secret is no part of a key.
 */
function hasKnownNames({ query }: Incoming, { routed }: Match): boolean {
  if (query === '') return true
  const { args } = routed.endpoint
  return query.split('&').every((pair) => {
    const name = decode(pair.split('=', 1)[0] ?? '').split('[', 1)[0] ?? ''
    return name !== 'password' && (Object.hasOwn(args, name) || (globalNames as readonly string[]).includes(name))
  })
}

function keptResult(result: Result): KeptResult {
  const text = toJson(result.data)
  const bytes = new TextEncoder().encode(text)
  return new KeptResult(text, bytes.length === text.length ? text : bytes, result)
}

const entryBytes = 1024
const keyBytes = 128

/** The text stands beside its bytes, for requests that need it. */
const weightOf = (key: string, { bytes }: KeptResult): number =>
  entryBytes + key.length + (typeof bytes === 'string' ? bytes.length : 3 * bytes.length)
