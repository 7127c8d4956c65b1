/**
 * Finds ids inside texts: attributes of blocks and of shortcodes, classes of pictures, addresses by number. The cost is linear in the
 * text, and a text without any of these is not parsed.
 */

import type { Json } from '../../../contract/storage.ts'
import { attributesOf, readMarker, writeAttributes } from '../../../html/block-markers.ts'
import { rowParameterSource, rowParameters } from '../../../site/addresses/row-parameters.ts'
import {
  type BlockMembers,
  blockMembers,
  type Holder,
  isTagShortcode,
  picturePrefixes,
  shortcodeAttributes,
  tagPrefixes,
} from './kinds.ts'
import { isMembers, type Mapping, mapOne, mapToken, mapTokens, maxDepth, type RowKind, tokenSource } from './mapping.ts'

/** Maps values inside texts: the attributes of blocks, and the settings of dynamic tags. */
type MapValue = (value: unknown, depth: number) => Json

export function mapText(text: string, mapping: Mapping, mapValue: MapValue, depth = 0): string {
  if (depth > maxDepth || !/[[<?]/.test(text)) return text
  if (!text.includes('<!--')) return mapParts(text, mapping, mapValue, depth)
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return result + mapParts(text.slice(at), mapping, mapValue, depth)
    const comment = text.slice(start + 4, end)
    result += `${mapParts(text.slice(at, start), mapping, mapValue, depth)}<!--${mapComment(comment, mapping, mapValue, depth)}-->`
    at = end + 3
  }
}

function mapParts(text: string, mapping: Mapping, mapValue: MapValue, depth: number): string {
  const inTags = text.includes('<') ? mapTags(text, mapping) : text
  const inShortcodes = inTags.includes('[') ? mapShortcodes(inTags, mapping, mapValue, depth) : inTags
  return inShortcodes.includes('?') ? mapAddresses(inShortcodes, mapping) : inShortcodes
}

// ---------------------------------------------------------------- blocks

function mapComment(comment: string, mapping: Mapping, mapValue: MapValue, depth: number): string {
  const marker = comment.includes('{') ? readMarker(comment) : undefined
  if (!marker || marker.json === '') return comment
  const attributes = attributesOf(marker)
  const { name } = marker
  const members = Object.hasOwn(blockMembers, name) ? (blockMembers[name] as BlockMembers) : {}
  const mapped = mapHeld(attributes, members, mapping, mapValue, depth)
  const json = writeAttributes(mapped)
  // An attribute that is not changed keeps its bytes.
  return json === writeAttributes(attributes) ? comment : comment.replace(marker.json, () => json)
}

/** Members that the table does not know are mapped as those of elements. */
function mapHeld(
  owner: { readonly [name: string]: unknown },
  members: BlockMembers,
  mapping: Mapping,
  mapValue: MapValue,
  depth: number,
): { readonly [name: string]: Json } {
  const holderOf = (name: string) => (Object.hasOwn(members, name) ? members[name] : undefined)
  const entries = Object.entries(owner)
  // The cast: the copy has the same names.
  const others = mapValue(Object.fromEntries(entries.filter(([name]) => !holderOf(name))), depth + 1) as {
    readonly [name: string]: Json
  }
  return Object.fromEntries(
    entries.map(([name, value]): [string, Json] => {
      const holder = holderOf(name)
      return [name, holder ? mapHolder(value, holder, owner, mapping, mapValue, depth) : (others[name] ?? null)]
    }),
  )
}

function mapHolder(
  value: unknown,
  holder: Holder,
  owner: { readonly [name: string]: unknown },
  mapping: Mapping,
  mapValue: MapValue,
  depth: number,
): Json {
  if (typeof holder === 'object') {
    return isMembers(value) ? mapHeld(value, holder, mapping, mapValue, depth + 1) : (value as Json)
  }
  const kind = typeof holder === 'string' ? holder : holder(owner)
  return kind ? mapIds(value, kind, mapping, depth) : (value as Json)
}

