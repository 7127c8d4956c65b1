/** Refuses members of a body that an endpoint does not declare, for hosts that choose `unknownArguments: 'refuse'`. */

import { nameAdvice } from '../../contract/nearest-name.ts'
import type { Names } from '../../names/word-map.ts'
import type { Args } from '../declare/args.ts'
import { type ErrorDetail, invalidArguments } from '../declare/errors.ts'
import type { BodyArguments } from '../declare/request.ts'

/** Throws 400 with one problem for each undeclared member. Members that begin with `_` belong to the protocol. */
export function refuseUnknownMembers(body: BodyArguments, args: Args, names: Names): void {
  const declared = Object.keys(args).map((name) => names.toPublic(name))
  const unknown = Object.keys(body).filter((name) => !name.startsWith('_') && !declared.includes(name))
  if (unknown.length === 0) return
  throw invalidArguments(new Map(unknown.map((name): [string, ErrorDetail] => [name, problemOf(name, declared)])))
}

const problemOf = (name: string, declared: readonly string[]): ErrorDetail => ({
  code: 'rest_unknown_argument',
  message:
    declared.length === 0
      ? 'This route takes no arguments.'
      : `There is no argument ${name}: ${nameAdvice(name, declared, 'the arguments')}`,
})
