/**
 * Two checks of one schema: a quick one that returns a boolean on the hot path, compiled where the runtime can generate
 * code, and one that finds the first problem, with the code that clients know, after the quick one failed.
 */

// By its members: the object `Type` would bring the types that nothing uses into each bundle.
import * as Type from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Errors, type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { lookupTable } from '../../contract/lookup-table.ts'
import { invalid } from '../../contract/scalars.ts'
import { datePattern, dateTimePattern } from '../../site/time-zone.ts'
import type { Arg, SchemaNode } from '../declare/args.ts'
import type { ErrorDetail } from '../declare/errors.ts'
import { canGenerateCode } from '../runtime/code-generation.ts'
import { coercer, isFor, toObject } from './coercion.ts'

type Check = (value: unknown) => boolean

/**
 * The check of a coerced argument; undefined where coercion alone guarantees the type. Prepared for the first value that is
 * sent.
 */
export function checkOf({ node, loose }: Arg, generatesCode = canGenerateCode()): Check | undefined {
  if (loose || isRightByType(node)) return undefined
  let check: Check | undefined
  return (value) => {
    check ??= quickCheck(typeOf(node), generatesCode)
    return check(value)
  }
}

function quickCheck(type: Type.TSchema, generatesCode: boolean): Check {
  if (!generatesCode) return (value) => firstError(type, value) === undefined
  const compiled = TypeCompiler.Compile(type)
  return (value) => compiled.Check(value)
}

const firstError = (type: Type.TSchema, value: unknown): ValueError | undefined => Errors(type, [], value).First()

const bare: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean', 'string', 'null'])

function isRightByType(node: SchemaNode): boolean {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = node
  if (node.oneOf || node.enum || wholePatternOf(node) !== undefined) return false
  if ([minimum, maximum, minLength, maxLength, minItems, maxItems].some((bound) => bound !== undefined)) return false
  return type === 'array' ? items === undefined || isRightByType(items) : bare.has(type)
}

/** A name, and a host with a dot; whether the address exists is for the mail to find out. */
const emailPattern = '^[^\\s@<>"(),;:\\\\[\\]]+@[^\\s@<>.]+(?:\\.[^\\s@<>.]+)+$'
const ipPattern = '^(?:\\d{1,3}(?:\\.\\d{1,3}){3}|(?=.*:)[0-9A-Fa-f:]{2,39}(?:(?<=:)\\d{1,3}(?:\\.\\d{1,3}){3})?)$'

/** The anchored pattern that a text has to match. */
export function wholePatternOf(node: SchemaNode): string | undefined {
  if (node.format === 'date-time') return dateTimePattern
  if (node.format === 'date') return datePattern
  if (node.format === 'email') return emailPattern
  if (node.format === 'ip') return ipPattern
  return node.pattern === undefined ? undefined : `^(?:${node.pattern})$`
}

function typeOf(node: SchemaNode): Type.TSchema {
  if (node.oneOf) return Type.Union(node.oneOf.map(typeOf))
  if (node.anyOf) return Type.Union(node.anyOf.map(typeOf))
  if (node.const !== undefined) return Type.Literal(node.const)
  if (Array.isArray(node.type)) {
    return Type.Union(node.type.map((type) => (type === 'null' ? Type.Null() : typeOf({ ...node, type }))))
  }
  if (node.enum) return Type.Union(node.enum.map((value) => Type.Literal(value)))
  switch (node.type) {
    case 'integer':
      return Type.Integer(bounds(node))
    case 'number':
      return Type.Number(bounds(node))
    case 'boolean':
      return Type.Boolean()
    case 'null':
      return Type.Null()
    case 'string':
      return Type.String(only({ minLength: node.minLength, maxLength: node.maxLength, pattern: wholePatternOf(node) }))
    case 'array':
      return Type.Array(
        node.items ? typeOf(node.items) : Type.Unknown(),
        only({ minItems: node.minItems, maxItems: node.maxItems }),
      )
    case 'object':
      return objectType(node)
    case 'function':
      return Type.Function([], Type.Unknown())
    default:
      return Type.Unknown()
  }
}

function objectType(node: SchemaNode): Type.TSchema {
  const members = Object.entries(node.properties ?? {}).map(([name, inner]) => [
    name,
    inner.required === true ? typeOf(inner) : Type.Optional(typeOf(inner)),
  ])
  const rest = node.additionalProperties
  return Type.Object(Object.fromEntries(members), {
    ...(rest === undefined || rest === true ? {} : { additionalProperties: rest === false ? false : ownType(rest) }),
  })
}

