/** Converts the values of a form to a request. Independent of the page. */

export interface Field {
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'body'
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'numbers' | 'json'
  /** The entered value; never empty. */
  readonly value: string
}

export interface Credentials {
  readonly login: string
  readonly password: string
}

export interface FormValues {
  /** The URL of the API without a trailing slash. */
  readonly base: string
  readonly method: string
  /** The path has placeholders such as `{id}`. */
  readonly path: string
  readonly fields: readonly Field[]
  /** Raw query pairs, for arguments without a field. */
  readonly query: string
  /** JSON that is the whole body, or adds members to the fields of the body. */
  readonly body: string
  readonly credentials?: Credentials | undefined
}

export interface Attempt {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
}

export function attemptOf(values: FormValues): Attempt {
  const { base, method, path, fields, credentials } = values
  const fieldsIn = (place: Field['place']) => fields.filter((field) => field.place === place)
  const pairs = fieldsIn('query').flatMap(({ name, kind, value }) =>
    pairsOf(name, kind === 'json' ? parsed(value) : value),
  )
  const query = [...pairs, values.query.trim().replace(/^[?&]+/, '')].filter((pair) => pair !== '')
  const body = method === 'GET' ? undefined : bodyOf(fieldsIn('body'), values.body.trim())
  return {
    method,
    url: base + filledPath(path, fieldsIn('path')) + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: {
      ...Object.fromEntries(fieldsIn('header').map(({ name, value }) => [name, value])),
      ...(credentials ? { Authorization: basic(credentials) } : {}),
      ...(body ? { 'Content-Type': body.type } : {}),
    },
    ...(body ? { body: body.text } : {}),
  }
}

/** A placeholder without a value stays visible as `{id}`. */
const filledPath = (path: string, fields: readonly Field[]) =>
  path.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = fields.find((field) => field.name === name)?.value
    return value === undefined ? placeholder : encodeURIComponent(value)
  })

/** `a[b]=1` for a member of an object, `a=1,2` for a list that was typed as text. */
function pairsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pairsOf(`${name}[${index}]`, item))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => pairsOf(`${name}[${key}]`, member))
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`]
}

/** JSON; plain text only for a body without fields that is not JSON. */
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

/** A value that does not match its kind is sent as typed, so that the service returns the error. */
export function memberOf({ kind, value }: Field): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return numberOf(value)
    case 'numbers':
      return itemsOf(value).map((item) => (typeof item === 'string' ? numberOf(item) : item))
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'list':
      return itemsOf(value)
    case 'json':
      return parsed(value)
    default:
      return value
  }
}

const numberOf = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** Separated by commas, or JSON. */
function itemsOf(value: string): readonly unknown[] {
  const list = value.trim().startsWith('[') ? parsed(value) : undefined
  if (Array.isArray(list)) return list
  const items = value.split(',').map((item) => item.trim())
  return items.filter((item) => item !== '')
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

/** The value of a JSON body; undefined for other types and for broken JSON. */
export function parseBody(text: string, contentType: string): { readonly value: unknown } | undefined {
  if (!/[/+]json\b/.test(contentType)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
