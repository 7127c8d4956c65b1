/** Reads the actions of a form after a submission from the settings of its element. */
import type { BuilderElement } from '../../../shared/elements.ts'
import { isObject } from '../../../shared/elements.ts'
import { isOn, textOf } from './values.ts'

/** The actions of a form after a submission. */
export interface FormActions {
  /** Whether its submissions are kept. */
  readonly keeps: boolean
  readonly mails: readonly MailSettings[]
  readonly webhook?: WebhookSettings
  /** An address, in which `[field id="…"]` stands for a value. Empty: none. */
  readonly redirect: string
  /** Sentences of the form's author; empty: the built-in ones. */
  readonly messages: FormMessages
}

/** The texts are templates: `[field id="name"]` and `[all-fields]` stand for values. */
export interface MailSettings {
  readonly name: 'email' | 'email2'
  readonly to: string
  readonly subject: string
  readonly content: string
  readonly from: string
  readonly fromName: string
  /** An address, or the id of a field that holds one. */
  readonly replyTo: string
  readonly cc: string
  readonly bcc: string
  readonly isHtml: boolean
  /** The request metadata that the mail lists below its text. */
  readonly requestMetadata: readonly string[]
  /** False: the form does not name it, so it is left out on a site without mail. */
  readonly isChosen: boolean
}

interface WebhookSettings {
  readonly url: string
  /** True: the body contains ids, types and request metadata. */
  readonly isDetailed: boolean
}

interface FormMessages {
  readonly success: string
  readonly error: string
  readonly required: string
  readonly invalid: string
}

const noMessages: FormMessages = { success: '', error: '', required: '', invalid: '' }

/** Interface: a form without the setting keeps its submissions and sends a mail to the administrator. */
export function toActions(settings: BuilderElement): FormActions {
  const chosen = settings['submit_actions']
  const names = Array.isArray(chosen) ? chosen.map(String) : undefined
  const url = textOf(settings['webhooks'])
  const has = (name: string) => names?.includes(name) ?? false
  const isMailed = names === undefined || has('email')
  return {
    keeps: names === undefined || has('save-to-database') || has('collect_submissions'),
    mails: [
      ...(isMailed ? [mailOf(settings, 'email', '', names !== undefined)] : []),
      ...(has('email2') ? [mailOf(settings, 'email2', '_2', true)] : []),
    ],
    ...(has('webhook') && url !== '' ? { webhook: { url, isDetailed: isOn(settings['webhooks_advanced_data']) } } : {}),
    redirect: has('redirect') ? addressOf(settings['redirect_to']) : '',
    messages: isOn(settings['custom_messages']) ? messagesOf(settings) : noMessages,
  }
}

function mailOf(settings: BuilderElement, name: MailSettings['name'], suffix: string, isChosen: boolean): MailSettings {
  const setting = (key: string) => textOf(settings[`${key}${suffix}`])
  const requestMetadata = settings[`form_metadata${suffix}`]
  return {
    name,
    to: setting('email_to'),
    subject: setting('email_subject'),
    content: setting('email_content') || '[all-fields]',
    from: setting('email_from'),
    fromName: setting('email_from_name'),
    replyTo: setting('email_reply_to'),
    cc: setting('email_to_cc'),
    bcc: setting('email_to_bcc'),
    isHtml: setting('email_content_type') === 'html',
    requestMetadata: Array.isArray(requestMetadata) ? requestMetadata.map(String) : [],
    isChosen,
  }
}

/** A link control, or a text. */
const addressOf = (value: unknown): string => textOf(isObject(value) ? value['url'] : value)

const messagesOf = (settings: BuilderElement): FormMessages => ({
  success: textOf(settings['success_message']),
  error: textOf(settings['error_message']),
  required: textOf(settings['required_field_message']),
  invalid: textOf(settings['invalid_message']),
})
