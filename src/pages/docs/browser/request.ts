/** From what was filled in to a request, and to the line that sends the same from a terminal. Knows nothing of the page. */

export interface Field {
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'body'
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'
  /** As it was typed, never empty. */
  readonly value: string
}

export interface Credentials {
  readonly login: string
  readonly password: string
}

export interface Filled {
  /** Where the API is: its address without a slash at the end. */
  readonly base: string
  readonly method: string
  /** With `{id}` and the like. */
  readonly path: string
  readonly fields: readonly Field[]
  /** Pairs as they stand, for arguments without a field. */
  readonly query: string
  /** The body as a whole, or what is added to the fields in it. */
  readonly body: string
  readonly credentials?: Credentials | undefined
}

export interface Attempt {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
}

export function attemptOf(filled: Filled): Attempt {
  const { base, method, path, fields, credentials } = filled
  const at = (place: Field['place']) => fields.filter((field) => field.place === place)
  const pairs = at('query').flatMap(({ name, kind, value }) => pairsOf(name, kind === 'json' ? parsed(value) : value))
  const query = [...pairs, filled.query.trim().replace(/^[?&]+/, '')].filter((one) => one !== '')
  const body = method === 'GET' ? undefined : bodyOf(at('body'), filled.body.trim())
  return {
    method,
    url: base + filledPath(path, at('path')) + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: {
      ...Object.fromEntries(at('header').map(({ name, value }) => [name, value])),
      ...(credentials ? { Authorization: basic(credentials) } : {}),
      ...(body ? { 'Content-Type': body.type } : {}),
    },
    ...(body ? { body: body.text } : {}),
  }
}

/** What was left out stays as `{id}`, so that it is seen. */
const filledPath = (path: string, fields: readonly Field[]) =>
  path.replace(/\{(\w+)\}/g, (hole, name) => {
    const value = fields.find((field) => field.name === name)?.value
    return value === undefined ? hole : encodeURIComponent(value)
  })

/** `a[b]=1` for what is in an object, `a=1,2` for a list that was typed as a text. */
function pairsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => pairsOf(`${name}[${index}]`, one))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => pairsOf(`${name}[${key}]`, one))
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`]
}

/** JSON, unless nothing but a text that is none was typed. */
function bodyOf(fields: readonly Field[], typed: string): { readonly type: string; readonly text: string } | undefined {
  if (fields.length === 0 && typed === '') return undefined
  const more = typed === '' ? {} : parsed(typed)
  if (fields.length === 0) {
    return isJson(typed) ? { type: 'application/json', text: typed } : { type: 'text/plain', text: typed }
  }
  const members = Object.fromEntries(fields.map((field) => [field.name, memberOf(field)]))
  const all = typeof more === 'object' && more !== null && !Array.isArray(more) ? { ...members, ...more } : members
  return { type: 'application/json', text: JSON.stringify(all) }
}

/** What does not fit its kind is sent as it was typed: the service says what is wrong with it. */
export function memberOf({ kind, value }: Field): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'list':
      return value.trim().startsWith('[')
        ? parsed(value)
        : value
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== '')
    case 'json':
      return parsed(value)
    default:
      return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isJson = (text: string) => typeof parsed(text) !== 'string' || text.startsWith('"')

export function basic({ login, password }: Credentials): string {
  const bytes = new TextEncoder().encode(`${login}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** For a POSIX shell. The password stays out of it: curl asks. */
export function curlOf({ method, url, headers, body }: Attempt, login: string | undefined): string {
  const sent = Object.entries(headers).filter(([name]) => name !== 'Authorization')
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(login === undefined ? [] : ['-u', quoted(login)]),
    ...sent.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...(body === undefined ? [] : ['--data-raw', quoted(body)]),
    // Brackets mean something to curl.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    quoted(url),
  ]
  return parts.join(' ')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** JSON on several lines; all else as it came. */
export function prettyBody(text: string, contentType: string): string {
  if (!/[/+]json\b/.test(contentType)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Whether all words stand somewhere in the text. */
export function matches(text: string, wanted: string): boolean {
  const lower = text.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