/** Replaces the ids in a value of any depth. Of members with an id, such as those of a chosen category, the others stay. */
function mapIds(value: unknown, kind: RowKind, mapping: Mapping, depth: number): Json {
  if (depth > maxDepth) return value as Json
  const one = mapOne(value, kind, mapping)
  if (one !== undefined) return one
  if (typeof value === 'string') return mapTokens(kind, value, mapping)
  if (Array.isArray(value)) return value.map((inner) => mapIds(inner, kind, mapping, depth + 1))
  if (!isMembers(value)) return value as Json
  const hasId = Object.hasOwn(value, 'id')
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]): [string, Json] => [
      name,
      hasId && name !== 'id' ? (inner as Json) : mapIds(inner, kind, mapping, depth + 1),
    ]),
  )
}

// ---------------------------------------------------------------- shortcodes

const shortcode = /(\[?)\[([a-z][\w-]*)(\s[^[\]]*)\](\]?)/gi
const attribute = /(\s)([a-z]+)=("[^"]*"|'[^']*'|[^\s"']+)/gi

/** A shortcode in double brackets is shown as it is written. */
function mapShortcodes(text: string, mapping: Mapping, mapValue: MapValue, depth: number): string {
  return text.replace(shortcode, (whole, before: string, name: string, attributes: string, after: string) => {
    const kinds = shortcodeAttributes(name)
    if ((before !== '' && after !== '') || (!kinds && !isTagShortcode(name))) return whole
    const mapped = attributes.replace(attribute, (all, blank: string, key: string, quoted: string) => {
      const kind = kinds && Object.hasOwn(kinds, key) ? kinds[key] : undefined
      const map = kind
        ? (value: string) => mapShortcodeIds(value, kind, mapping)
        : kinds === undefined && key === 'settings'
          ? (value: string) => mapSettings(value, mapValue, depth)
          : undefined
      return map ? `${blank}${key}=${withinQuotes(quoted, map)}` : all
    })
    return `${before}[${name}${mapped}]${after}`
  })
}

function withinQuotes(quoted: string, map: (value: string) => string): string {
  const [, quote = '', value = ''] = /^(["']?)(.*)\1$/s.exec(quoted) ?? []
  return `${quote}${map(value)}${quote}`
}

function mapShortcodeIds(value: string, kind: RowKind, mapping: Mapping): string {
  const [, prefix = '', tokens = ''] = /^(attachment_)?(.*)$/s.exec(value) ?? []
  return prefix + mapTokens(kind, tokens, mapping)
}

function mapSettings(encoded: string, mapValue: MapValue, depth: number): string {
  const settings = settingsIn(encoded)
  return isMembers(settings) ? encodeURIComponent(JSON.stringify(mapValue(settings, depth + 1))) : encoded
}

function settingsIn(encoded: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(encoded))
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- tags and addresses

const tag = /<[a-z][^<>]*>/gi
const withPrefix = (prefixes: string) => new RegExp(`(${prefixes})(${tokenSource})(?=["'\\s>])`, 'gi')
const inTag = withPrefix(tagPrefixes)
const inPicture = withPrefix(`${tagPrefixes}|${picturePrefixes}`)

const mapTags = (text: string, mapping: Mapping): string =>
  text.replace(tag, (one) => {
    if (!/-image-|-att-|attachment|\sdata-/.test(one)) return one
    const ids = /^<img\s/i.test(one) ? inPicture : inTag
    return one.replace(ids, (_, before: string, token: string) => before + mapToken('post', token, mapping))
  })

/** An id counts in an address of this site: one that begins with its query. A reference is one of this site everywhere. */
const localAddress = new RegExp(`((?:^|["'])\\/?${rowParameterSource})([1-9]\\d{0,14}(?!\\d))`, 'g')
const referredAddress = /([?&;]([a-z_]+)=)(ref:[^\s"'<>,\]&\\]+)/g

const mapAddresses = (text: string, mapping: Mapping): string => {
  const replace = (whole: string, before: string, name: string, token: string) => {
    const kind = rowParameters.get(name)
    return kind ? before + mapToken(kind, token, mapping) : whole
  }
  return text.replace(localAddress, replace).replace(referredAddress, replace)
}
