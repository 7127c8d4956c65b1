/** createSiteApi joins the parts of the service. */

import type { MaybePromise, Storage } from '../contract/storage.ts'
import { observedStorage } from '../core/changes/observed-storage.ts'
import { type Actor, system } from '../core/declare/actor.ts'
import type { AppContext, Health } from '../core/declare/app-context.ts'
import type { Arg } from '../core/declare/args.ts'
import type { HookContext } from '../core/declare/context.ts'
import { createContributions } from '../core/declare/contributions.ts'
import type { Method } from '../core/declare/endpoint.ts'
import { isApiError } from '../core/declare/errors.ts'
import type { EventName, EventPayloads, Hook, Listener, PendingEvent } from '../core/declare/events.ts'
import type { ExtensionOptions, SiteParts } from '../core/declare/feature.ts'
import type { Profile } from '../core/declare/profile.ts'
import type { Incoming } from '../core/declare/request.ts'
import type { ResponseData } from '../core/declare/result.ts'
import { answerHealth, createHealth } from '../core/describe/health.ts'
import type { OpenApiDocument } from '../core/describe/openapi/document.ts'
import { routeDescription } from '../core/describe/site-index.ts'
import { Background, taskObserver } from '../core/pipeline/background.ts'
import type {
  Route as ClientRoute,
  DataOf,
  Parameters,
  PathsOf,
  RouteAt,
  StatusOf,
} from '../core/pipeline/called-routes.ts'
import { createCors } from '../core/pipeline/cors.ts'
import { DryRun, type DryRunParts } from '../core/pipeline/dry-run/index.ts'
import { knownDataOf } from '../core/pipeline/dry-run/visible-changes.ts'
import { toApiError } from '../core/pipeline/errors/error-response.ts'
import { createEventEmitter, type EventEmitter, listenTo } from '../core/pipeline/event-emitter.ts'
import type { Explanation } from '../core/pipeline/explanation/explain.ts'
import { writeInside } from '../core/pipeline/hooks.ts'
import {
  type CallArguments,
  type CallOptions,
  type CallResult,
  callerOf,
  callInProcess,
  type ExplainOptions,
  explainInProcess,
} from '../core/pipeline/in-process.ts'
import { discoveryLink, targetOfUrl } from '../core/pipeline/mount.ts'
import { effectiveMethod, Pipeline } from '../core/pipeline/pipeline.ts'
import { createScheduledTasks } from '../core/pipeline/scheduled-tasks.ts'
import { createTaskRunner } from '../core/pipeline/task-runner.ts'
import { RequestIncoming } from '../core/request/incoming.ts'
import { withRestRoute } from '../core/request/rest-route.ts'
import type { Route } from '../core/routing/route.ts'
import { createRouter } from '../core/routing/router.ts'
import { sha256Of } from '../core/runtime/crypto.ts'
import { openOnce } from '../core/runtime/open-once.ts'
import { changesSince, type LoggedChanges, type LogPlace } from '../core/tags/change-log.ts'
import type { ReadTags } from '../core/tags/read-tags.ts'
import type { KitFiles } from '../features/builder/site-kits/index.ts'
import { historyOf } from '../features/integration/history/model.ts'
import { createOutbox, type OutboxMembers } from '../features/integration/outbox/index.ts'
import { sweepPendingFiles } from '../features/shared/pending-files.ts'
import { kitArchiveBytes, type ManagementContext, postTypesOf } from '../management/context.ts'
import { createSiteManagement, type ManagedSite, type SiteManagement, withoutTransfers } from '../management/index.ts'
import type { Transfers } from '../management/transfers.ts'
import { publicNames } from '../names/element-names.ts'
import { createNames } from '../names/word-map.ts'
import { wordpress } from '../names/wordpress.ts'
import type { SettingsState } from '../site/settings.ts'
import { createAppContext } from './app-context.ts'
import { consoleLog } from './console-log.ts'
import { dryOnes } from './dry-services.ts'
import { embeddersOf, featuresOf, openApiOf, withoutOpenApi } from './features/site-features.ts'
import { createFetch } from './fetch.ts'
import { createSiteFiles, filesOf, type SiteFiles } from './files.ts'
import { gateHooksOf } from './hooks.ts'
import type { Journal } from './journal/journal.ts'
import { journalOf } from './journal/recording.ts'
import type { KnownProfile } from './known-profile.ts'
import { unknownShortcodesOf } from './known-shortcodes.ts'
import { undrawnSettingsOf, unknownWidgetsOf } from './known-widgets.ts'
import { checkOptions, siteOptions } from './options.ts'
import { createSiteRender, type SiteRender } from './render.ts'
import { signInOptions } from './sign-in.ts'
import { type SiteApiOptions, shownWith } from './site-options.ts'
import { createSiteContent, extensionsOf, type SiteContent, siteWith } from './site-records.ts'
import { dataOfEverySite } from './stored-data.ts'
import { createTouched, readTagsAt, taggedCollections } from './touched.ts'

