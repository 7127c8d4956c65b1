/** Test helpers for name presets: translate requests into public names, and find words that should not occur. */
import { createNames, type NameMap } from '../../src/names/word-map.ts'
import type { Received, Requester, RequestInput } from '../support/site.ts'

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The same word borders as in names/word-map.ts: a complete word, or a prefix if it ends in punctuation. */
const bounded = (word: string) => `(?<![\\w-])${escaped(word)}${/[_:/-]$/.test(word) ? '' : '(?![\\w-])'}`

/** Matches all neutral or all public words of a map. */
export function wordsOn(side: 'neutral' | 'outer', map: NameMap): RegExp {
  const words = map
    .filter(([, , kind]) => kind !== 'package')
    .map(([neutral, outer]) => (side === 'neutral' ? neutral : outer))
  return new RegExp(
    [...words]
      .sort((a, b) => b.length - a.length)
      .map(bounded)
      .join('|'),
    'g',
  )
}

/** The texts of a response that are names: keys, and values without blanks. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\S+$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

/** A requester that translates neutral words into those of the map before it sends. */
export function inWordsOf(map: NameMap, send: Requester): Requester {
  const names = createNames(map)
  const translated = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return names.toPublic(value, key === 'slug' ? 'package' : 'word')
    if (Array.isArray(value)) return value.map((one) => translated(one, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [names.toPublic(name), translated(inner, name)]),
    )
  }
  return (method, path, { body, query, ...more } = {}) =>
    send(method, translatedPath(path), {
      ...more,
      ...(query === undefined ? {} : { query: typeof query === 'string' ? names.toPublic(query) : query }),
      ...(body === undefined ? {} : { body: translated(body) }),
    } satisfies RequestInput)

  function translatedPath(path: string): string {
    const slug = /^(\/builder-one\/v1\/(?:plugins|themes)\/)([\w-]+)(.*)$/.exec(path)
    if (!slug) return names.toPublic(path)
    return `${names.toPublic(slug[1] as string)}${names.toPublic(slug[2] as string, 'package')}${slug[3]}`
  }
}

/** Headers and body as text, without the status line. */
export const textOf = ({ headers, body }: Received): string =>
  `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`
