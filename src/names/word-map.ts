/**
 * Neutral words to the words that a deployment's clients expect, and back. Everything that carries public identifiers is
 * translated once, when the api is created; without a map each word stands for itself.
 */
import { createMarkupNames } from './markup.ts'

/** What a word stands for, where one word stands for two things: `package` is the slug of a plugin or theme. */
export type WordKind = 'word' | 'package'

/**
 * Pairs of a neutral word and its replacement. A pair counts where the word stands whole, or begins a longer one when it
 * ends in one of `_ - : /`. Longer words go first, whatever their order.
 */
export type NameMap = readonly (readonly [neutral: string, outer: string, kind?: WordKind])[]

export interface Names {
  /** The outer form of an identifier: a namespace, a header, a relation, a meta key. */
  toPublic(neutral: string, kind?: WordKind): string
  /** The neutral form of an identifier that a client sent. */
  toNeutral(outer: string, kind?: WordKind): string
  /**
   * Content with its block markers and block classes in the other form: the same function on the way in and out. A marker
   * that is in the other form already changes as well, so that both ways together change nothing.
   */
  swapMarkup(content: string): string
  readonly isEmpty: boolean
}

export function createNames(map: NameMap = []): Names {
  if (map.length === 0) return { isEmpty: true, toPublic: same, toNeutral: same, swapMarkup: same }
  const pairs = (kind: WordKind) => map.filter((pair) => (pair[2] ?? 'word') === kind)
  const turned = (kind: WordKind) => pairs(kind).map(([neutral, outer]) => [outer, neutral] as const)
  const out = { word: kept(createReplace(pairs('word'))), package: kept(createReplace(pairs('package'))) }
  const back = { word: createReplace(turned('word')), package: createReplace(turned('package')) }
  return {
    isEmpty: false,
    toPublic: (text, kind = 'word') => out[kind](text),
    toNeutral: (text, kind = 'word') => back[kind](text),
    swapMarkup: createMarkupNames(map),
  }
}

const same = (text: string) => text

/** The outer form of identifiers alone, for clients: nothing that looks into content comes with it. */
export const publicWords = (map: NameMap = []): ((neutral: string) => string) =>
  map.length === 0 ? same : createReplace(map.filter(([, , kind = 'word']) => kind === 'word'))

type Replace = (text: string) => string

/** What is asked for is written in the code, but a feature may pass on more. */
const maxKept = 1000

function kept(replace: Replace): Replace {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = replace(text)
    if (known.size < maxKept) known.set(text, made)
    return made
  }
}

const wordSign = /[\w-]/
const openEnd = /[_:/-]$/

/** One pass from the left, so that no replacement is replaced again. */
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
