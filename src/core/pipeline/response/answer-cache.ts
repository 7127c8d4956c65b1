/**
 * Whole answers to visitors, of endpoints whose answers follow from storage, settings and arguments alone. One is valid while the
 * token of the storage and the settings are the ones it was made with, so it is never stale, in no process. Equal requests at the
 * same time share one answer: after a write, a page that many ask for is made once.
 */
import type { Settings } from '../../../site/settings.ts'
import type { Incoming } from '../../declare/request.ts'
import { isUnkept, type ResponseData, Result, Stream } from '../../declare/result.ts'
import { globalNames } from '../../request/argument-parser.ts'
import { decode } from '../../request/query-string.ts'
import type { Match } from '../../routing/route.ts'
import { RawJson, toJson } from '../../runtime/json.ts'
import { createLru } from '../../runtime/lru.ts'
import { isPromise, type MaybePromise } from '../../runtime/maybe-promise.ts'
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

  return {
    answerOf(incoming, match, scope, answer) {
      const { token, settings } = scope
      if (maxBytes === 0 || token === undefined || !mayBeKept(incoming, match, scope)) return answer()
      const key = incoming.query === '' ? incoming.path : `${incoming.path}?${incoming.query}`
      const isCurrent = (known: Version | undefined) => known?.token === token && known.settings === settings
      const entry = entries.get(key)
      if (entry !== undefined && isCurrent(entry)) return entry.result
      const begun = pending.get(key)
      if (begun !== undefined && isCurrent(begun)) {
        begun.isShared = true
        return begun.answer.then((kept) => kept ?? answer())
      }
      /** `made`: for the requests that wait for it. */
      const keep = (result: Result, made?: Pending): Result => {
        if (!isKept(result, incoming, match, scope)) return result
        const isStored = entry !== undefined || isWorthKeeping(key)
        if (!isStored && !made?.isShared) return result
        const kept = keptResult(result)
        if (isStored) entries.set(key, { token, settings, result: kept }, weightOf(key, kept))
        return kept
      }
      const result = answer()
      if (!isPromise(result)) return keep(result)
      if (!hasKnownNames(incoming, match)) return result
      const answered = result.then((settled) => keep(settled, making))
      // A failure may be one of the first request alone: those that wait try by themselves.
      const shared = answered.then(
        (settled) => (settled instanceof KeptResult ? settled : undefined),
        () => undefined,
      )
      const making: Pending = { token, settings, answer: shared, isShared: false }
      pending.set(key, making)
      shared.then(() => {
        if (pending.get(key) === making) pending.delete(key)
      })
      return answered
    },
  }
}

function mayBeKept(incoming: Incoming, { routed }: Match, { user }: RequestScope): boolean {
  return (
    routed.endpoint.keepsAnswers === true &&
    user.isVisitor &&
    incoming.source === 'http' &&
    incoming.header('if-none-match') === undefined
  )
}

const isKept = (result: Result, incoming: Incoming, match: Match, { events }: RequestScope): boolean =>
  result.status === 200 &&
  !(result.data instanceof Stream) &&
  events.length === 0 &&
  !isUnkept(incoming) &&
  hasKnownNames(incoming, match)

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
