/** Each type of field: what the form's JSON Schema says, what the check of browsers says, and what the service takes. */
import { expect, test } from 'vitest'
import { checkForm } from '../../../../src/site/form-schema.ts'
import { field, formPage, openForms } from './form-page.ts'

const allFields = [
  field('name', 'text', 'Name', { required: 'true' }),
  field('mail', 'email', 'E-mail'),
  field('site', 'url', 'Site'),
  field('phone', 'tel', 'Phone'),
  field('age', 'number', 'Age', { field_min: 18, field_max: '120' }),
  field('day', 'date', 'Day', { min_date: '2024-06-01', max_date: '2024-06-30' }),
  field('hour', 'time', 'Hour', { min_time: '09:00', max_time: '17:30' }),
  field('topic', 'select', 'Topic', { field_options: 'Boats|boats\nTides' }),
  field('piers', 'select', 'Piers', { field_options: 'East\nWest', allow_multiple: 'yes' }),
  field('size', 'radio', 'Size', { field_options: 'S\nL' }),
  field('days', 'checkbox', 'Days', { field_options: 'Mon\nTue' }),
  field('agreed', 'acceptance', 'Terms', { required: 'true' }),
  field('secret', 'password', 'Secret'),
  field('source', 'hidden', 'Source', { field_value: 'page' }),
  field('note', 'html', 'Note'),
  field('next', 'step', 'Next'),
]

test('the JSON Schema of a form has each field with its rules', async () => {
  const { api, post } = await openForms(formPage({ form_fields: allFields }))
  const schema = await api.site.forms.schema(post, '476d0ce')
  expect(schema?.required).toEqual(['name', 'agreed'])
  expect(schema?.properties).toEqual({
    name: { type: 'string', title: 'Name' },
    mail: { type: 'string', title: 'E-mail', format: 'email', maxLength: 254 },
    site: { type: 'string', title: 'Site', format: 'uri' },
    phone: { type: 'string', title: 'Phone', pattern: expect.any(String) },
    age: { type: 'number', title: 'Age', minimum: 18, maximum: 120 },
    day: { type: 'string', title: 'Day', format: 'date', formatMinimum: '2024-06-01', formatMaximum: '2024-06-30' },
    hour: { type: 'string', title: 'Hour', format: 'time', formatMinimum: '09:00', formatMaximum: '17:30' },
    topic: { type: 'string', title: 'Topic', enum: ['boats', 'Tides'] },
    piers: { type: 'array', title: 'Piers', items: { type: 'string', enum: ['East', 'West'] } },
    size: { type: 'string', title: 'Size', enum: ['S', 'L'] },
    days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue'] } },
    agreed: { type: 'string', title: 'Terms' },
    secret: { type: 'string', title: 'Secret', writeOnly: true },
    source: { type: 'string', title: 'Source' },
  })
  expect(await api.site.forms.schema(post, 'nothere')).toBeUndefined()
})

const right = { name: 'Bob', agreed: 'on' }
const wrong: [field: string, value: unknown, problem: RegExp][] = [
  ['name', ' ', /required/],
  ['mail', 'bob', /e-mail/],
  ['site', 'javascript:alert(1)', /web address/],
  ['phone', 'call me', /telephone/],
  ['age', '0x20', /number/],
  ['age', '17', /least is 18/],
  ['age', '121', /most is 120/],
  ['day', '2024-06-31', /date/],
  ['day', '2024-05-31', /earliest is 2024-06-01/],
  ['day', '2024-07-01', /latest is 2024-06-30/],
  ['hour', '24:00', /time/],
  ['hour', '08:59', /earliest is 09:00/],
  ['hour', '17:31', /latest is 17:30/],
  ['topic', 'Boats', /choices/],
  ['topic', ['boats', 'Tides'], /one value/],
  ['piers', ['East', 'North'], /choices/],
  ['size', 'M', /choices/],
  ['days', ['Sun'], /choices/],
  ['agreed', '', /required/],
  ['secret', 'x'.repeat(70_000), /long/],
]

test.each(wrong)('%s does not take %j, by the same sentence in browsers', async (name, value, problem) => {
  const { api, post, send, submissions } = await openForms(formPage({ form_fields: allFields }), { bodyBytes: 100_000 })
  const values = { ...right, [name]: value } as { readonly [field: string]: string }
  const { status, body } = await send(values)
  expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]])
  expect(body.data.params[name]).toMatch(problem)
  const schema = await api.site.forms.schema(post, '476d0ce')
  expect(schema && checkForm(schema, { values })).toEqual(body.data.params)
  expect(await submissions()).toEqual([])
})

