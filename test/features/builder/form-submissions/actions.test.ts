/**
 * Tests the actions of a form after a submission: mails to a real SMTP server, calls of another server, redirects, texts.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { SubmissionHandlerOptions } from '../../../../src/features/builder/form-submissions/intake/handler.ts'
import { createMailServer } from '../../../support/mail-server.ts'
import { loopbackClient } from '../../../support/webhook-receiver.ts'
import { field, formPage, openForms } from './form-page.ts'

const fields = [
  field('name', 'text', 'Name', { required: 'true' }),
  field('email', 'email', 'E-mail'),
  field('text', 'textarea', 'Message'),
]
const values = { name: 'Bob [all-fields]', email: 'bob@mail.test', text: 'Two lines\nof text [field id="email"]' }

async function openMailing(settings: object, { refuse = 0 } = {}, options: SubmissionHandlerOptions = {}) {
  const smtp = await createMailServer({ refuse })
  onTestFinished(() => smtp.close())
  const site = await openForms(formPage({ form_fields: fields, ...settings }), options, {
    services: { mail: smtp.mail },
  })
  return { ...site, ...smtp }
}

/** The headers of a mail by name, and its body, which is decoded from quoted-printable. */
function parsed(source: string) {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = rest
    .join('\r\n\r\n')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { headers, body: body.replaceAll('\r\n', '\n').trim() }
}

test('a form without settings of its own mails all fields to the administrator', async () => {
  const { send, received, settled, log } = await openMailing({})
  expect((await send(values)).body).toEqual({ success: true })
  await settled()
  expect(received.map(({ from, to }) => [from, to])).toEqual([['site@quay.example', ['office@quay.example']]])
  const { headers, body } = parsed(received[0]?.source ?? '')
  expect(headers['subject']).toBe('Contact (Quay)')
  expect(body).toBe('Name: Bob [all-fields]\nE-mail: bob@mail.test\nMessage: Two lines\nof text [field id="email"]')
  expect(await log()).toEqual([['email', 'Email', 'success', '']])
})

test('fills the values of fields into both mails, and values into nothing else', async () => {
  const { send, received, settled, log } = await openMailing({
    submit_actions: ['save-to-database', 'email', 'email2'],
    email_to: 'desk@quay.example, "Harbour" <harbour@quay.example>',
    email_subject: 'From [field id="name"]',
    email_content: 'They wrote:\n[field id="text"]\n[field id="nothing"].',
    email_from_name: '[field id="name"]',
    email_from: 'forms@quay.example',
    email_reply_to: 'email',
    email_to_cc: 'copy@quay.example',
    email_to_bcc: 'archive@quay.example',
    form_metadata: ['date', 'page_url'],
    email_to_2: '[field id="email"]',
    email_subject_2: 'Thank you',
    email_content_2: '<p>Thanks, <b>[field id="name"]</b></p><script>alert(1)</script>',
    email_content_type_2: 'html',
  })
  await send({ ...values, name: 'Bob <i>' }, { headers: { referer: 'https://quay.example/contact/' } })
  await settled()
  const [first, second] = received.toSorted((a, b) => b.to.length - a.to.length)
  expect(first?.to).toEqual(['desk@quay.example', 'harbour@quay.example', 'copy@quay.example', 'archive@quay.example'])
  const one = parsed(first?.source ?? '')
  expect(one.headers).toMatchObject({
    subject: 'From Bob <i>',
    'reply-to': 'bob@mail.test',
    cc: 'copy@quay.example',
    from: expect.stringMatching(/^"?Bob i"? <forms@quay\.example>$/),
  })
  expect(one.headers).not.toHaveProperty('bcc')
  expect(one.body).toBe(
    'They wrote:\nTwo lines\nof text [field id="email"]\n.\n\n---\nDate: 2024-06-15\nPage: https://quay.example/contact/',
  )
  expect(second?.to).toEqual(['bob@mail.test'])
  expect(second?.source).toContain('multipart/alternative')
  expect(second?.source).toMatch(/<b>Bob &lt;i&gt;<\/b>/)
  expect(second?.source).not.toMatch(/<script|Bob <i>(?=<)/)
  expect(second?.source).toContain('Thanks, Bob <i>')
  expect((await log()).map(([name, , status]) => [name, status]).toSorted()).toEqual([
    ['email', 'success'],
    ['email2', 'success'],
  ])
})

test('values cannot add headers or recipients', async () => {
  const { send, received, settled } = await openMailing({
    submit_actions: ['email'],
    email_to: '[field id="name"], desk@quay.example',
    email_subject: '[field id="text"]',
    email_from_name: '[field id="text"]',
    email_from: 'forms@quay.example',
    email_reply_to: 'name',
  })
  await send({ name: 'eve@evil.test, mallory@evil.test', text: 'Hi\r\nBcc: eve@evil.test\u2028X-Evil: 1' })
  await send({ name: 'eve@evil.test\r\nBcc: mallory@evil.test', text: 'Hi' })
  await settled()
  expect(received.map(({ to }) => to)).toEqual([['desk@quay.example'], ['desk@quay.example']])
  for (const { source } of received) {
    const { headers } = parsed(source)
    expect(Object.keys(headers)).not.toContain('bcc')
    expect(Object.keys(headers)).not.toContain('x-evil')
    expect(headers).not.toHaveProperty('reply-to')
  }
})

