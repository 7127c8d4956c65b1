/**
 * Caches whole responses of endpoints whose responses follow from storage, settings, arguments and sender alone. Visitors share theirs; a
 * user's are for this user alone, as long as the rows and roles that say who it is stay the same. An entry is valid while the token of
 * the storage and the settings are the ones it was made with, and after writes that touch none of its tags, so it is never stale, in no
 * process. Equal requests at the same time share one response: after a write, a page that many ask for is made once.
 */

import type { Settings } from '../../../site/settings.ts'
import type { Actor } from '../../declare/actor.ts'
import type { Incoming } from '../../declare/request.ts'
import { isNoStore, type ResponseData, Result, Stream } from '../../declare/result.ts'
import { globalNames } from '../../request/argument-parser.ts'
import { decode } from '../../request/query-string.ts'
import type { Match } from '../../routing/route.ts'
import { utf8Length } from '../../runtime/bytes.ts'
import { RawJson, toJson } from '../../runtime/json.ts'
import { createLru } from '../../runtime/lru.ts'
import type { Sources } from '../../tags/list-reads.ts'
import type { ReadTags } from '../../tags/read-tags.ts'
import type { TouchedTags } from '../../tags/touched-tags.ts'
import type { RequestScope } from '../request-scope.ts'
import type { TagRenamer } from './cache-tags.ts'

/** A cached result, and the response that it became for requests without an `Origin`. */
export class CachedResult extends Result<RawJson> {
  ready: ResponseData | undefined
  /** JSON as it is sent: bytes, or a text of ASCII, which is sent as fast and is smaller. */
  readonly bytes: string | Uint8Array

  constructor(text: string, bytes: string | Uint8Array, { status, headers }: Pick<Result, 'status' | 'headers'>) {
    super(new RawJson(text), status, headers)
    this.bytes = bytes
  }
}

/** The state that a response was made with. */
interface Version {
  readonly token?: number | string | undefined
  readonly settings: Settings
  /** Undefined: a visitor. Sign-in gives one object as long as nothing of the user changes. */
  readonly user?: Actor | undefined
}

interface Entry {
  token: Version['token']
  settings: Settings
  readonly user: Actor | undefined
  result: CachedResult
  /** Lists what it was made from; undefined: it ends with the token. */
  sources: Sources | undefined
  /** When it was made, or found to be valid, as `TouchedTags` counts. */
  moment: number
}

type Made = Pick<Entry, 'sources' | 'moment'>

/** Makes a response, and records what it is made from. */
type Make = (reading: ReadTags | undefined) => Promise<Result>

/** A response that is being made. */
interface Pending extends Version {
  /** Undefined when it may not be shared. */
  readonly result: Promise<CachedResult | undefined>
  isShared: boolean
}

export class ResponseCache {
  readonly #isEnabled: boolean
  readonly #entries
  readonly #requested
  readonly #pending = new Map<string, Pending>()
  readonly #touched: TouchedTags | undefined
  readonly #renamed: TagRenamer | undefined

  /**
   * `maxBytes` limits all responses together; 0 caches none. Without `touched`, each write ends all entries. `renamed`: responses have
   * their tags in a header.
   */
  constructor(maxBytes: number, touched?: TouchedTags, renamed?: TagRenamer) {
    this.#touched = touched
    this.#renamed = renamed
    this.#isEnabled = maxBytes > 0
    this.#entries = createLru<Entry>(maxBytes)
    this.#requested = createLru<true>(maxBytes / 16)
  }

  /** Returns the cached result for a request of this sender. The one look-up that needs no promise. */
  find(incoming: Incoming, { token, settings }: Version, sender: Actor): CachedResult | undefined {
    if (!mayUseCache(incoming)) return undefined
    const user = sender.isVisitor ? undefined : sender
    return this.#ifValid(this.#entries.get(keyOf(incoming, user)), { token, settings, user })?.result
  }

  /** Returns the cached result, or that of `make`, which is cached if it may be. */
  resultOf(
    incoming: Incoming,
    match: Match,
    scope: RequestScope,
    readingOf: (isAskedAgain: boolean) => ReadTags | undefined,
    make: Make,
  ): Promise<Result> {
    const isCacheable = Boolean(match.routed.endpoint.cacheable) && mayUseCache(incoming)
    if (!isCacheable || !this.#isEnabled || scope.token === undefined) return make(readingOf(false))
    const { token, settings } = scope
    const version = { token, settings, user: scope.user.isVisitor ? undefined : scope.user }
    const key = keyOf(incoming, version.user)
    const known = this.#entries.get(key)
    const entry = this.#ifValid(known, version)
    if (entry) return Promise.resolve(entry.result)
    if (!hasKnownNames(incoming, match)) return make(readingOf(false))
    const begun = ifCurrent(this.#pending.get(key), version)
    // An answer that is asked for once is not worth the notes: only one that has ended before has them.
    if (!begun) return this.#makeAndCache(key, incoming, { scope, version }, readingOf(known !== undefined), make)
    begun.isShared = true
    return begun.result.then((cached) => cached ?? make(readingOf(false)))
  }

  #ifValid(entry: Entry | undefined, version: Version): Entry | undefined {
    if (!entry || entry.user !== version.user) return undefined
    if (ifCurrent(entry, version)) return entry
    const touched = this.#touched
    const { sources, moment } = entry
    if (!sources || !touched?.isAt(version.token) || !touched.isUntouched(sources, moment)) return undefined
    entry.token = version.token
    entry.settings = version.settings
    entry.moment = touched.moment
    if (!sources.isNamed) this.#rename(entry, sources)
    return entry
  }

  /** Outside caches end a response needlessly while it has the tags of all that may change its lists. */
  #rename(entry: Entry, sources: Sources): void {
    const { result } = entry
    const headers = this.#renamed?.(result.headers, sources, this.#touched?.namesAt(entry.token))
    if (!headers) return
    entry.result = new CachedResult(result.data.text, result.bytes, { status: result.status, headers })
    entry.sources = { ...sources, isNamed: true }
  }

