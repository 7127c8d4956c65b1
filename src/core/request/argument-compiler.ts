/**
 * Generates the code that coerces and checks the arguments of one endpoint. Comparisons are inlined, and the result
 * object is one literal, so that all calls of an endpoint share a hidden class. `argument-interpreter.ts` does the same
 * where code cannot be generated.
 */

import { invalid, toBoolean, toInteger, toNumber } from '../../contract/scalars.ts'
import { type Arg, isAlwaysRequired, type SchemaNode } from '../declare/args.ts'
import type { BodyArguments } from '../declare/request.ts'
import type { Coerce } from './coercion.ts'

export interface Member {
  readonly name: string
  readonly arg: Arg
  /** Index among the parameters of the path, or -1. */
  readonly inPath: number
  readonly coerce: Coerce
  readonly isRight: ((value: unknown) => boolean) | undefined
  readonly fallback: unknown
  /** The meaning of null in a body: null itself, an empty value, or not sent. */
  readonly nullValue: unknown
}

export type MutableParsedArguments = { -readonly [K in keyof ParsedArguments]: ParsedArguments[K] }

const shared = { invalid, toInteger, toNumber, toBoolean }

/** From raw values, by position, to typed values. */
export function compileArguments(members: readonly Member[]): (raw: readonly unknown[]) => MutableParsedArguments {
  const reads = members.map(({ arg, coerce, isRight }, at) => {
    const v = `v${at}`
    const right = isRight && (conditionOn(arg.node, v) ?? `members[${at}].isRight(${v})`)
    const isWrong = `${v} === invalid${right === undefined ? '' : ` || !(${right})`}`
    return `let ${v} = raw[${at}]
      if (${v} === undefined) { ${v} = fallbacks[${at}]${isAlwaysRequired(arg) ? '; isWrong = true' : ''} }
      else { ${v} = ${coercionOf(coerce, v, at)}; if (${isWrong}) isWrong = true }`
  })
  const args = members.map(({ name }, at) => `${JSON.stringify(name)}: v${at}`)
  const make = new Function(
    ...['members', 'fallbacks', ...Object.keys(shared)],
    `return (raw) => {
      let isWrong = false
      ${reads.join('\n')}
      return { args: { ${args.join(', ')} }, globals: undefined, raw, isWrong }
    }`,
  )
  // The cast: what the generated function returns.
  return make(
    members,
    members.map(({ fallback }) => fallback),
    ...Object.values(shared),
  ) as (raw: readonly unknown[]) => MutableParsedArguments
}

/** The common coercions are called by name, so that the JIT can inline them. */
function coercionOf(coerce: Coerce, v: string, at: number): string {
  if (coerce === toInteger) return `toInteger(${v})`
  if (coerce === toNumber) return `toNumber(${v})`
  return coerce === toBoolean ? `toBoolean(${v})` : `members[${at}].coerce(${v})`
}

/** The check of a coerced value as an expression; undefined for schemas that need the compiled check. */
export function conditionOn(node: SchemaNode, v: string): string | undefined {
  if (node.oneOf || node.format || node.pattern !== undefined) return undefined
  switch (node.type) {
    case 'string':
      if (node.enum) return node.enum.map((word) => `${v} === ${JSON.stringify(word)}`).join(' || ')
      return conditions([
        [node.minLength, `${v}.length >= ${node.minLength}`],
        [node.maxLength, `${v}.length <= ${node.maxLength}`],
      ])
    case 'integer':
    case 'number':
      if (node.enum) return undefined
      return conditions([
        [node.minimum, `${v} ${node.exclusiveMinimum ? '>' : '>='} ${node.minimum}`],
        [node.maximum, `${v} ${node.exclusiveMaximum ? '<' : '<='} ${node.maximum}`],
      ])
    default:
      return undefined
  }
}

const conditions = (bounds: readonly (readonly [bound: number | undefined, text: string])[]): string =>
  ['true', ...bounds.flatMap(([bound, text]) => (bound === undefined ? [] : [text]))].join(' && ')

/** Null counts as not sent, except for arguments that accept null. `Interface:` for a list, null is the empty list. */
export function compileBodyArguments(members: readonly Member[]): (body: BodyArguments, raw: unknown[]) => void {
  const takes = members.flatMap(({ name, inPath }, at) => {
    if (inPath !== -1) return []
    const key = JSON.stringify(name)
    // Names that every object inherits count only as own properties.
    const sent = name in Object.prototype ? `Object.hasOwn(body, ${key}) ? body[${key}] : undefined` : `body[${key}]`
    return [
      `sent = ${sent}; if (sent === null) sent = members[${at}].nullValue; if (sent !== undefined) raw[${at}] = sent`,
    ]
  })
  const make = new Function('members', `return (body, raw) => { let sent; ${takes.join('\n')} }`)
  // The cast: what the generated function returns.
  return make(members) as (body: BodyArguments, raw: unknown[]) => void
}

export type Values = { [name: string]: unknown }

/** The query arguments of every route. */
export interface GlobalArguments {
  readonly fields: unknown
  readonly embed: unknown
  readonly envelope: unknown
}

export interface ParsedArguments {
  readonly args: Values
  readonly globals: GlobalArguments | undefined
  /** Reads an argument by its position: the raw value, or undefined. */
  readonly raw: readonly unknown[]
  /** The compiled check failed: `validate` finds the reasons. */
  readonly isWrong: boolean
}
