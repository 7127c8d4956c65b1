/**
 * Members of a body that an endpoint does not declare: refused for hosts that choose `unknownArguments: 'refuse'`, else named by
 * warnings of routes that ask for them.
 */

import { nameAdvice } from '../../contract/nearest-name.ts'
import type { Names } from '../../names/word-map.ts'
import type { Args } from '../declare/args.ts'
import type { Context } from '../declare/context.ts'
import { type ErrorDetail, invalidArguments } from '../declare/errors.ts'
import type { BodyArguments } from '../declare/request.ts'
import { warn } from '../declare/result.ts'

/** Throws 400 with one problem for each undeclared member. Members that begin with `_` belong to the protocol. */
export function refuseUnknownMembers(body: BodyArguments, args: Args, names: Names): void {
  const problems = unknownMembers(body, args, names)
  if (problems.length > 0) throw invalidArguments(new Map(problems))
}

/** Adds a warning to the response for each undeclared member, on routes that clients of several versions write to. */
export function warnOfUnknownMembers(context: Pick<Context, 'sent' | 'app' | 'warnings'>, args: Args): void {
  for (const [param, { message }] of unknownMembers(context.sent ?? {}, args, context.app.names)) {
    warn(context, { code: 'unknown_argument', param, message })
  }
}

function unknownMembers(body: BodyArguments, args: Args, names: Names): readonly (readonly [string, ErrorDetail])[] {
  const declared = Object.keys(args).map((name) => names.toPublic(name))
  return Object.keys(body)
    .filter((name) => !name.startsWith('_') && !declared.includes(name))
    .map((name) => [name, problemOf(name, declared)])
}

const problemOf = (name: string, declared: readonly string[]): ErrorDetail => ({
  code: 'rest_unknown_argument',
  message:
    declared.length === 0
      ? 'This route takes no arguments.'
      : `There is no argument ${name}: ${nameAdvice(name, declared, 'the arguments')}`,
})
