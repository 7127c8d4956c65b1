/** Writes a page with a form, which keeps what people send and mails it. */
import { createClient } from 'site-api/client'
import type { site } from './content.ts'

const { PORT = 3000, PASSWORD: password = '' } = process.env
const signIn = { login: 'ada', password }
const client = createClient<typeof site>({ url: `http://localhost:${PORT}/api`, signIn }).orThrow

const form = {
  ...{ id: 'c0ffee1', elType: 'widget', widgetType: 'form', elements: [] },
  settings: {
    form_name: 'Contact',
    form_fields: [
      { custom_id: 'name', field_type: 'text', field_label: 'Your name', required: 'true' },
      { custom_id: 'email', field_type: 'email', field_label: 'E-mail', required: 'true' },
      { custom_id: 'message', field_type: 'textarea', field_label: 'Message', required: 'true' },
    ],
    button_text: 'Send',
    submit_actions: ['save-to-database', 'email'],
    email_to: 'office@example.com',
    email_subject: 'A message of [field id="name"]',
    email_content: '[all-fields]',
    email_reply_to: 'email',
  },
}

/** Gives the form a width and a margin. */
const box = {
  ...{ id: 'c0ffee0', elType: 'container', elements: [form] },
  settings: { content_width: 'boxed', boxed_width: { unit: 'px', size: 680 } },
}

const { data: page } = await client.post('/cms/v2/pages', {
  title: 'Contact',
  status: 'publish',
  meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify([box]) },
})
console.log(page.link)
