/** Tells who is where: a list, and a stream. */
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { noBody, nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result, Stream } from '../../../core/declare/result.ts'
import { renewLock } from '../../shared/access/edit-locks.ts'
import { leaveArgs, listArgs, presencesSchema, reportArgs, streamArgs } from './args.ts'
import { endPresence, presenceOption, readPresence, reportPresence, requirePlace } from './model.ts'
import { endStreams, presenceStream } from './stream.ts'

const mayBeThere = can('edit_posts')

const presence = feature(
  'presence',
  'site-api/v1',
  [
    endpoint({
      path: '/presence',
      methods: ['GET'],
      args: listArgs,
      summary: 'List who is where, on posts that you may edit and elsewhere',
      permission: mayBeThere,
      responses: { 200: presencesSchema },
      handler: (context) => readPresence(context, context.args.record),
    }),
    endpoint({
      path: '/presence',
      methods: ['POST'],
      args: reportArgs,
      summary: 'Say where you are, every 20 seconds; answers who else is there',
      permission: mayBeThere,
      responses: { 200: presencesSchema },
      handler: async (context) => {
        const { session, record, state, renew_lock: renews } = context.args
        await requirePlace(context, record)
        if (renews && record.startsWith('post:')) await renewLock(context, Number(record.slice('post:'.length)))
        await reportPresence(context, { session, record, state })
        return readPresence(context, record)
      },
    }),
    endpoint({
      path: '/presence',
      methods: ['DELETE'],
      args: leaveArgs,
      summary: 'Say that a window of yours is closed',
      permission: mayBeThere,
      responses: { 204: noBody() },
      handler: async (context) => {
        await endPresence(context, context.args.session)
        return result(undefined, { status: 204 })
      },
    }),
    endpoint({
      path: '/presence/stream',
      methods: ['GET'],
      args: streamArgs,
      summary:
        'Follow who is where: server-sent events `presence`, and `lock_lost` for locks that others take over from you',
      permission: mayBeThere,
      responses: { 200: nonJsonBody('text/event-stream', { description: 'The list at once, and after each change.' }) },
      handler: (context) => {
        const { record, seconds } = context.args
        const body = presenceStream(context.app, { seconds, read: () => readPresence(context, record) })
        const headers = { 'Cache-Control': 'private, no-store', 'X-Accel-Buffering': 'no' }
        return result(new Stream(body, 'text/event-stream; charset=UTF-8'), { headers })
      },
    }),
  ],
  { persisted: { options: [{ name: presenceOption }] }, background: endStreams },
)

/**
 * Shows editors who is where, over all processes of a site.
 *
 * ```ts
 * import { content, presenceFeatures, profile } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...presenceFeatures] })
 * ```
 */
export const presenceFeatures = [presence] as const
