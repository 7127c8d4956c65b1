/** Submissions are found and erased by the address of their sender, and removed after the days of the form. */
import { expect, test } from 'vitest'
import { createMailServer } from '../../../support/mail-server.ts'
import { field, formPage, openForms } from './form-page.ts'

const page = formPage({ form_fields: [field('name', 'text', 'Name'), field('email', 'email', 'E-mail')] })
const day = 24 * 60 * 60 * 1000

test('finds and erases the submissions of an address, in the trash too, and no others', async () => {
  const { api, send, submissions, as } = await openForms(page)
  await send({ name: 'Bob', email: 'Bob@mail.test' })
  await send({ name: 'Bob, again', email: 'bob@mail.test' })
  await send({ name: 'Ann about bob@mail.test', email: 'ann@mail.test' })
  const [, second] = (await submissions()) as { id: number }[]
  await as('ada')('DELETE', `/builder/v1/form-submissions/${second?.id}`)
  const found = await api.site.submissions.find(' BOB@mail.test')
  expect(found.map(({ values }) => values[0]?.value)).toEqual(['Bob', 'Bob, again'])
  expect(await api.site.submissions.erase('bob@mail.test')).toBe(2)
  expect(await api.site.submissions.find('bob@mail.test')).toEqual([])
  expect(await submissions()).toHaveLength(1)
  expect(await api.site.submissions.erase('')).toBe(0)
  const { events } = await api.events.since(0)
  expect(events.at(-1)).toMatchObject({ name: 'submission.deleted' })
})

test('erasing drops the mails that are still to be sent', async () => {
  const smtp = await createMailServer({ refuse: 1 })
  const { api, send, settled, clock } = await openForms(page, {}, { services: { mail: smtp.mail } })
  await send({ name: 'Bob', email: 'bob@mail.test' })
  await settled()
  await api.site.submissions.erase('bob@mail.test')
  clock.now += day
  await settled()
  expect(smtp.received).toEqual([])
  await smtp.close()
})

test('removes submissions of a form after its days, and of others after theirs', async () => {
  const { api, send, submissions, settled, clock, post } = await openForms(page)
  await send({ name: 'A', email: 'first@mail.test' })
  clock.now += 5 * day
  await send({ name: 'B', email: 'second@mail.test' })
  await api.site.submissions.setRetention({ days: 100 })
  await api.site.submissions.setRetention({ form: { postId: post, elementId: '476d0ce' }, days: 6 })
  await settled()
  expect(await submissions()).toHaveLength(2)
  clock.now += 2 * day
  await settled()
  expect((await submissions()).map(({ main }) => main.value)).toEqual(['second@mail.test'])
  await api.site.submissions.setRetention({ form: { postId: post, elementId: '476d0ce' }, days: null })
  clock.now += 50 * day
  await settled()
  expect(await submissions()).toHaveLength(1)
  clock.now += 60 * day
  await settled()
  expect(await submissions()).toEqual([])
  await expect(api.site.submissions.setRetention({ days: 0 })).rejects.toThrow(TypeError)
})
