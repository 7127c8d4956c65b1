/** What clients of the page builder report of their use: kept for a while, newest first, for those who run the site. */
import { type ArgValues, bool, context, object, paging, required, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { defaultLimits } from '../../../core/declare/limits.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { can } from '../../../core/declare/permissions.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { eventCollection, readEvents, storeEvent } from './model.ts'
import { eventsSchema, eventView } from './view.ts'

const path = '/send-event'
const listArgs = { context: context(), ...paging(), search: search() }

export const events = feature(
  'events',
  'builder/v1',
  [
    endpoint({
      path,
      methods: ['GET'],
      args: listArgs,
      summary: 'List the recorded events, newest first',
      paged: true,
      permission: can('manage_options'),
      responses: { 200: eventsSchema },
      handler: listEvents,
    }),
    endpoint({
      path,
      methods: ['POST'],
      args: { event_data: required(object({}, { description: 'All the recorded event data in JSON format.' })) },
      summary: 'Record an event',
      permission: can('manage_options'),
      responses: { 200: bool({ description: 'False: it was empty, and nothing was kept.' }) },
      bodyLimitBytes: defaultLimits.smallBodyBytes,
      handler: (context) => {
        const { event_data: event } = context.args
        if (Object.keys(event).length === 0) return false
        return andThen(storeEvent(context, event), () => true)
      },
    }),
  ],
  { persisted: { collections: [{ collection: eventCollection }] } },
)

function listEvents(context: Context<ArgValues<typeof listArgs>>): MaybePromise<unknown> {
  const { page, per_page: perPage } = context.args
  return andThen(readEvents(context, context.args), ({ rows, total }) =>
    pageOf(context, { rows: rows.map(eventView), total, page, perPage }),
  )
}