export type { Health } from '../core/declare/app-context.ts'
export type { CallOptions, CallResult } from '../core/pipeline/in-process.ts'

/** The results of a route by the statuses that it declares. */
type CallResultOf<R extends ClientRoute, F extends string> = {
  readonly [S in StatusOf<R>]: CallResult<DataOf<R, S, F>>
}[StatusOf<R>]

/** An api: answers requests, and offers the site to the code of the host. `P` is its profile. */
export interface SiteApi<P extends Profile = Profile> {
  /** Responds to a request below the root; 404 for any other. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** For adapters: no `Request`, no `Response`. The path is below the root already. */
  handle(incoming: Incoming): MaybePromise<ResponseData>
  readonly root: string
  /** Whether a path below the root belongs to the API. A host with routes below the same root handles the others. */
  covers(path: string): boolean
  /** The `Link` header of the front page, by which clients find the api. Adapters send it with the option `front`. */
  discoveryLink(): Promise<string>
  /**
   * Runs an endpoint inside the process, as a visitor unless `as` names a user, or 'system' for all capabilities.
   * Rejects with the endpoint's ApiError, which names the method, the path and the place of the call.
   */
  call<M extends Method, K extends PathsOf<P, M>, const F extends string = never>(
    method: M,
    path: K,
    ...rest: Parameters<RouteAt<P, M, K>, F, CallOptions>
  ): Promise<CallResultOf<RouteAt<P, M, K>, F>>
  /** A call whose data have the type `T`: of a route that the profile has by name only, or with a path that is put together. */
  call<T = Profile extends P ? unknown : never>(
    method: string,
    path: Profile extends P ? string : [T] extends [never] ? never : string,
    args?: CallArguments,
    options?: CallOptions,
  ): Promise<CallResult<T>>
  /**
   * Tells the steps that a request would take (route, arguments, record, permission, ...), each with its verdict, and what would make a
   * refused one pass. A write is only tried. Tells what the caller may know, unless `view` is `host`.
   */
  explain(method: string, path: string, options?: ExplainOptions): Promise<Explanation>
  /** Whether the process is alive and ready for requests; the storage is asked. Never rejects. */
  health(): Promise<Health>
  /** The site index, as a visitor receives it. */
  index(): Promise<unknown>
  /** The OpenAPI 3.1 document: all routes with arguments, responses and errors. */
  openapi(): Promise<OpenApiDocument>
  /** Calls the listener after the commit of each such change. Returns a function that removes it. */
  on<N extends keyof EventPayloads>(name: N, listener: (payload: EventPayloads[N]) => unknown): () => void
  /** The durable events: each committed change once, in order, also those that happened while no listener ran. */
  readonly events: OutboxMembers['events']
  /** Manages users, passwords, terms, media, options, webhooks, seed and export, beside the REST interface. */
  readonly site: SiteManagement & SiteContent & Pick<OutboxMembers, 'webhooks'> & NonNullable<P['~site']>
  readonly render: SiteRender
  /**
   * The stored files, for an adapter beside the api: `app.use('/uploads', createExpressHandler(api.files))`. `root` is the path of
   * their addresses.
   */
  readonly files: SiteFiles
  /** Answers requests with 503 from now on, ends the work that has begun, and closes the storage. */
  close(): Promise<void>
  /** Other entries of this package use them, such as `site-api/pages`. */
  readonly '~parts': Pick<ExtensionOptions, 'storage' | 'app' | 'ready'> & {
    /** Returns a recorder of the reads of a page, which begin at the state of a token. */
    readTagsAt(state: Pick<SettingsState, 'token' | 'changes'>): Promise<ReadTags>
    /** Reads the log of changes from a place to its end. */
    changesSince(place: LogPlace | undefined): Promise<LoggedChanges>
    /** The public form of class names. */
    readonly publicName: (name: string) => string
    /** Signs the sender of a request in, by the rules of the API. Rejects with 401 for wrong credentials. */
    userOf(request: Request): Promise<Actor>
    /** The sign-in page of the host. */
    readonly signInUrl: ((returnTo: string) => string) | undefined
    /** The options that decide what pages show, with functions of the host. */
    madeWith(): object
    /** True: what the host draws depends on more than the records of the site, and no tags tell of what. */
    readonly isDrawnAnew: boolean
  }
  /** Carries types for clients inside the process; absent at run time. */
  readonly '~profile'?: P | undefined
  readonly '~known'?: KnownProfile | undefined
}

