import { expect, test } from 'vitest'
import { createClient } from '../../../../src/client/index.ts'
import { formSubmissions } from '../../../../src/features/builder/form-submissions/index.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import type { Received } from '../../../support/site.ts'
import { counting, errorOf, openSite, root } from './fixture.ts'

const path = `${root}/export`
const fixedLabels = ['Form Name (ID)', 'Submission ID', 'Created At', 'User ID', 'User Agent', 'User IP', 'Referrer']

/** A strict parser of RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    const isSeparator = !isQuoted && (character === ',' || character === '\r')
    if (isQuoted && text.startsWith('""', at)) cell += text[++at]
    else if (character === '"') isQuoted = !isQuoted
    else if (!isSeparator) cell += character
    else {
      rows.at(-1)?.push(cell)
      cell = ''
      if (character === '\r') at = endLine(text, at, rows)
    }
  }
  return rows
}

/** Expects CRLF, starts a row unless the text ends, and returns the offset of the line feed. */
function endLine(text: string, carriageReturn: number, rows: string[][]): number {
  expect(text[carriageReturn + 1]).toBe('\n')
  if (carriageReturn + 2 < text.length) rows.push([])
  return carriageReturn + 1
}

const rowsOf = ({ body }: Received) => parseCsv(body.replace(/^\ufeff/, ''))

test('the CSV file has a column for each field, then the fixed columns', async () => {
  const { submit, ada } = await openSite()
  const id = await submit({
    values: { name: 'Bob', email: 'bob@mail.test' },
    more: { referer: 'https://quay.example/contact/', userAgent: 'UA/1.0', userIp: '203.0.113.7' },
  })
  const received = await ada('GET', path)
  expect(received.status).toBe(200)
  expect(received.headers.get('content-type')).toBe('text/csv; charset=UTF-8; header=present')
  expect(received.headers.get('content-disposition')).toBe('attachment; filename="form-submissions-2024-06-15.csv"')
  expect(received.headers.get('cache-control')).toBe('private, no-store')
  expect(received.headers.get('vary')).toContain('Accept')
  expect(rowsOf(received)).toEqual([
    ['NAME', 'EMAIL', ...fixedLabels],
    [
      'Bob',
      'bob@mail.test',
      'Contact (476d0ce)',
      String(id),
      '2024-06-15 13:00:00',
      '0',
      'UA/1.0',
      '203.0.113.7',
      'https://quay.example/contact/',
    ],
  ])
})

test('the file begins with a byte order mark', async () => {
  const { submit, api, as } = await openSite()
  await submit()
  const password = await api.site.passwords.create(1, 'file')
  const response = await api.fetch(
    new Request(`https://quay.example/api${path}`, {
      headers: { authorization: `Basic ${Buffer.from(`ada:${password.password}`).toString('base64')}` },
    }),
  )
  expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const head = await as('ada')('HEAD', path)
  expect([head.status, head.body]).toEqual([200, undefined])
})

test('neutralizes formulas in every column, except numbers in number fields', async () => {
  const { submit, ada } = await openSite()
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠x']
  for (const formula of formulas) await submit({ values: { name: formula } })
  await submit({ values: { age: '-3', name: "'=quoted" } })
  await submit({ values: { age: '-3+cmd', name: ' =1' }, more: { userAgent: '=UA', formName: '=Form' } })
  const rows = rowsOf(await ada('GET', path, { query: { order: 'asc', per_page: 100 } }))
  const [header = []] = rows
  expect(rows.slice(1, 12).map((row) => row[header.indexOf('NAME')])).toEqual(formulas.map((one) => `'${one}`))
  const cells = rows
    .slice(-2)
    .map((row) => ['NAME', 'AGE', 'Form Name (ID)', 'User Agent'].map((one) => row[header.indexOf(one)]))
  expect(cells).toEqual([
    ["'=quoted", '-3', 'Contact (476d0ce)', ''],
    [' =1', "'-3+cmd", "'=Form (476d0ce)", "'=UA"],
  ])
})

test('neutralizes formulas in labels', async () => {
  const { api, ada, post } = await openSite()
  const fields = [{ id: 'x', type: 'text', label: '=cmd|x', value: 'y' }]
  await api.site.submissions.add({ postId: post, elementId: 'abc1234', formName: '', fields })
  expect(rowsOf(await ada('GET', path))[0]?.[0]).toBe("'=cmd|x")
  const { body } = await ada('GET', path, { headers: { accept: 'application/json' } })
  expect(body.data[0].content[0]).toMatch(/^"'=cmd\|x",/)
})

test('neutralizesFormulas: false exports formulas unchanged', async () => {
  const features = [
    ...d2.features.filter(({ name }) => name !== 'form-submissions'),
    formSubmissions({ neutralizesFormulas: false }),
  ]
  const { submit, ada } = await openSite({ profile: { ...d2, features } })
  await submit({ values: { name: '=1+1' } })
  expect(rowsOf(await ada('GET', path))[1]?.[0]).toBe('=1+1')
})

