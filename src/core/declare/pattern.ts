/**
 * One route pattern in its forms: the key that the site index publishes (`/posts/(?P<id>[\d]+)`), the router's path
 * (`/posts/:id(^[\\d]+$)`) and the readable one (`/posts/{id}`).
 */

/** What a parameter may look like. Only one character class repeated: such a pattern is matched in linear time. */
const linear = /^(?:\[[^[\]()]+\]|\\[dw])\+$/

export const parameter = <const N extends string>(name: N, pattern: string): `(?P<${N}>${string})` =>
  `(?P<${name}>${pattern})`
/** Interface: clients that discover routes compare the text, so `id` and `parent` share it. */
export const digits = <const N extends string>(name: N) => parameter(name, '[\\d]+')

/** The type of the readable form: `/posts/(?P<id>[\\d]+)` as `/posts/{id}`. */
export type Readable<P extends string> = P extends `${infer Before}(?P<${infer Name}>${string})${infer After}`
  ? `${Before}{${Name}}${Readable<After>}`
  : P

export interface Pattern {
  readonly key: string
  readonly routerPath: string
  readonly readable: string
  readonly parameters: readonly { readonly name: string; readonly pattern: string }[]
}

const group = /\(\?P<(\w+)>((?:\[[^\]]*\]|[^()[\]])+)\)/g

/** Throws when a parameter's pattern could take more than linear time, or has a form that the router can't hold. */
export function parsePattern(key: string): Pattern {
  const parameters = [...key.matchAll(group)].map(([, name = '', pattern = '']) => ({ name, pattern }))
  for (const { name, pattern } of parameters) {
    if (!linear.test(pattern))
      throw new Error(`route ${key}: the pattern of ${name} is not one repeated character class`)
  }
  const readable = key.replace(group, '{$1}')
  if (/[()?<>]/.test(readable)) throw new Error(`route ${key}: only named parameters are known`)
  if (/[^/]\{|\}[^/]/.test(readable)) throw new Error(`route ${key}: a parameter fills a whole segment`)
  return { key, readable, parameters, routerPath: key.replace(group, ':$1(^$2$$)') || '/' }
}

/** What the parameters of the path hold, in their order. */
export type Params = readonly string[]
