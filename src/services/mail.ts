/** The mail service of a site: there is no default, since a site sends mail only where its host says how. */

export interface MailMessage {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** A mail in plain text. */
export interface Mail {
  /** A rejection is logged; what the mail is about has happened already. */
  send(message: MailMessage): void | Promise<void>
}