/**
 * A schema of additional members that has such members itself gets its own function: within one function, TypeBox 0.34
 * confuses the inner and outer member names.
 */
function ownType(node: SchemaNode): Type.TSchema {
  const text = JSON.stringify(node)
  return text.includes('"additionalProperties":{') ? { ...typeOf(node), $id: text } : typeOf(node)
}

const bounds = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode) =>
  only({
    ...(exclusiveMinimum ? { exclusiveMinimum: minimum } : { minimum }),
    ...(exclusiveMaximum ? { exclusiveMaximum: maximum } : { maximum }),
  })

/** TypeBox treats a bound that is present but undefined as a bound. */
function only<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

interface StrictCheck {
  readonly type: Type.TSchema
  readonly check: Check
}

const strictChecks = new WeakMap<SchemaNode, StrictCheck>()

function strictCheckOf(node: SchemaNode): StrictCheck {
  const type = typeOf(node)
  return { type, check: quickCheck(type, canGenerateCode()) }
}

function firstStrictError(node: SchemaNode, value: unknown): ValueError | undefined {
  const strict = strictChecks.get(node) ?? strictCheckOf(node)
  strictChecks.set(node, strict)
  return strict.check(value) ? undefined : firstError(strict.type, value)
}

/** The first problem of a value that has to match without coercion; for responses. */
export function strictProblemOf(node: SchemaNode, value: unknown): string | undefined {
  const error = firstStrictError(node, value)
  return error && `${error.path || 'the answer'}: ${error.message}, but is ${JSON.stringify(error.value)}`
}

/** Where and how a value differs from its schema. */
export interface StrictMistake {
  /** Member names and list indexes, from the outermost value to the mistake. */
  readonly path: readonly string[]
  /** A required member is missing, a member is not declared (its name ends the path), or a value does not match. */
  readonly kind: 'missing' | 'unknown' | 'invalid'
}

/** Returns the first mistake of a value that has to match without coercion; for callers with other messages. */
export function strictMistakeOf(node: SchemaNode, value: unknown): StrictMistake | undefined {
  const error = firstStrictError(node, value)
  return error && toMistake(error)
}

/**
 * All mistakes of a value that has to match without coercion; several may have one position. Interprets the schema: for
 * values that are checked once.
 */
export const strictMistakesOf = (node: SchemaNode, value: unknown): StrictMistake[] =>
  [...Errors(typeOf(node), [], value)].map(toMistake)

function toMistake({ path, type }: ValueError): StrictMistake {
  // A JSON pointer (RFC 6901).
  const names = path.split('/').slice(1)
  return {
    path: names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
    kind: mistakeKinds[type] ?? 'invalid',
  }
}

const mistakeKinds: { readonly [type: number]: StrictMistake['kind'] } = {
  [ValueErrorType.ObjectRequiredProperty]: 'missing',
  [ValueErrorType.ObjectAdditionalProperties]: 'unknown',
}

const problem = (code: string, message: string): ErrorDetail => ({ code, message })

/** The first problem of a raw value, or undefined. Slow: it interprets the schema. */
export function problemOf(node: SchemaNode, value: unknown, name: string): ErrorDetail | undefined {
  if (node.oneOf) return problemOfForms(node.oneOf, value, name)
  if (Array.isArray(node.type)) {
    if (node.type.includes('null') && value === null) return undefined
    const types: readonly string[] = node.type
    const type = node.type.find(
      (one) => one !== 'null' && isFor(one, types, value) && coercer({ type: one })(value) !== invalid,
    )
    return type ? problemOf({ ...node, type }, value, name) : wrongType(name, node.type.join(','))
  }
  switch (node.type) {
    case 'integer':
    case 'number':
      return problemOfNumber(node, value, name)
    case 'string':
      return problemOfText(node, value, name)
    case 'array':
      return problemOfList(node, value, name)
    case 'object':
      return problemOfObject(node, value, name)
    case undefined:
      return undefined
    default:
      return coercer(node)(value) === invalid ? wrongType(name, String(node.type)) : undefined
  }
}

/** `Interface:` data names the parameter that has the wrong type. */
const wrongType = (name: string, type: string): ErrorDetail => ({
  ...problem('rest_invalid_type', `${name} has the wrong type: it takes ${type}.`),
  data: { param: name },
})

