/** Composes the messages of the actions of a form when it is submitted: later changes of the form do not change them. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Limits } from '../../../../core/declare/limits.ts'
import { escapeHtml } from '../../../../core/runtime/escape-html.ts'
import { stripMarkup } from '../../../../html/strip-tags.ts'
import { filterContent } from '../../../../render/filter/filter.ts'
import type { MailMessage } from '../../../../services/mail.ts'
import type { SubmittedValue } from '../model.ts'
import type { Form } from './form.ts'
import type { MailSettings } from './settings.ts'
import type { StoredUpload } from './uploads.ts'

/** The data of a submission that its actions send. */
interface ComposedSubmission {
  readonly form: Form
  readonly values: readonly SubmittedValue[]
  readonly siteName: string
  /** The address of the administrator. */
  readonly adminEmail: string
  /** Holds the address of the page, the date and time of the site, and so on, by the names of `form_metadata`. */
  readonly requestMetadata: { readonly [name: string]: string }
  readonly files: readonly StoredUpload[]
  readonly limits: Pick<Limits, 'attachmentBytes' | 'attachmentsBytes'>
}

interface FormMail extends Omit<MailMessage, 'attachments'> {
  readonly kind: 'mail'
  readonly attached?: readonly AttachedFile[]
  /** The paths of files that are too large to be attached: the text has their addresses. */
  readonly linked?: readonly string[]
  /** Says for the log why files are linked. */
  readonly note?: string
}

export type AttachedFile = Pick<StoredUpload, 'path' | 'type'>

export type FormMessage = FormMail | { readonly kind: 'webhook'; readonly url: string; readonly body: string }

export interface FormAction {
  /** `email`, `email2` or `webhook`. */
  readonly name: string
  readonly label: string
  readonly message: FormMessage
}

/** The paths of the files whose addresses the message has. */
export const linkedFiles = (message: FormMessage): readonly string[] =>
  message.kind === 'mail' ? (message.linked ?? []) : []

const labels = { email: 'Email', email2: 'Email 2', webhook: 'Webhook' } as const

/** Composes the messages to send. Mails without a recipient are left out. */
export function actionsOf(submitted: ComposedSubmission, hasMail: boolean): FormAction[] {
  const { mails, webhook } = submitted.form.actions
  return [
    ...mails
      .filter(({ isChosen }) => isChosen || hasMail)
      .flatMap((mail) => {
        const message = mailOf(mail, submitted)
        return message.to === '' ? [] : [{ name: mail.name, label: labels[mail.name], message }]
      }),
    ...(webhook
      ? [
          {
            name: 'webhook',
            label: labels.webhook,
            message: { kind: 'webhook', url: webhook.url, body: webhookBody(submitted, webhook.isDetailed) } as const,
          },
        ]
      : []),
  ]
}

// ---------------------------------------------------------------- templates

const fieldTag = /\[field\s+id=(?:"([^"\]]{1,60})"|'([^'\]]{1,60})'|([^\s"'\]]{1,60}))\s*\]/g

/** The template with the values of its fields, each passed through `write`. Unknown fields are empty. */
function filledIn(
  template: string,
  values: readonly SubmittedValue[],
  write: (value: string) => string = (value) => value,
): string {
  const byId = new Map(values.map(({ key, value }) => [key, value]))
  return template.replace(fieldTag, (_, a?: string, b?: string, c?: string) => write(byId.get(a ?? b ?? c ?? '') ?? ''))
}

const labelOf = ({ fields }: Form, key: string): string => {
  const label = stripMarkup(fields.find(({ id }) => id === key)?.label ?? '')
  return label === '' ? key : label
}

const allFields = ({ form, values }: ComposedSubmission): string =>
  values
    .filter(({ value }) => value !== '')
    .map(({ key, value }) => `${labelOf(form, key)}: ${value}`)
    .join('\n')

// ---------------------------------------------------------------- mails

const maxSubject = 200
const maxRecipients = 20
const metadataLabels: { readonly [name: string]: string } = lookupTable({
  date: 'Date',
  time: 'Time',
  page_url: 'Page',
  user_agent: 'Browser',
  remote_ip: 'Address',
})

