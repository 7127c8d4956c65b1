/** A recorded event as the listing shows it. */
import type { StoredRecord } from '../../storage/contract.ts'

export const eventView = ({ id, event, ts }: StoredRecord) => ({
  id,
  // The cast: it was stored as JSON text.
  event_data: JSON.parse(event as string) as unknown,
  created_at: ts,
})
