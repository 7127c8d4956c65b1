/**
 * Parses the arguments of one endpoint: one scan of the query, then code that coerces and checks, generated where the
 * runtime allows it and interpreted elsewhere. The detailed list of problems is built only after the check failed.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Names } from '../../names/word-map.ts'
import type { Arg, Args } from '../declare/args.ts'
import type { Context } from '../declare/context.ts'
import { type ErrorDetail, invalidArguments, missingArguments } from '../declare/errors.ts'
import type { PathParameters, Pattern } from '../declare/pattern.ts'
import type { BodyArguments } from '../declare/request.ts'
import { canGenerateCode } from '../runtime/code-generation.ts'
import {
  compileArguments,
  compileBodyArguments,
  type GlobalArguments,
  type Member,
  type ParsedArguments,
  type Values,
} from './argument-compiler.ts'
import { interpretArguments, interpretBodyArguments } from './argument-interpreter.ts'
import { neutralValue, publicSchema } from './argument-names.ts'
import { checkOf, problemOf } from './check.ts'
import { type Coerce, coercer } from './coercion.ts'
import { ParameterIndex } from './parameter-index.ts'
import { plain, scanPairs } from './query-string.ts'

export interface ArgumentParser {
  /** Throws 400 when a required argument is missing. */
  parse(params: PathParameters, query: string, body: BodyArguments | undefined): ParsedArguments
  /** The arguments that the path alone gives. */
  pathArguments(params: PathParameters): Values
  /** Throws 400 for arguments that fail their schema or their own `check`. Undefined when no check is left to run. */
  validate(read: ParsedArguments, context: Context): Promise<void> | undefined
  /** The same for arguments of these names whose values were made here. */
  validateMade(names: readonly string[], context: Context): Promise<void>
}

type TakeBody = ReturnType<typeof compileBodyArguments>

export const globalNames = ['_fields', '_embed', '_envelope'] as const

export function createArgumentParser(
  declared: Args,
  pattern: Pattern,
  names: Names,
  generatesCode = canGenerateCode(),
): ArgumentParser {
  const inPath = pattern.parameters.map((parameter) => parameter.name)
  const members = Object.entries(declared).map(([name, arg]) => toMember(name, arg, inPath, { names, generatesCode }))
  const count = members.length
  const pathMembers = members.filter((member) => member.inPath !== -1)
  const slots = new ParameterIndex([
    ...members.flatMap(({ name, inPath }, index) => (inPath === -1 ? [[name, index] as const] : [])),
    ...globalNames.map((name, index) => [name, count + index] as const),
  ])
  const places = pathMembers.map((member) => members.indexOf(member))
  const checked = members.filter(({ arg }) => arg.check !== undefined)
  const hasForms = members.some(({ arg }) => arg.unless !== undefined)
  const nothing: readonly undefined[] = new Array(count + globalNames.length).fill(undefined)
  const toArgs = generatesCode ? compileArguments(members) : interpretArguments(members)
  // On the first body: most endpoints read, and never get one.
  let takeBody: TakeBody | undefined

  const parse: ArgumentParser['parse'] = (params, query, body) => {
    const raw: unknown[] = nothing.slice()
    if (query !== '') readQuery(query, slots, raw)
    if (body !== undefined) {
      takeBody ??= generatesCode ? compileBodyArguments(members) : interpretBodyArguments(members)
      takeBody(body, raw)
    }
    for (let i = 0; i < places.length; i++) raw[places[i] as number] = params[pathMembers[i]!.inPath]
    const found = toArgs(raw)
    if (!names.isEmpty) found.args = toNeutralArguments(members, found.args, names)
    if (found.isWrong || hasForms) requireArguments(members, raw, found.args)
    found.globals = globalsOf(raw, count)
    return found
  }

  return {
    parse,
    pathArguments: (params) =>
      Object.fromEntries(
        pathMembers.map(({ name, inPath, coerce }) => [names.toNeutral(name), coerce(params[inPath])]),
      ),
    validate: (found, context) => {
      if (found.isWrong) return checkArguments(members, members, found, context)
      return checked.length > 0 ? checkArguments(checked, members, found, context) : undefined
    },
    validateMade: (made, context) => checkMade(members, new Set(made), context),
  }
}

function readQuery(query: string, slots: ParameterIndex, raw: unknown[]): void {
  if (!scanPairs(query, slots, raw)) return
  for (let i = 0; i < raw.length; i++) if (typeof raw[i] === 'object') raw[i] = plain(raw[i])
}