export const fileName = ({ path }: AttachedFile): string => path.slice(path.lastIndexOf('/') + 1)

interface MailFiles {
  readonly attached: readonly StoredUpload[]
  readonly linked: readonly StoredUpload[]
}

/**
 * Divides the files of the fields whose values the mail has: those that it gets, and those that are too large. A form that keeps no
 * submissions attaches all of them, because their addresses end with its last action.
 */
function filesFor(mail: MailSettings, { form, files, limits }: ComposedSubmission): MailFiles {
  const isWanted = ({ field }: StoredUpload) => !form.actions.keeps || attachmentOf(form, field) !== 'link'
  const attached: StoredUpload[] = []
  const linked: StoredUpload[] = []
  let left = limits.attachmentsBytes
  for (const file of namedIn(mail, files).filter(isWanted)) {
    if (file.size > Math.min(left, limits.attachmentBytes)) linked.push(file)
    else {
      attached.push(file)
      left -= file.size
    }
  }
  return { attached, linked }
}

const attachmentOf = ({ fields }: Form, field: string) => fields.find(({ id }) => id === field)?.attachment

function namedIn({ content }: MailSettings, files: readonly StoredUpload[]): readonly StoredUpload[] {
  if (content.includes('[all-fields]')) return files
  const named = new Set([...content.matchAll(fieldTag)].map(([, a, b, c]) => a ?? b ?? c))
  return files.filter(({ field }) => named.has(field))
}

/** Returns the values with the names of attached files in place of their addresses. */
function withFileNames(
  { values, form, files }: ComposedSubmission,
  { attached, linked }: MailFiles,
): readonly SubmittedValue[] {
  const { keeps } = form.actions
  const isNamed = (file: StoredUpload) =>
    keeps ? attached.includes(file) && attachmentOf(form, file.field) === 'attach' : !linked.includes(file)
  const texts = new Map(
    [...Map.groupBy(files, ({ field }) => field)].map(([field, sent]) => [
      field,
      sent.map((file) => (isNamed(file) ? fileName(file) : file.address)).join(', '),
    ]),
  )
  return values.map(({ key, value }) => ({ key, value: texts.get(key) ?? value }))
}

function partsOf({ attached, linked }: MailFiles, { limits }: ComposedSubmission): Partial<FormMail> {
  const { attachmentBytes, attachmentsBytes } = limits
  const names = linked.map(fileName).join(', ')
  return {
    ...(attached.length > 0 ? { attached: attached.map(({ path, type }) => ({ path, type })) } : {}),
    ...(linked.length > 0
      ? {
          linked: linked.map(({ path }) => path),
          note: `linked, not attached: ${names}; a file may have ${attachmentBytes} bytes, all files of a mail ${attachmentsBytes}`,
        }
      : {}),
  }
}