test('takes each field with a right value, several values in one text, and never keeps a password', async () => {
  const { api, post, send, submissions, as } = await openForms(formPage({ form_fields: allFields }))
  const values = {
    ...{ ...right, mail: 'bob@mail.test', site: 'https://a.test', phone: '+351 (2) 1-2', age: 18, day: '2024-06-30' },
    ...{
      hour: '09:00',
      topic: 'boats',
      piers: ['East', 'West'],
      size: 'L',
      days: ['Mon'],
      secret: 'hunter22',
      source: 'x',
    },
  }
  const schema = await api.site.forms.schema(post, '476d0ce')
  expect(schema && checkForm(schema, { values })).toEqual({})
  expect((await send(values)).body).toEqual({ success: true })
  const [{ id }] = (await submissions()) as [{ id: number }]
  const { data } = (await as('ada')('GET', `/builder/v1/form-submissions/${id}`)).body
  const stored = Object.fromEntries(data.values.map(({ key, value }: { key: string; value: string }) => [key, value]))
  const { secret: _secret, ...kept } = values
  expect(stored).toEqual({ ...kept, age: '18', piers: 'East, West', days: 'Mon' })
  expect(JSON.stringify(await api.site.export())).not.toContain('hunter22')
})

test('names of fields that objects have already are fields like others', async () => {
  const names = ['__proto__', 'constructor', 'toString']
  const { send, submissions } = await openForms(
    formPage({ form_fields: names.map((name) => field(name, 'text', name, { required: 'true' })) }),
  )
  const form = new URLSearchParams()
  for (const name of names) form.append(`fields[${name}]`, 'x')
  const { body } = await send({})
  expect(Object.keys(body.data.params).toSorted()).toEqual(names.toSorted())
  expect(await submissions()).toEqual([])
})

const captchaPage = formPage({ form_fields: [field('name', 'text', 'Name'), field('bot', 'recaptcha_v3', 'Bot')] })

test('a form with a captcha is refused while nobody verifies it', async () => {
  const { send, submissions } = await openForms(captchaPage)
  const { status, body } = await send({ name: 'Bob' }, { others: { 'g-recaptcha-response': 'token' } })
  expect([status, body.code]).toEqual([403, 'form_captcha_unavailable'])
  expect(await submissions()).toEqual([])
})

test('a captcha is verified with its token, its kind and the address of the sender', async () => {
  const seen: unknown[] = []
  const { send, submissions } = await openForms(captchaPage, {
    addressOf: () => '203.0.113.7',
    verify: async (token, answer) => {
      seen.push([token, answer])
      return token === 'solved'
    },
  })
  const responses = [
    await send({ name: 'Bob' }),
    await send({ name: 'Bob' }, { others: { 'g-recaptcha-response': 'forged' } }),
    await send({ name: 'Bob' }, { others: { 'g-recaptcha-response': 'solved' } }),
  ]
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'form_captcha_failed'],
    [403, 'form_captcha_failed'],
    [200, undefined],
  ])
  const answer = { kind: 'recaptcha_v3', ip: '203.0.113.7' }
  expect(seen).toEqual([
    ['forged', answer],
    ['solved', answer],
  ])
  expect(await submissions()).toHaveLength(1)
})

test('a form that is sent twice with one key is one submission, and so is a double click', async () => {
  const { send, submissions, clock } = await openForms(formPage({ form_fields: allFields }))
  const headers = { 'idempotency-key': 'a1' }
  for (const init of [{ headers }, { headers }, { others: { submission_key: 'a1' } }]) {
    expect((await send(right, init)).body).toEqual({ success: true })
  }
  expect(await submissions()).toHaveLength(1)
  expect((await send(right, { headers: { 'idempotency-key': 'a2' } })).status).toBe(200)
  expect(await submissions()).toHaveLength(2)
  // Without a key, a text counts as sent again that only the same person would write within seconds.
  const written = { ...right, mail: 'bob@mail.test' }
  await send(written)
  await send(written)
  expect(await submissions()).toHaveLength(3)
  clock.now += 30_000
  await send(written)
  expect(await submissions()).toHaveLength(4)
  // A value that several people may choose is never taken for a repetition.
  await send(right)
  await send(right)
  expect(await submissions()).toHaveLength(6)
})

test('a key that was sent with other values is refused, and nothing is lost in silence', async () => {
  const { send, submissions } = await openForms(formPage({ form_fields: allFields }))
  const headers = { 'idempotency-key': 'a1' }
  expect((await send(right, { headers })).status).toBe(200)
  for (const init of [{ headers }, { others: { submission_key: 'a1' } }]) {
    const other = await send({ ...right, mail: 'else@mail.test' }, init)
    expect(other).toMatchObject({ status: 422, body: { code: 'rest_idempotency_key_reused' } })
  }
  const both = await Promise.all(
    ['one@mail.test', 'two@mail.test'].map((mail) =>
      send({ ...right, mail }, { headers: { 'idempotency-key': 'race' } }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(await submissions()).toHaveLength(2)
})

test('a form that is sent many times at once with one key is one submission', async () => {
  const { send, submissions } = await openForms(formPage({ form_fields: allFields }))
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => send(right, { headers: { 'idempotency-key': 'same' } })),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(await submissions()).toHaveLength(1)
})
