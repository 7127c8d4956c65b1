/** createSiteApi joins the parts. It decides nothing itself. */
import { createAlarm } from './core/alarm.ts'
import { type Authenticate, userById } from './core/authentication.ts'
import { type CorsOptions, createCors } from './core/cors.ts'
import type { ExtensionParts, Feature, Profile, SiteExtensions } from './core/declare.ts'
import { noRoute } from './core/errors.ts'
import { createEvents, type EventName, type EventPayloads, type Listener } from './core/events.ts'
import { type Eventually, isPromise } from './core/eventually.ts'
import { createMachine, type Machine } from './core/handle.ts'
import { belowRoot, type Incoming, innerIncoming, RequestIncoming } from './core/incoming.ts'
import { toValue } from './core/json.ts'
import { defaultLimits, type Limits } from './core/limits.ts'
import { createNames, type NameMap } from './core/names.ts'
import { type Actor, actorOf, system, visitor } from './core/permissions.ts'
import { jsonReply, type Reply, type ReplyHeaders, toResponse } from './core/reply.ts'
import { createRouter, type Route } from './core/router.ts'
import { createSettingsReader } from './core/settings.ts'
import type { Logger, Services, Site } from './core/site.ts'
import { indexFeatures } from './core/site-index.ts'
import { createUpkeep } from './core/upkeep.ts'
import type { FeatureEvents } from './events.ts'
import type { SiteAccessibility } from './features/accessibility/site.ts'
import type { SiteSubmissions } from './features/form-submissions/site.ts'
import type { SiteTemplates } from './features/site-editor/site.ts'
import { wordpress } from './names/wordpress.ts'
import { createConnect } from './services/connect/index.ts'
import { createFeeds } from './services/feeds.ts'
import { createMedia } from './services/media.ts'
import { createOutbound } from './services/outbound/index.ts'
import { createPackages } from './services/packages/index.ts'
import { createRender } from './services/render/index.ts'
import { createSiteManagement, type SiteManagement } from './site/index.ts'
import type { Storage } from './storage/contract.ts'

export interface SiteApiOptions {
  readonly storage: Storage
  /** `d1`, `d2` or a `profile({ ... })` of your own. */
  readonly profile: Profile
  /** The address of the site. All links are built from it, never from a request. Default: the `url` option in storage. */
  readonly url?: string
  /** Where the API is reachable below the url. Default: `/api`. */
  readonly root?: string
  /** Your own sign-in: the id of the user who sent the request, or null. */
  readonly authenticate?: Authenticate
  /** What the service reaches outside for; each has a default that works offline. */
  readonly services?: Partial<Services>
  /** Other words for the public identifiers. */
  readonly names?: NameMap
  /** False: your application answers for cross-origin requests. */
  readonly cors?: CorsOptions | false
  readonly limits?: Partial<Limits>
  /** `required`: a write to a single record without If-Match is 428. Default: `offered`. */
  readonly conditionalWrites?: 'offered' | 'required'
  /** Milliseconds since 1970; for tests and time travel. */
  readonly clock?: () => number
  /** Where failures are told. Default: `console`. */
  readonly log?: Logger
}

export interface CallResult<T = unknown> {
  readonly data: T
  readonly status: number
  readonly headers: ReplyHeaders
}

/** Those of the features, and those that a host's own features merge into `EventPayloads`. */
export type KnownEvents = EventPayloads & FeatureEvents

export interface SiteApi {
  /** Answers a request whose path lies below the root; 404 for any other. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** The form that adapters use: no `Request`, no `Response`. The path is already below the root. */
  handle(incoming: Incoming): Eventually<Reply>
  readonly root: string
  /**
   * Runs an endpoint inside the process. It acts as a visitor unless `as` names a user, or 'system' for all rights.
   * Rejects with the ApiError that the endpoint refuses with.
   */
  call<T = unknown>(
    method: string,
    path: string,
    args?: { readonly [name: string]: unknown },
    options?: { readonly as?: number | 'system' },
  ): Promise<CallResult<T>>
  /** The site index, as a visitor gets it. */
  index(): Promise<unknown>
  /** Calls the listener after each change of this kind is committed. Answers a function that takes it away. */
  on<N extends keyof KnownEvents>(name: N, listener: (payload: KnownEvents[N]) => unknown): () => void
  /** What the REST interface does not create: users, passwords, terms, media, options, seed and export. */
  readonly site: SiteManagement &
    SiteExtensions & {
      readonly accessibility: SiteAccessibility
      readonly submissions: SiteSubmissions
      readonly templates: SiteTemplates
    }
  close(): Promise<void>
}

