/**
 * `api.site.submissions`: stores, finds and erases what public forms submit. It checks no permission; the caller has checked the sender.
 */
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { asUnitsOfWork } from '../../../core/runtime/unit-of-work.ts'
import { removePending } from '../../shared/pending-files.ts'
import { eraseByEmail, findByEmail } from './erase.ts'
import { type Form, readForm } from './intake/form.ts'
import type { Submission } from './model.ts'
import { changeRetention, type FormRetention } from './retention.ts'
import { addSubmission, type DoneAction, entryOf, type SubmittedForm } from './submitted-form.ts'
import { enterLog } from './write.ts'

/** `api.site.submissions`: takes what visitors send with the forms of built documents. */
export interface SiteSubmissions {
  /**
   * Stores a submission and the current fields of its form, and emits `submission.created`. Long texts are cut. Rejects
   * with a TypeError for an invalid id of the form or of a field.
   *
   * ```ts
   * await api.site.submissions.add({
   *   postId: 10, elementId: '476d0ce', formName: 'Contact',
   *   fields: [{ id: 'email', type: 'email', label: 'E-mail', value: 'bob@mail.test' }],
   * })
   * ```
   */
  add(form: SubmittedForm): Promise<Submission>
  /** Enters results of actions in the log of a submission, each in the place of an earlier one of its name. */
  recordActions(id: number, actions: readonly DoneAction[]): Promise<void>
  /** The form of an element in a published document. Undefined if there is none. */
  form(postId: number, elementId: string): Promise<Form | undefined>
  /** The submissions that hold this e-mail address as a value, in the trash too, the oldest first: for a request of its owner. */
  find(email: string): Promise<Submission[]>
  /**
   * Removes for good the submissions that `find` finds, with their files and pending messages. Returns how many.
   *
   * ```ts
   * await api.site.submissions.erase('bob@mail.test')
   * ```
   */
  erase(email: string): Promise<number>
  /**
   * Removes submissions of a form, with their files, so many days after they came; null: keeps them. Without a form: of
   * all forms that have no rule. Applies to those that are there too.
   */
  setRetention(retention: FormRetention): Promise<void>
}

export const createSubmissions = (options: ExtensionOptions): SiteSubmissions =>
  asUnitsOfWork(options.storage, (storage) => submissionsOn({ ...options, storage }))

function submissionsOn(options: ExtensionOptions): SiteSubmissions {
  const { storage, app, ready } = options
  return {
    add: (form) => writeInside(options, (context) => addSubmission(context, form)),

    async recordActions(id, actions) {
      await ready()
      await enterLog(
        storage,
        id,
        actions.map((action) => entryOf(action, app.clock)),
      )
    },

    async form(postId, elementId) {
      await ready()
      return readForm(storage, postId, elementId)
    },

    async find(email) {
      await ready()
      return findByEmail(storage, email)
    },

    async erase(email) {
      const { count, files } = await writeInside(options, (context) => eraseByEmail(context, email))
      await removePending(options, files)
      return count
    },

    setRetention: (retention) => writeInside(options, (context) => changeRetention(context, retention)),
  }
}
