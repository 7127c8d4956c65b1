/**
 * Neutral words to the words that a deployment's clients expect, and back. Everything that carries public identifiers is
 * translated once, when the api is created; without a map each word stands for itself.
 */
import type { Arg, SchemaNode } from '../core/declare/args.ts'
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
  word(neutral: string, kind?: WordKind): string
  /** The neutral form of an identifier that a client sent. */
  inner(outer: string, kind?: WordKind): string
  /**
   * Content with its block markers and block classes in the other form: the same function on the way in and out. A marker
   * that is in the other form already changes as well, so that both ways together change nothing.
   */
  markup(content: string): string
  readonly isEmpty: boolean
}

export function createNames(map: NameMap = []): Names {
  if (map.length === 0) return { isEmpty: true, word: same, inner: same, markup: same }
  const pairs = (kind: WordKind) => map.filter((pair) => (pair[2] ?? 'word') === kind)
  const turned = (kind: WordKind) => pairs(kind).map(([neutral, outer]) => [outer, neutral] as const)
  const out = { word: kept(createReplace(pairs('word'))), package: kept(createReplace(pairs('package'))) }
  const back = { word: createReplace(turned('word')), package: createReplace(turned('package')) }
  return {
    isEmpty: false,
    word: (text, kind = 'word') => out[kind](text),
    inner: (text, kind = 'word') => back[kind](text),
    markup: createMarkupNames(map),
  }
}

const same = (text: string) => text

/** The outer form of identifiers alone, for clients: nothing that looks into content comes with it. */
export const outerWords = (map: NameMap = []): ((neutral: string) => string) =>
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

// ---------------------------------------------------------------- arguments

/** The argument as clients see it: names of members, words of enums and defaults in their outer form. */
export const outerArg = ({ node, identifiers }: Arg, names: Names): SchemaNode => outerNode(node, names, identifiers)

function outerNode(node: SchemaNode, names: Names, kind: WordKind | undefined): SchemaNode {
  const { properties, items, oneOf, anyOf, additionalProperties, enum: words, default: fallback } = node
  const outer = (value: unknown) => (typeof value === 'string' ? names.word(value, kind) : value)
  return {
    ...node,
    ...(words ? { enum: words.map(outer) as (string | number)[] } : {}),
    // A default is written in the code: no user ever wrote it.
    ...(fallback === undefined ? {} : { default: Array.isArray(fallback) ? fallback.map(outer) : outer(fallback) }),
    ...(properties ? { properties: renamed(properties, names, kind) } : {}),
    ...(items ? { items: outerNode(items, names, kind) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((form) => outerNode(form, names, kind)) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((form) => outerNode(form, names, kind)) } : {}),
    ...(node.const === undefined ? {} : { const: outer(node.const) as string }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: outerNode(additionalProperties, names, kind) }
      : {}),
  }
}

const renamed = (properties: { readonly [name: string]: SchemaNode }, names: Names, kind: WordKind | undefined) =>
  Object.fromEntries(Object.entries(properties).map(([name, node]) => [names.word(name), outerNode(node, names, kind)]))

/** A value that fits the outer form of an argument, with its identifiers in neutral words. What users wrote stays. */
export const innerValue = ({ node, identifiers }: Arg, value: unknown, names: Names): unknown =>
  innerOf(node, value, names, identifiers)

function innerOf(node: SchemaNode, value: unknown, names: Names, kind: WordKind | undefined): unknown {
  if (typeof value === 'string') return kind || node.enum?.includes(value) ? names.inner(value, kind) : value
  if (Array.isArray(value)) {
    const { items, oneOf } = node
    const form = items ?? oneOf?.find((one) => one.items)?.items
    return form ? value.map((one) => innerOf(form, one, names, kind)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = { ...node.properties, ...node.oneOf?.find((form) => form.properties)?.properties }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const own = properties[name]
      if (own) return [[names.inner(name), innerOf(own, inner, names, kind)]]
      // The neutral word for a member that has another name here: nobody has sent that member.
      return Object.hasOwn(properties, names.word(name)) ? [] : [[name, inner]]
    }),
  )
}