export function createSiteApi(options: SiteApiOptions): SiteApi {
  const { storage, profile, clock = Date.now, log = consoleLog } = options
  const root = rootOf(options.root ?? '/api')
  const names = createNames(options.names)
  const limits = { ...defaultLimits, ...options.limits }
  const cors = options.cors === false ? undefined : createCors(options.cors ?? {}, names)
  const trustedOrigins = options.cors === false ? [] : (options.cors?.origins ?? [])
  let routes: readonly Route[] = []
  const features = [...indexFeatures(profile, () => routes), ...profile.features]
  const site: Site = {
    clock,
    names,
    log,
    limits,
    services: {
      render: createRender(),
      outbound: createOutbound(),
      media: createMedia(),
      packages: createPackages(),
      connect: createConnect(),
      feeds: createFeeds(),
      ...options.services,
    },
    settings: createSettingsReader({ root, ...(options.url === undefined ? {} : { url: options.url }) }),
    routes: () => routes,
    embedders: features.flatMap(({ embedders }) => embedders),
    followers: features.flatMap(({ follows }) => follows ?? []),
    upkeep: createUpkeep(features),
    conditionalWrites: options.conditionalWrites ?? 'offered',
  }
  const router = createRouter(features, names)
  routes = router.routes
  const events = createEvents(log)
  let waking: Promise<void> | undefined
  const alarm = createAlarm(clock, () => {
    waking = runDue().catch((error) => log.error('upkeep failed', { id: 'upkeep', error }))
  })
  const machine = createMachine({
    alarm,
    router,
    site,
    storage,
    events,
    limits,
    cors,
    signIn: { clock, trustedOrigins, ...(options.authenticate ? { authenticate: options.authenticate } : {}) },
  })
  const ready = opened(storage)
  const runDue = async () => {
    await ready()
    await machine.runDue()
  }
  const handle = (incoming: Incoming) => {
    const opening = ready()
    return opening ? opening.then(() => machine.handle(incoming)) : machine.handle(incoming)
  }
  const call: SiteApi['call'] = async (method, path, args, { as } = {}) => {
    await ready()
    return callInside(machine, method, path, args, await actorFor(as, site, storage)) as Promise<never>
  }
  return {
    root,
    handle,
    fetch: async (request) => {
      const reply = handleRequest(request, root, handle)
      return toResponse(isPromise(reply) ? await reply : reply)
    },
    call,
    index: async () => (await call('GET', '/')).data,
    on: (name, listener) => events.on(name as EventName, listener as Listener<EventName>),
    site: {
      ...createSiteManagement({
        ...{ storage, site, ready, runDue, fileWords: wordpress },
        tell: events.tell,
        keeps: features.map(({ keeps }) => keeps),
      }),
      ...extensionsOf(features, { storage, site, ready, tell: events.tell }),
    },
    close: async () => {
      await ready()
      alarm.clear()
      // What it has begun sets the alarm anew.
      await waking
      alarm.clear()
      await storage.close?.()
    },
  }
}

function extensionsOf(features: readonly Feature[], parts: ExtensionParts): SiteExtensions {
  const makers = features.flatMap(({ siteExtensions = {} }) => Object.entries(siteExtensions))
  // The cast: each maker was declared under the name of what it makes.
  return Object.fromEntries(
    makers.map(([name, make]) => [name, (make as (parts: ExtensionParts) => unknown)(parts)]),
  ) as unknown as SiteExtensions
}

const consoleLog: Logger = {
  error: (message, { id, error }) => console.error(`site-api: ${message} (${id})`, error),
}

/** `/api`, `api` and `/api/` are the same; '' and '/' mean the whole site. */
function rootOf(root: string): string {
  const bare = root.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `/${bare}`
}

/** Opens the storage once, on first use; stays synchronous where the storage is. What failed is tried again. */
function opened(storage: Storage): () => Eventually<void> {
  let state: Eventually<void> | undefined
  let isOpen = storage.open === undefined
  const done = () => {
    isOpen = true
  }
  const failed = (error: unknown) => {
    state = undefined
    throw error
  }
  return () => {
    if (isOpen) return
    state ??= storage.open?.()
    return isPromise(state) ? state.then(done, failed) : done()
  }
}

function handleRequest(
  request: Request,
  root: string,
  handle: (incoming: Incoming) => Eventually<Reply>,
): Eventually<Reply> {
  const { url } = request
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#', start)
  const end = hash === -1 ? url.length : hash
  const question = url.indexOf('?', start)
  const cut = question === -1 || question > end ? end : question
  const path = belowRoot(url.slice(start, cut), root)
  if (path === undefined) return notHere()
  return handle(new RequestIncoming(request, path, url.slice(cut + 1, end)))
}

function notHere(): Reply {
  const error = noRoute()
  return jsonReply({ code: error.code, message: error.message, data: { status: 404 } }, 404, {
    'Content-Type': 'application/json; charset=UTF-8',
    'X-Content-Type-Options': 'nosniff',
  })
}

async function actorFor(as: number | 'system' | undefined, site: Site, storage: Storage): Promise<Actor> {
  if (as === undefined) return visitor
  if (as === 'system') return system
  const [settings, user] = [await site.settings.read(storage), await userById(storage, as)]
  if (!user) throw new TypeError(`there is no user ${as}`)
  return actorOf(user, settings.roles)
}

async function callInside(
  machine: Machine,
  method: string,
  path: string,
  args: { readonly [name: string]: unknown } | undefined,
  user: Actor,
): Promise<CallResult> {
  const [bare = '/', query = ''] = path.split('?', 2)
  const { data, status, headers } = await machine.call(
    innerIncoming('call', method.toUpperCase(), bare, query, args),
    user,
  )
  return { data: toValue(data), status, headers }
}
