/** The seven actors of the permission tables, and the decisions that many routes share. */

export const actors = [
  'visitor',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'administrator',
  'revoked password of the administrator',
] as const

/** `ok`: the permission check passed; the response may still be a 404 or a conflict. */
export type Decision = 'ok' | 401 | 403
export type Decisions = readonly [Decision, Decision, Decision, Decision, Decision, Decision, Decision]

/** `{name}` is replaced by the values of the record; `{serial}` is a new number in each call. */
export interface Sent {
  /** A record name of `permission-records.ts`; a new record for each call. */
  readonly on?: string
  /** Values of path parameters that are not ids of the record. */
  readonly at?: { readonly [parameter: string]: string | number }
  readonly query?: string
  readonly body?: unknown
}

export type Entry = readonly [methods: string, path: string, decisions: Decisions, sent?: Sent]

// The columns: visitor, subscriber, contributor, author, editor, administrator, revoked password.
// A missing permission is 401 for a visitor and 403 for a signed-in user; wrong credentials are 401 on each route.
export const anybody: Decisions = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 401]
export const signedIn: Decisions = [401, 'ok', 'ok', 'ok', 'ok', 'ok', 401]
/** `edit_posts`. */
export const writers: Decisions = [401, 403, 'ok', 'ok', 'ok', 'ok', 401]
/** Those who may change a published post of the author. */
export const authorAndEditors: Decisions = [401, 403, 403, 'ok', 'ok', 'ok', 401]
/** Those who may see or change a draft of the contributor. */
export const contributorAndEditors: Decisions = [401, 403, 'ok', 403, 'ok', 'ok', 401]
/** Those who may see or change a private post of an editor, or change a published one. */
export const editors: Decisions = [401, 403, 403, 403, 'ok', 'ok', 401]
/** `manage_options`, and all capabilities about packages and themes. */
export const administrators: Decisions = [401, 403, 403, 403, 403, 'ok', 401]
/** Theme routes reject every actor without permission with the same code and status. */
export const writersOr401: Decisions = [401, 401, 'ok', 'ok', 'ok', 'ok', 401]
export const administratorsNo401: Decisions = [403, 403, 403, 403, 403, 'ok', 401]

export const EDITABLE = 'POST PUT PATCH'