function problemOfEnum(node: SchemaNode, value: unknown, name: string): ErrorDetail | undefined {
  if (!node.enum || node.enum.includes(value as string)) return undefined
  return problem('rest_not_in_enum', `${name} takes only these values: ${node.enum.join(', ')}.`)
}

function problemOfNumber(node: SchemaNode, sent: unknown, name: string): ErrorDetail | undefined {
  const value = coercer(node)(sent)
  if (value === invalid) return wrongType(name, String(node.type))
  if (!isWithin(node, value as number)) return problem('rest_out_of_bounds', `${name} has to be ${range(node)}.`)
  return problemOfEnum(node, value, name)
}

function isWithin({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode, value: number): boolean {
  const low = minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)
  const high = maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)
  return !(low || high)
}

function range({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (exclusiveMinimum) return `above ${minimum} and below ${maximum}`
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`
}

function problemOfText(node: SchemaNode, value: unknown, name: string): ErrorDetail | undefined {
  if (typeof value !== 'string') return wrongType(name, 'string')
  if (node.enum) return problemOfEnum(node, value, name)
  if (node.minLength !== undefined && value.length < node.minLength) {
    return problem('rest_too_short', `${name} has fewer than ${node.minLength} characters.`)
  }
  if (node.maxLength !== undefined && value.length > node.maxLength) {
    return problem('rest_too_long', `${name} has more than ${node.maxLength} characters.`)
  }
  const pattern = wholePatternOf(node)
  if (pattern === undefined || new RegExp(pattern).test(value)) return undefined
  const ofFormat = node.format && formatProblems[node.format]
  return ofFormat
    ? problem(...ofFormat)
    : problem('rest_invalid_pattern', `${name} does not have the form ${node.pattern}.`)
}

const formatProblems: { readonly [format: string]: readonly [code: string, message: string] } = lookupTable({
  'date-time': ['rest_invalid_date', 'This is no date.'],
  date: ['rest_invalid_date', 'This is no date.'],
  email: ['rest_invalid_email', 'This is no e-mail address.'],
  ip: ['rest_invalid_ip', 'This is no network address.'],
})

function problemOfList(node: SchemaNode, sent: unknown, name: string): ErrorDetail | undefined {
  const values = coercer({ type: 'array' })(sent)
  if (values === invalid) return wrongType(name, 'array')
  const items = values as readonly unknown[]
  for (const [index, item] of items.entries()) {
    const wrong = node.items && problemOf(node.items, item, `${name}[${index}]`)
    if (wrong) return wrong
  }
  if (node.minItems !== undefined && items.length < node.minItems) {
    return problem('rest_too_few_items', `${name} has fewer than ${node.minItems} items.`)
  }
  if (node.maxItems !== undefined && items.length > node.maxItems) {
    return problem('rest_too_many_items', `${name} has more than ${node.maxItems} items.`)
  }
  // The items are right, so only duplicates are left; as numbers, `1` and `'1'` are the same.
  return node.uniqueItems && coercer(node)(items) === invalid
    ? problem('rest_duplicate_items', `${name} holds an item twice.`)
    : undefined
}

function problemOfObject(node: SchemaNode, sent: unknown, name: string): ErrorDetail | undefined {
  const value = toObject(sent)
  if (!value) return wrongType(name, 'object')
  const missing = Object.entries(node.properties ?? {}).find(
    ([member, inner]) => inner.required === true && value[member] === undefined,
  )
  if (missing) return problem('rest_property_required', `${name} lacks the member ${missing[0]}.`)
  for (const [member, inner] of Object.entries(value)) {
    const found = problemOfMember(node, member, inner, name)
    if (found) return found
  }
  return undefined
}

function problemOfMember(node: SchemaNode, member: string, value: unknown, name: string): ErrorDetail | undefined {
  const { properties = {}, additionalProperties } = node
  const schema = (Object.hasOwn(properties, member) ? properties[member] : undefined) ?? additionalProperties
  if (schema === false) {
    return problem('rest_additional_properties_forbidden', `There is no member ${member}.`)
  }
  return typeof schema === 'object' ? problemOf(schema, value, `${name}[${member}]`) : undefined
}

function problemOfForms(forms: readonly SchemaNode[], value: unknown, name: string): ErrorDetail | undefined {
  const fitting = forms.filter((form) => problemOf(form, value, name) === undefined)
  if (fitting.length === 1) return undefined
  return fitting.length > 1
    ? problem('rest_one_of_multiple_matches', `${name} fits several of its forms, but has to fit one.`)
    : problem('rest_no_matching_schema', `${name} fits none of its forms.`)
}
