/**
 * Requests that name a release: a read is answered from the site as it would be, and the changes of a write are kept in the release. Nothing
 * of it is cached, and no service outside is called.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { Settings } from '../../../site/settings.ts'
import type { AppContext } from '../../declare/app-context.ts'
import { ApiError } from '../../declare/errors.ts'
import type { PendingEvent } from '../../declare/events.ts'
import type { Incoming } from '../../declare/request.ts'
import { Result } from '../../declare/result.ts'
import { releaseHeader } from '../../request/idempotency.ts'
import { prefers } from '../../request/incoming.ts'
import { decode } from '../../request/query-string.ts'
import type { Match } from '../../routing/route.ts'
import type { Router } from '../../routing/router.ts'
import { type DryRunParts, dryAppOf } from '../dry-run/app.ts'
import type { OutsideCall } from '../dry-run/report.ts'
import type { Executor, RequestScope, TriedRun } from '../request-scope.ts'
import { notCached } from '../response/row-cache.ts'
import type { NamedRelease, ReleaseAccess } from './release-access.ts'

interface Parts {
  readonly router: Router
  readonly app: AppContext
  readonly executor: Executor
  readonly dryRuns: DryRunParts
}

/** Undefined: the request names none. `header` is the public name of the header, in small letters. */
export function releaseNamed(incoming: Incoming, { routed }: Match, header: string): string | undefined {
  const sent = incoming.header(header)
  if (sent !== undefined && sent !== '') return sent
  if (!incoming.query.includes('release=') || Object.hasOwn(routed.endpoint.args, 'release')) return undefined
  const [, value] = /(?:^|&)release=([^&]*)/.exec(incoming.query) ?? []
  return value === undefined ? undefined : decode(value)
}

/** Undefined: the route is about releases themselves, and runs as ever. */
export async function answerInRelease(
  parts: Parts,
  incoming: Incoming,
  match: Match,
  scope: RequestScope,
  name: string,
): Promise<Result | undefined> {
  const { app, executor, router } = parts
  const [access] = app.contributions('releases')
  if (!access) throw new ApiError('release_unsupported', 'This site has no releases: its profile is without them.', 400)
  const kind = access.kindOf(match.routed.feature, app)
  if (kind === 'none') return undefined
  if (prefers(incoming, 'dry-run') || prefers(incoming, 'explain')) {
    throw new ApiError('release_no_dry_run', 'A write to a release changes nothing of the site: leave out Prefer.', 400)
  }
  const named: NamedRelease = { name, user: scope.user, app, storage: scope.storage }
  const run = { insideTransaction: false, events: scope.events }
  if (match.routed.writes) {
    if (kind === 'live') throw notInReleases()
    const release = new ReleaseRun({ ...parts, access, router }, named, scope.events)
    return inRelease(
      await executor.execute(incoming, match, { ...scope, dryRun: release }, { ...run, storage: scope.storage }),
      app,
      name,
    )
  }
  const storage = await access.read(named)
  // Users and comments are those of the site.
  const read = kind === 'rows' ? { ...scope, storage, settings: await uncached(app, storage) } : scope
  return inRelease(await executor.execute(incoming, match, read, { ...run, storage: read.storage }), app, name)
}

const notInReleases = () =>
  new ApiError('release_no_route', 'A release has no such records: leave out the release to write them.', 400)

/** Rows of a release are neither taken from caches nor left there. */
async function uncached(app: AppContext, storage: Storage): Promise<Settings> {
  return { ...(await app.settings.read(storage)), generation: notCached }
}

function inRelease({ data, status, headers, keeps }: Result, { names }: AppContext, name: string): Result {
  const [id = ''] = name.split('.', 1)
  const own = { [names.toPublic(releaseHeader)]: id, 'Cache-Control': 'private, no-store' }
  return new Result(data, status, { ...headers, ...own }, keeps)
}

interface RunParts extends Parts {
  readonly access: ReleaseAccess
}

/** The write of one request. */
class ReleaseRun implements TriedRun {
  readonly #parts: RunParts
  readonly #named: NamedRelease
  readonly #events: PendingEvent[]
  #outside: OutsideCall[] = []
  #app: AppContext

  constructor(parts: RunParts, named: NamedRelease, events: PendingEvent[]) {
    this.#parts = parts
    this.#named = named
    this.#events = events
    this.#app = this.#appOn(undefined)
  }

  get app(): AppContext {
    return this.#app
  }

  async run(
    storage: Storage,
    execute: (transaction: Storage, settings?: Settings) => Promise<Result>,
  ): Promise<Result> {
    const { access, app } = this.#parts
    const result = await access.write({ ...this.#named, storage }, async (transaction) => {
      this.#events.length = 0
      this.#outside = []
      this.#app = this.#appOn(transaction)
      const done = await execute(transaction, await uncached(app, transaction))
      // Mails about a change are sent when it is published, or never.
      const [needed] = this.#outside.filter(({ service }) => service !== 'mail')
      if (needed) throw outsideRelease(needed)
      return done
    })
    this.#events.length = 0
    return result
  }

  async runRequest(
    { method, path }: Incoming,
    storage: Storage,
    execute: (storage: Storage) => Promise<Result>,
  ): Promise<Result> {
    const { router, access, app } = this.#parts
    const match = router.find(method, path)
    if (match && access.kindOf(match.routed.feature, app) !== 'rows') throw notInReleases()
    return execute(storage)
  }

  #appOn(transaction: Storage | undefined): AppContext {
    const note = (call: OutsideCall) => void this.#outside.push(call)
    const dry = dryAppOf(this.#parts.dryRuns, transaction, { note, stop: () => {}, events: this.#events })
    return { ...dry, isInRelease: true }
  }
}

const outsideRelease = ({ service, call }: OutsideCall) =>
  new ApiError(
    'release_outside',
    `This write needs ${service}.${call}, which can not wait until the release is published: send it without the release.`,
    400,
  )
