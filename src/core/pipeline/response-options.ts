/** The arguments every route takes: `_fields`, `_embed`, `_envelope`. They work on plain values, so they are the slow path. */

import type { Call, Embedder } from '../declare/endpoint.ts'
import { Answer } from '../declare/result.ts'
import { splitList } from '../request/coercion.ts'
import { chain, type Eventually, inTurn } from '../runtime/maybe-promise.ts'

type Item = { readonly [name: string]: unknown }

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Interface: `a,b`, `a b` and lists; empty means all. */
export function wordsOf(sent: unknown): readonly string[] {
  if (typeof sent === 'string') return splitList(sent)
  return Array.isArray(sent) ? sent.flatMap((one) => (typeof one === 'string' ? splitList(one) : [])) : []
}

/** Keeps the named members, nested ones with dots; a list is filtered item by item. */
export function keepFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => keepFields(one, fields))
  if (!isItem(value)) return value
  const out: { [name: string]: unknown } = {}
  for (const name of Object.keys(value)) {
    if (fields.includes(name)) {
      out[name] = value[name]
      continue
    }
    const inside = fields.filter((field) => field.startsWith(`${name}.`)).map((field) => field.slice(name.length + 1))
    if (inside.length > 0) out[name] = keepFields(value[name], inside)
  }
  return out
}

export const asksForEnvelope = (sent: unknown) => sent !== undefined && sent !== '0' && sent !== 'false'

/** For clients that see bodies only: status and headers stand in the body of an answer that is always 200. */
export const enveloped = ({ data, status, headers }: Answer): Answer =>
  new Answer({ body: data, status, headers }, 200, {})

interface LinkEntry {
  readonly href: string
  readonly embeddable?: boolean
}

const linksOf = (item: unknown): { readonly [relation: string]: readonly LinkEntry[] } =>
  isItem(item) && isItem(item['_links']) ? (item['_links'] as { [relation: string]: readonly LinkEntry[] }) : {}

/** `_embed`, `_embed=1` and `_embed=true` ask for all relations. */
const asksForAll = (sent: unknown) => sent === '' || sent === '1' || sent === 'true'

/**
 * Adds `_embedded` to a record or to each of a list. All links of one kind are loaded together, so the work does not grow
 * with the rows.
 */
export function embed(value: unknown, sent: unknown, embedders: readonly Embedder[], call: Call): Eventually<unknown> {
  const wanted = asksForAll(sent) ? undefined : wordsOf(sent)
  const items = Array.isArray(value) ? value : [value]
  const taken = (relation: string, link: LinkEntry) =>
    link.embeddable === true && (!wanted || wanted.includes(relation))
  const links = new Set<string>()
  for (const item of items) {
    for (const [relation, entries] of Object.entries(linksOf(item))) {
      for (const link of entries) if (taken(relation, link)) links.add(link.href)
    }
  }
  if (links.size === 0) return value
  return chain(loadAll([...links], embedders, call), (found) => {
    const out = items.map((item) => withEmbedded(item, found, taken))
    return Array.isArray(value) ? out : out[0]
  })
}

function loadAll(links: readonly string[], embedders: readonly Embedder[], call: Call) {
  const found = new Map<string, unknown>()
  const { apiRoot } = call.settings
  const loads = inTurn(embedders, (embedder) => {
    const mine = links.filter((link) => embedder.path.test(call.site.names.inner(link.slice(apiRoot.length))))
    if (mine.length === 0) return undefined
    return chain(
      embedder.load(
        mine.map((link) => new URL(link)),
        call,
      ),
      (records) => {
        for (const [link, record] of records) found.set(link, record)
      },
    )
  })
  return chain(loads, () => found)
}

function withEmbedded(
  item: unknown,
  found: ReadonlyMap<string, unknown>,
  taken: (relation: string, link: LinkEntry) => boolean,
): unknown {
  const embedded: { [relation: string]: unknown[] } = {}
  for (const [relation, entries] of Object.entries(linksOf(item))) {
    const records = entries.filter((link) => taken(relation, link) && found.has(link.href))
    if (records.length > 0) embedded[relation] = records.map((link) => found.get(link.href))
  }
  return Object.keys(embedded).length === 0 ? item : { ...(item as Item), _embedded: embedded }
}
