/**
 * Three hundred requests to a fresh site, the same each time: every route of the profile once, then a mix of queries, writes,
 * errors, credentials, other origins, batches and other ways to say the same.
 */
import { basic } from '../../support/site.ts'
import { createNamedSite } from '../sites.ts'
import { createDice, type Dice } from './random.ts'

export interface Step {
  readonly method: string
  /** The path below the root. */
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Sends the ETag of the answer before as this header. */
  readonly condition?: 'If-Match' | 'If-None-Match'
}

export const length = 300

export async function writeScript(): Promise<readonly Step[]> {
  const { api, ids } = await createNamedSite('d1')
  const { routes } = (await api.index()) as { routes: { [pattern: string]: { endpoints: { methods: string[] }[] } } }
  await api.close()
  const dice = createDice(20_240_615)
  const steps = Object.entries(routes).flatMap(([pattern, { endpoints }]) =>
    endpoints.map(({ methods: [method = 'GET'] }) => ({
      method,
      path: pattern.replace(/\(\?P<(\w+)>[^)]*\)/g, (_, name: string) => sampleOf(name, ids)),
      headers: as(dice.pick([undefined, 'sam', 'edith', 'ada', 'ada'])),
      ...(method === 'GET' ? {} : json({})),
    })),
  )
  while (steps.length < length) steps.push(...(dice.pick(kinds)(dice, ids) as typeof steps))
  return steps.slice(0, length)
}

type Ids = { readonly [reference: string]: number }

const values: { readonly [name: string]: string } = {
  slug: 'hello-forms',
  key: 'builder_experiment',
  type: 'post',
  taxonomy: 'category',
}
const sampleOf = (name: string, ids: Ids) => values[name] ?? String(ids['post.hello'])

const as = (login: string | undefined): { readonly [name: string]: string } =>
  login === undefined ? {} : { Authorization: basic(login) }

const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })

/** Each makes one request, or a few that belong together. */
const kinds: readonly ((dice: Dice, ids: Ids) => readonly Step[])[] = [
  list,
  list,
  record,
  write,
  write,
  write,
  write,
  mistake,
  badCredentials,
  otherOrigin,
  alternateRoot,
  override,
  batch,
  condition,
  oddPath,
]

const users = [undefined, 'sam', 'connie', 'arthur', 'aiko', 'edith', 'ada']
const writers = ['edith', 'edith', 'edith', 'ada', 'arthur', 'connie', undefined]
const texts = ['tide', 'Über & "quay"', '日本', 'a+b', '%', '', 'lighthouse excerpt', "o'clock; --"]

function query(dice: Dice): string {
  const parts = [
    () => `per_page=${dice.pick([1, 2, 5, 100, 0, 101, '1.5', 'x'])}`,
    () => `page=${dice.pick([1, 2, 3, 99])}`,
    () => `search=${encodeURIComponent(dice.pick(texts))}`,
    () => `orderby=${dice.pick(['date', 'title', 'id', 'slug', 'relevance', 'password'])}`,
    () => `order=${dice.pick(['asc', 'desc', 'up'])}`,
    () => `_fields=${dice.pick(['id', 'id,title', 'id,_links.self', 'nothing'])}`,
    () => `categories=${dice.pick(['1', '2,3', '4', 'x'])}`,
    () => `categories[]=${dice.pick([1, 2])}&categories[]=3`,
    () => `tags[terms]=5&tags[operator]=${dice.pick(['AND', 'OR'])}`,
    () => `status=${dice.pick(['publish', 'draft', 'any', 'publish,private'])}`,
    () => `context=${dice.pick(['view', 'embed', 'edit', 'all'])}`,
    () => `slug=${dice.pick(['ferry', 'ferry,tide', 'none'])}`,
    () => `after=${dice.pick(['2024-01-12T00:00:00', 'yesterday'])}`,
    () => `sticky=${dice.pick(['true', '0', 'maybe'])}`,
    () => '_embed',
    () => `_envelope=${dice.pick([1, 0])}`,
    () => '_locale=user&unknown=1&unknown[a][b]=2',
  ]
  return Array.from({ length: 1 + dice.below(3) }, () => dice.pick(parts)()).join('&')
}

const anyPost = (dice: Dice, ids: Ids) => String(dice.pick([...postKeys.map((key) => ids[`post.${key}`]), 4711]))
const postKeys = ['hello', 'ferry', 'tide', 'locked', 'built', 'private', 'draft', 'trashed', 'future']

function list(dice: Dice): Step[] {
  const path = dice.pick(['/cms/v2/posts', '/cms/v2/posts', '/cms/v2/posts/', '/builder/v1/post', '/cms/v2/types', '/'])
  return [{ method: dice.pick(['GET', 'GET', 'HEAD']), path: `${path}?${query(dice)}`, headers: as(dice.pick(users)) }]
}

