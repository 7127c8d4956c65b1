/**
 * The journey of a request: match, sign in, read arguments, look up the subject, ask permission, run the handler, make the
 * reply. Synchronous all the way where the storage is.
 */

import type { Settings } from '../../site/settings.ts'
import type { Storage } from '../../storage/contract.ts'
import type { Site } from '../declare/app-context.ts'
import type { Accept, AnyEndpoint, Call, RunOptions, Within } from '../declare/endpoint.ts'
import { type ApiError, isApiError, noRoute, queryTooLarge } from '../declare/errors.ts'
import { type Events, follow, type PendingEvent } from '../declare/events.ts'
import type { Limits } from '../declare/limits.ts'
import type { Actor } from '../declare/permissions.ts'
import { Answer, jsonType, noHeaders, type Reply, type ReplyHeaders, Stream } from '../declare/result.ts'
import { routeEntry } from '../describe/site-index.ts'
import type { GlobalArguments } from '../request/argument-parser.ts'
import { type ReadBody, readBody } from '../request/body.ts'
import type { Incoming } from '../request/incoming.ts'
import { decode } from '../request/query-string.ts'
import { throughAlternateRoot } from '../request/rest-route.ts'
import type { Match, Router } from '../routing/router.ts'
import { toJson, toValue } from '../runtime/json.ts'
import { chain, type Eventually, inTurn, isPromise, rescue } from '../runtime/maybe-promise.ts'
import { atomicOrAgain } from '../runtime/retry-transaction.ts'
import type { Alarm } from '../runtime/timer.ts'
import { type SignIn, signIn } from './authentication.ts'
import type { Cors } from './cors.ts'
import { createRefusals, errorAnswer, isRefusal } from './error-response.ts'
import { asksForEnvelope, embed, enveloped, keepFields, wordsOf } from './response-options.ts'
import { mayCallAt, methodsOf, runEndpoint } from './run-endpoint.ts'
import { runUpkeep } from './scheduled-tasks.ts'

export interface MachineParts {
  readonly router: Router
  readonly site: Site
  readonly storage: Storage
  readonly events: Events
  readonly limits: Limits
  readonly cors: Cors | undefined
  readonly signIn: SignIn
  /** Set for the next moment at which something is due, should no request come. */
  readonly alarm: Alarm
}

export interface Machine {
  /** Never throws or rejects: whatever goes wrong is a reply. */
  handle(incoming: Incoming): Eventually<Reply>
  /** Does what is due; rejects when the storage fails. */
  runDue(): Eventually<void>
  /** Inside the process, as somebody; throws what the endpoint refuses. */
  call(incoming: Incoming, user: Actor): Eventually<Answer>
}

/** One request and all inner requests made for it share who asks and which events wait for the commit. */
interface Frame {
  readonly user: Actor
  readonly settings: Settings
  readonly events: PendingEvent[]
}

