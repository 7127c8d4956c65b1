/** Takes a submission: checks it, stores it with its files, and enters what its actions have to send. */

import type { Storage } from '../../../../contract/storage.ts'
import type { HookContext } from '../../../../core/declare/context.ts'
import { ApiError, invalidArguments } from '../../../../core/declare/errors.ts'
import type { ExtensionOptions } from '../../../../core/declare/feature.ts'
import { writeInside } from '../../../../core/pipeline/hooks.ts'
import { keyReused } from '../../../../core/request/repeat-errors.ts'
import { base64urlOf } from '../../../../core/runtime/base64.ts'
import { randomId, sha256Of } from '../../../../core/runtime/crypto.ts'
import { asUnitsOfWork } from '../../../../core/runtime/unit-of-work.ts'
import { mailServiceOf } from '../../../../services/mail.ts'
import type { Sender } from '../../../../services/visitors.ts'
import { clientOf, passwordAttemptsOf } from '../../../../services/visitors.ts'
import { checkForm, type EnteredForm, type FormSchema, type FormValue, textsOf } from '../../../../site/form-schema.ts'
import type { Settings } from '../../../../site/settings.ts'
import { discardPending, forgetPaths, removeLater, removeNoted } from '../../../shared/pending-files.ts'
import { formDeliveries, type Submission, type SubmittedValue, submissionsCollection, toSubmission } from '../model.ts'
import { addSubmission, type SubmittedField, type SubmittedForm } from '../submitted-form.ts'
import { captchaUnavailable } from './challenge.ts'
import { enterActions, longestMs } from './deliver.ts'
import { type Form, readForm } from './form.ts'
import { actionsOf, type FormAction, redirectOf } from './messages.ts'
import { schemaOf } from './schema.ts'
import { type KeptUploads, keepUploads, noUploads, type SentFile } from './uploads.ts'

/** A form that somebody has sent. */
export interface SentForm extends Omit<SubmittedForm, 'formName' | 'fields' | 'actions'> {
  /** The entered values by the id of the field; other members are ignored. */
  readonly values: { readonly [field: string]: FormValue | undefined }
  readonly files?: readonly SentFile[]
  /** Submissions of a form with the same key are one. */
  readonly key?: string
  /** The password of a protected document. */
  readonly password?: string
  /** True: something that is hidden from people was filled. The form is answered like one that was taken, and not kept. */
  readonly isTrapped?: boolean
  /** The network of the sender, for whom wrong passwords are counted. Default: what `services.visitors` says of `sender`. */
  readonly client?: string
  readonly sender?: Sender
  /** Judges the captchas of the form by their kinds. Without it, a form that has one is refused. */
  readonly verify?: (kind: string) => Promise<boolean> | boolean
}

/** The outcome of a sent form. */
export interface FormReceipt {
  /** Undefined: the form keeps no submissions, or a bot has filled it. */
  readonly submission: Submission | undefined
  /** The author's sentence for people; empty: none. */
  readonly message: string
  /** Where the browser goes next; empty: nowhere. */
  readonly redirect: string
}

/** `api.site.forms`: the forms of built documents, as people fill them. */
export interface SiteForms {
  /**
   * The form as JSON Schema, for checks with `checkForm` or any validator. Undefined: there is no such form in a published document.
   *
   * ```ts
   * const schema = await api.site.forms.schema(10, '476d0ce')
   * ```
   */
  schema(postId: number, elementId: string): Promise<FormSchema | undefined>
  /**
   * Takes a form as the public intake does. Rejects with an ApiError: 404 `form_not_found`; 400 `rest_invalid_param` with a sentence
   * for each field in `data.params`; 403 `form_captcha_failed`, `form_captcha_unavailable`
   * and, without the password of a protected document, `rest_post_incorrect_password`;
   * 422 `rest_idempotency_key_reused` when the key was sent with other values.
   */
  submit(sent: SentForm): Promise<FormReceipt>
}

export const createForms = (options: ExtensionOptions): SiteForms =>
  asUnitsOfWork(options.storage, (storage) => formsOn({ ...options, storage }))

function formsOn(options: ExtensionOptions): SiteForms {
  const { storage, ready } = options
  return {
    async schema(postId, elementId) {
      await ready()
      const form = await readForm(storage, postId, elementId)
      return form && schemaOf(form)
    },
    async submit(sent) {
      await ready()
      const form = await readForm(storage, sent.postId, sent.elementId)
      if (!form) throw new ApiError('form_not_found', 'There is no such form.', 404)
      refuseLocked(options.app, form, sent)
      return submitForm(options, form, sent)
    },
  }
}

