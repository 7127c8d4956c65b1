/**
 * Checks options of the host by the declarations of arguments, without coercion: all problems at once, one sentence each.
 * The description of an option continues the sentence: it says what the value must be, and how to get one.
 */

import { nameAdvice } from '../../contract/nearest-name.ts'
import { type Args, object, type SchemaNode } from '../declare/args.ts'
import { type StrictMistake, strictMistakesOf } from './check.ts'

/**
 * The options of a function of the package are wrong. `problems` has one sentence for each.
 *
 * ```ts
 * import { createSiteApi, d1, OptionsError } from 'site-api'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * try {
 *   createSiteApi({ storage: memoryStorage(), profile: d1, url: 'example.com' })
 * } catch (error) {
 *   if (error instanceof OptionsError) console.error(error.problems.join('\n'))
 * }
 * ```
 */
export class OptionsError extends TypeError {
  readonly code = 'site_options'
  readonly problems: readonly string[]
  constructor(caller: string, problems: readonly string[]) {
    const [first = ''] = problems
    super(problems.length === 1 ? first : `${caller} has ${problems.length} problems:\n- ${problems.join('\n- ')}`)
    this.name = 'OptionsError'
    this.problems = problems
  }
}

/** One sentence for each position with a problem, in the order of the declarations; unknown options last. */
export function optionProblems(declared: Args, given: object): string[] {
  const { node } = object(declared, { additionalProperties: false })
  const mistakes = new Map<string, StrictMistake>()
  for (const mistake of strictMistakesOf(node, given)) {
    const position = mistake.path.join('.')
    // The check looks for own members only, and the methods of a class are not.
    const isInherited = mistake.kind === 'missing' && valueAt(given, mistake.path) !== undefined
    if (!isInherited && !mistakes.has(position)) mistakes.set(position, mistake)
  }
  const all = [...mistakes.values()]
  const isUnknown = ({ kind }: StrictMistake) => kind === 'unknown'
  return [...all.filter((one) => !isUnknown(one)), ...all.filter(isUnknown)].map((one) => sentenceOf(one, node, given))
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((outer, step) => (outer as { readonly [name: string]: unknown } | undefined)?.[step], value)

function sentenceOf({ kind, path }: StrictMistake, node: SchemaNode, given: object): string {
  const place = path.join('.')
  if (kind === 'unknown') {
    const outer = path.slice(0, -1)
    // The cast: an object that refuses a member declares others.
    const declared = Object.keys(outer.reduce(schemaWithin, node).properties as object)
    const owner = outer.length > 0 ? ` of ${outer.join('.')}` : ''
    const advice = nameAdvice(String(path.at(-1)), declared, `the options${owner}`)
    return `There is no option ${place}: ${advice}`
  }
  const expected = `The option ${place} must be ${path.reduce(schemaWithin, node).description}`
  const value = valueAt(given, path)
  return value === undefined ? `${expected}; it is missing.` : `${expected}, not ${shown(value)}.`
}

function schemaWithin({ items, properties = {}, additionalProperties }: SchemaNode, step: string): SchemaNode {
  if (items) return items
  // The cast: the check went the same way down to the mistake.
  return (Object.hasOwn(properties, step) ? properties[step] : additionalProperties) as SchemaNode
}

const longest = 60

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > longest ? `${value.slice(0, longest)}…` : value}'`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
