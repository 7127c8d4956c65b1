/** The mail service of a site: there is no default, since a site sends mail only where its host says how. */
import type { AppContext } from '../core/declare/app-context.ts'

/** A mail that a site sends. */
export interface MailMessage {
  /** One address, or several that are separated by commas; like all headers, it has no line breaks. */
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
  /** The text as HTML, if the sender has it. */
  readonly html?: string
  /** Default: that of the transport. */
  readonly from?: string
  readonly replyTo?: string
  readonly cc?: string
  readonly bcc?: string
  /** The files of a form whose fields say so, and of a form that keeps no submissions (docs/forms.md). Absent without files. */
  readonly attachments?: readonly MailAttachment[]
  /** The same key for each attempt to send this mail. It is absent for a single attempt. */
  readonly id?: string
}

/** A file that goes with a mail. */
export interface MailAttachment {
  readonly filename: string
  /** The media type, which was detected from the content. */
  readonly contentType: string
  readonly content: Uint8Array
}

/** Sends the mails of a site. */
export interface Mail {
  /** Resolves when the mail was handed over. After a rejection, mails of forms are tried again; others are logged and dropped. */
  send(message: MailMessage): void | Promise<void>
}

export const mailServiceOf = ({ services }: Pick<AppContext, 'services'>): Mail | undefined =>
  services['mail'] as Mail | undefined
