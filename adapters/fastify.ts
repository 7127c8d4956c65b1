/**
 * Mounts a site api in a Fastify application: bodies arrive unread, responses pass `reply.send` and the host's hooks.
 */
import { Readable } from 'node:stream'
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify'
import {
  badRequestResponse,
  frontRequest,
  logToConsole,
  type MountedApi,
  type MountOptions,
  notFoundResponse,
  readDiscoveryLink,
} from '../src/core/pipeline/mount.ts'
import { sendResponse } from './fastify/response.ts'
import { hasTwoHosts, NodeIncoming, targetBelow } from './node/incoming.ts'
import { schedule } from './node/pipelining.ts'
import { createResponder, type ResponseSender } from './node/respond.ts'

export type { MountedApi, MountOptions }

/** The options of `createFastifyPlugin`. */
export interface FastifyPluginOptions extends MountOptions {
  /** Passes requests outside the api's namespaces to the host's 404 handler. Default: the api's 404. */
  readonly fallThrough?: boolean
}

/**
 * A plugin for `app.register`. With a prefix that ends in the root of the api it answers below the prefix; else below the
 * root, inside the prefix.
 *
 * ```ts
 * app.register(createFastifyPlugin(api))
 * ```
 */
export function createFastifyPlugin(api: MountedApi, options: FastifyPluginOptions = {}): FastifyPluginCallback {
  const { front } = options
  const plugin: FastifyPluginCallback = (instance, { prefix: given = '' }: { readonly prefix?: string }, done) => {
    // Hooks of the scope of a plugin do not see the front page, which is a route of the host.
    if (front !== undefined) instance.addHook('onRequest', createFrontHook(api, options))
    const own = front === undefined ? instance.prefix : instance.prefix + given
    const prefix = own.replace(/\/+$/, '')
    const mount = options.mount ?? (prefix.endsWith(api.root) ? prefix : prefix + api.root)
    if (!`${mount}/`.startsWith(`${prefix}/`)) {
      return done(new TypeError(`site-api: the mount ${mount} does not lie below the prefix ${prefix}`))
    }
    // A child scope even when the host removed encapsulation: the host's body parsers must stay.
    instance.register((scope, __, ready) => fill(scope, api, { ...options, mount }, ready), {
      prefix: mount.slice(front === undefined ? prefix.length : instance.prefix.length),
    })
    done()
  }
  return front === undefined ? plugin : Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

function createFrontHook(api: MountedApi, options: FastifyPluginOptions): onRequestHookHandler {
  const { front = '/', fallThrough = false } = options
  const answer = createAnswer(api, { ...options, mount: front.replace(/\/+$/, ''), fallThrough: false })
  return (request, reply, done) => {
    const target = targetBelow(request.raw, '')
    const asked = target && frontRequest(target, front)
    if (asked === undefined) done()
    else if (asked === 'api' || (request.is404 && !fallThrough)) answer(request, reply)
    else {
      void readDiscoveryLink(api).then((link) => {
        if (link !== undefined) reply.header('Link', link)
        done()
      })
    }
  }
}

/**
 * Creates the option `frameworkErrors` of Fastify. Fastify rejects an address with a bad escape before any plugin runs; with this
 * the api responds below its root.
 *
 * ```ts
 * import Fastify from 'fastify'
 * import { createSiteApi, d1 } from 'site-api'
 * import { createFrameworkErrors } from 'site-api/fastify'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1 })
 * export const app = Fastify({ frameworkErrors: createFrameworkErrors(api) })
 * ```
 */
export function createFrameworkErrors(
  api: MountedApi,
  options: MountOptions = {},
): (error: FastifyError, request: { readonly raw: unknown }, reply: { readonly raw: unknown }) => void {
  const { mount = api.root } = options
  const answer = createAnswer(api, { ...options, mount })
  return (error, ...both) => {
    // The cast: Fastify's types differ by server; the members in use are the same for all.
    const [request, reply] = both as unknown as [FastifyRequest, FastifyReply]
    if (targetBelow(request.raw, mount)) answer(request, reply)
    else reply.code(error.statusCode ?? 500).send(error)
  }
}

/** Fastify's own errors for an invalid Content-Type, or a QUERY without one. The api treats both as no type. */
const ownRefusals: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
])

type MountedOptions = FastifyPluginOptions & { readonly mount: string }

function fill(scope: FastifyInstance, api: MountedApi, options: MountedOptions, ready: () => void): void {
  const answer = createAnswer(api, options)
  scope.removeAllContentTypeParsers()
  // Leaves the stream unread; a hook may have replaced it, for example by a decompressed one.
  scope.addContentTypeParser('*', (request, payload, next) => next(null, payload === request.raw ? undefined : payload))
  scope.setErrorHandler((error, request, reply) => {
    if (!ownRefusals.has(String((error as { code?: unknown }).code))) throw error
    answer(request, reply)
  })
  const method = [...scope.supportedMethods]
  for (const url of ['/', '/*']) scope.route({ method, url, exposeHeadRoute: false, handler: answer })
  // Handles methods that Fastify does not route. Without a prefix the handler belongs to the host.
  if (!options.fallThrough && scope.prefix.length > 1) scope.setNotFoundHandler(answer)
  ready()
}

const outlet: ResponseSender<FastifyReply> = {
  write: sendResponse,
  rawOf: (reply) => reply.raw,
  removeHeader: (reply, name) => void reply.removeHeader(name),
}

const nowhere = { path: '/', query: '' }

function createAnswer(
  api: MountedApi,
  { mount, fallThrough = false, onFailure = logToConsole }: MountedOptions,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { answer, send } = createResponder(api, outlet, onFailure)
  return (request, reply) => {
    const { raw, body } = request
    const target = targetBelow(raw, mount)
    if (fallThrough && (target === undefined || !api.covers(target.path))) return void reply.callNotFound()
    const incoming = new NodeIncoming(raw, reply.raw, target ?? nowhere, request, body instanceof Readable ? body : raw)
    if (target === undefined) return send(reply, incoming, notFoundResponse())
    schedule(raw, reply.raw, () => {
      if (hasTwoHosts(raw)) send(reply, incoming, badRequestResponse('The request names two hosts.'))
      else answer(reply, incoming)
    })
  }
}
