/** Composes the messages of the actions of a form when it is submitted: later changes of the form do not change them. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
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
  /** The files of a form that keeps no submissions: mails have them attached, because their addresses end with the last action. */
  readonly attached: readonly StoredUpload[]
}

interface FormMail extends Omit<MailMessage, 'attachments'> {
  readonly kind: 'mail'
  readonly attached?: readonly StoredUpload[]
}

export type FormMessage = FormMail | { readonly kind: 'webhook'; readonly url: string; readonly body: string }

export interface FormAction {
  /** `email`, `email2` or `webhook`. */
  readonly name: string
  readonly label: string
  readonly message: FormMessage
}

const labels = { email: 'Email', email2: 'Email 2', webhook: 'Webhook' } as const

/** Composes the messages to send. Mails without a recipient are left out. */
export function actionsOf(submitted: ComposedSubmission, hasMail: boolean): FormAction[] {
  const { mails, webhook } = submitted.form.actions
  return [
    ...mails
      .filter(({ isChosen }) => isChosen || hasMail)
      .flatMap((mail) => {
        const message = mailOf(mail, { ...submitted, values: withFileNames(submitted) })
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

/** Returns the values with the names of attached files in place of their addresses. */
function withFileNames({ values, attached }: ComposedSubmission): readonly SubmittedValue[] {
  const names = new Map(
    [...Map.groupBy(attached, ({ field }) => field)].map(([field, files]) => [field, files.map(fileName).join(', ')]),
  )
  return values.map(({ key, value }) => ({ key, value: names.get(key) ?? value }))
}

export const fileName = ({ path }: StoredUpload): string => path.slice(path.lastIndexOf('/') + 1)

/** The files of the fields whose values the mail has. */
function attachedTo({ content }: MailSettings, { attached }: ComposedSubmission): readonly StoredUpload[] {
  if (content.includes('[all-fields]')) return attached
  const named = new Set([...content.matchAll(fieldTag)].map(([, a, b, c]) => a ?? b ?? c))
  return attached.filter(({ field }) => named.has(field))
}

function mailOf(mail: MailSettings, submitted: ComposedSubmission): FormMail {
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
  const attached = attachedTo(mail, submitted)
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
    ...(attached.length > 0 ? { attached } : {}),
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
