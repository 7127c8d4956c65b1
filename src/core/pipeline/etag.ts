/**
 * Conditional requests on single records and documents: `If-None-Match` saves a reader the body, `If-Match` keeps a writer from
 * overwriting a change it has not read.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import { rightsOf } from '../declare/actor.ts'
import type { Context } from '../declare/context.ts'
import type { AnyEndpoint, EntityTag, StoredState } from '../declare/endpoint.ts'
import { ApiError } from '../declare/errors.ts'
import { Result } from '../declare/result.ts'
import { preferenceOf } from '../request/incoming.ts'
import { decode } from '../request/query-string.ts'
import type { RoutedEndpoint } from '../routing/route.ts'
import { randomId, sha256Of } from '../runtime/crypto.ts'
import { toJson } from '../runtime/json.ts'
import { textDigest } from '../runtime/text-digest.ts'

export interface Conditions {
  readonly tag?: string
  /** The 304 response. */
  readonly unchanged?: Result
  /** Decides when the result is there, for records whose tag does not cover all that the result depends on, and after writes. */
  readonly decide?: (result: Result) => MaybePromise<Result>
  /** True: the write names an older version, or a revision, and asks to be merged with the record as it is. */
  readonly isStale?: true
}

export const unconditional: Conditions = {}

/**
 * Reads: 304 for a client that has the response. Writes: throws 412 when the record differs from the one the writer read, or when the
 * route can not tell, and 428 when the host requires the condition.
 */
export const checkConditions = ({ endpoint, writes }: RoutedEndpoint, context: Context): Promise<Conditions> =>
  writes ? checkWrite(endpoint, context) : checkRead(endpoint, context)

async function checkRead({ etag, stored }: AnyEndpoint, context: Context): Promise<Conditions> {
  const { state, view }: Partial<EntityTag> = (await (etag ?? stored)?.(context as never)) ?? {}
  if (state === undefined) return unconditional
  const expected = context.incoming.header('if-none-match')
  const text = (shown: string) => tagText({ state, view: shown + shapeOf(context) + readerOf(context) })
  if (view === undefined) return { decide: (result) => tagged(result, text(digestOf(toJson(result.data))), expected) }
  const tag = text(view)
  return isKnown(tag, expected) ? { tag, unchanged: notModified(tag) } : { tag }
}

async function checkWrite(endpoint: AnyEndpoint, context: Context): Promise<Conditions> {
  const { stored } = endpoint
  const sent = conditionSent(context)
  const base = endpoint.merges && preferenceOf(context.incoming, 'merge')
  if (sent !== undefined) {
    const isStale = await checkCondition(sent, endpoint, context, base !== undefined)
    if (isStale) return { ...afterWrite(stored, context), isStale }
  } else if (base?.['base'] !== undefined) return { ...afterWrite(stored, context), isStale: true }
  else if (endpoint.etag && isRequired(context)) throw conditionRequired()
  return afterWrite(stored, context)
}

const afterWrite = (stored: AnyEndpoint['stored'], context: Context): Conditions =>
  stored ? { decide: (result) => taggedAfterWrite(result, () => stored(context as never)) } : unconditional

/** Clients of the page builder send none for its documents: they are required for records alone. */
const isRequired = ({ app, incoming }: Context) => app.conditionalWrites === 'required' && incoming.source !== 'call'

const conditionSent = ({ incoming }: Context): string | undefined =>
  ['If-Match', 'If-None-Match', 'If-Unmodified-Since'].find((name) => incoming.header(name.toLowerCase()) !== undefined)

/** True where the record is another one, and the write `mayMerge` with it. */
async function checkCondition(
  sent: string,
  { etag, stored }: AnyEndpoint,
  context: Context,
  mayMerge: boolean,
): Promise<true | undefined> {
  const { incoming } = context
  const current = etag ? { ...(await etag(context as never)), exists: true } : await stored?.(context as never)
  // Responses have no Last-Modified: no client has a date from here.
  if (!current || sent === 'If-Unmodified-Since') throw unsupported(sent)
  const [match, noneMatch] = [incoming.header('if-match'), incoming.header('if-none-match')]
  const isStale = match !== undefined && !(await holds(match, current))
  if (isStale && !mayMerge) throw conditionFailed('The record was changed since it was read.')
  if (noneMatch !== undefined && (await holds(noneMatch, current))) throw conditionFailed('The record exists already.')
  return isStale || undefined
}