function globalsOf(raw: readonly unknown[], from: number): GlobalArguments | undefined {
  const fields = raw[from]
  const embed = raw[from + 1]
  const envelope = raw[from + 2]
  if (fields === undefined && embed === undefined && envelope === undefined) return undefined
  return { fields, embed, envelope }
}

interface MemberOptions {
  readonly names: Names
  readonly generatesCode: boolean
}

function toMember(
  name: string,
  declared: Arg,
  inPath: readonly string[],
  { names, generatesCode }: MemberOptions,
): Member {
  const arg = names.isEmpty ? declared : { ...declared, node: publicSchema(declared, names) }
  const { node } = arg
  const place = inPath.indexOf(names.toPublic(name))
  return {
    name: names.toPublic(name),
    arg,
    inPath: place,
    coerce: arg.loose ? asSent : place !== -1 && node.type === 'integer' ? toPathId : coercer(node),
    isRight: checkOf(arg, generatesCode),
    fallback: fallbackOf(declared),
    nullValue: nullValueOf(arg),
  }
}

/** The default, in neutral identifiers like every value that is not sent. */
const fallbackOf = ({ node, publishedDefault }: Arg): unknown =>
  node.default === undefined || publishedDefault ? undefined : coercer(node)(node.default)

function nullValueOf({ node: { type, required }, nullMeans }: Arg): unknown {
  if (nullMeans !== undefined) return nullMeans
  if (Array.isArray(type) && type.includes('null')) return null
  return type === 'array' && required !== true ? [] : undefined
}

const asSent: Coerce = (value) => value

/** A number that cannot be an id becomes 0, which no row has; rounding would find a neighbour. */
const toPathId: Coerce = (value) => {
  const id = Number(value)
  return Number.isSafeInteger(id) ? id : 0
}

function toNeutralArguments(members: readonly Member[], args: Values, names: Names): Values {
  const out: Values = {}
  for (const { name, arg } of members) out[names.toNeutral(name)] = neutralValue(arg, args[name], names)
  return out
}

function requireArguments(members: readonly Member[], raw: readonly unknown[], args: Values): void {
  const missing = members.filter(
    ({ arg }, index) => arg.node.required === true && raw[index] === undefined && !arg.unless?.(args),
  )
  if (missing.length > 0) throw missingArguments(missing.map(({ name }) => name))
}

/**
 * Throws all problems of one round together. Interface: late arguments are checked only when all others are valid, so
 * an error may not list them.
 */
async function checkArguments(
  candidates: readonly Member[],
  members: readonly Member[],
  { args, raw, isWrong }: ParsedArguments,
  context: Context,
): Promise<void> {
  const sent = candidates.filter(
    (member) => raw[members.indexOf(member)] !== undefined && !(member.arg.loose && !member.arg.check),
  )
  for (const late of [false, true]) {
    const problems = new Map<string, ErrorDetail | string>()
    for (const member of sent) {
      if ((member.arg.late ?? false) !== late) continue
      const problem = await findProblem(member, raw[members.indexOf(member)], args, isWrong, context)
      if (problem) problems.set(member.name, problem)
    }
    if (problems.size > 0) throw invalidArguments(problems)
  }
  if (isWrong) throw new Error(`the check and the list of problems disagree: ${JSON.stringify(args)}`)
}

async function checkMade(members: readonly Member[], made: ReadonlySet<string>, context: Context): Promise<void> {
  const { names } = context.app
  const problems = new Map<string, ErrorDetail | string>()
  for (const { name, arg, isRight } of members) {
    const value = made.has(names.toNeutral(name)) ? context.args[names.toNeutral(name)] : undefined
    if (value === undefined) continue
    // Schemas have the public names, where there are others.
    const isMistyped = names.isEmpty && !arg.loose && isRight !== undefined && !isRight(value)
    const mistyped = isMistyped ? problemOf(arg.node, value, name) : undefined
    const problem = await firstProblem(arg.check?.(value as never, context), mistyped)
    if (problem) problems.set(name, problem)
  }
  if (problems.size > 0) throw invalidArguments(problems)
}

function findProblem({ name, arg, inPath }: Member, sent: unknown, args: Values, isWrong: boolean, context: Context) {
  // An integer in the path that is too large for an id is the id of no record (404), not a wrong type.
  const isPathId = inPath !== -1 && arg.node.type === 'integer'
  const mistyped = isWrong && !isPathId && !arg.loose ? problemOf(arg.node, sent, name) : undefined
  if (mistyped !== undefined && !arg.checkFirst) return mistyped
  return firstProblem(arg.check?.(args[context.app.names.toNeutral(name)] as never, context), mistyped)
}

const firstProblem = async <T>(checked: MaybePromise<T>, otherwise: T) => (await checked) ?? otherwise