test('a CSV parser returns every text as it was submitted', async () => {
  const { submit, ada } = await openSite()
  const texts = [
    'say "hi"',
    'a,b;c',
    'two\nlines',
    'two\r\nlines',
    'lone\rreturn',
    'back\\slash\\n',
    '\ufeffmark',
    '""',
    '"',
    '',
    ' spaces ',
    'Zoë 😀',
    "it's",
    '\u2028',
    '=x',
  ]
  for (const text of texts) await submit({ values: { name: text } })
  const rows = rowsOf(await ada('GET', path, { query: { order: 'asc', per_page: 100 } }))
  expect(rows.slice(1).map(([name]) => name?.replace(/^'(?==)/, ''))).toEqual(texts)
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([8]))
})

test('sends the wrapped format only to clients that prefer JSON', async () => {
  const { submit, ada } = await openSite()
  const ask = async (accept: string) => {
    const { headers } = await ada('GET', path, { headers: { accept } })
    return headers.get('content-type')?.split(';')[0]
  }
  await submit()
  const json = 'application/json'
  for (const accept of [
    json,
    `${json}, text/plain, */*`,
    `text/csv;q=0.5,${json}`,
    'application/*, */*;q=0.8',
    `text/csv;q=0, */*`,
  ]) {
    expect([accept, await ask(accept)]).toEqual([accept, json])
  }
  for (const accept of [
    '',
    '*/*',
    'text/csv',
    `text/csv, ${json}`,
    `${json};q=0.5, text/csv`,
    'text/html,*/*;q=0.8',
    `${json};q=0`,
    'nonsense',
  ]) {
    expect([accept, await ask(accept)]).toEqual([accept, 'text/csv'])
  }
})

test('the wrapped format has one entry for each form, with lines of JSON texts', async () => {
  const { submit, ada, post } = await openSite()
  const id = await submit({
    values: { name: 'Bob "B" a/b Zoë', email: 'two\nlines' },
    more: { formName: 'Kontakt/ü', userAgent: 'UA/1.0 ü', referer: 'https://quay.example/contact/' },
  })
  const other = await submit({ more: { elementId: 'other01', formName: '' }, values: { x: '=1' } })
  const { body, headers } = await ada('GET', path, { headers: { accept: 'application/json' } })
  expect(headers.get('content-disposition')).toBeNull()
  const labels = fixedLabels.join(',')
  const file = { mimetype: 'text/csv;charset=UTF-8', extension: 'csv' }
  expect(body).toEqual({
    data: [
      {
        id: '476d0ce',
        content: [
          `"NAME","EMAIL",${labels}`,
          `"Bob \\"B\\" a\\/b Zoë","two\\nlines","Kontakt\\/\\u00fc (476d0ce)",${id},"2024-06-15 13:00:00","0","UA/1.0 \\u00fc","","https://quay.example/contact/"`,
        ],
        ...file,
        form_label: 'Kontakt/ü (476d0ce)',
      },
      {
        id: 'other01',
        content: [`"X",${labels}`, `"'=1","(other01)",${other},"2024-06-15 13:00:01","0","","",""`],
        ...file,
        form_label: '(other01)',
      },
    ],
  })
  const one = await ada('GET', path, { query: { form: `${post}_other01` }, headers: { accept: 'application/json' } })
  expect(one.body.data.map((entry: { id: string }) => entry.id)).toEqual(['other01'])
})

test('several forms share columns of the same key and label', async () => {
  const { submit, api, ada, post } = await openSite()
  await submit({ values: { name: 'Bob' } })
  const fields = [
    { id: 'name', type: 'text', label: 'NAME', value: 'Ann' },
    { id: 'email', type: 'text', label: 'Other', value: 'x' },
  ]
  await api.site.submissions.add({ postId: post, elementId: 'abc1234', formName: 'B', fields })
  const rows = rowsOf(await ada('GET', path, { query: { order: 'asc' } }))
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    ['NAME', 'Other', 'Form Name (ID)'],
    ['Bob', '', 'Contact (476d0ce)'],
    ['Ann', 'x', 'B (abc1234)'],
  ])
})

test('exports a column for a removed field', async () => {
  const { submit, ada } = await openSite()
  await submit({ values: { old: 'kept' } })
  await submit({ values: { name: 'Bob' } })
  const rows = rowsOf(await ada('GET', path, { query: { order: 'asc' } }))
  expect(rows.map((row) => row.slice(0, 2))).toEqual([
    ['NAME', 'old'],
    ['', 'kept'],
    ['Bob', ''],
  ])
})

