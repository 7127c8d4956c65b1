/** Usage events that clients of the page builder report; administrators list them, newest first. */
import { type ArgValues, bool, context, object, paging, required, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { defaultLimits } from '../../../core/declare/limits.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { can } from '../../../core/declare/permissions.ts'
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
      args: { event_data: required(object({}, { description: 'What the client tells about the event.' })) },
      summary: 'Record an event',
      permission: can('manage_options'),
      responses: { 200: bool({ description: 'False: it was empty, and nothing was kept.' }) },
      bodyLimitBytes: defaultLimits.smallBodyBytes,
      handler: async (context) => {
        const { event_data: event } = context.args
        if (Object.keys(event).length === 0) return false
        await storeEvent(context, event)
        return true
      },
    }),
  ],
  { persisted: { collections: [{ collection: eventCollection }] } },
)

async function listEvents(context: Context<ArgValues<typeof listArgs>>) {
  const { page, per_page: perPage, search } = context.args
  const { rows, total } = await readEvents(context, { page, perPage, search })
  return pageOf(context, { rows: rows.map(eventView), total, page, perPage })
}