  /** Until `make` settles, equal requests wait for it. */
  async #makeAndCache(
    key: string,
    incoming: Incoming,
    { scope, version }: { readonly scope: RequestScope; readonly version: Version },
    reading: ReadTags | undefined,
    make: Make,
  ) {
    const { promise, resolve } = Promise.withResolvers<CachedResult | undefined>()
    const pending: Pending = { ...version, result: promise, isShared: false }
    this.#pending.set(key, pending)
    let cached: CachedResult | undefined
    try {
      const result = await make(reading)
      if (mayBeCached(result, incoming, scope))
        cached = this.#cache(key, result, pending, this.#madeFrom(reading, scope))
      return cached ?? result
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key)
      // A failure may be one of the first request alone: those that wait try by themselves.
      resolve(cached)
    }
  }

  /** Undefined for a result that is not worth caching and that no other request waits for. */
  #cache(
    key: string,
    result: Result,
    { token, settings, user, isShared }: Pending,
    made: Made,
  ): CachedResult | undefined {
    const isStored = this.#entries.get(key) !== undefined || this.#isWorthCaching(key, user)
    if (!isStored && !isShared) return undefined
    const cached = toCachedResult(result)
    if (isStored)
      this.#entries.set(key, { token, settings, user, result: cached, ...made }, weightOf(key, cached, made))
    return cached
  }

  /** The tags count from the moment at which the request began: what was written since may be in the result, or not. */
  #madeFrom(reading: ReadTags | undefined, { moment }: RequestScope): Made {
    return reading?.isComplete && moment !== undefined
      ? { sources: reading.sources, moment }
      : { sources: undefined, moment: 0 }
  }

  /**
   * A full cache takes responses that are requested for a second time. Requests that all differ would else drive out
   * those that many clients send, and each response would live just long enough to be expensive to collect. The same holds for users:
   * a program that reads a whole site asks for each page once.
   */
  #isWorthCaching(key: string, user: Actor | undefined): boolean {
    if ((!this.#entries.isFull && !user) || this.#requested.get(key)) return true
    this.#requested.set(key, true, keyBytes + key.length)
    return false
  }
}

function keyOf({ path, query }: Incoming, user?: Actor): string {
  const address = query === '' ? path : `${path}?${query}`
  // A path begins with a slash.
  return user ? `${user.id},${user.applicationPassword ?? ''}${address}` : address
}

const ifCurrent = <V extends Version>(known: V | undefined, { token, settings, user }: Version): V | undefined =>
  known?.token === token && known?.settings === settings && known?.user === user ? known : undefined

/** A conditional request may be answered without a body. */
const mayUseCache = (incoming: Incoming): boolean =>
  incoming.source === 'http' && incoming.header('if-none-match') === undefined

const mayBeCached = (result: Result, incoming: Incoming, { events }: RequestScope): boolean =>
  result.status === 200 && !(result.data instanceof Stream) && events.length === 0 && !isNoStore(incoming)

/** Requests that differ in names without effect would fill the cache with the same response, and a secret is no part of a key. */
function hasKnownNames({ query }: Incoming, { routed }: Match): boolean {
  if (query === '') return true
  const { args } = routed.endpoint
  return query.split('&').every((pair) => {
    const name = decode(pair.split('=', 1)[0] ?? '').split('[', 1)[0] ?? ''
    return name !== 'password' && (Object.hasOwn(args, name) || (globalNames as readonly string[]).includes(name))
  })
}

function toCachedResult(result: Result): CachedResult {
  const text = toJson(result.data)
  const isAscii = utf8Length(text) === text.length
  return new CachedResult(text, isAscii ? text : new TextEncoder().encode(text), result)
}

const entryBytes = 1024
const keyBytes = 128
/** A tag in a set takes about this much. */
const tagBytes = 80

/** The text is kept beside its bytes, for requests that need it. */
const weightOf = (key: string, { bytes }: CachedResult, { sources }: Made): number =>
  entryBytes +
  key.length +
  (typeof bytes === 'string' ? bytes.length : 3 * bytes.length) +
  (sources?.tags.size ?? 0) * tagBytes
