/** Files of forms that keep their submissions, in the mails of the form: linked, attached, or both. */
import { expect, onTestFinished, test } from 'vitest'
import { createMedia } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { createMailServer } from '../../../support/mail-server.ts'
import { field, formPage, openForms } from './form-page.ts'

const textFile = (name: string, text: string) => new File([text], name, { type: 'text/plain' })
const encoded = (text: string) => Buffer.from(text).toString('base64')

const papers = (more: object) => [
  field('email', 'email', 'E-mail'),
  field('papers', 'upload', 'Papers', { allow_multiple_upload: 'yes', ...more }),
]

/** A form that keeps its submissions and mails them. */
async function openMailed(settings: object, limits: object = {}) {
  const smtp = await createMailServer()
  onTestFinished(() => smtp.close())
  const document = formPage({
    ...{ submit_actions: ['save-to-database', 'email'], email_to: 'desk@quay.example', email_content: '[all-fields]' },
    ...settings,
  })
  const media = createMedia({ driver: memoryMedia() })
  const site = await openForms(document, {}, { services: { mail: smtp.mail, media }, limits })
  const form = new FormData()
  form.append('form_fields[papers]', textFile('a.txt', 'first paper'))
  form.append('form_fields[papers]', textFile('b.txt', 'a second paper, which is longer'))
  expect((await site.sendForm(form)).status).toBe(200)
  await site.settled()
  const source = smtp.received[0]?.source ?? ''
  const [{ id }] = (await site.submissions()) as [{ id: number }]
  const { data } = (await site.as('ada')('GET', `/builder/v1/form-submissions/${id}`)).body
  const addresses = data.values.find(({ key }: { key: string }) => key === 'papers').value as string
  const stored = await Promise.all(
    addresses.split(', ').map(async (address) => media.read(address.slice(address.indexOf('forms/')))),
  )
  // The text without the line ends that quoted-printable adds.
  return {
    source,
    text: source.replaceAll('=\r\n', ''),
    stored: stored.filter((file) => file !== undefined),
    log: JSON.stringify(data.form_actions_log),
  }
}

test.each([
  ['nothing', {}, {}, false, true],
  ['a link', {}, { attachment_type: 'link' }, false, true],
  ['attached files', {}, { attachment_type: 'attach' }, true, false],
  ['both', {}, { attachment_type: 'both' }, true, true],
  ['attached files of the form', { attachment_type: 'attachments' }, {}, true, false],
  ['a link, in a form that attaches files', { attachment_type: 'both' }, { attachment_type: 'link' }, false, true],
])(
  'a field that says %s has its files with the mail as it says, and they stay',
  async (_, form, more, attached, linked) => {
    const { source, text, stored } = await openMailed({ form_fields: papers(more), ...form })
    expect([source.includes(encoded('first paper')), text.includes('/uploads/forms/')]).toEqual([attached, linked])
    expect(stored).toHaveLength(2)
  },
)

test('a file over the limits is linked, and the log of the submission says so', async () => {
  const form = { form_fields: papers({ attachment_type: 'attach' }) }
  for (const limits of [{ attachmentBytes: 20 }, { attachmentsBytes: 20 }]) {
    const { source, text, log } = await openMailed(form, limits)
    expect(source).toContain(encoded('first paper'))
    expect(source).not.toContain(encoded('a second paper'))
    expect(text).toMatch(/a\.txt, https:\/\/quay\.example\/uploads\/forms\/[0-9a-f]{32}\/b\.txt/)
    expect(log).toMatch(/linked, not attached: b\.txt/)
  }
  const { source } = await openMailed(form, { attachmentBytes: 0 })
  expect(source).not.toContain(encoded('first paper'))
})