function record(dice: Dice, ids: Ids): Step[] {
  const below = dice.pick(['', '', '/revisions', '/autosaves', `/revisions/${ids['revision.hello.1']}`])
  const path = `/cms/v2/posts/${anyPost(dice, ids)}${below}?${query(dice)}`
  return [{ method: dice.pick(['GET', 'HEAD', 'OPTIONS']), path, headers: as(dice.pick(users)) }]
}

function post(dice: Dice): object {
  const parts = [
    () => ({ title: dice.pick(texts) }),
    () => ({ content: `<p>${dice.pick(texts)}</p>` }),
    () => ({ status: dice.pick(['draft', 'draft', 'publish', 'publish', 'pending', 'private', 'wrong']) }),
    () => ({ categories: dice.pick([[2], [2, 4], [3], ['x'], 2]) }),
    () => ({ sticky: dice.pick([true, false, 'true']) }),
    () => ({ date: dice.pick(['2024-05-05T10:00:00', '2098-01-01T00:00:00', 'soon', null]) }),
    () => ({ excerpt: dice.pick(texts) }),
    () => ({ title: { raw: dice.pick(texts) } }),
    () => ({ meta: { _builder_edit_mode: 'builder', unknown: 1 } }),
    () => ({ password: dice.pick(['sesame', '', 5]) }),
    () => ({ slug: dice.pick(['quay', 'Ünlike', 'a b']) }),
  ]
  return Object.assign({}, ...Array.from({ length: 1 + dice.below(3) }, () => dice.pick(parts)()))
}

const put = (dice: Dice, method: string, path: string, body: object, login = dice.pick(writers)): Step => {
  const { headers, body: text } = json(body)
  return { method, path, body: text, headers: { ...headers, ...as(login) } }
}

