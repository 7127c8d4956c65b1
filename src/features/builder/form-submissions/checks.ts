/** The check of forms before they are published: somebody gets what visitors send. */

import type { Check, CheckedSubject, Found } from '../../integration/checks/model.ts'
import { type BuilderElement, elementName, settingsOf, walk } from '../../shared/elements.ts'
import { toActions } from './intake/settings.ts'

export const receiverCheck: Check = {
  code: 'form-without-receiver',
  looksAt: 'record',
  find: async (subject) => {
    const forms = [...walk(subject.elements)].filter((element) => elementName(element) === 'form')
    if (forms.length === 0) return []
    const { admin_email: adminEmail } = await subject.storage.options.read(['admin_email'])
    const hasAdmin = typeof adminEmail === 'string' && adminEmail !== ''
    return forms.filter((form) => !hasReceiver(settingsOf(form), hasAdmin)).map((form) => foundOf(form, subject))
  },
}

function hasReceiver(settings: BuilderElement, hasAdmin: boolean): boolean {
  const { keeps, mails, webhook } = toActions(settings)
  return keeps || webhook !== undefined || mails.some(({ to }) => (to === '' ? hasAdmin : to.includes('@')))
}

function foundOf(form: BuilderElement, { record }: CheckedSubject): Found {
  const { form_name: name, submit_actions: actions } = settingsOf(form)
  const id = String(form['id'] ?? '')
  const kept = [...(Array.isArray(actions) ? actions.map(String) : []), 'save-to-database']
  return {
    ...{ severity: 'error', place: { record, element: id } },
    message: `Nobody gets what visitors send with the form ${JSON.stringify(name ?? '')}: it has neither address nor webhook, and keeps nothing.`,
    patch: { says: 'Keeps what is sent, for the list of submissions.', settings: { [id]: { submit_actions: kept } } },
  }
}