function mailOf(mail: MailSettings, composed: ComposedSubmission): FormMail {
  const files = filesFor(mail, composed)
  const submitted = { ...composed, values: withFileNames(composed, files) }
  const { form, values, siteName, adminEmail, requestMetadata } = submitted
  const lists = { to: mail.to === '' ? adminEmail : mail.to, cc: mail.cc, bcc: mail.bcc }
  const [to, cc, bcc] = [lists.to, lists.cc, lists.bcc].map((list) => addresses(list, values).join(', '))
  const from = singleAddress(mail.from)
  const fromName = singleLine(filledIn(mail.fromName, values)).replace(/["<>,;@\\]/g, '')
  const isField = form.fields.some(({ id }) => id === mail.replyTo)
  const replyTo = singleAddress(isField ? filledIn(`[field id="${mail.replyTo}"]`, values) : mail.replyTo)
  const subject = singleLine(filledIn(mail.subject, values)) || `${form.name} (${siteName})`
  const below = mail.requestMetadata.flatMap((name) =>
    requestMetadata[name] ? [`${metadataLabels[name] ?? name}: ${requestMetadata[name]}`] : [],
  )
  const footer = below.length > 0 ? `\n\n---\n${below.join('\n')}` : ''
  return {
    kind: 'mail',
    to: to ?? '',
    subject: subject.slice(0, maxSubject),
    text: `${withFields(mail.isHtml ? stripMarkup(mail.content) : mail.content, submitted)}${footer}`,
    ...(mail.isHtml
      ? { html: `${htmlOf(mail.content, submitted)}${escapeHtml(footer).replaceAll('\n', '<br>\n')}` }
      : {}),
    ...(cc ? { cc } : {}),
    ...(bcc ? { bcc } : {}),
    ...(from === '' ? {} : { from: fromName === '' ? from : `"${fromName}" <${from}>` }),
    ...(replyTo === '' ? {} : { replyTo }),
    ...partsOf(files, submitted),
  }
}

// A function: `$` in a value has no meaning.
const withFields = (template: string, submitted: ComposedSubmission) =>
  filledIn(
    template.replaceAll('[all-fields]', () => guarded(allFields(submitted))),
    submitted.values,
  ).replaceAll(guard, '')

/** Texts of visitors are no templates: a mark behind each bracket keeps `[field …]` in a value from being filled in. */
const guard = '\u2060'
const guarded = (text: string) => text.replaceAll('[', `[${guard}`)

/** The author's markup is filtered like that of a post; values are text. */
function htmlOf(template: string, submitted: ComposedSubmission): string {
  const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n')
  const filled = filledIn(
    template.replaceAll('\n', '<br>\n').replaceAll('[all-fields]', () => lines(guarded(allFields(submitted)))),
    submitted.values,
    lines,
  )
  return filterContent(filled.replaceAll(guard, ''))
}

/** Removes characters that could end a header. */
const singleLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()

const address = /^[^\s@<>"'(),:;\\[\]]{1,64}@[^\s@<>"'(),:;\\[\]]{1,190}$/

/** The address alone; empty for anything else. */
function singleAddress(text: string): string {
  const bare = singleLine(text)
  return address.test(bare) ? bare : ''
}

/** The addresses of a list. A value of a field counts as one address, so a comma adds no recipients. */
function addresses(list: string, values: readonly SubmittedValue[]): string[] {
  const filled = filledIn(list, values, singleAddress)
  const found = filled.split(/[,;\n]/).map((entry) => singleAddress(/<([^<>]*)>\s*$/.exec(entry)?.[1] ?? entry))
  return [...new Set(found.filter((one) => one !== ''))].slice(0, maxRecipients)
}

// ---------------------------------------------------------------- webhooks

/**
 * Interface: the message has the labels with their values; in detail, each field with its id and type, and the request
 * metadata.
 */
function webhookBody({ form, values, requestMetadata }: ComposedSubmission, isDetailed: boolean): string {
  const pairs = new URLSearchParams()
  if (!isDetailed) {
    for (const { key, value } of values) pairs.append(labelOf(form, key), value)
    pairs.append('form_id', form.elementId)
    pairs.append('form_name', form.name)
    return pairs.toString()
  }
  pairs.append('form[id]', form.elementId)
  pairs.append('form[name]', form.name)
  for (const { key, value } of values) {
    const type = form.fields.find(({ id }) => id === key)?.type ?? 'text'
    const members = { id: key, type, title: labelOf(form, key), value }
    for (const [member, text] of Object.entries(members)) pairs.append(`fields[${key}][${member}]`, text)
  }
  for (const [name, text] of Object.entries(requestMetadata)) {
    pairs.append(`meta[${name}][title]`, metadataLabels[name] ?? name)
    pairs.append(`meta[${name}][value]`, text)
  }
  return pairs.toString()
}

/** Where a browser goes after the submission: values are parts of an address. Empty if it is no web address. */
export function redirectOf({ actions }: Form, values: readonly SubmittedValue[]): string {
  const filled = filledIn(actions.redirect.trim(), values, encodeURIComponent)
  if (filled.startsWith('/') && !/^\/[/\\]/.test(filled)) return filled
  return URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol) ? filled : ''
}
