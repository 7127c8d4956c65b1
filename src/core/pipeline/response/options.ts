/**
 * `_fields`, `_embed` and `_envelope`, the arguments of every route. They work on plain values, so they are the slow
 * path.
 */

import type { Context } from '../../declare/context.ts'
import type { Embedder } from '../../declare/feature.ts'
import { Result, Stream } from '../../declare/result.ts'
import type { GlobalArguments } from '../../request/argument-compiler.ts'
import { splitList } from '../../request/coercion.ts'
import { toValue } from '../../runtime/json.ts'

type Item = { readonly [name: string]: unknown }

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Interface: `a,b`, `a b` and lists; empty means all. */
function parseNameList(sent: unknown): readonly string[] {
  if (typeof sent === 'string') return splitList(sent)
  return Array.isArray(sent) ? sent.flatMap((one) => (typeof one === 'string' ? splitList(one) : [])) : []
}

/** Keeps the named members, nested ones by dots; applied to each item of a list. */
function pickFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickFields(one, fields))
  if (!isItem(value)) return value
  const out: { [name: string]: unknown } = {}
  for (const name of Object.keys(value)) {
    if (fields.includes(name)) {
      out[name] = value[name]
      continue
    }
    // Interface: one relation brings all links.
    if (name === '_links' && fields.some((field) => field.startsWith('_links.'))) {
      out[name] = value[name]
      continue
    }
    const inside = fields.filter((field) => field.startsWith(`${name}.`)).map((field) => field.slice(name.length + 1))
    if (inside.length > 0) out[name] = pickFields(value[name], inside)
  }
  // Interface: a record without members is sent as an empty list.
  return Object.keys(out).length === 0 ? [] : out
}

export const wantsEnvelope = (sent: unknown) => sent !== undefined && sent !== '0' && sent !== 'false'

/** Status and headers in the body of a 200, for clients that see bodies only. Caches obey the header of the envelope. */
export function toEnvelope({ data, status, headers }: Result): Result {
  const body = { body: data, status, headers: Object.fromEntries(Object.entries(headers).map(enveloped)) }
  const { 'Cache-Control': caching } = headers
  return new Result(body, 200, caching === undefined ? {} : { 'Cache-Control': caching })
}

/** Interface: totals are numbers here. */
const enveloped = ([name, value]: [string, string | readonly string[]]) => [
  name,
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
]

interface LinkEntry {
  readonly href: string
  readonly embeddable?: boolean
}

const linksOf = (item: unknown): { readonly [relation: string]: readonly LinkEntry[] } =>
  isItem(item) && isItem(item['_links']) ? (item['_links'] as { [relation: string]: readonly LinkEntry[] }) : {}

/** `_embed`, `_embed=1` and `_embed=true` ask for all relations. */
const wantsAllRelations = (sent: unknown) => sent === '' || sent === '1' || sent === 'true'

/**
 * Adds `_embedded` to a record or to each record of a list. All links of one kind are loaded in one call, so the number
 * of reads does not grow with the rows.
 */
async function embed(
  value: unknown,
  sent: unknown,
  embedders: readonly Embedder[],
  context: Context,
): Promise<unknown> {
  const relations = wantsAllRelations(sent) ? undefined : parseNameList(sent)
  const items = Array.isArray(value) ? value : [value]
  const isRequested = (relation: string, link: LinkEntry) =>
    link.embeddable === true && (!relations || relations.includes(relation))
  const links = new Set<string>()
  for (const item of items) {
    for (const [relation, entries] of Object.entries(linksOf(item))) {
      for (const link of entries) if (isRequested(relation, link)) links.add(link.href)
    }
  }
  if (links.size === 0) return value
  const found = await loadAll([...links], embedders, context)
  const out = items.map((item) => withEmbedded(item, found, isRequested))
  return Array.isArray(value) ? out : out[0]
}

async function loadAll(links: readonly string[], embedders: readonly Embedder[], context: Context) {
  const found = new Map<string, unknown>()
  const { apiRoot } = context.settings
  for (const { path, load } of embedders) {
    const mine = links.filter((link) => path.test(context.app.names.toNeutral(link.slice(apiRoot.length))))
    if (mine.length === 0) continue
    const addresses = mine.map((link) => new URL(link))
    for (const [link, record] of await load(addresses, context)) found.set(link, record)
  }
  return found
}

function withEmbedded(
  item: unknown,
  found: ReadonlyMap<string, unknown>,
  isRequested: (relation: string, link: LinkEntry) => boolean,
): unknown {
  const embedded: { [relation: string]: unknown[] } = {}
  for (const [relation, entries] of Object.entries(linksOf(item))) {
    const records = entries.filter((link) => isRequested(relation, link) && found.has(link.href))
    if (records.length > 0) embedded[relation] = records.map((link) => found.get(link.href))
  }
  return Object.keys(embedded).length === 0 ? item : { ...(item as Item), _embedded: embedded }
}

/** Applies `_embed`, `_fields` and `_envelope` to a finished result. Streams pass unchanged. */
export async function applyResponseOptions(
  result: Result,
  globals: GlobalArguments,
  embedders: readonly Embedder[],
  context: Context,
): Promise<Result> {
  if (result.data instanceof Stream) return result
  const parsed = toValue(result.data)
  const value = globals.embed === undefined ? parsed : await embed(parsed, globals.embed, embedders, context)
  const fields = parseNameList(globals.fields)
  const body = fields.length > 0 && result.status < 400 ? pickFields(value, [...fields, ...result.keeps]) : value
  const shaped = new Result(body, result.status, result.headers)
  return wantsEnvelope(globals.envelope) ? toEnvelope(shaped) : shaped
}
