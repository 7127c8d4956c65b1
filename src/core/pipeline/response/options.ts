/**
 * `_fields`, `_embed` and `_envelope`, the arguments of every route. They work on plain values, so they are the slow
 * path.
 */

import { splitList } from '../../../contract/scalars.ts'
import type { Context } from '../../declare/context.ts'
import type { Embedder } from '../../declare/feature.ts'
import { Result, Stream } from '../../declare/result.ts'
import type { GlobalArguments } from '../../request/argument-compiler.ts'
import { toValue } from '../../runtime/json.ts'

type Item = { readonly [name: string]: unknown }

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Interface: `a,b`, `a b` and lists; empty means all. */
function parseNameList(sent: unknown): readonly string[] {
  if (typeof sent === 'string') return splitList(sent)
  return Array.isArray(sent) ? sent.flatMap((one) => (typeof one === 'string' ? splitList(one) : [])) : []
}

/** Undefined: all members. */
export function fieldsOf({ fields: sent }: GlobalArguments): readonly string[] | undefined {
  const fields = parseNameList(sent)
  return fields.length > 0 ? fields : undefined
}

/** `_fields` selects a whole member, or parts of it by their names. */
type Named = 'whole' | readonly string[]

function namedOf(fields: readonly string[], member: string): Named | undefined {
  if (fields.includes(member)) return 'whole'
  const parts = fields.filter((field) => field.startsWith(`${member}.`)).map((field) => field.slice(member.length + 1))
  return parts.length > 0 ? parts : undefined
}

const namesPart = (named: Named | undefined, part: string): boolean =>
  named === 'whole' || (named !== undefined && namedOf(named, part) !== undefined)

/** Keeps the named members, nested ones by dots; applied to each item of a list. */
function pickFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickFields(one, fields))
  if (!isItem(value)) return value
  const out: { [name: string]: unknown } = {}
  for (const name of Object.keys(value)) {
    const named = namedOf(fields, name)
    if (named) out[name] = named === 'whole' ? value[name] : pickFields(value[name], named)
  }
  // Interface: a record without members is sent as an empty list.
  return Object.keys(out).length === 0 ? [] : out
}

/** Interface: one relation brings all links of a record that is sent alone; in a list it brings its own links. */
const withAllLinks = (fields: readonly string[]) => [
  ...new Set(fields.map((field) => (field.startsWith('_links.') ? '_links' : field))),
]

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

type Links = { readonly [relation: string]: readonly LinkEntry[] }

const linksOf = (item: unknown): Links => (isItem(item) && isItem(item['_links']) ? (item['_links'] as Links) : {})

/** `_embed`, `_embed=1` and `_embed=true` ask for all relations. */
const wantsAllRelations = (sent: unknown) => sent === '' || sent === '1' || sent === 'true'

type IsEmbedded = (relation: string) => boolean

/** Embedding follows the requested links that `_fields` leaves, and its names below `_embedded`. No `fields`: all members are sent. */
function embeddedRelations(sent: unknown, fields: readonly string[] | undefined): IsEmbedded {
  const requested = wantsAllRelations(sent) ? undefined : parseNameList(sent)
  const links = fields ? namedOf(fields, '_links') : 'whole'
  const embedded = (fields && namedOf(fields, '_embedded')) ?? 'whole'
  return (relation) =>
    (!requested || requested.includes(relation)) && namesPart(links, relation) && namesPart(embedded, relation)
}

/** All links of one kind are loaded in one call, so the number of reads does not grow with the rows. */
async function loadEmbedded(
  items: readonly unknown[],
  isEmbedded: IsEmbedded,
  embedders: readonly Embedder[],
  context: Context,
): Promise<ReadonlyMap<string, unknown>> {
  const links = new Set<string>()
  for (const item of items) {
    for (const [relation, entries] of Object.entries(linksOf(item))) {
      if (!isEmbedded(relation)) continue
      for (const { embeddable, href } of entries) if (embeddable === true) links.add(href)
    }
  }
  return loadAll([...links], embedders, context)
}

