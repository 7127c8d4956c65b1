/** The last line of an explanation: what would make a refused request pass. */
import type { Names } from '../../../names/word-map.ts'
import type { ApiError } from '../../declare/errors.ts'
import type { Incoming } from '../../declare/request.ts'
import type { Match } from '../../routing/route.ts'
import type { StepName } from '../request-scope.ts'

interface Refused {
  readonly incoming: Incoming
  readonly match: Match | undefined
  readonly names: Names
  /** The rule of the permission in words. */
  readonly rule: string | undefined
  readonly refused: StepName | undefined
  readonly lacks: readonly (readonly string[])[] | undefined
  /** The methods that the path has. */
  readonly methods: readonly string[]
  readonly sees: 'own' | 'host'
}

/** Undefined for a status that no other request could avoid. */
export function wayToPass(error: ApiError, request: Refused): string | undefined {
  switch (error.status) {
    case 400:
      return otherArguments(error, request)
    case 401:
    case 403:
      return otherCaller(error, request)
    case 404:
      return otherRecord(error, request)
    case 409:
      return `Read the record again, and send a request that does not collide with it: ${error.message}`
    case 412:
    case 428:
      return otherCondition(error)
    case 501:
      return `Send the request otherwise: ${error.message}`
    default:
      return undefined
  }
}

function otherArguments({ message, data }: ApiError, { match, names, refused }: Refused): string {
  const { params } = data
  if (Array.isArray(params)) return `Send ${params.map((name) => described(`${name}`, match, names)).join(' ')}`
  if (typeof params === 'object' && params !== null) {
    const problems = Object.entries(params).map(([name, problem]) => `${name} (${problem})`)
    return `Send other values of ${problems.join(', ')}.`
  }
  return refused === 'body' ? `Send a body that can be read: ${message}` : `Send the request otherwise: ${message}`
}

function described(name: string, match: Match | undefined, names: Names): string {
  const says = match?.routed.endpoint.args[names.toNeutral(name)]?.node.description
  return says === undefined ? `${name}.` : `${name}: ${names.toPublic(says)}`
}

function otherCaller({ status, message }: ApiError, { rule, names, refused, lacks = [] }: Refused): string {
  const verb = status === 401 ? 'Sign in' : 'Send it'
  if (lacks.length > 0) {
    const ways = lacks.map((way) => way.map((one) => names.toPublic(one)).join(' and '))
    return `${verb} as a user with ${ways.join(', or with ')}.`
  }
  if (refused !== 'permission' || rule === undefined) return `${verb} as somebody who may do this: ${message}`
  return rule === 'signed in' ? 'Sign in.' : `${verb} as one of those whom the rule lets through: ${rule}.`
}

function otherRecord(error: ApiError, { match, incoming, methods, refused, sees }: Refused): string {
  if (!match) {
    if (methods.length > 0) return `Send it with ${methods.join(' or ')}: no route has ${incoming.method} here.`
    return 'Send it to a path that a route serves: GET / lists them.'
  }
  const names = match.routed.route.pattern.parameters.map(({ name }) => name).join(' and ')
  if (sees === 'host' && refused === 'permission') return `It is there, but hidden from this caller: ${error.message}`
  if (names === '') return `Name a record that is there and that the caller may see: ${error.message}`
  return `Send the ${names} of a record that is there and that the caller may see.`
}

function otherCondition({ code, message }: ApiError): string {
  if (/unsupported$/.test(code)) return message
  return 'Read the record again, and send the ETag of that answer as If-Match.'
}
