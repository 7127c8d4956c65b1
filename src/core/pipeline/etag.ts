/**
 * Conditional requests on single records: `If-None-Match` saves a reader the body, `If-Match` keeps a writer from
 * overwriting a change it has not read.
 */

import { rightsOf } from '../declare/actor.ts'
import type { Context } from '../declare/context.ts'
import type { EntityTag } from '../declare/endpoint.ts'
import { ApiError } from '../declare/errors.ts'
import { Result } from '../declare/result.ts'
import { decode } from '../request/query-string.ts'
import type { RoutedEndpoint } from '../routing/route.ts'
import { sha256Of } from '../runtime/crypto.ts'
import { toJson } from '../runtime/json.ts'
import { textDigest } from '../runtime/text-digest.ts'

export interface Conditions {
  readonly tag?: string
  /** The 304 response. */
  readonly unchanged?: Result
  /** Decides when the result is there, for records whose tag does not cover all that the result depends on. */
  readonly decide?: (result: Result) => Result
}

export const unconditional: Conditions = {}

/** Throws 412 when the record differs from the one the writer read, and 428 when the host requires the condition. */
export async function checkConditions({ endpoint, writes }: RoutedEndpoint, context: Context): Promise<Conditions> {
  if (!endpoint.etag) return unconditional
  const expected = context.incoming.header(writes ? 'if-match' : 'if-none-match')
  if (writes) {
    if (expected === undefined) {
      if (context.app.conditionalWrites === 'required' && context.incoming.source !== 'call') throw conditionRequired()
      return unconditional
    }
    const tag = await endpoint.etag(context as never)
    if (!matches(expected, (sent) => stateOf(sent) === tag.state)) throw conditionFailed()
    return unconditional
  }
  const { state, view } = await endpoint.etag(context as never)
  const text = (shown: string) => tagText({ state, view: shown + shapeOf(context) + readerOf(context) })
  if (view === undefined) return { decide: (result) => tagged(result, text(digestOf(toJson(result.data))), expected) }
  const tag = text(view)
  return isKnown(tag, expected) ? { tag, unchanged: notModified(tag) } : { tag }
}

const isKnown = (tag: string, expected: string | undefined) =>
  expected !== undefined && matches(expected, (sent) => sent === unquoted(tag))

const notModified = (tag: string) => new Result(undefined, 304, { ETag: tag })

function tagged({ data, status, headers, keeps }: Result, tag: string, expected: string | undefined): Result {
  return isKnown(tag, expected) ? notModified(tag) : new Result(data, status, { ...headers, ETag: tag }, keeps)
}

const digestOf = (text: string) => sha256Of(text).slice(0, 20)

/** The tag of a record that consists of these values: rows, and meta in a fixed order. Its answers make the rest of it. */
export const recordTag = (...values: readonly object[]): EntityTag => ({
  state: stateDigest(values.map(sortedEntries)),
})

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
  const changes = embeds ? (storage.changes?.() ?? crypto.randomUUID()) : ''
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
export const tagText = ({ state, view = 'w' }: EntityTag): string => `"${state}.${view}"`

/** Writes compare the state only, so that the tag of any context works. */
const stateOf = (sent: string): string => sent.split('.', 1)[0] ?? ''

const unquoted = (tag: string): string => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '')

const matches = (header: string, test: (tag: string) => boolean): boolean =>
  header.trim() === '*' || header.split(',').map(unquoted).some(test)

const conditionFailed = () => new ApiError('rest_precondition_failed', 'The record was changed since it was read.', 412)

const conditionRequired = () =>
  new ApiError('rest_precondition_required', 'Send the ETag that was read as If-Match.', 428)
