/**
 * Explains one request: runs it with a trace, and tells each step with its verdict. The view of the caller follows from what the caller
 * sent, may do and would be answered alone, so that it tells nothing of hidden records; the view of the host tells all.
 */

import type { Names } from '../../../names/word-map.ts'
import type { Actor } from '../../declare/actor.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { Context } from '../../declare/context.ts'
import type { ApiError } from '../../declare/errors.ts'
import type { Permission } from '../../declare/permissions.ts'
import type { Incoming } from '../../declare/request.ts'
import { type Result, Stream } from '../../declare/result.ts'
import type { Match } from '../../routing/route.ts'
import type { Router } from '../../routing/router.ts'
import type { RequestScope, StepName, Trace } from '../request-scope.ts'
import { lackingCapabilities } from './lacking-capabilities.ts'
import { wayToPass } from './way-to-pass.ts'

/** `own`: what the caller may know. `host`: all, such as that a hidden record is there. */
export type ExplanationView = 'own' | 'host'

/** One step of a request. */
export interface ExplainedStep {
  readonly step: StepName
  /** `not run`: the handler of a write whose answer depends on a service outside, or whose storage has no transactions to try it in. */
  readonly verdict: 'passed' | 'refused' | 'not reached' | 'not run'
  /** Says in words what the step looks at: the pattern of the route, the arguments that were sent, the rule of the permission. */
  readonly says?: string
  /** The capabilities that the caller lacks; a list in the list has those that are needed together. */
  readonly lacks?: readonly (readonly string[])[]
}

/** The steps of a request, and its outcome. */
export interface Explanation {
  readonly method: string
  readonly path: string
  /** The id of a user, or who else sends it. */
  readonly as: number | 'visitor' | 'system'
  /** The status of the answer. Absent where only carrying the write out would tell. */
  readonly status?: number
  /** The error that the caller would receive. */
  readonly error?: { readonly code: string; readonly message: string }
  readonly steps: readonly ExplainedStep[]
  /** A sentence says how a refused request would pass. */
  readonly toPass?: string
}

interface ExplainedRequest {
  readonly incoming: Incoming
  readonly method: string
  readonly scope: RequestScope
  readonly view: ExplanationView
}

/** The pipeline hands over its functions: a module that both import would be one more file that every site loads. */
interface Parts {
  readonly router: Router
  readonly app: AppContext
  readonly toApiError: (error: unknown, names: Names) => ApiError | undefined
  readonly ruleOf: (permission: Pick<Permission, 'who'>) => string
}

/** Throws failures of the storage, and the refusal of a sender who has to wait: they do not answer the request itself. */
export async function explain(
  { router, app, toApiError, ruleOf }: Parts,
  { incoming, method, scope, view }: ExplainedRequest,
  run: (traced: RequestScope) => Promise<Result | undefined>,
): Promise<Explanation> {
  const match = matchOf(router, method, incoming.path)
  const trace = new StepTrace(match?.routed.writes === true && !scope.storage.atomic)
  const traced = { ...scope, user: trace.watched(scope.user), events: [], trace }
  const outcome = await outcomeOf(
    () => run(traced),
    (failure) => toApiError(failure, app.names),
  )
  const refused = outcome.error && refusedStep(trace, outcome.error, view)
  const lacks = outcome.error && (await lacking(trace, match, outcome.error, { refused, view, user: scope.user }))
  const { method: sent, path } = incoming
  const rule = match && app.names.toPublic(ruleOf(match.routed.endpoint.permission))
  const asked = { incoming, match, names: app.names, rule, refused, lacks }
  const toPass = outcome.error && wayToPass(outcome.error, { ...asked, methods: methodsAt(router, path), sees: view })
  return {
    ...{ method: sent, path, as: nameOf(scope.user) },
    ...(outcome.status === undefined ? {} : { status: outcome.status }),
    ...(outcome.error ? { error: { code: outcome.error.code, message: outcome.error.message } } : {}),
    steps: stepsOf(match, refused).map((step) => ({
      step,
      verdict: verdictOf(step, trace, refused, outcome.status === undefined),
      ...said(step, asked, trace),
      ...(step === refused && lacks && lacks.length > 0
        ? { lacks: lacks.map((way) => way.map((one) => app.names.toPublic(one))) }
        : {}),
    })),
    ...(toPass === undefined ? {} : { toPass }),
  }
}

const nameOf = ({ id, isVisitor, user }: Actor) => (isVisitor ? 'visitor' : user ? id : 'system')

/** Undefined also for a path that can not be read: running the request tells so. */
function matchOf(router: Router, method: string, path: string): Match | undefined {
  try {
    return router.find(method === 'HEAD' ? 'GET' : method, path)
  } catch {
    return undefined
  }
}

function methodsAt(router: Router, path: string): readonly string[] {
  try {
    return [...new Set(router.findAll(path).flatMap(({ routed }) => routed.endpoint.methods))]
  } catch {
    return []
  }
}

// ---------------------------------------------------------------- the run

const order: readonly StepName[] = ['route', 'body', 'argument', 'record', 'permission', 'condition', 'handler']
const placeOf = (step: StepName) => order.indexOf(step)

/** Ends a request before the handler of a write that can not be tried. */
const notRun = Symbol('not run')

/** Remembers the steps that have begun, and the capabilities that the last of them asked for in vain. */
class StepTrace implements Trace {
  readonly #endsAtHandler: boolean
  #begun: readonly StepName[] = ['route']
  #denied: string[] = []
  context: Context | undefined

