/** Files that visitors send with a form: which are taken, where they are, and when they go. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createMedia } from '../../../../src/services/media.ts'
import { memoryMedia } from '../../../../src/services/media-driver.ts'
import { counted } from '../../../support/counted.ts'
import { createMailServer } from '../../../support/mail-server.ts'
import { createTestSite, type TestSiteOptions } from '../../../support/site.ts'
import { loopbackClient } from '../../../support/webhook-receiver.ts'
import { field, formPage, openForms } from './form-page.ts'

const page = formPage({
  form_fields: [
    field('name', 'text', 'Name', { required: 'true' }),
    field('papers', 'upload', 'Papers', {
      ...{ file_types: 'pdf,.txt', file_sizes: '0.001', allow_multiple_upload: 'yes', max_files: '2' },
    }),
    field('photo', 'upload', 'Photo'),
  ],
})

const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (sign) => sign.charCodeAt(0),
)
const textFile = (name: string, text = 'plain text') => new File([text], name, { type: 'text/plain' })

function formWith(files: { readonly [name: string]: readonly File[] }): FormData {
  const form = new FormData()
  form.append('form_fields[name]', 'Bob')
  for (const [name, list] of Object.entries(files)) for (const file of list) form.append(`form_fields[${name}]`, file)
  return form
}

const dayMs = 24 * 60 * 60 * 1000

async function openUploads(
  document: object = page,
  { services = {}, ...more }: Pick<TestSiteOptions, 'services' | 'storage'> = {},
) {
  const disk = { isAway: false }
  const stored = new Map<string, Uint8Array>()
  const driver = memoryMedia()
  const media = createMedia({ driver })
  const kept = {
    ...media,
    write: (path: string, bytes: Uint8Array, type: string) => {
      stored.set(path, bytes)
      return media.write(path, bytes, type)
    },
    remove: async (path: string) => {
      if (disk.isAway) throw new Error('the file store is away')
      stored.delete(path)
      return media.remove(path)
    },
    store: undefined,
  }
  const site = await openForms(document, {}, { ...more, services: { media: kept as never, ...services } })
  const storedValue = async (key: string) => {
    const [{ id }] = (await site.submissions()) as [{ id: number }]
    const { data } = (await site.as('ada')('GET', `/builder/v1/form-submissions/${id}`)).body
    return data.values.find((value: { key: string }) => value.key === key).value as string
  }
  return { ...site, disk, stored, storedValue, media: kept }
}

test('a file that cannot be written is 503, the submission is not stored, and the form works again later', async () => {
  let isFull = true
  const media = createMedia({ driver: memoryMedia() })
  const store: typeof media.store = async (path, source) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    return (media.store as NonNullable<typeof media.store>)(path, source)
  }
  const { sendForm, submissions } = await openForms(page, {}, { services: { media: { ...media, store } } })
  const form = () => formWith({ papers: [textFile('a.txt')] })
  expect(await sendForm(form())).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  expect(await submissions()).toEqual([])
  isFull = false
  expect((await sendForm(form())).body).toEqual({ success: true })
  expect(await submissions()).toHaveLength(1)
})

test('stores files below names that nobody can guess, and the submission has their addresses', async () => {
  const { sendForm, stored, storedValue } = await openUploads()
  const form = formWith({ papers: [textFile('a.txt'), textFile('../b c.txt')], photo: [new File([png], 'me.PNG')] })
  expect((await sendForm(form)).body).toEqual({ success: true })
  const paths = [...stored.keys()]
  expect(paths).toEqual([
    expect.stringMatching(/^forms\/[0-9a-f]{32}\/a\.txt$/),
    expect.stringMatching(/^forms\/[0-9a-f]{32}\/b-c\.txt$/),
    expect.stringMatching(/^forms\/[0-9a-f]{32}\/me\.png$/i),
  ])
  const addresses = paths.map((path) => `https://quay.example/uploads/${path}`)
  expect(await storedValue('papers')).toBe(addresses.slice(0, 2).join(', '))
  expect(await storedValue('photo')).toBe(addresses[2])
})

test.each([
  ['a kind that the field does not take', { papers: [new File([png], 'me.png')] }, 'papers'],
  ['a name that does not fit the content', { papers: [new File([png], 'me.pdf')] }, 'papers'],
  ['a page of HTML', { photo: [new File(['<script>alert(1)</script>'], 'x.html')] }, 'photo'],
  [
    'a drawing that can hold scripts',
    { photo: [new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'x.svg')] },
    'photo',
  ],
  ['more files than the field takes', { papers: ['a', 'b', 'c'].map((name) => textFile(`${name}.txt`)) }, 'papers'],
  ['two files where one is taken', { photo: [textFile('a.txt'), textFile('b.txt')] }, 'photo'],
  ['a larger file than the field takes', { papers: [textFile('a.txt', 'x'.repeat(2000))] }, 'papers'],
])('refuses %s, and keeps nothing', async (_, files, name) => {
  const { sendForm, stored, submissions } = await openUploads()
  const { status, body } = await sendForm(formWith(files))
  expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]])
  expect([stored.size, await submissions()]).toEqual([0, []])
})

test('a form whose texts are wrong keeps no file, and one without a chosen file is taken', async () => {
  const { sendForm, stored, submissions } = await openUploads()
  const wrong = formWith({ papers: [textFile('a.txt')] })
  wrong.set('form_fields[name]', ' ')
  expect((await sendForm(wrong)).status).toBe(400)
  expect(stored.size).toBe(0)
  // The body that a browser sends for a control without input.
  const empty = formWith({ photo: [new File([], '')] })
  expect((await sendForm(empty)).status).toBe(200)
  expect(await submissions()).toHaveLength(1)
})

type Opened = Awaited<ReturnType<typeof openUploads>>

/** Sends a form of each name with a file, and returns the ids of the submissions. */
async function sendAll({ sendForm, submissions }: Opened, ...names: readonly string[]): Promise<readonly number[]> {
  for (const name of names) {
    const form = formWith({ papers: [textFile('a.txt', name)] })
    form.set('form_fields[name]', name)
    expect((await sendForm(form)).status).toBe(200)
  }
  return (await submissions()).map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)
}

