/**
 * Coerces and checks the arguments of one endpoint without generated code, for runtimes that make no functions from text.
 * Property tests hold it equal to the argument compiler.
 */

import { invalid } from '../../contract/scalars.ts'
import { isAlwaysRequired } from '../declare/args.ts'
import type { BodyArguments } from '../declare/request.ts'
import type { Member, MutableParsedArguments, Values } from './argument-compiler.ts'

/** From raw values, by position, to typed values. */
export function interpretArguments(members: readonly Member[]): (raw: readonly unknown[]) => MutableParsedArguments {
  return (raw) => {
    const args: Values = {}
    let isWrong = false
    for (let at = 0; at < members.length; at++) {
      const member = members[at] as Member
      const sent = raw[at]
      const value = sent === undefined ? member.fallback : member.coerce(sent)
      if (!isAccepted(member, sent, value)) isWrong = true
      args[member.name] = value
    }
    return { args, globals: undefined, raw, isWrong }
  }
}

/** A fallback is not checked. */
function isAccepted({ arg, isRight }: Member, sent: unknown, value: unknown): boolean {
  if (sent === undefined) return !isAlwaysRequired(arg)
  return value !== invalid && (isRight === undefined || isRight(value))
}

/** Null counts as not sent, except for arguments that accept null. */
export function interpretBodyArguments(members: readonly Member[]): (body: BodyArguments, raw: unknown[]) => void {
  return (body, raw) => {
    for (let at = 0; at < members.length; at++) {
      const { name, inPath, nullValue } = members[at] as Member
      if (inPath !== -1) continue
      // Names that every object inherits count only as own properties.
      const isOwn = !(name in Object.prototype) || Object.hasOwn(body, name)
      const sent = isOwn ? body[name] : undefined
      const value = sent === null ? nullValue : sent
      if (value !== undefined) raw[at] = value
    }
  }
}
