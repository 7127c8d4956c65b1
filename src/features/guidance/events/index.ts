/** What clients of the page builder report of their use: kept for a while, newest first, for those who run the site. */
import { type ArgValues, bool, context, object, paging, required, search } from '../../../core/declare/args.ts'
import { type Call, endpoint, feature } from '../../../core/declare/endpoint.ts'
import { defaultLimits } from '../../../core/declare/limits.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { can } from '../../../core/declare/permissions.ts'
import { chain, type Eventually } from '../../../core/runtime/maybe-promise.ts'
import { eventCollection, readEvents, storeEvent } from './model.ts'
import { eventsForm, eventView } from './view.ts'

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
      answers: { 200: eventsForm },
      handler: listEvents,
    }),
    endpoint({
      path,
      methods: ['POST'],
      args: { event_data: required(object({}, { description: 'All the recorded event data in JSON format.' })) },
      summary: 'Record an event',
      permission: can('manage_options'),
      answers: { 200: bool({ description: 'False: it was empty, and nothing was kept.' }) },
      bodyLimitBytes: defaultLimits.smallBodyBytes,
      handler: (call) => {
        const { event_data: event } = call.args
        if (Object.keys(event).length === 0) return false
        return chain(storeEvent(call, event), () => true)
      },
    }),
  ],
  { keeps: { collections: [{ collection: eventCollection }] } },
)

function listEvents(call: Call<ArgValues<typeof listArgs>>): Eventually<unknown> {
  const { page, per_page: perPage } = call.args
  return chain(readEvents(call, call.args), ({ rows, total }) =>
    pageOf(call, { rows: rows.map(eventView), total, page, perPage }),
  )
}
