/**
 * Finds ids inside texts: attributes of blocks and of shortcodes, classes of pictures, addresses by number. The cost is linear in the
 * text, and a text without any of these is not parsed.
 */

import type { Json } from '../../../contract/storage.ts'
import { attributesOf, readMarker, writeAttributes } from '../../../html/block-markers.ts'
import { rowParameterSource, rowParameters } from '../../../site/addresses/row-parameters.ts'
import { type BlockMembers, blockMembers, type Holder, isTagShortcode, shortcodeAttributes, tagMarks } from './kinds.ts'
import {
  isMembers,
  type Mapping,
  type Members,
  mapList,
  mapMembers,
  mapOne,
  mapToken,
  mapTokens,
  maxDepth,
  type RowKind,
} from './mapping.ts'

/** Maps values inside texts: the attributes of blocks, and the settings of dynamic tags. */
type MapValue = (value: unknown, depth: number) => Json

export function mapText(text: string, mapping: Mapping, mapValue: MapValue, depth = 0): string {
  if (depth > maxDepth || !/[[<?]/.test(text) || (mapping.reference && !text.includes('ref'))) return text
  const inTags = text.includes('<') ? mapTags(text, mapping) : text
  const inShortcodes = inTags.includes('[') ? mapShortcodes(inTags, mapping, mapValue, depth) : inTags
  const inAddresses = inShortcodes.includes('?') ? mapAddresses(inShortcodes, mapping) : inShortcodes
  return inAddresses.includes('<!--') ? mapComments(inAddresses, mapping, mapValue, depth) : inAddresses
}

// ---------------------------------------------------------------- blocks

function mapComments(text: string, mapping: Mapping, mapValue: MapValue, depth: number): string {
  let result = ''
  let copied = 0
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    const comment = text.slice(start + 4, end)
    const mapped = mapComment(comment, mapping, mapValue, depth)
    if (mapped !== comment) {
      result += text.slice(copied, start + 4) + mapped
      copied = end
    }
    start = text.indexOf('<!--', end)
  }
  return result + text.slice(copied)
}

function mapComment(comment: string, mapping: Mapping, mapValue: MapValue, depth: number): string {
  // Most attributes have neither an id nor a reference, and are not parsed.
  const hasTokens = comment.includes('{') && (mapping.id ? /[1-9]/.test(comment) : comment.includes('ref'))
  const marker = hasTokens ? readMarker(comment) : undefined
  if (!marker || marker.json === '') return comment
  const attributes = attributesOf(marker)
  const { name } = marker
  const members = Object.hasOwn(blockMembers, name) ? (blockMembers[name] as BlockMembers) : {}
  const mapped = mapHeld(attributes, members, mapping, mapValue, depth)
  // Attributes that are not changed keep their bytes.
  return mapped === attributes ? comment : comment.replace(marker.json, () => writeAttributes(mapped))
}

/** Members that the table does not know are mapped as those of elements. */
function mapHeld(owner: Members, members: BlockMembers, mapping: Mapping, mapValue: MapValue, depth: number): Members {
  const holderOf = (name: string) => (Object.hasOwn(members, name) ? members[name] : undefined)
  const others = mapValue(Object.fromEntries(Object.entries(owner).filter(([name]) => !holderOf(name))), depth + 1)
  return mapMembers(owner, (value, name) => {
    const holder = holderOf(name)
    if (holder) return mapHolder(value, holder, owner, mapping, mapValue, depth)
    // The cast: the others have the same names.
    return (others as { readonly [name: string]: Json })[name] ?? null
  })
}

function mapHolder(
  value: unknown,
  holder: Holder,
  owner: Members,
  mapping: Mapping,
  mapValue: MapValue,
  depth: number,
): Json {
  // The casts here and below: attributes are JSON.
  if (typeof holder === 'object') {
    return (isMembers(value) ? mapHeld(value, holder, mapping, mapValue, depth + 1) : value) as Json
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
  if (Array.isArray(value)) return mapList(value, (inner) => mapIds(inner, kind, mapping, depth + 1))
  if (!isMembers(value)) return value as Json
  const hasId = Object.hasOwn(value, 'id')
  return mapMembers(value as Members & Json, (inner, name) =>
    hasId && name !== 'id' ? (inner as Json) : mapIds(inner, kind, mapping, depth + 1),
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

/** Both begin with the token, because texts have fewer digits than marks. */
const idInTag = new RegExp(`[1-9](?<=(${tagMarks})[1-9])\\d{0,14}(?=["'\\s>])`, 'g')
const referenceInTag = new RegExp(`ref:(?<=(${tagMarks})ref:)[^\\s"'<>,\\]&\\\\]+(?=["'\\s>])`, 'g')
/** Matches the start of a class, an id or an attribute up to its mark. */
const beforeMark = /["'\s=][a-z-]{0,30}$/

/** Text between tags stays. A tag is looked for from one mark to the next only, so the cost is linear. */
function mapTags(text: string, mapping: Mapping): string {
  let from = 0
  let tag = -1
  return text.replace(mapping.id ? idInTag : referenceInTag, (token: string, mark: string, start: number) => {
    const at = start - mark.length
    const between = text.slice(from, at)
    const opened = between.lastIndexOf('<')
    if (opened > between.lastIndexOf('>')) tag = from + opened
    else if (between.includes('>')) tag = -1
    from = at
    const isHere = tag !== -1 && beforeMark.test(text.slice(Math.max(tag, at - 32), at))
    // Only pictures have the id of a medium in this attribute.
    if (!isHere || (mark.startsWith('data-id') && !/^<img\s/i.test(text.slice(tag, tag + 5)))) return token
    return mapToken('post', token, mapping)
  })
}

/** An id counts in an address of this site: one that begins with its query. A reference is one of this site everywhere. */
const localAddress = new RegExp(`((?:^|["'])\\/?${rowParameterSource})([1-9]\\d{0,14}(?!\\d))`, 'g')
const referredAddress = /([?&;]([a-z_]+)=)(ref:[^\s"'<>,\]&\\]+)/g

const mapAddresses = (text: string, mapping: Mapping): string => {
  const replace = (whole: string, before: string, name: string, token: string) => {
    const kind = rowParameters.get(name)
    return kind ? before + mapToken(kind, token, mapping) : whole
  }
  return text.replace(mapping.id ? localAddress : referredAddress, replace)
}
