/** What the docs page sends for what was typed, and the line that does the same in a terminal. */
import { describe, expect, test } from 'vitest'
import {
  attemptOf,
  basic,
  curlOf,
  type Field,
  type FormValues,
  matches,
  prettyBody,
} from '../../../src/pages/docs/browser/request.ts'

const field = (name: string, place: Field['place'], value: string, kind: Field['kind'] = 'text'): Field => ({
  ...{ name, place, kind, value },
})

const sent = (filled: Partial<FormValues>) =>
  attemptOf({
    base: 'https://quay.example/api',
    method: 'GET',
    path: '/posts',
    fields: [],
    query: '',
    body: '',
    ...filled,
  })

const ofPost = (...fields: Field[]) => sent({ method: 'POST', fields })

describe('the address', () => {
  test('has the values of the path, escaped', () => {
    const { url } = sent({
      path: '/posts/{id}/notes/{name}',
      fields: [field('id', 'path', '7'), field('name', 'path', 'a/b ?')],
    })
    expect(url).toBe('https://quay.example/api/posts/7/notes/a%2Fb%20%3F')
  })

  test('keeps the commas of a list, and escapes the rest', () => {
    const { url } = sent({ fields: [field('include', 'query', '1,2', 'list'), field('search', 'query', 'a&b=c')] })
    expect(url).toBe('https://quay.example/api/posts?include=1,2&search=a%26b%3Dc')
  })

  test('takes pairs that have no field', () => {
    const { url } = sent({ fields: [field('page', 'query', '2')], query: '?a[]=1&b=2' })
    expect(url).toBe('https://quay.example/api/posts?page=2&a[]=1&b=2')
  })

  test('has an object in brackets', () => {
    const { url } = sent({ fields: [field('tax', 'query', '{"terms":[3,4],"and":true}', 'json')] })
    expect(decodeURIComponent(url)).toBe('https://quay.example/api/posts?tax[terms][0]=3&tax[terms][1]=4&tax[and]=true')
  })
})

describe('the body', () => {
  test('holds values of the kind that the argument has', () => {
    const { body, headers } = ofPost(
      field('title', 'body', 'High tide'),
      field('author', 'body', '3', 'integer'),
      field('sticky', 'body', 'true', 'boolean'),
      field('tags', 'body', 'a, b', 'list'),
      field('meta', 'body', '{"depth":4}', 'json'),
    )
    expect(JSON.parse(body ?? '')).toEqual({
      ...{ title: 'High tide', author: 3, sticky: true, tags: ['a', 'b'], meta: { depth: 4 } },
    })
    expect(headers).toEqual({ 'Content-Type': 'application/json' })
  })

  test('holds what does not fit as it was typed, so that the service says what is wrong', () => {
    const { body } = ofPost(field('author', 'body', 'three', 'integer'), field('title', 'body', 'Tide', 'json'))
    expect(JSON.parse(body ?? '')).toEqual({ author: 'three', title: 'Tide' })
  })

  test('takes members that have no field', () => {
    const { body } = sent({ method: 'POST', fields: [field('title', 'body', 'Tide')], body: '{"more":1}' })
    expect(JSON.parse(body ?? '')).toEqual({ title: 'Tide', more: 1 })
  })

  test('is what was typed where there are no fields, JSON or not', () => {
    expect(sent({ method: 'POST', body: '[1]' })).toMatchObject({
      body: '[1]',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(sent({ method: 'POST', body: 'tide' })).toMatchObject({
      body: 'tide',
      headers: { 'Content-Type': 'text/plain' },
    })
  })

  test('is not there where nothing was filled in, and never with GET', () => {
    expect(ofPost().body).toBeUndefined()
    expect(sent({ body: '{}' })).toEqual({ method: 'GET', url: 'https://quay.example/api/posts', headers: {} })
  })
})

test('credentials in any script are sent as UTF-8', () => {
  const header = basic({ login: 'zoë', password: 'päss' })
  expect(Buffer.from(header.slice(6), 'base64').toString()).toBe('zoë:päss')
})

test('the line for a terminal quotes what a shell would read, and leaves the password to curl', () => {
  const credentials = { login: 'ada', password: 'secret' }
  const attempt = sent({
    ...{ method: 'PATCH', credentials },
    fields: [field('a[b]', 'query', '1'), field('title', 'body', "It's $HOME")],
  })
  expect(curlOf({ ...attempt, url: 'https://quay.example/api?a[b]=1' }, 'ada')).toBe(
    `curl -X PATCH -u 'ada' -H 'Content-Type: application/json' --data-raw '{"title":"It'\\''s $HOME"}' -g 'https://quay.example/api?a[b]=1'`,
  )
  expect(curlOf(attempt, 'ada')).not.toContain('secret')
})

test('JSON is shown on lines of its own, all else as it came', () => {
  expect(prettyBody('{"a":1}', 'application/json; charset=UTF-8')).toBe('{\n  "a": 1\n}')
  expect(prettyBody('{"a":1}', 'text/csv')).toBe('{"a":1}')
  expect(prettyBody('{broken', 'application/json')).toBe('{broken')
})

test('a search finds what holds all of its words, whatever their case', () => {
  expect(matches('GET /cms/v2/posts List posts per_page', 'Posts get')).toBe(true)
  expect(matches('GET /cms/v2/posts List posts per_page', 'posts delete')).toBe(false)
  expect(matches('anything', '')).toBe(true)
})