/** The password of the document opens its forms too. Throws 403, and 429 for a client that has guessed too often. */
function refuseLocked(app: ExtensionOptions['app'], form: Form, { password = '', client, sender }: SentForm): void {
  const { postId: id, password: expected } = form
  if (expected === '') return
  const by = client ?? (sender && clientOf(app, sender))
  if (password !== '' && passwordAttemptsOf(app).opens({ id, password: expected }, password, by)) return
  throw new ApiError('rest_post_incorrect_password', 'The form is in a document with a password.', 403)
}

async function submitForm(options: ExtensionOptions, form: Form, sent: SentForm): Promise<FormReceipt> {
  const { storage, app } = options
  const texts = (id: string) => (Object.hasOwn(sent.values, id) ? textsOf(sent.values[id]) : [])
  if (sent.isTrapped || form.honeypots.some((id) => texts(id).length > 0)) {
    // Bots learn nothing.
    return receiptOf(form, undefined, valuesOf(storedFields(form, texts, noUploads)))
  }
  await checkCaptchas(form, sent)
  const files = (sent.files ?? []).filter(({ field }) =>
    form.fields.some(({ id, type }) => id === field && type === 'upload'),
  )
  checkEntered(form, { values: sent.values, files: Object.fromEntries(Map.groupBy(files, ({ field }) => field)) })
  const settings = await app.settings.read(storage)
  const repeated = ({ submission }: Earlier) =>
    receiptOf(form, submission, submission?.values ?? valuesOf(storedFields(form, texts, noUploads)))
  const known = await earlier(storage, form, sent, app.clock())
  if (known) return repeated(known)
  const uploads = await keepUploads({ storage, app, settings }, form, files)
  const fields = storedFields(form, texts, uploads)
  const values = valuesOf(fields)
  try {
    const submission = await store(options, { form, sent, fields, values, uploads, settings })
    // The files of a form that does nothing with them. A failure leaves their notes.
    const hasUnkept = !submission && uploads.paths.length > 0
    if (hasUnkept) await removeNoted({ storage, app }, uploads.paths, { isDue: true }).catch(() => undefined)
    return receiptOf(form, submission, values)
  } catch (error) {
    await discardPending({ storage, app }, uploads.paths, error)
    return repeated(await sameAs(options, form, sent, error))
  }
}

const valuesOf = (fields: readonly SubmittedField[]): readonly SubmittedValue[] =>
  fields.map(({ id, value }) => ({ key: id, value: value ?? '' }))

const receiptOf = (form: Form, submission: Submission | undefined, values: readonly SubmittedValue[]): FormReceipt => ({
  submission,
  message: form.actions.messages.success,
  redirect: redirectOf(form, values),
})

async function checkCaptchas({ captchas }: Form, { verify }: SentForm): Promise<void> {
  for (const kind of captchas) {
    if (!verify) throw captchaUnavailable(kind)
    if (!(await verify(kind))) throw new ApiError('form_captcha_failed', 'The captcha was not solved.', 403)
  }
}

function checkEntered(form: Form, entered: EnteredForm): void {
  const problems = checkForm(schemaOf(form), entered)
  const wrong = new Map(Object.entries(problems))
  if (wrong.size === 0) return
  const { code, message, status, data } = invalidArguments(wrong)
  const { error } = form.actions.messages
  throw new ApiError(code, error === '' ? message : error, status, data)
}

/** Browsers send the ends of lines as two signs. */
const withLines = (text: string) => text.replace(/\r\n?/g, '\n')

/** Choice: passwords are checked and never stored. */
const storedFields = (
  form: Form,
  texts: (id: string) => readonly string[],
  uploads: KeptUploads,
): readonly SubmittedField[] =>
  form.fields
    .filter(({ type }) => type !== 'password')
    .map(({ id, type, label, options, isMultiple }) => ({
      ...{
        id,
        type,
        label,
        value: type === 'upload' ? (uploads.values.get(id) ?? '') : withLines(texts(id).join(', ')),
      },
      ...(options ? { options } : {}),
      ...(isMultiple === undefined ? {} : { isMultiple }),
    }))

interface Storing {
  readonly form: Form
  readonly sent: SentForm
  readonly fields: readonly SubmittedField[]
  readonly values: readonly SubmittedValue[]
  readonly uploads: KeptUploads
  readonly settings: Settings
}

