/**
 * Maps neutral identifiers to the names that a deployment's clients expect, and back. Declarations are translated once,
 * when the api is created; without a map each identifier stays as it is.
 */
import { createMarkupNames } from './markup.ts'

/** Distinguishes two meanings of one word: `package` is the slug of a plugin or theme. */
export type WordKind = 'word' | 'package'

/**
 * Pairs of a neutral identifier and its replacement. A pair matches a whole identifier, or the start of a longer one if
 * it ends in one of `_ - : /`. Longer pairs match first, in any order.
 */
export type NameMap = readonly (readonly [neutral: string, outer: string, kind?: WordKind])[]

/** Translates identifiers between the neutral and the public form. */
export interface Names {
  /** Returns the public form of an identifier: a namespace, a header, a relation, a meta key. */
  toPublic(neutral: string, kind?: WordKind): string
  /** The neutral form of an identifier that a client sent. */
  toNeutral(outer: string, kind?: WordKind): string
  /**
   * Swaps the names in block markers and block classes: the same function in both directions. A marker that has the
   * other form already is swapped too, so that both directions together change nothing.
   */
  swapMarkup(content: string): string
  readonly isEmpty: boolean
}

export function createNames(map: NameMap = []): Names {
  if (map.length === 0) return { isEmpty: true, toPublic: same, toNeutral: same, swapMarkup: same }
  const pairs = (kind: WordKind) => map.filter((pair) => (pair[2] ?? 'word') === kind)
  const turned = (kind: WordKind) => pairs(kind).map(([neutral, outer]) => [outer, neutral] as const)
  const out = { word: cached(createReplace(pairs('word'))), package: cached(createReplace(pairs('package'))) }
  const back = { word: createReplace(turned('word')), package: createReplace(turned('package')) }
  return {
    isEmpty: false,
    toPublic: (text, kind = 'word') => out[kind](text),
    toNeutral: (text, kind = 'word') => back[kind](text),
    swapMarkup: createMarkupNames(map),
  }
}

const same = (text: string) => text

/** The public form of identifiers only, for clients: the bundle needs no content rules. */
export const publicWords = (map: NameMap = []): ((neutral: string) => string) =>
  map.length === 0 ? same : createReplace(map.filter(([, , kind = 'word']) => kind === 'word'))

type Replace = (text: string) => string

/** Bounds the cache: most identifiers are written in code, but a feature may pass others. */
const maxCached = 1000

function cached(replace: Replace): Replace {
  const cache = new Map<string, string>()
  return (text) => {
    const found = cache.get(text)
    if (found !== undefined) return found
    const replaced = replace(text)
    if (cache.size < maxCached) cache.set(text, replaced)
    return replaced
  }
}

const wordSign = /[\w-]/
const openEnd = /[_:/-]$/

/** One pass from the left, so that a replacement is never replaced again. */
function createReplace(pairs: readonly (readonly [from: string, to: string, ...rest: unknown[]])[]): Replace {
  const rules = [...pairs]
    .sort(([a], [b]) => b.length - a.length)
    .map(([from, to]) => ({ from, to, isOpen: openEnd.test(from) }))
  return (text) => {
    let result = ''
    for (let at = 0; at < text.length; ) {
      const isStart = at === 0 || !wordSign.test(text[at - 1] as string)
      const rule = isStart
        ? rules.find(({ from, isOpen }) => text.startsWith(from, at) && (isOpen || endsAt(text, at + from.length)))
        : undefined
      result += rule ? rule.to : text[at]
      at += rule ? rule.from.length : 1
    }
    return result
  }
}

const endsAt = (text: string, at: number) => at === text.length || !wordSign.test(text[at] as string)
