/** A real SMTP server on loopback, and a mail service that sends to it with nodemailer. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { mailBy } from '../../docs/examples/mail.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** As it came over the wire: headers, an empty line, the body. */
  readonly source: string
}

/** `refuse` answers 451 to so many mails first. */
export async function createMailServer({ refuse = 0 } = {}) {
  const received: ReceivedMail[] = []
  let [left, arrived] = [refuse, Promise.withResolvers<ReceivedMail>()]
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, session, done) => {
      const source = await text(stream)
      if (left-- > 0) return done(Object.assign(new Error('try later'), { responseCode: 451 }))
      const { mailFrom, rcptTo } = session.envelope
      const mail = {
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        source,
      }
      received.push(mail)
      done()
      arrived.resolve(mail)
      arrived = Promise.withResolvers()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    /** The last mail; waits for one as long as there is none. */
    next: async (): Promise<ReceivedMail> => received.at(-1) ?? arrived.promise,
    mail: mailBy(transport, 'site@quay.example'),
    close: () =>
      new Promise<void>((resolve) => {
        transport.close()
        server.close(() => resolve())
      }),
  }
}