const path = '/builder/v1/form-submissions'
const force = { force: true }

test.each<[string, (site: Opened, ids: readonly number[]) => Promise<unknown>]>([
  ['one is removed', ({ as }, [id]) => as('ada')('DELETE', `${path}/${id}`, { query: force })],
  ['several are removed', ({ as }, [id]) => as('ada')('DELETE', path, { query: { ids: `${id},999`, ...force } })],
  [
    'a call in the process removes one',
    ({ api }, [id]) => api.call('DELETE', `${path}/${id}`, force, { as: 'system' }),
  ],
  ['a person is erased', ({ api }) => api.site.submissions.erase('bob@mail.test')],
  [
    'the trash is emptied',
    async ({ as, api, clock }, [id]) => {
      await as('ada')('DELETE', `${path}/${id}`)
      clock.now += 31 * dayMs
      await api.site.runDue()
    },
  ],
  [
    'its days are over',
    async ({ api, clock }) => {
      await api.site.submissions.setRetention({ days: 2 })
      clock.now += dayMs
      await api.site.runDue()
    },
  ],
])('the files of a submission are gone when %s, and those of others are not', async (_, remove) => {
  const site = await openUploads()
  const ids = await sendAll(site, 'bob@mail.test')
  // Of another day, so that no rule of days reaches it.
  site.clock.now += 1.5 * dayMs
  await sendAll(site, 'ann@mail.test')
  expect(site.stored.size).toBe(2)
  await remove(site, ids)
  expect([...site.stored.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual(['ann@mail.test'])
  expect(await site.submissions()).toHaveLength(1)
  counted(1, 'removals after which the files are gone')
})

test('a file that cannot be removed makes the removal 503, and goes within hours', async () => {
  const site = await openUploads()
  const [id] = await sendAll(site, 'bob@mail.test')
  const removed: unknown[] = []
  site.api.on('submission.deleted', (payload) => removed.push(payload))
  site.disk.isAway = true
  const { status, body } = await site.as('ada')('DELETE', `${path}/${id}`, { query: force })
  expect([status, body.code, body.data.written]).toEqual([503, 'storage_outcome_unknown', 'perhaps'])
  expect([await site.submissions(), removed, site.stored.size]).toEqual([[], [{ ids: [id] }], 1])
  // The task fails for the file only.
  site.clock.now += 3_700_000
  await site.api.site.runDue()
  expect(site.failures.splice(0).map((failure) => (failure as { message: string }).message)).toEqual([
    'the storage failed',
    'files can not be removed now, and are tried again in an hour',
  ])
  site.disk.isAway = false
  await site.api.site.runDue()
  expect(site.stored.size).toBe(1)
  site.clock.now += 3_700_000
  await site.api.site.runDue()
  expect(site.stored.size).toBe(0)
})

test.each([{ ids: true }, { ids: false }])(
  'an export with %o names the files of submissions, and the restored site removes them',
  async (options) => {
    const site = await openUploads()
    await sendAll(site, 'bob@mail.test', 'ann@mail.test')
    const document = await site.api.site.export(options)
    const [path] = [...site.stored.keys()]
    expect(JSON.stringify(document.records)).toContain(path)
    // The files are copied with the folder of uploads, so the restored site has them.
    const services = { media: site.media as never }
    const restored = await createTestSite({ profile: d2, seed: document, services })
    onTestFinished(restored.dispose)
    const { submissions } = restored.api.site
    const [found] = await submissions.find('bob@mail.test')
    expect(found?.values.find(({ key }) => key === 'papers')?.value).toContain(path)
    expect(await submissions.erase('bob@mail.test')).toBe(1)
    expect([...site.stored.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual(['ann@mail.test'])
  },
)

test('a site document names no other files for removal', async () => {
  const site = await openUploads()
  const [id] = await sendAll(site, 'bob@mail.test')
  const document = JSON.parse(JSON.stringify(await site.api.site.export({ ids: true })))
  document.records.form_submissions[0].files.push('2024/05/pier.jpg', '../../etc/passwd', 'forms/../a.txt')
  await site.media.write('2024/05/pier.jpg', png, 'image/jpeg')
  const restored = await createTestSite({ profile: d2, seed: document, services: { media: site.media as never } })
  onTestFinished(restored.dispose)
  const { status } = await restored.as('ada')('DELETE', `${path}/${id}`, { query: force })
  expect([status, [...site.stored.keys()]]).toEqual([200, ['2024/05/pier.jpg']])
})

test('a file for a field that takes none is dropped', async () => {
  const { sendForm, stored } = await openUploads()
  expect((await sendForm(formWith({ other: [textFile('a.txt')] }))).status).toBe(200)
  expect(stored.size).toBe(0)
})

// ---------------------------------------------------------------- forms that keep no submissions

const uploadFields = [
  field('email', 'email', 'E-mail'),
  field('papers', 'upload', 'Papers', { allow_multiple_upload: 'yes' }),
  field('photo', 'upload', 'Photo'),
]

/** A form that keeps no submissions, an SMTP server that refuses some mails first, and a receiver of webhooks. */
async function openUnkept(settings: object, { refuse = 0, status = 200 } = {}) {
  const smtp = await createMailServer({ refuse })
  const called: string[] = []
  const receiver = createServer((request, response) => {
    called.push(request.url ?? '')
    request.resume().on('end', () => void response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    receiver.close()
    await smtp.close()
  })
  const { port } = receiver.address() as AddressInfo
  const document = formPage({
    form_fields: uploadFields,
    ...{ email_to: 'desk@quay.example', webhooks: `http://127.0.0.1:${port}/`, ...settings },
  })
  const site = await openUploads(document, { services: { mail: smtp.mail, outbound: loopbackClient() } })
  const sendFiles = async (email = 'bob@mail.test') => {
    const form = new FormData()
    form.append('form_fields[email]', email)
    form.append('form_fields[papers]', textFile('a b.txt', 'first paper'))
    form.append('form_fields[papers]', textFile('c.txt', 'second paper'))
    form.append('form_fields[photo]', new File([png], 'me.png'))
    expect((await site.sendForm(form)).status).toBe(200)
  }
  return { ...site, ...smtp, called, sendFiles }
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

test('a form that keeps no submissions attaches its files to the mail that names them, and they go with it', async () => {
  const site = await openUnkept({ submit_actions: ['email'], email_content: 'Papers: [field id="papers"]' })
  await site.sendFiles()
  expect(site.stored.size).toBe(3)
  await site.settled()
  const source = site.received[0]?.source ?? ''
  expect(source).toContain('Papers: a-b.txt, c.txt')
  expect(source).toMatch(/filename=a-b\.txt/)
  for (const text of ['first paper', 'second paper']) expect(source).toContain(encoded(text))
  expect(source).not.toContain('me.png')
  expect(site.stored.size).toBe(0)
})

test('the files stay until the last action of the form has ended, and for an hour after a call', async () => {
  const site = await openUnkept(
    { submit_actions: ['email', 'email2', 'webhook'], email_to_2: 'two@quay.example' },
    { refuse: 1 },
  )
  await site.sendFiles()
  await site.settled()
  expect([site.received.length, site.called.length, site.stored.size]).toEqual([1, 1, 3])
  site.clock.now += 60_000
  await site.settled()
  expect(site.received.map(({ to }) => to[0]).toSorted()).toEqual(['desk@quay.example', 'two@quay.example'])
  for (const { source } of site.received) expect(source).toContain(encoded('first paper'))
  expect(site.stored.size).toBe(3)
  site.clock.now += 3_700_000
  await site.settled()
  expect(site.stored.size).toBe(0)
})

test.each([
  ['a receiver that is gone', { submit_actions: ['webhook'] }],
  ['no action but where the browser goes next', { submit_actions: ['redirect'], redirect_to: '/thanks' }],
  ['a mail without a recipient', { submit_actions: ['email'], email_to: 'nobody' }],
])('a form with %s leaves no files', async (_, settings) => {
  const site = await openUnkept(settings, { status: 410 })
  await site.sendFiles()
  await site.settled()
  expect(site.stored.size).toBe(0)
})

test('a form whose actions fail for good leaves no files', async () => {
  const site = await openUnkept({ submit_actions: ['email', 'webhook'] }, { refuse: 1000, status: 500 })
  await site.sendFiles()
  for (let hours = 0; hours < 10 * 24; hours += 10) {
    await site.settled()
    if (hours < 40) expect(site.stored.size).toBe(3)
    site.clock.now += 10 * 3_600_000
  }
  expect([site.received.length, site.stored.size]).toEqual([0, 0])
})

test('erasing a person removes the files that wait with the mails and calls, and those of nobody else', async () => {
  const site = await openUnkept({ submit_actions: ['email', 'webhook'] }, { refuse: 2, status: 500 })
  await site.sendFiles()
  await site.sendFiles('ann@mail.test')
  await site.settled()
  expect([site.called.length, site.stored.size]).toEqual([2, 6])
  expect(await site.api.site.submissions.erase('Bob@mail.test')).toBe(0)
  expect(site.stored.size).toBe(3)
  site.clock.now += dayMs
  await site.settled()
  expect(site.received.map(({ source }) => /[a-z]+@mail\.test/.exec(source)?.[0])).toEqual(['ann@mail.test'])
  expect(site.called).toHaveLength(3)
})

test('a form that keeps no submissions is taken once too, and its key is refused for other values', async () => {
  const site = await openUnkept({ submit_actions: ['email'] })
  const send = (email: string, key: string) =>
    site.send({ email, papers: '' }, { headers: { 'idempotency-key': key } }).then(({ status }) => status)
  expect(await Promise.all([send('bob@mail.test', 'a'), send('bob@mail.test', 'a')])).toEqual([200, 200])
  expect(await send('bob@mail.test', 'a')).toBe(200)
  await site.settled()
  expect(site.received).toHaveLength(1)
  expect(await send('ann@mail.test', 'a')).toBe(422)
  expect(await send('bob@mail.test', 'b')).toBe(200)
  // A double click without a key.
  await site.sendFiles('carl.with.a.long.name@mail.test')
  await site.sendFiles('carl.with.a.long.name@mail.test')
  await site.settled()
  expect([site.received.length, site.stored.size]).toEqual([3, 0])
})