function write(dice: Dice, ids: Ids): Step[] {
  const id = anyPost(dice, ids)
  const form = { method: 'POST', path: '/cms/v2/posts', body: `title=Form+%26+${dice.below(9)}&status=draft` }
  return [
    dice.pick([
      () => put(dice, 'POST', '/cms/v2/posts', post(dice)),
      () => put(dice, dice.pick(['POST', 'PUT', 'PATCH']), `/cms/v2/posts/${id}`, post(dice)),
      () => put(dice, 'POST', `/cms/v2/posts/${id}/autosaves`, post(dice)),
      () => put(dice, 'DELETE', `/cms/v2/posts/${id}`, { force: dice.pick([true, false, 'no']) }),
      () => put(dice, 'DELETE', `/cms/v2/posts/${id}?force=${dice.pick(['true', 'false', ''])}`, {}),
      () => put(dice, 'POST', '/builder/v1/settings/builder_note', { value: dice.pick(texts) }),
      () => put(dice, 'POST', '/builder/v1/favorites/widgets', { favorite: 'heading' }),
      () => put(dice, 'PATCH', '/builder/v1/user-data/current-user', { suppressedMessages: ['a'] }),
      () => ({ ...form, headers: { ...as('edith'), 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ])(),
  ]
}

function mistake(dice: Dice): Step[] {
  const sent = (body: string, type = 'application/json'): Step => ({
    ...{ method: 'POST', path: '/cms/v2/posts', body },
    headers: { ...as('edith'), 'Content-Type': type },
  })
  return [
    dice.pick([
      () => sent('{"title":'),
      () => sent('[1,2]'),
      () => sent('{"title":"a","__proto__":{}}'),
      () => sent(`{"title":${'['.repeat(300)}${']'.repeat(300)}}`),
      () => sent('{"title":"a\\u0000"}'),
      () => sent('{"title":"plain"}', 'text/plain'),
      () => sent('{"title":"typed"}', 'application/vnd.own+json'),
      () => sent('title=a', 'application/json; charset=utf-16'),
      () => ({ ...sent(JSON.stringify({ event: 'x'.repeat(70_000) })), path: '/builder/v1/send-event' }),
      () => sent('"text"'),
      () => ({ method: 'GET', path: `/cms/v2/posts?${'a=1&'.repeat(1001)}` }),
      () => ({ method: 'GET', path: `/cms/v2/posts?tags${'[a]'.repeat(6)}=1` }),
      () => ({ method: 'DELETE', path: '/cms/v2/types' }),
      () => ({ method: 'PUT', path: '/nowhere', body: '{}', headers: { 'Content-Type': 'application/json' } }),
    ])(),
  ]
}

function badCredentials(dice: Dice): Step[] {
  const credentials = dice.pick([
    basic('edith', 'wrong'),
    basic('nobody', 'wrong'),
    'Basic',
    'Basic %%%',
    `Basic ${btoa('edith')}`,
    `bASIC ${basic('edith').slice(6)}`,
    `${basic('edith')}, ${basic('ada')}`,
    'Bearer abc',
    `Basic ${'x'.repeat(2000)}`,
  ])
  return [
    { method: dice.pick(['GET', 'HEAD']), path: '/cms/v2/posts?per_page=1', headers: { Authorization: credentials } },
  ]
}

function otherOrigin(dice: Dice): Step[] {
  const headers = {
    Origin: dice.pick(['https://app.example', 'null', 'https://quay.example']),
    ...(dice.below(2) ? { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'if-match' } : {}),
  }
  return [
    { method: dice.pick(['OPTIONS', 'GET', 'HEAD']), path: dice.pick(['/cms/v2/posts', '/', '/nowhere']), headers },
  ]
}

function alternateRoot(dice: Dice, ids: Ids): Step[] {
  const path = dice.pick(['/cms/v2/posts', `/cms/v2/posts/${anyPost(dice, ids)}`, '/', '/nowhere', 'no-slash', '//two'])
  const asked = query(dice)
  const form = dice.pick([
    `rest_route=${path}&${asked}`,
    `${asked}&rest_route=${encodeURIComponent(path)}`,
    `rest_route=${encodeURIComponent(`${path}?${asked}`)}`,
    `rest_route[]=${path}`,
  ])
  const method = dice.pick(['GET', 'GET', 'HEAD', 'OPTIONS'])
  return [{ method, path: `${dice.pick(['', '/'])}?${form}`, headers: as(dice.pick(users)) }]
}

function override(dice: Dice, ids: Ids): Step[] {
  const path = `/cms/v2/posts/${anyPost(dice, ids)}`
  const method = dice.pick(['DELETE', 'PATCH', 'get', 'TRACE', 'OPTIONS'])
  const step = put(dice, 'POST', path, post(dice))
  return [
    dice.pick([
      { ...step, headers: { ...step.headers, 'X-HTTP-Method-Override': method } },
      { ...step, path: `${path}?_method=${method}` },
      { method: 'GET', path: `${path}?_method=DELETE`, headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    ]),
  ]
}

function batch(dice: Dice, ids: Ids): Step[] {
  const item = () =>
    dice.pick([
      () => ({ path: '/cms/v2/posts', method: 'POST', body: post(dice) }),
      () => ({ path: `/cms/v2/posts/${anyPost(dice, ids)}`, method: 'PATCH', body: post(dice) }),
      () => ({ path: `/cms/v2/posts/${anyPost(dice, ids)}`, method: 'DELETE' }),
      () => ({ path: '/batch/v1', method: 'POST' }),
      () => ({ path: '/cms/v2/posts', method: 'GET' }),
      () => ({ path: 'http://elsewhere.example/' }),
    ])()
  const requests = Array.from({ length: dice.pick([0, 1, 3, 5, 26]) }, item)
  const validation = dice.pick([{}, { validation: 'require-all-validate' }, { atomic: true }])
  return [put(dice, 'POST', '/batch/v1', { ...validation, requests })]
}

/** A read, and the same or a write under the condition that nothing has changed since. */
function condition(dice: Dice, ids: Ids): Step[] {
  const path = `/cms/v2/posts/${anyPost(dice, ids)}`
  const headers = as('edith')
  return [
    { method: 'GET', path, headers },
    dice.pick<Step>([
      { method: 'GET', path, headers, condition: 'If-None-Match' },
      { method: 'HEAD', path, headers, condition: 'If-None-Match' },
      { ...put(dice, 'PATCH', path, post(dice), 'edith'), condition: 'If-Match' },
      { ...put(dice, 'PATCH', path, post(dice), 'edith'), headers: { ...headers, 'If-Match': '"other"' } },
    ]),
  ]
}

function oddPath(dice: Dice): Step[] {
  const path = dice.pick([
    '/CMS/v2/Posts?per_page=1',
    '/cms/v2/%70osts?per_page=1',
    '/cms/v2/posts/?per_page=1',
    '/cms//v2/posts',
    '/cms/v2/posts;x',
    '/cms/v2/posts.json',
    '/cms/v2/posts/99999999999999999999',
    `/builder/v1/kit-elements-defaults/${'x'.repeat(600)}`,
    '/builder/v1/settings/a%20b',
    `/${'%C3%A9'.repeat(100)}`,
    '/authorize?app_name=A',
  ])
  return [{ method: dice.pick(['GET', 'HEAD', 'OPTIONS']), path, headers: as(dice.pick(users)) }]
}
