/**
 * A route pattern in three forms: the key that the site index publishes (`/posts/(?P<id>[\d]+)`), the path of find-my-way
 * (`/posts/:id(^[\\d]+$)`) and the readable one (`/posts/{id}`).
 */

/** A parameter is one repeated character class: such a pattern matches in linear time. */
const linear = /^(?:\[[^[\]()]+\]|\\[dw])\+$/
/** Or it is a class or one of some words: `(?:[\d]+|me)`. */
const alternatives = /^\(\?:([^()|]+)((?:\|[a-z]+)+)\)$/

/**
 * A path parameter that fills a segment. The pattern is one repeated character class, such as `[a-z-]+`.
 *
 * ```ts
 * import { parameter } from 'site-api'
 *
 * export const path = `/books/${parameter('slug', '[a-z-]+')}`
 * ```
 */
export const parameter = <const N extends string>(name: N, pattern: string): `(?P<${N}>${string})` =>
  `(?P<${name}>${pattern})`
/**
 * Interface: clients compare the pattern text, so `id` and `parent` have the same.
 *
 * ```ts
 * import { anyone, args, digits, endpoint } from 'site-api'
 *
 * export const read = endpoint({
 *   path: `/books/${digits('id')}`,
 *   methods: ['GET'],
 *   args: { id: args.required(args.int()) },
 *   permission: anyone,
 *   handler: ({ args: { id } }) => ({ id }),
 * })
 * ```
 */
export const digits = <const N extends string>(name: N) => parameter(name, '[\\d]+')

/** The readable form as a type: `/posts/(?P<id>[\\d]+)` becomes `/posts/{id}`. */
export type Readable<P extends string> = P extends `${infer Before}(?P<${infer Name}>${string})${infer After}`
  ? `${Before}{${Name}}${Readable<After>}`
  : P

export interface Pattern {
  readonly key: string
  /** The path for find-my-way. */
  readonly routerPath: string
  readonly readable: string
  readonly parameters: readonly { readonly name: string; readonly pattern: string }[]
  /** For a parameter with words: the patterns without alternatives that a router holds instead of this one. */
  readonly variants?: readonly PatternVariant[]
}

export interface PatternVariant {
  readonly pattern: Pattern
  /** The word that replaces a parameter, which the pattern lacks, and the index of that parameter. */
  readonly fixed?: { readonly at: number; readonly word: string }
}

const group = /\(\?P<(\w+)>((?:\(\?:[^()]*\)|\[[^\]]*\]|[^()[\]])+)\)/g

/** Throws when the pattern of a parameter could take more than linear time, or the router cannot hold it. */
export function parsePattern(key: string): Pattern {
  const parameters = [...key.matchAll(group)].map(([, name = '', pattern = '']) => ({ name, pattern }))
  for (const { name, pattern } of parameters) {
    if (linear.test(pattern) || linear.test(alternatives.exec(pattern)?.[1] ?? '')) continue
    throw new Error(`route ${key}: the pattern of ${name} is not one repeated character class`)
  }
  const readable = key.replace(group, '{$1}')
  if (/[()?<>]/.test(readable)) throw new Error(`route ${key}: only named parameters are known`)
  if (/[^/]\{|\}[^/]/.test(readable)) throw new Error(`route ${key}: a parameter fills a whole segment`)
  const variants = variantsOf(key)
  return {
    ...{ key, readable, parameters, routerPath: key.replace(group, ':$1(^$2$$)') || '/' },
    ...(variants ? { variants } : {}),
  }
}

/** Undefined for a pattern without alternatives. At most one parameter has words. */
function variantsOf(key: string): readonly PatternVariant[] | undefined {
  for (const [at, [whole, name, pattern = '']] of [...key.matchAll(group)].entries()) {
    const [, repeated, words] = alternatives.exec(pattern) ?? []
    if (repeated === undefined || words === undefined) continue
    const own = { pattern: parsePattern(key.replace(whole, () => `(?P<${name}>${repeated})`)) }
    const fixed = words.slice(1).split('|')
    return [own, ...fixed.map((word) => ({ pattern: parsePattern(key.replace(whole, word)), fixed: { at, word } }))]
  }
  return undefined
}

/** The values of the path parameters, in order. */
export type PathParameters = readonly string[]