async function store(options: ExtensionOptions, storing: Storing): Promise<Submission | undefined> {
  const { form, sent, fields, values, uploads, settings } = storing
  const { app } = options
  const now = app.clock()
  const [key = randomId()] = keysOf(form, sent, now)
  return writeInside(options, async (context) => {
    const { storage } = context
    const submitted: SubmittedForm = { ...sent, formName: form.name, fields }
    const request = { request_key: key, request_digest: digestOf(form, sent) }
    const submission = form.actions.keeps
      ? await addSubmission(context, submitted, { ...request, files: [...uploads.paths] })
      : undefined
    const stored = await storage.options.read(['admin_email'])
    const requestMetadata = requestMetadataOf(sent, settings, now)
    const composed = {
      form,
      values,
      siteName: settings.name,
      adminEmail: String(stored['admin_email'] ?? ''),
      requestMetadata,
      files: uploads.files,
      limits: app.limits,
    }
    const actions = actionsOf(composed, mailServiceOf(app) !== undefined)
    if (uploads.paths.length > 0) await settleFiles(context, uploads, submission ? undefined : actions)
    await enterActions(
      context,
      actions,
      submission ? { submission: submission.id } : { unkept: { files: uploads.paths, request } },
    )
    return submission
  })
}

/** `actions`: those of a form that keeps no submissions. Its files have no record, and go when the actions have ended. */
async function settleFiles(context: HookContext, { paths }: KeptUploads, actions: readonly FormAction[] | undefined) {
  const areThere = actions
    ? await removeLater(context, paths, actions.length > 0 ? longestMs : 0)
    : await forgetPaths(context.storage, paths)
  if (!areThere) throw new ApiError('form_upload_too_slow', 'Storing the files took longer than an hour.', 503)
}

function requestMetadataOf(sent: SentForm, { time }: Settings, now: number): { readonly [name: string]: string } {
  const [date = '', clock = ''] = time.toLocal(new Date(now).toISOString().slice(0, 19)).split('T')
  return {
    ...{ date, time: clock.slice(0, 5), page_url: sent.referer ?? '' },
    ...{ user_agent: sent.userAgent ?? '', remote_ip: sent.userIp ?? '' },
  }
}

// ---------------------------------------------------------------- a form that is sent twice

const windowMs = 10_000
const enoughText = 12
const freeTypes: ReadonlySet<string> = new Set(['text', 'textarea', 'email', 'tel', 'url', 'search'])

/**
 * The keys of a submission: that of the sender; else, the entered texts within ten seconds. The first is the one to
 * store. Two people may well send the same without an entered text: then there is no key.
 */
function keysOf(form: Form, { key, values, postId, elementId, userIp, userId }: SentForm, now: number): string[] {
  const scope = [postId, elementId]
  if (key !== undefined) return [sha256Of(JSON.stringify([...scope, 'key', key]))]
  const texts = form.fields.map(({ id, type }) => ({
    type,
    texts: Object.hasOwn(values, id) ? textsOf(values[id]) : [],
  }))
  const written = texts.filter(({ type }) => freeTypes.has(type)).flatMap((field) => field.texts)
  if (written.join('').length < enoughText) return []
  const bucket = Math.floor(now / windowMs)
  const digest = (time: number) =>
    sha256Of(JSON.stringify([...scope, 'text', texts.map((field) => field.texts), userIp ?? '', userId ?? 0, time]))
  return [digest(bucket), digest(bucket - 1)]
}

/** A form that was taken before. */
interface Earlier {
  /** Undefined: the form keeps no submissions. */
  readonly submission: Submission | undefined
}

/** Throws 422 when the key of the sender was sent with other values: they would be lost. */
async function earlier(storage: Storage, form: Form, sent: SentForm, now: number): Promise<Earlier | undefined> {
  const keys = keysOf(form, sent, now)
  if (keys.length === 0) return undefined
  const { keeps } = form.actions
  const where = { field: 'request_key', in: keys } as const
  const { rows } = await storage.records.query(keeps ? submissionsCollection : formDeliveries, { where, limit: 1 })
  const [row] = rows
  if (!row) return undefined
  const digest = row['request_digest'] ?? null
  // Null: an earlier version has stored it.
  if (sent.key !== undefined && digest !== null && digest !== digestOf(form, sent)) throw keyReused()
  return { submission: keeps ? toSubmission(row) : undefined }
}

/** Digests the entered values and files, without passwords, which are never stored. */
function digestOf(form: Form, { values, files = [] }: SentForm): string {
  const entered = form.fields
    .filter(({ id, type }) => type !== 'password' && Object.hasOwn(values, id))
    .map(({ id }) => [id, textsOf(values[id]).map(withLines)])
  const sent = files.map(({ field, name, size, head, md5 }) => [field, name, size, md5 ?? sha256Of(base64urlOf(head))])
  return sha256Of(JSON.stringify([entered, sent]))
}

/** Another process has stored the same form meanwhile. Throws the error otherwise. */
async function sameAs(options: ExtensionOptions, form: Form, sent: SentForm, error: unknown): Promise<Earlier> {
  const isConflict = (error as { readonly code?: unknown }).code === 'storage_conflict'
  const known = isConflict ? await earlier(options.storage, form, sent, options.app.clock()) : undefined
  if (!known) throw error
  return known
}
