/**
 * A read as of a moment: the endpoint of a path runs on a storage that answers as it would have then, for a caller who may write there.
 * Rights are those of now.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { PastStorages } from '../../declare/context.ts'
import { ApiError, isApiError, noRoute } from '../../declare/errors.ts'
import { forbidden } from '../../declare/permissions.ts'
import type { Incoming } from '../../declare/request.ts'
import type { Result } from '../../declare/result.ts'
import type { Match } from '../../routing/route.ts'
import type { Router } from '../../routing/router.ts'
import type { Executor, RequestScope } from '../request-scope.ts'
import { notCached } from '../response/row-cache.ts'

interface PastParts {
  readonly router: Router
  readonly app: AppContext
  readonly executor: Executor
}

/** Throws the error of the request. */
export async function readPast(
  { router, app, executor }: PastParts,
  incoming: Incoming,
  { user }: Pick<RequestScope, 'user'>,
  { now, past, isHistorical }: PastStorages,
): Promise<Result> {
  const match = router.find('GET', incoming.path)
  if (!match) throw noRoute()
  if (!isHistorical(match.routed.feature)) {
    throw new ApiError('history_no_route', 'This address cannot be read as of a moment.', 400)
  }
  // Terms and other rows around a post change without its version: texts of the past are neither taken from caches nor left there.
  const settings = { ...(await app.settings.read(past)), generation: notCached }
  const scope: RequestScope = { user, settings, events: [], storage: past }
  const writers = router.findAll(incoming.path).filter(({ routed }) => isEdit(routed.endpoint.methods))
  const verdicts = writers.map((writer) => mayWrite(executor, writer, incoming, scope, { now, past }))
  const isAllowed = writers.length === 0 ? mayEditAll(user) : (await Promise.all(verdicts)).includes(true)
  if (!isAllowed) throw forbidden(user, 'history_forbidden', 'You may not read this as it was: you may not change it.')
  return executor.execute(incoming, match, scope, { storage: past, insideTransaction: false, events: scope.events })
}

const isEdit = (methods: readonly string[]) => methods.some((method) => method !== 'GET' && method !== 'DELETE')

/** Where nothing is written, only those may read the past who may change the posts of everybody. */
const mayEditAll = ({ can }: RequestScope['user']) => can('edit_others_posts') && can('edit_private_posts')

/** A record that is gone, or was not there yet, is judged as it is in the other storage. */
async function mayWrite(
  executor: Executor,
  match: Match,
  incoming: Incoming,
  scope: RequestScope,
  { now, past }: Pick<PastStorages, 'now' | 'past'>,
): Promise<boolean> {
  const verdicts = [await verdictOn(now), await verdictOn(past)]
  return verdicts.includes('yes') && !verdicts.includes('no')

  async function verdictOn(storage: Storage): Promise<'yes' | 'no' | 'absent'> {
    const { endpoint, parser } = match.routed
    const context = executor.createContext(match, incoming, scope, storage, parser.pathArguments(match.params))
    try {
      const resource: unknown = endpoint.resource && (await endpoint.resource(context as never))
      return (await endpoint.permission.check({ ...context, resource } as never)) ? 'no' : 'yes'
    } catch (error) {
      if (!isApiError(error)) throw error
      return error.status === 404 || error.status === 410 ? 'absent' : 'no'
    }
  }
}
