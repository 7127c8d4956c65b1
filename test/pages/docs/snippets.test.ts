/** The code that the docs page shows for a request: each form of it sends the request that the page sends. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { attemptOf, type Field } from '../../../src/pages/docs/browser/request.ts'
import { curlOf, fetchOf, languages, type SnippetValues } from '../../../src/pages/docs/browser/snippets.ts'

const field = (name: string, place: Field['place'], value: string, kind: Field['kind'] = 'text'): Field => ({
  ...{ name, place, kind, value },
})

const valuesOf = (filled: Partial<SnippetValues>): SnippetValues => ({
  ...{ base: 'https://quay.example/api', method: 'GET', path: '/posts', profile: 'd1' },
  ...{ fields: [], query: '', body: '' },
  ...filled,
})

const clientOf = (values: SnippetValues) => languages[2]?.write(values, attemptOf(values)) ?? ''

const credentials = { login: "o'neil", password: 'secret' }

const requests: readonly (readonly [name: string, values: SnippetValues])[] = [
  ['a read', valuesOf({ fields: [field('include', 'query', '1,2', 'list'), field('search', 'query', "it's")] })],
  ['a read as a user', valuesOf({ path: '/posts/{id}', fields: [field('id', 'path', '7', 'integer')], credentials })],
  [
    'a write with a body',
    valuesOf({
      ...{ method: 'PATCH', path: '/posts/{id}', credentials },
      fields: [
        field('id', 'path', '7', 'integer'),
        field('title', 'body', 'It\'s $HOME, \\ `and` "more"\nin lines'),
        field('meta', 'body', '{"depth":4,"a-b":[{"c":null}]}', 'json'),
        field('tags', 'body', '1, 2', 'list'),
        field('sticky', 'body', 'true', 'boolean'),
        field('If-Match', 'header', '"abc.view"'),
      ],
    }),
  ],
  ['a write with a typed body', valuesOf({ method: 'POST', body: '[{"id":2},"three"]' })],
  ['a write with more members', valuesOf({ method: 'POST', fields: [field('a', 'body', '1')], body: '{"b":{"c":2}}' })],
  [
    'a removal',
    valuesOf({
      method: 'DELETE',
      path: '/posts/{id}',
      fields: [field('id', 'path', '7'), field('force', 'query', 'true', 'boolean')],
    }),
  ],
]

/** The requests that reach the service. */
interface Received {
  readonly method: string
  readonly url: string
  readonly authorization: string | null
  readonly match: string | null
  readonly body: unknown
}

/** The client writes a list as `a[]=1&a[]=2`, the page as `a=1,2`. */
function plainUrl(text: string): string {
  const url = new URL(text)
  const lists = Map.groupBy(url.searchParams, ([name]) => name.replace(/\[\]$/, ''))
  const pairs = [...lists].map(([name, values]) => `${name}=${values.map(([, value]) => value).join(',')}`)
  return `${url.origin}${url.pathname}?${pairs.join('&')}`
}

const receivedOf = async (request: Request): Promise<Received> => {
  const text = await request.text()
  const isJson = /json/.test(request.headers.get('content-type') ?? '')
  return {
    method: request.method,
    url: plainUrl(request.url),
    authorization: request.headers.get('authorization'),
    match: request.headers.get('if-match'),
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

const sentByPage = (values: SnippetValues) => {
  const { url, ...init } = attemptOf(values)
  return receivedOf(new Request(url, init))
}

/** Runs code with `names` in scope, and gives the request that it sends. */
async function sentBy(code: string, names: (fetch: typeof globalThis.fetch) => { [name: string]: unknown }) {
  const sent: Promise<Received>[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    sent.push(receivedOf(new Request(input, init)))
    return Response.json({})
  }
  const scope = { password: credentials.password, ...names(fetch) }
  const run = new Function(...Object.keys(scope), `return (async () => {\n${code}\n})()`)
  await run(...Object.values(scope))
  return sent[0]
}

describe.each(requests)('%s', (_, values) => {
  test('is the same with fetch', async () => {
    const code = fetchOf(attemptOf(values), values.credentials?.login)
    expect(await sentBy(code, (fetch) => ({ fetch }))).toEqual(await sentByPage(values))
  })

  test('is the same with the client', async () => {
    const code = clientOf(values)
      .replace(/^import .*\n/gm, '')
      .replace('<typeof d1>', '')
    const sent = await sentBy(code, (fetch) => ({
      createClient: (options: { url: string }) => createClient({ ...options, fetch }),
    }))
    expect(sent).toEqual(await sentByPage(values))
  })

  test('is the same with curl', () => {
    const attempt = attemptOf(values)
    const command = curlOf(attempt, values.credentials?.login)
    // The shell splits the command as it would for curl.
    const words = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")])
      .toString()
      .split('\0')
      .slice(0, -1)
    expect(words).toContain(attempt.url)
    const valueAfter = (option: string) => words[words.indexOf(option) + 1]
    if (attempt.method !== 'GET') expect(valueAfter('-X')).toBe(attempt.method)
    if (attempt.body) expect(JSON.parse(valueAfter('--data-raw') ?? '')).toEqual(JSON.parse(attempt.body))
    if (values.credentials) expect(valueAfter('-u')).toBe(values.credentials.login)
  })

  test('never has the password', () => {
    const attempt = attemptOf(values)
    for (const { write } of languages) expect(write(values, attempt)).not.toContain(credentials.password)
  })
})

test('curl gets brackets of an address as they are', () => {
  expect(curlOf({ method: 'GET', url: 'https://quay.example/api?a[b]=1', headers: {} }, undefined)).toBe(
    "curl -g 'https://quay.example/api?a[b]=1'",
  )
})

test('the client is typed by the profile, and untyped if names are translated', () => {
  expect(clientOf(valuesOf({ profile: 'd2' }))).toContain("import type { d2 } from 'site-api'")
  expect(clientOf(valuesOf({ profile: 'shop' }))).toContain("import type { shop } from './profile.ts'")
  expect(clientOf(valuesOf({ profile: '' }))).toContain('createClient({')
})
