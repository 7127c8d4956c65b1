/** Resolves the texts of dynamic tags: `[builder-tag id="…" name="post-title" settings="…"]`. */
import { Settings } from '../document/settings.ts'
import { isEmpty, isObject, ownValue, type RawSettings, textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'

/** Matches the tag in both words: a site with a names preset stores another one. */
const TAG = /\[[a-z]+-tag((?:\s+[a-z]+="[^"]*")*)\s*\]/g
const ATTRIBUTE = /([a-z]+)="([^"]*)"/g
const maxTags = 100

/** A single tag may return an object; several tags, or a tag among other characters, are joined as text. */
export function resolveDynamic(text: string, pass: Pass, scope: Scope): unknown {
  const found = [...text.matchAll(TAG)].slice(0, maxTags)
  const [first] = found
  if (!first) return text
  if (first[0] === text.trim()) return tagValue(first[1] ?? '', pass, scope)
  let result = ''
  let end = 0
  for (const { 0: whole, 1: attributes = '', index } of found) {
    const value = tagValue(attributes, pass, scope)
    result += text.slice(end, index) + textOf(isObject(value) ? ownValue(value, 'url') : value)
    end = index + whole.length
  }
  return result + text.slice(end)
}

function tagValue(source: string, pass: Pass, scope: Scope): unknown {
  const attributes = new Map([...source.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))
  const raw = readSettings(attributes.get('settings') ?? '')
  const name = attributes.get('name') ?? ''
  if (raw) return answerOf(name, raw, pass, scope)
  if (!pass.tables.tag(name)) pass.warnings.add('unknown_tag')
  return ''
}

/** Returns the value of a tag with its settings; empty for an unknown tag. */
export function answerOf(name: string, raw: RawSettings, pass: Pass, scope: Scope): unknown {
  const tag = pass.tables.tag(name)
  if (!tag) {
    pass.warnings.add('unknown_tag')
    return ''
  }
  // Settings of a tag are never dynamic themselves.
  const settings = new Settings(raw, textOf)
  const value = tag({ settings, pass, scope })
  if (isObject(value) || Array.isArray(value)) return isEmpty(value) ? ownValue(raw, 'fallback') : value
  const text = textOf(value)
  if (text === '') return ownValue(raw, 'fallback') ?? ''
  return settings.text('before') + text + settings.text('after')
}

/** Parses URL-encoded JSON; undefined when it is broken. */
function readSettings(text: string): { readonly [name: string]: unknown } | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text.replaceAll('+', ' ')))
    if (Array.isArray(value) && value.length === 0) return {}
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