  constructor(endsAtHandler: boolean) {
    this.#endsAtHandler = endsAtHandler
  }

  /** A transaction that runs again begins its steps again. */
  begin(step: StepName, context?: Context): void {
    this.#begun = [...this.#begun.filter((one) => placeOf(one) < placeOf(step)), step]
    this.#denied = []
    if (context) this.context = context
    if (step === 'handler' && this.#endsAtHandler) throw notRun
  }

  hasBegun(step: StepName): boolean {
    return this.#begun.includes(step)
  }

  get last(): StepName {
    return this.#begun.at(-1) as StepName
  }

  /** The capability that was asked for last. */
  get denied(): string | undefined {
    return this.#denied.at(-1)
  }

  watched(user: Actor): Actor {
    const can = (capability: string) => {
      const has = user.can(capability)
      if (!has) this.#denied.push(capability)
      return has
    }
    return { ...user, can }
  }
}

interface Outcome {
  readonly status?: number
  readonly error?: ApiError
}

/** Refusals that say nothing about the request: they are the answer, as they always are. */
const passedOn: ReadonlySet<number> = new Set([429, 503])

async function outcomeOf(
  run: () => Promise<Result | undefined>,
  errorOf: (failure: unknown) => ApiError | undefined,
): Promise<Outcome> {
  try {
    const result = await run()
    if (!result) return {}
    const { status, data } = result
    if (data instanceof Stream && data.body instanceof ReadableStream && !data.body.locked) await data.body.cancel()
    return { status }
  } catch (failure) {
    if (failure === notRun) return {}
    const error = errorOf(failure)
    if (!error || (error.status >= 500 && error.status !== 501) || passedOn.has(error.status)) throw failure
    return { status: error.status, error }
  }
}

// ---------------------------------------------------------------- the verdicts

function stepsOf(match: Match | undefined, refused: StepName | undefined): readonly StepName[] {
  if (!match) return ['route']
  const { endpoint, writes } = match.routed
  const isLeftOut: { readonly [step in StepName]?: boolean } = {
    // A call of the host may send the arguments of a read as its body.
    body: !writes && refused !== 'body',
    record: endpoint.resource === undefined,
    condition: !writes && endpoint.etag === undefined && endpoint.stored === undefined,
  }
  return order.filter((step) => !isLeftOut[step])
}

/**
 * The step that refuses. The caller may not learn whether a record was found and hidden, or not found: by the status, both are the same
 * step. A later step tells no more than the `Allow` of the answer.
 */
function refusedStep(trace: StepTrace, { status }: ApiError, view: ExplanationView): StepName {
  const { last } = trace
  if (view === 'host' || !trace.hasBegun('record') || placeOf(last) > placeOf('permission')) return last
  return status === 404 ? 'record' : 'permission'
}

function verdictOf(step: StepName, trace: StepTrace, refused: StepName | undefined, isOpen: boolean) {
  if (step === refused) return 'refused'
  if (refused !== undefined) return placeOf(step) < placeOf(refused) && trace.hasBegun(step) ? 'passed' : 'not reached'
  return isOpen && step === 'handler' ? 'not run' : 'passed'
}

/** Finds the capabilities with which the request would pass its step; in the own view only where no record is looked at. */
async function lacking(
  trace: StepTrace,
  match: Match | undefined,
  { status }: ApiError,
  { refused, view, user }: { refused: StepName | undefined; view: ExplanationView; user: Actor },
): Promise<readonly (readonly string[])[] | undefined> {
  if (status !== 401 && status !== 403) return undefined
  if (refused !== 'permission') {
    return view === 'host' && trace.denied !== undefined ? [[trace.denied]] : undefined
  }
  const { context } = trace
  if (!context || !match) return undefined
  const { endpoint } = match.routed
  const isRead = endpoint.resource === undefined || trace.hasBegun('record')
  return lackingCapabilities(endpoint, { ...context, user }, view === 'own' || !isRead)
}

interface Asked {
  readonly incoming: Incoming
  readonly match: Match | undefined
  readonly rule: string | undefined
}

function said(step: StepName, asked: Asked, trace: StepTrace): { readonly says?: string } {
  const text = asked.match && saidOf(step, asked.match, asked, trace)
  return text === undefined || text === '' ? {} : { says: text }
}

const conditions = ['If-Match', 'If-None-Match', 'If-Unmodified-Since']

function saidOf(step: StepName, match: Match, { incoming, rule }: Asked, trace: StepTrace): string | undefined {
  const { pattern } = match.routed.route
  switch (step) {
    case 'route':
      return pattern.readable
    case 'argument':
      return argumentsSent(match, incoming, trace)
    case 'record':
      return pattern.parameters.map(({ name }, place) => `${name} ${match.params[place]}`).join(', ')
    case 'permission':
      return rule
    case 'condition':
      return conditions.filter((name) => incoming.header(name.toLowerCase()) !== undefined).join(', ')
    default:
      return undefined
  }
}

/** Names only: a value may be a password. */
function argumentsSent({ routed: { endpoint, names } }: Match, { query }: Incoming, { context }: StepTrace): string {
  const inQuery = [...new URLSearchParams(query).keys()].map((name) => name.split('[', 1)[0])
  const sent = new Set([...inQuery, ...Object.keys(context?.sent ?? {})])
  return Object.keys(endpoint.args)
    .map((name) => names.toPublic(name))
    .filter((name) => sent.has(name))
    .join(', ')
}
