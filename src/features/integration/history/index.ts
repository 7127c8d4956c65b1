/** Lists the changes of a site, reads it as of a moment, compares two moments, and restores one. */
import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { permission } from '../../../core/declare/permissions.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { inProcessIncoming } from '../../../core/request/incoming.ts'
import { shareWork } from '../../../core/runtime/work.ts'
import { refusalFor } from './access.ts'
import {
  changesSchema,
  differenceArgs,
  differenceSchema,
  listArgs,
  readArgs,
  restoreArgs,
  restoredSchema,
} from './args.ts'
import { historyRestored, historySince, newestChange, siteHistory } from './collections.ts'
import { createSiteHistory } from './management.ts'
import { momentOf, storagesAt } from './model.ts'
import { historySweep, observeHistory } from './observe.ts'
import { checkMoment } from './past.ts'
import { changeView, differenceBetween, mayChangeRecord, type RecordArgs, refused } from './reads.ts'
import { type Restored, restoreTo } from './restore.ts'

const mayReadThere = permission<unknown, unknown>('signed in who may write at the path', ({ user }) =>
  user.isVisitor ? refused(user) : undefined,
)
const stateOf = async ({ args, storage }: { readonly args: RecordArgs; readonly storage: Storage }) =>
  storedState({ newest: await newestChange(storage, args.record) })

export const history = feature(
  'history',
  'site-api/v1',
  [
    endpoint({
      path: '/history',
      methods: ['GET'],
      args: listArgs,
      summary: 'List the changes of a record, or of the site, the newest first',
      permission: mayChangeRecord,
      paged: true,
      stored: stateOf,
      responses: { 200: changesSchema },
      handler: async (context) => {
        const { args, storage } = context
        const { rows, total } = await storage.records.query(siteHistory, {
          ...(args.record === undefined ? {} : { where: { field: 'record', is: args.record } }),
          order: [{ by: 'id', descending: true }],
          offset: (args.page - 1) * args.per_page,
          limit: args.per_page,
          total: true,
        })
        return pageOf(context, { rows: rows.map(changeView), total, page: args.page, perPage: args.per_page })
      },
    }),
    endpoint({
      path: '/history/read',
      methods: ['GET'],
      args: readArgs,
      summary: 'Read an address as of a moment: what GET would have answered then',
      permission: mayReadThere,
      handler: readThen,
    }),
    endpoint({
      path: '/history/difference',
      methods: ['GET'],
      args: differenceArgs,
      summary: 'Compare a record at two moments: by member, element and word',
      permission: mayChangeRecord,
      responses: { 200: differenceSchema },
      handler: differenceBetween,
    }),
    endpoint({
      path: '/history/restore',
      methods: ['POST'],
      args: restoreArgs,
      summary: 'Restore the site, or one record, to a moment',
      permission: mayChangeRecord,
      responses: { 200: restoredSchema },
      stored: stateOf,
      handler: restore,
    }),
  ],
  {
    persisted: { options: [historySince, historyRestored] },
    siteExtensions: { history: createSiteHistory },
    observer: observeHistory,
    background: historySweep,
  },
)

async function readThen(context: Context<{ readonly path: string; readonly as_of: string }>) {
  const { args, app, user, storage, incoming, subrequests } = context
  const [path = '', query = ''] = args.path.split(/\?(.*)/s)
  if (!path.startsWith('/')) {
    throw new ApiError('history_no_route', 'path is an address below the root, such as /cms/v2/pages/12.', 400)
  }
  const storages = await storagesAt(app, storage, args.as_of, user)
  const inner = inProcessIncoming('batch', 'GET', path, query, undefined, {})
  shareWork(inner, incoming, app.limits.requestWork)
  return subrequests.readPast(inner, storages)
}

async function restore(
  context: Context<{ readonly to: string; readonly record?: string | undefined }>,
): Promise<Restored> {
  const { args, app, user, storage } = context
  const moment = momentOf(args.to, 'to')
  await checkMoment(storage, moment, app.clock())
  if (args.record !== undefined) {
    const { past } = await storagesAt(app, storage, moment, user)
    const refusal = await refusalFor({ user, app }, args.record, [storage, past])
    if (refusal) throw refusal
  }
  return restoreTo(context, moment, args.record)
}