export function createMachine(parts: MachineParts): Machine {
  const { router, site, storage, limits, events } = parts
  const refusalFor = createRefusals(router, site)

  function handle(sent: Incoming): Eventually<Reply> {
    let incoming = sent
    try {
      if (sent.path.length === 1) incoming = throughAlternateRoot(sent)
      const settings = current()
      if (!isPromise(settings)) return asWhoever(incoming, settings)
      return settings.then((found) => asWhoever(incoming, found)).catch((error) => unsettled(incoming, error))
    } catch (error) {
      return unsettled(incoming, error)
    }
  }

  const unsettled = (incoming: Incoming, error: unknown) =>
    outerReply(incoming, refusalFor(incoming, error, undefined), undefined)

  function asWhoever(incoming: Incoming, settings: Settings): Eventually<Reply> {
    let user: Actor | undefined
    const answerAs = (actor: Actor) => {
      user = actor
      return answerTo(incoming, { user: actor, settings, events: [] })
    }
    const refuse = (error: unknown) => outerReply(incoming, refusalFor(incoming, error, settings), settings, user)
    try {
      const actor = signIn(incoming, storage, settings, parts.signIn)
      const answer = isPromise(actor) ? actor.then(answerAs) : answerAs(actor)
      if (!isPromise(answer)) return outerReply(incoming, answer, settings, user)
      return answer.then((made) => outerReply(incoming, made, settings, user)).catch(refuse)
    } catch (error) {
      return refuse(error)
    }
  }

  /** Throws what is refused. */
  function answerTo(incoming: Incoming, frame: Frame): Eventually<Answer> {
    if (incoming.query.length > limits.queryBytes) throw queryTooLarge(`is longer than ${limits.queryBytes} bytes`)
    const method = effectiveMethod(incoming)
    if (method === 'OPTIONS') return describe(incoming, frame)
    const match = router.find(method === 'HEAD' ? 'GET' : method, incoming.path)
    if (!match) throw noRoute()
    const answer = execute(incoming, match, frame, { storage, insideTransaction: false, events: frame.events })
    return isPromise(answer) ? answer.then((made) => told(made, frame)) : told(answer, frame)
  }

  function told(answer: Answer, { events: pending }: Frame): Answer {
    if (pending.length > 0) events.tell(pending)
    return answer
  }

  const current = () => chain(site.settings.read(storage), upToDate)

  /** What became due since the last request is done before this one sees anything. */
  function upToDate(settings: Settings): Eventually<Settings> {
    const next = site.upkeep.nextAt(settings)
    if (next > site.clock()) {
      parts.alarm.set(next)
      return settings
    }
    return chain(runUpkeep(site, storage, settings), (told) => {
      events.tell(told)
      return chain(site.settings.read(storage), (after) => {
        parts.alarm.set(site.upkeep.nextAt(after))
        return after
      })
    })
  }

  function execute(incoming: Incoming, match: Match, frame: Frame, options: RunOptions): Eventually<Answer> {
    const { bound } = match
    // A read takes its arguments from the address alone, but for the host's own calls.
    if (!bound.writes && incoming.source !== 'call') return executeWith(undefined, incoming, match, frame, options)
    return chain(bodyFor(bound.endpoint, incoming), (sent) => executeWith(sent, incoming, match, frame, options))
  }

  const bodyFor = ({ bodyLimitBytes = limits.bodyBytes, takesAnyBody = false }: AnyEndpoint, incoming: Incoming) =>
    readBody(incoming, bodyLimitBytes, { anyType: takesAnyBody })

  function executeWith(
    sent: ReadBody | undefined,
    incoming: Incoming,
    match: Match,
    frame: Frame,
    options: RunOptions,
  ): Eventually<Answer> {
    const { plan } = match.bound
    const read = plan.read(match.params, incoming.query, sent?.args)
    const call = makeCall(match, incoming, frame, options.storage, read.args, sent)
    const settled = plan.settle(read, call)
    const answer = settled
      ? settled.then(() => carryOut(match, call, frame, options))
      : carryOut(match, call, frame, options)
    const { globals } = read
    return globals ? chain(answer, (made) => withGlobals(made, globals, call)) : answer
  }

  /** In a transaction of its own when the endpoint writes and nobody has opened one. */
  function carryOut(match: Match, call: Call, frame: Frame, options: RunOptions): Eventually<Answer> {
    const { endpoint, writes } = match.bound
    if (!writes || endpoint.atomic === false || !options.storage.atomic || options.insideTransaction) {
      return runAndFollow(match, call, frame)
    }
    return atomicOrAgain(options.storage, (inside) => {
      frame.events.length = 0
      return runAndFollow(match, { ...call, storage: inside }, frame)
    })
  }

  function runAndFollow(match: Match, call: Call, frame: Frame): Eventually<Answer> {
    const before = frame.events.length
    const answer = runEndpoint(match, call)
    const followed = (made: Answer) =>
      frame.events.length === before ? made : chain(follow(frame.events, before, site.followers, call), () => made)
    return isPromise(answer) ? answer.then(followed) : followed(answer)
  }

  function makeCall(
    match: Match,
    incoming: Incoming,
    frame: Frame,
    inside: Storage,
    args: Call['args'],
    sent?: ReadBody,
  ): Call {
    return {
      args,
      sent: sent?.args,
      body: match.bound.endpoint.takesAnyBody ? sent?.whole : undefined,
      subject: undefined,
      user: frame.user,
      storage: inside,
      site,
      settings: frame.settings,
      incoming,
      route: match.bound.route.pattern.key,
      emit: (name, payload) => void frame.events.push({ name, payload } as PendingEvent),
      within: new InnerRequests(frame),
    }
  }

  /** Makes inner requests: the outer one's identity, events kept only if they succeed. A class: each call has one. */
  class InnerRequests implements Within {
    readonly #frame: Frame
    constructor(frame: Frame) {
      this.#frame = frame
    }

    run(incoming: Incoming, options: RunOptions): Eventually<Reply> {
      const inner: Frame = { ...this.#frame, events: [] }
      return rescue<Reply, Reply>(
        () => {
          const match = router.find(incoming.method, incoming.path)
          if (!match) throw noRoute()
          const refused = options.accept?.(match.bound.endpoint)
          if (refused) throw refused
          return chain(execute(incoming, match, inner, options), (answer) => {
            options.events.push(...inner.events)
            return innerReply(answer)
          })
        },
        (error) => {
          // What is no refusal is the storage's failure: it must end the whole transaction.
          if (!isRefusal(error)) throw error
          return innerReply(errorAnswer(error, site))
        },
      )
    }

    validate(incoming: Incoming, accept: Accept): Eventually<ApiError | undefined> {
      return rescue<ApiError | undefined, ApiError>(
        () => {
          const match = router.find(incoming.method, incoming.path)
          if (!match) throw noRoute()
          const refused = accept(match.bound.endpoint)
          if (refused) throw refused
          return chain(bodyFor(match.bound.endpoint, incoming), (sent) => {
            const read = match.bound.plan.read(match.params, incoming.query, sent.args)
            const call = makeCall(match, incoming, this.#frame, storage, read.args, sent)
            return chain(match.bound.plan.settle(read, call), () => undefined)
          })
        },
        (error) => {
          if (!isApiError(error)) throw error
          return error
        },
      )
    }

    tell(told: readonly PendingEvent[]): void {
      this.#frame.events.push(...told)
    }
  }

  /** What a path offers and what the caller may do there. It never runs a handler. */
  function describe(incoming: Incoming, frame: Frame): Eventually<Answer> {
    const matches = router.findAll(incoming.path)
    const route = matches[0]?.bound.route
    if (!route) return new Answer({ namespace: '', methods: [], endpoints: [] }, 200, {})
    return chain(allowedMethods(matches, incoming, frame), (methods) => {
      const headers: ReplyHeaders = methods.length > 0 ? { Allow: methods.join(', ') } : {}
      return new Answer(routeEntry(route, frame.settings, site), 200, headers)
    })
  }

  function allowedMethods(matches: readonly Match[], incoming: Incoming, frame: Frame): Eventually<string[]> {
    const bounds = new Set(matches.map(({ bound }) => bound))
    const asked = inTurn([...bounds], (bound) => {
      const match = matches.find((one) => one.bound === bound) as Match
      const call = makeCall(match, incoming, frame, storage, match.bound.plan.pathArguments(match.params))
      return mayCallAt(bound, call)
    })
    return chain(asked, (may) => methodsOf([...bounds].filter((_, index) => may[index])))
  }

  // ---------------------------------------------------------------- replies

  function outerReply(incoming: Incoming, answer: Answer, settings: Settings | undefined, user?: Actor): Reply {
    const { status, body, headers: own } = bodyOf(answer)
    const base = baseHeaders(settings, user?.isVisitor === true)
    // What says that it is for its own origin only is told to no other.
    const origin =
      own['Cross-Origin-Resource-Policy'] === undefined ? parts.cors && incoming.header('origin') : undefined
    let headers: ReplyHeaders = base
    if (own !== noHeaders || origin !== undefined) {
      headers = { ...base }
      for (const name in own) {
        const value = own[name] as string
        headers[name] = name === 'Link' && settings ? [base['Link'] as string, value] : value
      }
      if (origin !== undefined) parts.cors?.apply(incoming, headers)
    }
    return incoming.method === 'HEAD' ? withoutBody({ status, headers, body }) : { status, headers, body }
  }

  let madeFor: Settings | undefined
  let ofVisitors: ReplyHeaders = {}
  let ofUsers: ReplyHeaders = {}

  /** The headers that every answer has: made once for the settings, never changed. */
  function baseHeaders(settings: Settings | undefined, isVisitor: boolean): ReplyHeaders {
    if (settings === undefined) return { ...always, 'Cache-Control': 'private, no-store' }
    if (settings !== madeFor) {
      madeFor = settings
      const relation = site.names.word('service-desc')
      ofVisitors = Object.freeze({ ...always, Link: [`<${settings.apiRoot}/>`, `rel="${relation}"`].join('; ') })
      ofUsers = Object.freeze({ ...ofVisitors, 'Cache-Control': 'private, no-store' })
    }
    return isVisitor ? ofVisitors : ofUsers
  }

  return {
    handle,
    runDue: () => chain(current(), () => undefined),
    call: (incoming, user) => chain(current(), (settings) => answerTo(incoming, { user, settings, events: [] })),
  }
}

const always: ReplyHeaders = {
  'Content-Type': jsonType,
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin, Authorization, Cookie',
}

/** Interface: the method of a POST can be overridden by `_method` in the query or by a header, in this order. */
function effectiveMethod(incoming: Incoming): string {
  if (incoming.method !== 'POST' || incoming.source !== 'http') return incoming.method
  const asked = /(?:^|&)_method=([^&]*)/.exec(incoming.query)?.[1]
  return (asked !== undefined ? decode(asked) : (incoming.header('x-http-method-override') ?? 'POST')).toUpperCase()
}

function withGlobals(answer: Answer, globals: GlobalArguments, call: Call): Eventually<Answer> {
  if (answer.data instanceof Stream) return answer
  const parsed = toValue(answer.data)
  const value = globals.embed === undefined ? parsed : embed(parsed, globals.embed, call.site.embedders, call)
  return chain(value, (embedded) => {
    const fields = wordsOf(globals.fields)
    const body = fields.length > 0 && answer.status < 400 ? keepFields(embedded, fields) : embedded
    const made = new Answer(body, answer.status, answer.headers)
    return asksForEnvelope(globals.envelope) ? enveloped(made) : made
  })
}

function bodyOf({ data, status, headers }: Answer): Reply {
  if (!(data instanceof Stream)) return { status, headers, body: toJson(data) }
  return { status, headers: { ...headers, 'Content-Type': data.contentType }, body: data.body }
}

const innerReply = bodyOf

/** HEAD says how long the body would have been. */
function withoutBody({ status, headers, body }: Reply): Reply {
  if (body instanceof ReadableStream) void body.cancel()
  const length = typeof body === 'string' ? new TextEncoder().encode(body).length : undefined
  return {
    status,
    headers: length === undefined ? headers : { ...headers, 'Content-Length': String(length) },
    body: null,
  }
}