/** An object type, so that the compiler requires a declaration for every option. */
const optionDeclarations: { readonly [K in keyof Required<SiteApiOptions>]: Arg } = siteOptions

/**
 * Creates the API of a site. Throws an OptionsError that lists all wrong options, each with what to write instead.
 *
 * ```ts
 * const api = createSiteApi({ storage: sqliteStorage('site.db'), profile: d1, url: 'https://example.com' })
 * ```
 */
export const createSiteApi = <P extends Profile>(options: SiteApiOptions<P>): SiteApi<P> =>
  createJournaledApi(options, journalOf)

/** The same, whose requests a journal records or replays. */
export function createJournaledApi<P extends Profile>(
  options: SiteApiOptions<P>,
  createJournal: (options: SiteApiOptions<P>) => Journal | undefined,
): SiteApi<P> {
  checkOptions(optionDeclarations, options)
  const { log = consoleLog } = options
  const journal = createJournal(options)
  const clock = journal?.clock(options.clock ?? Date.now) ?? options.clock ?? Date.now
  const root = rootOf(options.root ?? '/api')
  const names = createNames(options.names)
  let routes: readonly Route[] = []
  const openApi = openApiOf(() => routes, options.profile)
  const { open, ready, refuse, assertServing, hasBegun } = openOnce(options.storage)
  let closing: Promise<void> | undefined
  const health = createHealth({ storage: options.storage, ready, isClosing: () => closing !== undefined })
  const outbox = createOutbox({ webhooks: options.webhooks ?? [], retention: options.events ?? {} })
  const contributions = createContributions(options.profile.features)
  const features = [...featuresOf(options, { openApi, health, contributions }), outbox.feature]
  // The cast: the names that features and hosts have merged into the events are known only where they are.
  const own = [...features.map((one) => one.hooks ?? {}), (options.hooks ?? {}) as Hook<HookContext>]
  // They come last, because hooks may write.
  const hooks = [...own, ...gateHooksOf(contributions, options.publishing)]
  const persisted = [dataOfEverySite, ...features.map((one) => one.persisted)]
  const touched = createTouched(options, {
    ...{ persisted, app: () => app, events: () => events, record: outbox.record },
    wake: () => wake(),
    observed: () => (journal ? undefined : storage),
  })
  const observers = features.flatMap(({ observer }) => (observer ? [observer({ app: () => app })] : []))
  const postTypes = () => postTypesOf({ persisted })
  const works = journal?.runsByItself === false ? [] : features.flatMap((one) => one.background ?? [])
  const all = [...observers, ...taskObserver(works, () => background), ...(touched ? [touched.observer] : [])]
  const storage = observedStorage(options.storage, all, postTypes)
  const kitFiles = kitFilesOn(() => management)
  const app: AppContext = createAppContext(options, {
    ...{ clock, log, names, root, hooks, persisted, health, contributions, kitFiles, features },
    routes: () => routes,
  })
  const router = createRouter(features, names)
  routes = router.routes
  const background: Background = new Background({ works, ready: open, storage, app })
  const wake = () => background.wake()
  const events: EventEmitter = createEventEmitter({ log, storage, onChange: wake })
  if (options.onRequest) events.on('request.finished', options.onRequest)
  const listening = listenTo(events, features, { app, storage })
  const { timer, runDue, stop } = createTaskRunner({
    ...{ clock, log, ready: open },
    runTasks: () => pipeline.runDue(),
    inTurn: (run) => (journal ? journal.runDue(run) : run()),
    settle: () => background.settle(),
  })
  const servicesOn: DryRunParts['servicesOn'] = (on, dryApp, queued) => {
    const emit = (some: readonly PendingEvent[]) => void queued.push(...some)
    return { kitFiles: kitFilesOn(() => managementOn({ storage: on, app: dryApp, ready, emit })) }
  }
  const known = knownDataOf(persisted)
  const dryRuns: DryRunParts = { app, dryOnes, servicesOn, postTypes, known, namesPages: journal === undefined }
  const pipeline: Pipeline = new Pipeline({
    timer,
    background,
    router,
    app,
    storage,
    ready,
    events,
    hooks,
    embedders: embeddersOf(features),
    // Seeds and imports store files in every profile.
    scheduledTasks: createScheduledTasks(features, [sweepPendingFiles]),
    limits: app.limits,
    touched,
    cacheTags: options.cacheTags,
    cors: options.cors === false ? undefined : createCors(options.cors ?? {}, names, storage.requests),
    signIn: signInOptions(options, app),
    limit: options.limit,
    answerFirst: options.health ? answerHealth(health) : undefined,
    describeRoute: (route, settings) => routeDescription(route, settings, app),
    dryRuns,
  })
  const siteParts: SiteParts = { storage, app, ready, emit: events.emit }
  const close = async () => {
    refuse()
    // An unused storage is left as it is: opening it would make its file.
    if (!hasBegun()) return
    await open()
    await stop()
    await Promise.all([listening.settle(), background.close()])
    await journal?.end()
    await storage.close?.()
  }
  const { transfers, ...archives } = transfersOf(app) ?? {}
  const contextOn = (parts: SiteParts, inside: Storage): ManagementContext => ({
    ...{ storage: inside, app: parts.app, ready, runDue: () => ready().then(runDue), persisted },
    fileWords: wordpress,
    unknownWidgets: (types) => unknownWidgetsOf(app, types),
    undrawnKitSettings: (settings) => undrawnSettingsOf(app, settings),
    ...archives,
    ...unknownShortcodesOf(options.render),
    write: (work) => writeInside({ ...parts, storage: inside }, (on) => work(on.storage, on.emit)),
    ...filesOf({ storage: inside, app: parts.app }),
  })
  const managementOn = (parts: SiteParts) =>
    createSiteManagement(parts.storage, (inside) => contextOn(parts, inside), transfers)
  const management = managementOn(siteParts)
  const dryRun: SiteManagement['dryRun'] = async (work) => {
    await ready()
    const events: PendingEvent[] = []
    const run = new DryRun(dryRuns, system, events)
    const emit = (some: readonly PendingEvent[]) => void events.push(...some)
    const on = (inside: Storage) => work(managementOn({ storage: inside, app: run.app, ready, emit }))
    const { done, report } = await run.try(storage, on, async () => undefined)
    // The cast: without a result it depends on a service outside, and the report says so.
    return { result: done as Awaited<ReturnType<typeof work>>, ...report }
  }
  journal?.bind({
    ...{ options, pipeline, storage, router, app, ready: open, toApiError, isApiError },
    ...{ effectiveMethod, withRestRoute, sha256Of },
    export: async () =>
      (transfers ?? withoutTransfers()).exportSite({ ...contextOn(siteParts, storage), ready: open }, { ids: true }),
  })
  const outboxMembers = outbox.members(siteParts, wake)
  const handle = (incoming: Incoming) => (journal ?? pipeline).handle(incoming)
  const called: Pick<Pipeline, 'call' | 'callPast'> = {
    call: (incoming, user) => (journal ?? pipeline).call(incoming, user),
    callPast: (incoming, user, moment) => pipeline.callPast(incoming, user, moment),
  }
  const past = (moment: string | Date, user: Actor) => historyOf(app).storagesAt(app, storage, moment, user)
  const call = (method: string, path: string, args?: CallArguments, callOptions?: CallOptions): Promise<CallResult> => {
    const caller = callerOf(call)
    const run = () => callInProcess({ pipeline: called, app, storage, past }, method, path, args, callOptions, caller)
    return ready().then(run)
  }
  return {
    root,
    handle,
    covers: router.covers,
    discoveryLink: async () => {
      await ready()
      return discoveryLink(await app.settings.read(storage), names)
    },
    '~parts': {
      ...{ storage, app, ready, publicName: publicNames(options.names) },
      readTagsAt: (state) => readTagsAt(state, { touched, collections: taggedCollections(persisted) }),
      userOf: (request) => {
        const { path, query } = targetOfUrl(request.url)
        return pipeline.userOf(new RequestIncoming(request, path, query))
      },
      signInUrl: options.consent?.signInUrl,
      changesSince: (place) => changesSince(storage, place),
      madeWith: () => shownWith(options),
      isDrawnAnew: options.render?.cache === false,
    },
    fetch: createFetch(root, handle, log),
    // The cast: the profile has the types of the routes.
    call: call as SiteApi<P>['call'],
    explain: async (method, path, explainOptions) => {
      await ready()
      return explainInProcess({ pipeline, app, storage }, method, path, explainOptions)
    },
    health,
    index: async () => (await call('GET', '/')).data,
    openapi: async () => {
      await ready()
      // The cast: the text was written from such a document.
      return (await (openApi ?? withoutOpenApi())(app, await app.settings.read(storage))).toJSON() as OpenApiDocument
    },
    render: createSiteRender({ storage, app, ready }),
    events: outboxMembers.events,
    on: (name, listener) => events.on(name as EventName, listener as Listener<EventName>),
    files: createSiteFiles(app, assertServing),
    // The cast: the features of the profile made what its type says.
    site: siteWith(
      { ...management, dryRun },
      {
        ...createSiteContent(app, call),
        ...extensionsOf(features, { ...siteParts, call }),
        webhooks: outboxMembers.webhooks,
      },
    ) as unknown as SiteApi<P>['site'],
    close: () => (closing ??= close()),
  }
}

/** A feature brings how sites are seeded, exported and imported. */
interface BroughtTransfers extends Pick<ManagementContext, 'readArchive' | 'writeArchive'> {
  readonly transfers: Transfers
}

// The cast: the feature brings such a value under this name.
const transfersOf = ({ services }: AppContext) => services['transfers'] as BroughtTransfers | undefined

const kitFilesOn = (management: () => ManagedSite): KitFiles => ({
  archiveBytes: kitArchiveBytes,
  import: async (archive, choices) => management().import(inOneChunk(archive), choices),
  export: async (choices) => management().kit.export(choices),
})

async function* inOneChunk(bytes: Uint8Array) {
  yield bytes
}

/** `/api`, `api` and `/api/` are the same; '' and '/' mean the whole site. */
function rootOf(root: string): string {
  const bare = root.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `/${bare}`
}