test('a mail that was refused is sent again later, and the log says so', async () => {
  const { send, received, settled, log, clock } = await openMailing({}, { refuse: 1 })
  await send(values)
  await settled()
  expect(received).toEqual([])
  expect(await log()).toEqual([
    ['email', 'Email', 'failed', expect.stringMatching(/^attempt 1: .*try later.*; it is tried again$/)],
  ])
  clock.now += 10_000
  await settled()
  expect(received).toHaveLength(1)
  expect(await log()).toEqual([['email', 'Email', 'success', 'attempt 2']])
})

test('a form that keeps no submissions mails them, and nothing of them stays', async () => {
  const { send, received, settled, submissions, api } = await openMailing({
    submit_actions: ['email'],
    email_to: 'a@b.test',
  })
  expect((await send(values)).status).toBe(200)
  expect(await submissions()).toEqual([])
  await settled()
  expect(received).toHaveLength(1)
  expect(JSON.stringify(await api.site.export())).not.toContain('bob@mail.test')
})

test('without a mail service, a chosen mail fails in the log, and one that nobody chose is left out', async () => {
  const chosen = await openForms(
    formPage({ form_fields: fields, submit_actions: ['save-to-database', 'email'], email_to: 'a@b.test' }),
  )
  await chosen.send(values)
  await chosen.settled()
  expect(await chosen.log()).toEqual([['email', 'Email', 'failed', 'attempt 1: services.mail is missing']])
  const plain = await openForms(formPage({ form_fields: fields }))
  await plain.send(values)
  await plain.settled()
  expect(await plain.log()).toEqual([])
})

test('calls the webhook of the form with labels and values, again after a failure, and in detail', async () => {
  const bodies: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    bodies.push(new URLSearchParams(await text(request)))
    response.writeHead(bodies.length === 1 ? 500 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const settings = { submit_actions: ['save-to-database', 'webhook'], webhooks: `http://127.0.0.1:${port}/hook` }
  const services = { outbound: loopbackClient() }
  const { send, settled, log, clock } = await openForms(
    formPage({ form_fields: fields, ...settings }),
    {},
    { services },
  )
  await send(values)
  await settled()
  expect(await log()).toEqual([
    ['webhook', 'Webhook', 'failed', 'attempt 1: the receiver answered 500; it is tried again'],
  ])
  clock.now += 10_000
  await settled()
  expect(await log()).toEqual([['webhook', 'Webhook', 'success', 'attempt 2']])
  expect(Object.fromEntries(bodies[1] ?? [])).toEqual({
    ...{ Name: values.name, 'E-mail': values.email, Message: values.text, form_id: '476d0ce', form_name: 'Contact' },
  })
  const detailed = await openForms(
    formPage({ form_fields: fields, ...settings, webhooks_advanced_data: 'yes' }),
    {},
    { services },
  )
  await detailed.send(values)
  await detailed.settled()
  expect(Object.fromEntries(bodies[2] ?? [])).toMatchObject({
    'form[id]': '476d0ce',
    'fields[email][id]': 'email',
    'fields[email][type]': 'email',
    'fields[email][title]': 'E-mail',
    'fields[email][value]': 'bob@mail.test',
    'meta[date][value]': '2024-06-15',
  })
})

test('answers with the sentences and the address of the form', async () => {
  const { send } = await openForms(
    formPage({
      form_fields: fields,
      submit_actions: ['redirect'],
      redirect_to: { url: 'https://quay.example/thanks/?who=[field id="name"]' },
      custom_messages: 'yes',
      success_message: 'We have it.',
      error_message: 'Please look again.',
      required_field_message: 'We need this.',
      invalid_message: 'This looks odd.',
    }),
  )
  expect((await send({ ...values, name: 'A & B' })).body).toEqual({
    success: true,
    message: 'We have it.',
    redirect: 'https://quay.example/thanks/?who=A%20%26%20B',
  })
  const { status, body } = await send({ email: 'bob' })
  expect([status, body.code, body.message, body.data.params]).toEqual([
    400,
    'rest_invalid_param',
    'Please look again.',
    { name: 'We need this.', email: 'This looks odd.' },
  ])
})

test.each([['javascript:alert(1)'], ['//evil.test/'], ['/\\evil.test/'], ['[field id="text"]']])(
  'does not redirect to %s',
  async (address) => {
    const { send } = await openForms(
      formPage({ form_fields: fields, submit_actions: ['redirect'], redirect_to: address }),
    )
    expect((await send({ name: 'Bob', text: 'https://evil.test/' })).body).toEqual({ success: true })
  },
)
