/** From a form as a visitor sent it to the stored submission: texts cleaned and cut, ids checked. */

import type { RecordValues } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { isWebAddress } from '../../../site/form-schema.ts'
import { type ActionEntry, type FormField, lengths, maxValues, nowText, type Submission } from './model.ts'
import { insertSubmission, type NewSubmission } from './write.ts'

/** A form as a visitor sent it. */
export interface SubmittedForm {
  /** The document that contains the form. */
  readonly postId: number
  /** The element of the form in the document. */
  readonly elementId: string
  readonly formName: string
  /** All fields of the form in their order. Fields without `value` were not submitted. */
  readonly fields: readonly SubmittedField[]
  /** URL of the page from which the form was submitted. */
  readonly referer?: string
  readonly refererTitle?: string
  readonly userAgent?: string
  readonly userIp?: string
  /** Id of the sender; 0 or missing for a guest. */
  readonly userId?: number
  /** Actions that are already completed. */
  readonly actions?: readonly DoneAction[]
}

export interface SubmittedField extends FormField {
  readonly value?: string
}

/** A completed action of a submission. */
export interface DoneAction {
  readonly name: string
  readonly label: string
  readonly status: 'success' | 'failed'
  readonly log?: string
}

/** The log entry of an action that is completed. */
export function entryOf({ name, label, status, log = '' }: DoneAction, clock: () => number): ActionEntry {
  const now = nowText(clock)
  return { name: clean(name), label: clean(label), status, log: clean(log), createdAt: now, updatedAt: now }
}

/** Stores a submission with the current fields of its form, in the caller's transaction. `more`: columns of the service itself. */
export async function addSubmission(
  context: HookContext,
  form: SubmittedForm,
  more: RecordValues = {},
): Promise<Submission> {
  const { snapshot, submission } = toNewSubmission(form, context.app.clock)
  const saved = await beforeChange(context, 'submission.saving', submission)
  const inserted = await insertSubmission(context, saved, snapshot, more)
  context.emit('submission.created', { submission: inserted })
  return inserted
}

/** Cleans the texts and cuts them to their limits. Throws a TypeError for invalid ids. */
function toNewSubmission(form: SubmittedForm, clock: () => number) {
  const { postId, elementId, refererTitle } = form
  const entries = form.fields.map(({ value, ...field }) => ({ field: cleanField(field), value }))
  const fields = entries.map(({ field }) => field)
  checkIds(
    elementId,
    fields.map(({ id }) => id),
  )
  const formName = cut(form.formName, lengths.formName)
  const values = entries.flatMap(({ field, value }) =>
    value === undefined ? [] : [{ key: field.id, value: clean(value) }],
  )
  const submission: NewSubmission = {
    postId,
    elementId,
    formName,
    values,
    referer: cut(webAddress(form.referer), lengths.referer),
    refererTitle: refererTitle === undefined ? null : cut(refererTitle, lengths.refererTitle),
    userId: form.userId ?? 0,
    userAgent: cut(form.userAgent ?? '', lengths.userAgent),
    userIp: cut(form.userIp ?? '', lengths.userIp),
    main: mainIndex(fields, values),
    actions: (form.actions ?? []).map((action) => entryOf(action, clock)),
  }
  return { submission, snapshot: { postId, elementId, name: formName, fields } }
}

/** Removes NUL, which storages refuse, and replaces lone surrogates. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()
const cut = (text: string, length: number): string => clean(text).slice(0, length).toWellFormed()

/** Choice: the referer is shown as a link, so anything but a web address is stored as an empty text. */
const webAddress = (referer = '') => (isWebAddress(referer) ? referer : '')

const cleanField = ({ id, type, label, options, isMultiple }: FormField): FormField => ({
  id,
  type: clean(type),
  label: clean(label),
  ...(options ? { options: options.map(clean) } : {}),
  ...(isMultiple === undefined ? {} : { isMultiple }),
})

function checkIds(elementId: string, keys: readonly string[]): void {
  if (!/^[\w-]{1,20}$/.test(elementId)) throw new TypeError(`${JSON.stringify(elementId)} is no id of an element`)
  if (keys.length > maxValues) throw new TypeError(`a form has at most ${maxValues} fields`)
  const invalid = keys.find((key) => key === '' || key.length > lengths.key || clean(key) !== key)
  if (invalid !== undefined) throw new TypeError(`${JSON.stringify(invalid)} is no id of a field`)
  if (new Set(keys).size < keys.length) throw new TypeError('two fields have the same id')
}

/** Interface: the main value is the first e-mail address, otherwise the first value. */
function mainIndex(fields: readonly FormField[], values: readonly { readonly key: string }[]): number | null {
  if (values.length === 0) return null
  const emails = new Set(fields.filter(({ type }) => type === 'email').map(({ id }) => id))
  return Math.max(
    values.findIndex(({ key }) => emails.has(key)),
    0,
  )
}