/** Writes compare the state only, so that the tag of any context works. */
export async function holds(header: string, { state, exists, within }: StoredState): Promise<boolean> {
  if (header.trim() === '*') return exists
  const sent = header.split(',').map((tag) => stateOf(unquoted(tag)))
  if (state !== undefined && sent.includes(state)) return true
  return (await within?.())?.some((other) => sent.includes(other)) ?? false
}

/** A document that a write has removed has no tag. */
async function taggedAfterWrite(result: Result, read: () => MaybePromise<StoredState>): Promise<Result> {
  const { data, status, headers, keeps } = result
  if (status >= 400 || headers['ETag'] !== undefined) return result
  const { state } = await read()
  return state === undefined ? result : new Result(data, status, { ...headers, ETag: tagText({ state }) }, keeps)
}

const isKnown = (tag: string, expected: string | undefined) =>
  expected !== undefined &&
  (expected.trim() === '*' || expected.split(',').some((sent) => unquoted(sent) === unquoted(tag)))

const notModified = (tag: string) => new Result(undefined, 304, { ETag: tag })

function tagged({ data, status, headers, keeps }: Result, tag: string, expected: string | undefined): Result {
  return isKnown(tag, expected) ? notModified(tag) : new Result(data, status, { ...headers, ETag: tag }, keeps)
}

const digestOf = (text: string) => sha256Of(text).slice(0, 20)

/** The tag of a record that consists of these values: rows, and meta in a fixed order. Its answers make the rest of it. */
export const recordTag = (...values: readonly object[]): EntityTag => ({
  state: stateDigest(values.map(sortedEntries)),
})

/** The state of a document that consists of these JSON values; undefined: there is none. `exists`: see `StoredState`. */
export const storedState = (values: unknown, more: Partial<StoredState> = {}): StoredState =>
  values === undefined ? { exists: false, ...more } : { state: valuesDigest(values), exists: true, ...more }

export const valuesDigest = (values: unknown): string =>
  stateDigest([typeof values === 'object' && values !== null ? sortedEntries(values) : values])

export const stateDigest = (members: readonly unknown[]): string => digestOf(JSON.stringify(members))

/** Storages may return the members of a row in any order. Names are sorted, not entries: that needs no comparison of ours. */
export const sortedEntries = (value: object) =>
  Array.isArray(value)
    ? value
    : Object.keys(value)
        .sort()
        .map((name) => [name, shortened((value as { readonly [name: string]: unknown })[name])])

const longText = 20_000

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > longText ? textDigest(value) : value

const shaping = /^(?:context$|_(?:fields|embed|envelope)(?:\[|$))/

/**
 * The query selects a representation of the record, and a strong tag names the bytes of one. With `_embed` they depend on
 * other records too: then any write to the storage makes another tag, and where writes are not known, no tag comes twice.
 */
function shapeOf({ incoming: { query }, storage }: Context): string {
  if (query === '') return ''
  const pairs = query.split('&').filter((pair) => shaping.test(decode(pair.split('=', 1)[0] ?? '')))
  if (pairs.length === 0) return ''
  const embeds = pairs.some((pair) => decode(pair).startsWith('_embed'))
  const changes = embeds ? (storage.changes?.() ?? randomId()) : ''
  return `q${sha256Of(`${changes}&${pairs.join('&')}`).slice(0, 16)}`
}

/**
 * Links and `Allow` follow the rights of the reader, and a password opens more: each reader has a tag that answers 304 to no other.
 * Visitors share one.
 */
function readerOf({ user, args }: Context): string {
  const opened = typeof args['password'] === 'string' && args['password'] !== '' ? 'p' : ''
  if (user.isVisitor) return opened
  return `${opened}u${sha256Of(JSON.stringify([user.id, rightsOf(user)])).slice(0, 12)}`
}

/** A tag without a view is that of a write; the next write may send it. */
export const tagText = ({ state, view = 'w' }: Partial<EntityTag>): string => `"${state}.${view}"`

const stateOf = (sent: string): string => sent.split('.', 1)[0] ?? ''

const unquoted = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '')

export const conditionFailed = (message: string) => new ApiError('rest_precondition_failed', message, 412)

/** Choice: a route that has no tag refuses a condition instead of ignoring it. */
const unsupported = (header: string) =>
  new ApiError('rest_precondition_unsupported', `This route can not hold ${header}: send the request without it.`, 412)

const conditionRequired = () =>
  new ApiError('rest_precondition_required', 'Send the ETag that was read as If-Match.', 428)
