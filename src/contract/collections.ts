/** Collections of every site, whatever its features. */
import type { Collection } from './storage.ts'

/** Requests with an `Idempotency-Key`, and their results. */
export const writtenRequests: Collection = {
  name: 'written_requests',
  fields: { key: 'text', fingerprint: 'text', result: 'json', written: 'integer' },
  indexed: ['written'],
  unique: [['key']],
}

/** Attempts at passwords, as buckets of tokens: all processes of a site count together. */
export const signInAttempts: Collection = {
  name: 'sign_in_attempts',
  fields: { key: 'text', tokens: 'number', at: 'integer' },
  indexed: ['at'],
  unique: [['key']],
}

/** The events of a transaction, written at its end, until they are numbered: numbers have no gaps, and no writer waits for another to get one. */
export const outboxChanges: Collection = {
  name: 'outbox_changes',
  fields: {
    /** Of each its `uid`, `name`, `subject` and `data`, as `outboxEvents` has them. */
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

/** The fields of a collection of deliveries: of work for other servers that is done after the commit, and again until it succeeds. */
const deliveryFields = {
  /** Who receives it. Deliveries of one target and one subject keep their order. */
  target: 'text',
  subject: 'text',
  sequence: 'integer',
  /** `pending`, `delivered` or `dead`. */
  state: 'text',
  /** Milliseconds since 1970: not before. A process that delivers moves it on, so that no other does meanwhile. */
  due: 'integer',
  attempts: 'integer',
  /** The status of the last response; null: there was none. */
  status: 'integer',
  error: 'text',
  created_at: 'text',
} as const

const deliveryLists = {
  indexed: ['created_at'],
  orders: [
    ['state', 'due'],
    ['subject', 'state', 'sequence'],
    ['target', 'sequence'],
  ],
}

/** What each webhook has received, and still has to receive. */
export const webhookDeliveries: Collection = { name: 'webhook_deliveries', fields: deliveryFields, ...deliveryLists }

/** What the actions of submitted forms have to send: mails and calls of other servers. */
export const formDeliveries: Collection = {
  name: 'form_deliveries',
  fields: {
    ...deliveryFields,
    /** The id of the submission; null: the form does not keep them. */
    submission: 'integer',
    /** What is sent. Removed when it has been. */
    message: 'json',
  },
  ...deliveryLists,
}

/** Pictures that are to be made smaller. */
export const imageJobs: Collection = { name: 'image_jobs', fields: deliveryFields, ...deliveryLists }

/** All of them, for storages that are opened without the right to create tables. */
export const siteCollections: readonly Collection[] = [
  writtenRequests,
  signInAttempts,
  outboxChanges,
  outboxEvents,
  webhookDeliveries,
  formDeliveries,
]
