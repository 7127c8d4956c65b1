/** The mail service of a site by nodemailer, which is any SMTP server or provider that it has a transport for. */
import type { Transporter } from 'nodemailer'
import type { Mail } from 'site-api'

/** `from`: the sender of mails that name none. */
export const mailBy = (transport: Transporter, from: string): Mail => ({
  async send({ id, attachments, ...message }) {
    await transport.sendMail({
      from,
      ...message,
      ...(attachments
        ? { attachments: attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })) }
        : {}),
      // The same for each attempt, so that receivers can tell a repeated mail.
      ...(id === undefined ? {} : { messageId: `<${id}@${from.split('@').at(-1)}>` }),
    })
  },
})
