/** The collections of the outbox: events before and after they have a number, and the deliveries to webhooks. */
import type { Collection } from '../../../contract/storage.ts'
import { deliveryCollection } from '../../shared/deliveries.ts'

/** The events of a transaction, written at its end, until they are numbered: numbers have no gaps, and no writer waits for another to get one. */
export const outboxChanges: Collection = {
  name: 'outbox_changes',
  fields: {
    /** A list: each event has `uid`, `name`, `subject` and `data`, as in `outboxEvents`. */
    events: 'json',
    /** ISO, in GMT. */
    created_at: 'text',
  },
}

/** The events that were numbered. */
export const outboxEvents: Collection = {
  name: 'outbox_events',
  fields: {
    sequence: 'integer',
    uid: 'text',
    name: 'text',
    /** The record that changed: `post:12`. */
    subject: 'text',
    data: 'json',
    /** ISO, in GMT. */
    created_at: 'text',
  },
  indexed: ['created_at'],
  unique: [['sequence']],
}

/** The events that each webhook has received, and still has to receive. */
export const webhookDeliveries = deliveryCollection('webhook_deliveries')
