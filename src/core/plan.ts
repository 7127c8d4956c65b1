/**
 * How the arguments of one endpoint are read: one scan of the query, coercion by prepared functions, one compiled check.
 * The plan is made on first use; the detailed list of problems only after the check said no.
 */
import type { Arg, Args } from './args.ts'
import type { BodyArguments } from './body.ts'
import { compileCheck, problemOf } from './check.ts'
import { type Coerce, coercer, invalid } from './coerce.ts'
import type { Call } from './declare.ts'
import { type ErrorDetail, invalidArguments, missingArguments } from './errors.ts'
import { chain, type Eventually, inTurn } from './eventually.ts'
import { innerValue, type Names, outerNode } from './names.ts'
import type { Pattern } from './pattern.ts'
import { plain, scanPairs } from './query-string.ts'
import type { Params } from './router.ts'

export type Values = { [name: string]: unknown }

/** Arguments that every route takes, from the query only. */
export interface GlobalArguments {
  readonly fields: unknown
  readonly embed: unknown
  readonly envelope: unknown
}

export interface ReadArguments {
  readonly args: Values
  readonly globals: GlobalArguments | undefined
  /** By position in the plan: what was sent, or undefined. */
  readonly raw: readonly unknown[]
  /** The compiled check said no: `settle` will say why. */
  readonly isWrong: boolean
}

export interface Plan {
  /** Throws when something required is missing. */
  read(params: Params, query: string, body: BodyArguments | undefined): ReadArguments
  /** The arguments that the path alone gives. */
  pathArguments(params: Params): Values
  /** Throws what is wrong, by the schema and by the checks of the endpoint's own. */
  settle(read: ReadArguments, call: Call): Eventually<void>
}

interface Member {
  readonly name: string
  readonly arg: Arg
  /** Its place among the parameters of the path, or -1. */
  readonly inPath: number
  readonly coerce: Coerce
  readonly fallback: unknown
  readonly takesNull: boolean
}

const globalNames = ['_fields', '_embed', '_envelope'] as const

export function createPlan(declared: Args, pattern: Pattern, names: Names): Plan {
  const inPath = pattern.parameters.map((parameter) => parameter.name)
  const members = Object.entries(declared).map(([name, arg]) => toMember(name, arg, inPath, names))
  const slots = new Map(
    members.filter((member) => member.inPath === -1).map((member) => [member.name, members.indexOf(member)]),
  )
  for (const [index, name] of globalNames.entries()) slots.set(name, members.length + index)
  const isRight = compileCheck(declared)
  const first = members.length

  const read: Plan['read'] = (params, query, body) => {
    const raw: unknown[] = new Array(first).fill(undefined)
    let globals: GlobalArguments | undefined
    if (query !== '') {
      scanPairs(query, slots, raw)
      for (let i = 0; i < raw.length; i++) if (typeof raw[i] === 'object') raw[i] = plain(raw[i])
      if (raw.length > first) globals = { fields: raw[first], embed: raw[first + 1], envelope: raw[first + 2] }
    }
    const args: Values = {}
    let wrong = false
    for (let i = 0; i < first; i++) {
      const member = members[i] as Member
      let sent: unknown
      if (member.inPath !== -1) sent = params[member.inPath]
      else {
        sent = body !== undefined ? fromBody(member, body) : undefined
        if (sent === undefined) sent = raw[i]
      }
      raw[i] = sent
      if (sent === undefined) {
        args[member.name] = member.fallback
        if (member.arg.node.required === true) wrong = true
        continue
      }
      const value = member.coerce(sent)
      if (value === invalid) wrong = true
      args[member.name] = value
    }
    const isWrong = wrong || !isRight(args)
    if (isWrong) refuseMissing(members, raw)
    return { args: names.isEmpty ? args : translated(members, args, names), globals, raw, isWrong }
  }

  const hasChecks = members.some(({ arg }) => arg.check !== undefined)
  return {
    read,
    pathArguments: (params) =>
      Object.fromEntries(
        members
          .filter(({ inPath }) => inPath !== -1)
          .map(({ name, inPath, coerce }) => [names.inner(name), coerce(params[inPath])]),
      ),
    settle: (found, call) => (found.isWrong || hasChecks ? settle(members, found, call) : undefined),
  }
}

function toMember(name: string, declared: Arg, inPath: readonly string[], names: Names): Member {
  const arg = names.isEmpty ? declared : { ...declared, node: outerNode(declared.node, names) }
  const { node } = arg
  const place = inPath.indexOf(names.word(name))
  return {
    name: names.word(name),
    arg,
    inPath: place,
    coerce: arg.loose ? asSent : place !== -1 && node.type === 'integer' ? toPathId : coercer(node),
    fallback: node.default === undefined || arg.publishedDefault ? undefined : coercer(node)(node.default),
    takesNull: Array.isArray(node.type) && node.type.includes('null'),
  }
}

const asSent: Coerce = (value) => value

/** A number that no id can be counts as 0, which no row has: the neighbour must never be found by rounding. */
const toPathId: Coerce = (value) => {
  const id = Number(value)
  return Number.isSafeInteger(id) ? id : 0
}

/** Null counts as not sent, but for arguments that know null. `Interface:` for a list it is the empty one. */
function fromBody(member: Member, body: BodyArguments): unknown {
  if (!Object.hasOwn(body, member.name)) return undefined
  const sent = body[member.name]
  if (sent !== null || member.takesNull) return sent
  return member.arg.node.type === 'array' && member.arg.node.required !== true ? [] : undefined
}

function translated(members: readonly Member[], args: Values, names: Names): Values {
  const out: Values = {}
  for (const { name, arg } of members) out[names.inner(name)] = innerValue(arg.node, args[name], names)
  return out
}

// ---------------------------------------------------------------- refusals

function refuseMissing(members: readonly Member[], raw: readonly unknown[]): void {
  const missing = members.filter(({ arg }, index) => arg.node.required === true && raw[index] === undefined)
  if (missing.length > 0) throw missingArguments(missing.map(({ name }) => name))
}

/**
 * Throws all problems of one round together. Interface: late arguments are judged once all others are right, so the
 * answer may not name them.
 */
function settle(members: readonly Member[], { args, raw, isWrong }: ReadArguments, call: Call): Eventually<void> {
  const round = (late: boolean) => {
    const judged = members.filter(
      ({ arg }, index) => raw[index] !== undefined && (arg.late ?? false) === late && !(arg.loose && !arg.check),
    )
    const found = inTurn(judged, (member) => problemWith(member, raw[members.indexOf(member)], args, isWrong, call))
    return chain(found, (problems) => {
      const named = new Map<string, ErrorDetail | string>()
      for (const [index, problem] of problems.entries()) if (problem) named.set((judged[index] as Member).name, problem)
      if (named.size > 0) throw invalidArguments(named)
    })
  }
  return chain(round(false), () =>
    chain(round(true), () => {
      if (isWrong) throw new Error(`the check and the list of problems disagree: ${JSON.stringify(args)}`)
    }),
  )
}

function problemWith({ name, arg, inPath }: Member, sent: unknown, args: Values, isWrong: boolean, call: Call) {
  const mistyped = isWrong && inPath === -1 && !arg.loose ? problemOf(arg.node, sent, name) : undefined
  return mistyped ?? arg.check?.(args[call.site.names.inner(name)] as never, call)
}
