/** The response for a recorded event. */

import type { StoredRecord } from '../../../contract/storage.ts'
import { int, list, object, str } from '../../../core/declare/args.ts'
import { fields, openFields, sometimes } from '../../../core/declare/response-schema.ts'

/** Clients define the members of an event, except `details`. */
export const eventsSchema = list(
  fields(
    {
      id: int(),
      event_data: openFields({ details: sometimes(object({})) }),
      created_at: str({ description: 'The moment that the client has stated.' }),
    },
    { title: 'Recorded event' },
  ),
)

export const eventView = ({ id, event, ts }: StoredRecord) => ({
  id,
  // The cast: stored as JSON text.
  event_data: JSON.parse(event as string) as unknown,
  created_at: ts,
})
