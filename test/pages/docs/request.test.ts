/** The requests of the docs page. */
import { describe, expect, test } from 'vitest'
import { attemptOf, basic, type Field, type FormValues, parseBody } from '../../../src/pages/docs/browser/request.ts'

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
  test('has the escaped values of the path', () => {
    const { url } = sent({
      path: '/posts/{id}/notes/{name}',
      fields: [field('id', 'path', '7'), field('name', 'path', 'a/b ?')],
    })
    expect(url).toBe('https://quay.example/api/posts/7/notes/a%2Fb%20%3F')
  })

  test('keeps the commas of a list and escapes other characters', () => {
    const { url } = sent({ fields: [field('include', 'query', '1,2', 'list'), field('search', 'query', 'a&b=c')] })
    expect(url).toBe('https://quay.example/api/posts?include=1,2&search=a%26b%3Dc')
  })

  test('adds query pairs without a field', () => {
    const { url } = sent({ fields: [field('page', 'query', '2')], query: '?a[]=1&b=2' })
    expect(url).toBe('https://quay.example/api/posts?page=2&a[]=1&b=2')
  })

  test('writes members of objects in brackets', () => {
    const { url } = sent({ fields: [field('tax', 'query', '{"terms":[3,4],"and":true}', 'json')] })
    expect(decodeURIComponent(url)).toBe('https://quay.example/api/posts?tax[terms][0]=3&tax[terms][1]=4&tax[and]=true')
  })
})

describe('the body', () => {
  test('has values of the types of the arguments', () => {
    const { body, headers } = ofPost(
      field('title', 'body', 'High tide'),
      field('author', 'body', '3', 'integer'),
      field('sticky', 'body', 'true', 'boolean'),
      field('tags', 'body', 'a, b', 'list'),
      field('categories', 'body', '3, 4', 'numbers'),
      field('meta', 'body', '{"depth":4}', 'json'),
    )
    expect(JSON.parse(body ?? '')).toEqual({
      ...{ title: 'High tide', author: 3, sticky: true, tags: ['a', 'b'], categories: [3, 4], meta: { depth: 4 } },
    })
    expect(headers).toEqual({ 'Content-Type': 'application/json' })
  })

  test('has values that do not match as typed', () => {
    const { body } = ofPost(field('author', 'body', 'three', 'integer'), field('title', 'body', 'Tide', 'json'))
    expect(JSON.parse(body ?? '')).toEqual({ author: 'three', title: 'Tide' })
  })

  test('adds members without a field', () => {
    const { body } = sent({ method: 'POST', fields: [field('title', 'body', 'Tide')], body: '{"more":1}' })
    expect(JSON.parse(body ?? '')).toEqual({ title: 'Tide', more: 1 })
  })

  test('is the typed text if there are no fields', () => {
    expect(sent({ method: 'POST', body: '[1]' })).toMatchObject({
      body: '[1]',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(sent({ method: 'POST', body: 'tide' })).toMatchObject({
      body: 'tide',
      headers: { 'Content-Type': 'text/plain' },
    })
  })

  test('is absent if nothing was typed, and with GET', () => {
    expect(ofPost().body).toBeUndefined()
    expect(sent({ body: '{}' })).toEqual({ method: 'GET', url: 'https://quay.example/api/posts', headers: {} })
  })
})

test('sends credentials as UTF-8', () => {
  const header = basic({ login: 'zoë', password: 'päss' })
  expect(Buffer.from(header.slice(6), 'base64').toString()).toBe('zoë:päss')
})

test('parses JSON, and no other type or broken text', () => {
  expect(parseBody('{"a":1}', 'application/problem+json; charset=UTF-8')).toEqual({ value: { a: 1 } })
  expect(parseBody('null', 'application/json')).toEqual({ value: null })
  expect(parseBody('{"a":1}', 'text/csv')).toBeUndefined()
  expect(parseBody('{broken', 'application/json')).toBeUndefined()
})