test('exports the rows that match the filters and ids', async () => {
  const { submit, ada } = await openSite()
  const ids = [await submit(), await submit({ values: { name: 'Ann' } }), await submit()]
  await ada('DELETE', `${root}/${ids[2]}`)
  const exported = async (query: { [name: string]: string | number }) =>
    rowsOf(await ada('GET', path, { query }))
      .slice(1)
      .map((row) => Number(row.at(-6)))
  expect(await exported({})).toEqual([ids[1], ids[0]])
  expect(await exported({ status: 'trash' })).toEqual([ids[2]])
  expect(await exported({ search: 'ann' })).toEqual([ids[1]])
  expect(await exported({ ids: `${ids[0]},${ids[2]}` })).toEqual([ids[0]])
  expect(await exported({ per_page: 1, page: 2 })).toEqual([ids[0]])
  expect(await exported({ order: 'asc', order_by: 'id', per_page: 1 })).toEqual([ids[0]])
})

test('an export without rows is 400', async () => {
  const { submit, ada } = await openSite()
  expect(errorOf(await ada('GET', path))).toEqual([400, 'nothing_to_export'])
  await submit()
  for (const query of ['page=2', 'status=trash', 'ids=999', 'ids=', 'search=nobody']) {
    expect([query, ...errorOf(await ada('GET', path, { query }))]).toEqual([query, 400, 'nothing_to_export'])
  }
})

test('reads rows in windows of 500, each after the last row of the window before', async () => {
  let maxRows = 0
  let reads = 0
  const seen = (name: string, returned: unknown) => {
    if (name !== 'records.query') return
    reads++
    void Promise.resolve(returned).then((queried) => {
      maxRows = Math.max(maxRows, (queried as { rows: unknown[] }).rows.length)
    })
  }
  const { api, ada, post, clock, ids } = await openSite({ storage: counting([], seen) })
  const count = 1_203
  for (let n = 0; n < count; n++) {
    // 400 rows have the same time, so windows begin among rows of one time.
    if (n % 400 === 0) clock.now += 1000
    const fields = [{ id: 'n', type: 'number', label: 'N', value: String(n) }]
    await api.site.submissions.add({ postId: post, elementId: n % 3 ? 'abc1234' : 'abc1235', formName: 'F', fields })
  }
  expect(ids['post.contact']).toBe(post)
  await ada('GET', root)
  for (const order of ['asc', 'desc']) {
    for (const order_by of ['created_at', 'id']) {
      reads = maxRows = 0
      const query = { order, order_by, per_page: 10_000 }
      const numbers = rowsOf(await ada('GET', path, { query }))
        .slice(1)
        .map(([n]) => Number(n))
      const expected = Array.from({ length: count }, (_, n) => (order === 'asc' ? n : count - 1 - n))
      expect(numbers).toEqual(expected)
      expect([maxRows, reads < 12]).toEqual([500, true])
      const half = { ...query, page: 2, per_page: 601 }
      const rest = rowsOf(await ada('GET', path, { query: half }))
        .slice(1)
        .map(([n]) => Number(n))
      expect(rest).toEqual(expected.slice(601, 1202))
      const wrapped = await ada('GET', path, { query: half, headers: { accept: 'application/json' } })
      const lines = wrapped.body.data.map(({ content }: { content: string[] }) => content.length - 1)
      expect(lines).toEqual([rest.filter((n) => n % 3 === 0).length, rest.filter((n) => n % 3).length])
    }
  }
}, 60_000)

test('reads further rows only when the client reads the stream', async () => {
  const calls: string[] = []
  const { api, submit } = await openSite({ storage: counting(calls) })
  await submit()
  const response = await api.handle({
    source: 'http',
    method: 'GET',
    path,
    query: '',
    mayHaveBody: false,
    readBody: () => undefined,
    header: (name) =>
      name === 'authorization' ? `Basic ${Buffer.from('ada:adax1a2B3c4D5e6F7g8H9i0J').toString('base64')}` : undefined,
  })
  expect([response.status, response.body instanceof ReadableStream]).toEqual([200, true])
  const before = calls.length
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await reader.cancel()
  expect([before > 0, calls.slice(before).includes('records.query')]).toEqual([true, true])
})

test('the typed client gets the wrapped format by default, and a file with Accept: text/csv', async () => {
  const { submit, api, ids } = await openSite()
  await submit({ values: { name: 'Bob' } })
  const client = createClient<typeof d2>({ api, as: ids['user.admin'] as number })
  const { data } = await client.orThrow.get('/builder/v1/form-submissions/export')
  expect(data.data.map(({ id, extension, content }) => [id, extension, content.length])).toEqual([
    ['476d0ce', 'csv', 2],
  ])
  const file = await client.orThrow.get('/builder/v1/form-submissions/export', {}, { headers: { Accept: 'text/csv' } })
  expect(String(file.data)).toContain('Bob')
})
