/** `api.site.submissions`: what a public form posts. Nobody's rights are asked here; the caller has checked the sender. */

import { system } from '../../../core/declare/actor.ts'
import type { PendingEvent } from '../../../core/declare/events.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { runHooks } from '../../../core/pipeline/hooks.ts'
import type { Storage } from '../../../storage/contract.ts'
import { type Form, isWebAddress, readForm } from './form.ts'
import {
  type ActionEntry,
  type FormField,
  lengths,
  maxValues,
  nowText,
  type Submission,
  submissionsCollection,
} from './model.ts'
import { insertSubmission } from './write.ts'

export interface SubmittedForm {
  /** The document on which the form stands. */
  readonly postId: number
  /** The form's element in it. */
  readonly elementId: string
  readonly formName: string
  /** All fields of the form in their order; those without a value were left out by the sender. */
  readonly fields: readonly SubmittedField[]
  /** The page from which it was sent. */
  readonly referer?: string
  readonly refererTitle?: string
  readonly userAgent?: string
  readonly userIp?: string
  /** Who sent it; 0 or nothing: a guest. */
  readonly userId?: number
  /** What was done with it already. */
  readonly actions?: readonly DoneAction[]
}

export interface SubmittedField extends FormField {
  readonly value?: string
}

/** Something that follows a submission, such as a mail to the owner of the site. */
export interface DoneAction {
  readonly name: string
  readonly label: string
  readonly status: 'success' | 'failed'
  readonly log?: string
}

export interface SiteSubmissions {
  /**
   * Keeps a submission and remembers how its form looks now. Tells `submission.created`. Texts that are too long are cut;
   * rejects with a TypeError when an id of the form or of a field is none.
   *
   * ```ts
   * await api.site.submissions.add({
   *   postId: 10, elementId: '476d0ce', formName: 'Contact',
   *   fields: [{ id: 'email', type: 'email', label: 'E-mail', value: 'bob@mail.test' }],
   * })
   * ```
   */
  add(form: SubmittedForm): Promise<Submission>
  /** Records what was done with a submission after it was kept, in place of what was recorded before. */
  recordActions(id: number, actions: readonly DoneAction[]): Promise<void>
  /** The form that an element of a published document describes. */
  form(postId: number, elementId: string): Promise<Form | undefined>
}

declare module '../../../core/declare/feature.ts' {
  interface SiteExtensions {
    /** What public forms post. Only profiles with form submissions have it. */
    readonly submissions: SiteSubmissions
  }
}

export function createSubmissions({ storage, app, ready, hooks, emit }: ExtensionOptions): SiteSubmissions {
  const entryOf = ({ name, label, status, log = '' }: DoneAction): ActionEntry => {
    const now = nowText(app.clock)
    return { name: clean(name), label: clean(label), status, log: clean(log), createdAt: now, updatedAt: now }
  }

  return {
    async add(sent) {
      await ready()
      const fields = sent.fields.map(({ value, ...field }) => ({ field: cleanField(field), value }))
      const { postId, elementId } = sent
      checkIds(
        elementId,
        fields.map(({ field }) => field.id),
      )
      const formName = cut(sent.formName, lengths.formName)
      const values = fields.flatMap(({ field, value }) =>
        value === undefined ? [] : [{ key: field.id, value: clean(value) }],
      )
      const snapshot = { postId, elementId, name: formName, fields: fields.map(({ field }) => field) }
      const added = {
        ...{ postId, elementId, formName, values },
        referer: cut(addressIn(sent.referer), lengths.referer),
        refererTitle: sent.refererTitle === undefined ? null : cut(sent.refererTitle, lengths.refererTitle),
        userId: sent.userId ?? 0,
        userAgent: cut(sent.userAgent ?? '', lengths.userAgent),
        userIp: cut(sent.userIp ?? '', lengths.userIp),
        main: mainOf(snapshot.fields, values),
        actions: (sent.actions ?? []).map(entryOf),
      }
      const told: PendingEvent[] = []
      const settings = await app.settings.read(storage)
      const submission = await whole(storage, async (inside) => {
        told.length = 0
        const made = await insertSubmission({ storage: inside, app }, added, snapshot)
        told.push({ name: 'submission.created', payload: { submission: made } })
        const queue = (name: PendingEvent['name'], payload: unknown) =>
          void told.push({ name, payload } as PendingEvent)
        await runHooks(told, 0, hooks, { storage: inside, app, settings, user: system, emit: queue })
        return made
      })
      emit(told)
      return submission
    },

    async recordActions(id, actions) {
      await ready()
      const changes = { actions: actions.map((action) => ({ ...entryOf(action) })) }
      await storage.records.update(submissionsCollection, [{ id, changes }])
    },

    async form(postId, elementId) {
      await ready()
      return readForm(storage, postId, elementId)
    },
  }
}

/** All or nothing where the storage can do that. */
const whole = <T>(storage: Storage, work: (inside: Storage) => Promise<T>) =>
  storage.atomic ? storage.atomic(work) : work(storage)

/** What no storage takes, and half characters, are left out. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()
const cut = (text: string, length: number): string => clean(text).slice(0, length).toWellFormed()

/** Choice: it is shown as a link, so it is a web address or nothing. */
const addressIn = (referer = '') => (isWebAddress(referer) ? referer : '')

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
  const wrong = keys.find((key) => key === '' || key.length > lengths.key || clean(key) !== key)
  if (wrong !== undefined) throw new TypeError(`${JSON.stringify(wrong)} is no id of a field`)
  if (new Set(keys).size < keys.length) throw new TypeError('two fields have the same id')
}

/** Interface: the first e-mail address, otherwise the first field, stands for the whole submission. */
function mainOf(fields: readonly FormField[], values: readonly { readonly key: string }[]): number | null {
  if (values.length === 0) return null
  const emails = new Set(fields.filter(({ type }) => type === 'email').map(({ id }) => id))
  return Math.max(
    values.findIndex(({ key }) => emails.has(key)),
    0,
  )
}