async function loadAll(links: readonly string[], embedders: readonly Embedder[], context: Context) {
  const found = new Map<string, unknown>()
  if (links.length === 0) return found
  const { apiRoot } = context.settings
  for (const { path, load } of embedders) {
    const mine = links.filter((link) => path.test(context.app.names.toNeutral(link.slice(apiRoot.length))))
    if (mine.length === 0) continue
    const addresses = mine.map((link) => new URL(link))
    for (const [link, record] of await load(addresses, context)) found.set(link, record)
  }
  return found
}

const isEmpty = (record: unknown) => Array.isArray(record) && record.length === 0

/**
 * The value of `_embedded`. A relation without rows is left out; beside others an empty list keeps its place, because the lists of
 * terms are in the order of their links.
 */
function embeddedIn(item: unknown, found: ReadonlyMap<string, unknown>, isEmbedded: IsEmbedded): Item | undefined {
  const embedded: { [relation: string]: unknown[] } = {}
  for (const [relation, entries] of Object.entries(linksOf(item))) {
    if (!isEmbedded(relation)) continue
    const records = entries.filter(({ embeddable, href }) => embeddable === true && found.has(href))
    const values = records.map(({ href }) => found.get(href))
    if (!values.every(isEmpty)) embedded[relation] = values
  }
  return Object.keys(embedded).length === 0 ? undefined : embedded
}

/** Some lists are objects: types, taxonomies, statuses and the places of menus, by their names. */
const isMapOfRecords = (value: unknown): value is Item => {
  const members = isItem(value) ? Object.values(value) : []
  return members.length > 0 && members.every((one) => isItem(one) && isItem(one['_links']))
}

/**
 * Choice: in a list that is an object, such as that of the content types, the names of `_fields` are members of its records, as in
 * other lists. A name that begins with the key of a record selects that record.
 */
const namesKeys = (map: Item, fields: readonly string[]) =>
  fields.some((field) => Object.hasOwn(map, field.split('.', 1)[0] ?? ''))

/** Applies `_fields`, `_embed` and `_envelope` to a finished result. Streams pass unchanged. */
export async function applyResponseOptions(
  result: Result,
  globals: GlobalArguments,
  embedders: readonly Embedder[],
  context: Context,
): Promise<Result> {
  if (result.data instanceof Stream) return result
  const body = await shaped(toValue(result.data), result, globals, embedders, context)
  const answer = new Result(body, result.status, result.headers)
  return wantsEnvelope(globals.envelope) ? toEnvelope(answer) : answer
}

async function shaped(
  value: unknown,
  { status, keeps }: Result,
  globals: GlobalArguments,
  embedders: readonly Embedder[],
  context: Context,
): Promise<unknown> {
  const sent = status < 400 ? fieldsOf(globals) : undefined
  const fields = sent && [...sent, ...keeps]
  const isMap = isMapOfRecords(value) && !(fields && namesKeys(value, fields))
  const isList = isMap || Array.isArray(value)
  const items = isMap ? Object.values(value) : Array.isArray(value) ? value : [value]
  const isEmbedded = embeddedRelations(globals.embed, fields)
  const found = globals.embed === undefined ? undefined : await loadEmbedded(items, isEmbedded, embedders, context)
  const kept = fields && !isList ? withAllLinks(fields) : fields
  const parts = (fields && namedOf(fields, '_embedded')) ?? 'whole'
  const shape = (item: unknown): unknown => {
    const picked = kept ? pickFields(item, kept) : item
    const embedded = found && embeddedIn(item, found, isEmbedded)
    if (!embedded) return picked
    return { ...(picked as Item), _embedded: parts === 'whole' ? embedded : pickFields(embedded, parts) }
  }
  if (isMap) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]))
  return isList ? items.map(shape) : shape(value)
}
