/** A request as code: a curl command, a call of fetch, a call of the client. None of them has the password. */
import { type Attempt, type FormValues, memberOf } from './request.ts'

export interface SnippetValues extends FormValues {
  /** The profile whose type the client takes; empty if the paths are not those of the type. */
  readonly profile: string
}

interface Language {
  readonly name: string
  readonly write: (values: SnippetValues, attempt: Attempt) => string
}

export const languages: readonly Language[] = [
  { name: 'curl', write: ({ credentials }, attempt) => curlOf(attempt, credentials?.login) },
  { name: 'fetch', write: ({ credentials }, attempt) => fetchOf(attempt, credentials?.login) },
  { name: 'client', write: clientOf },
]

/** Writes a command for a POSIX shell. curl prompts for the password. */
export function curlOf({ method, url, headers, body }: Attempt, login: string | undefined): string {
  const command = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(login === undefined ? [] : [`-u ${quoted(login)}`]),
    // curl expands brackets without -g.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    quoted(url),
  ]
  const lines = [
    command.join(' '),
    ...otherHeaders(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(readable(body, headers['Content-Type']))}`]),
  ]
  return lines.join(' \\\n  ')
}

const readable = (body: string, type: string | undefined) =>
  type === 'application/json' && body.length > 60 ? JSON.stringify(JSON.parse(body), null, 2) : body

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const otherHeaders = (headers: Attempt['headers']) =>
  Object.entries(headers).filter(([name]) => name !== 'Authorization')

export function fetchOf({ method, url, headers, body }: Attempt, login: string | undefined): string {
  const names = [
    ...(login === undefined ? [] : [`    Authorization: \`Basic \${btoa(${literal(`${login}:`)} + password)}\`,`]),
    ...otherHeaders(headers).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
  ]
  const members = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(names.length === 0 ? [] : ['  headers: {', ...names, '  },']),
    ...(body === undefined ? [] : [`  body: ${bodyLiteral(body, headers['Content-Type'])},`]),
  ]
  const init = members.length === 0 ? '' : `, {\n${members.join('\n')}\n}`
  return `const response = await fetch(${literal(url)}${init})\nconst data = await response.json()`
}

const bodyLiteral = (body: string, type: string | undefined) =>
  type === 'application/json' ? `JSON.stringify(${indented(JSON.parse(body), '  ')})` : literal(body)

function clientOf(values: SnippetValues): string {
  const { base, method, path, fields, credentials, profile, query, body } = values
  const args = Object.fromEntries([
    ...fields.filter(({ place }) => place !== 'header').map((field) => [field.name, memberOf(field)] as const),
    ...new URLSearchParams(query.trim()),
    ...bodyMembers(body, method),
  ])
  const headers = fields.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value])
  const raw = Object.keys(bodyMembers(body, method)).length === 0 && method !== 'GET' ? body.trim() : ''
  const options = [
    ...(headers.length === 0 ? [] : [`headers: ${indented(Object.fromEntries(headers), '')}`]),
    ...(raw === '' ? [] : [`body: ${parsedLiteral(raw)}`]),
  ]
  const given = [
    literal(path),
    ...(Object.keys(args).length > 0 || options.length > 0 ? [indented(args, '')] : []),
    ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
  ]
  const signIn = credentials ? `\n  signIn: { login: ${literal(credentials.login)}, password },` : ''
  const creation = `const client = createClient${profile === '' ? '' : `<typeof ${profile}>`}({\n  url: ${literal(base)},${signIn}\n})`
  return [
    ...imports(profile),
    '',
    creation,
    `const { data, error } = await client.${method.toLowerCase()}(${given.join(', ')})`,
  ].join('\n')
}

function imports(profile: string): string[] {
  const own = /^(?:d1|d2|content|full)$/.test(profile) ? 'site-api' : './profile.ts'
  return [
    ...(profile === '' ? [] : [`import type { ${profile} } from '${own}'`]),
    "import { createClient } from 'site-api/client'",
  ]
}

/** The members of a typed body that is an object. */
function bodyMembers(body: string, method: string): (readonly [string, unknown])[] {
  const value = method === 'GET' || body.trim() === '' ? undefined : parsed(body)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const parsedLiteral = (text: string) => indented(parsed(text), '')

const literal = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A value as a literal of JavaScript; short objects in one line. */
function indented(value: unknown, indent: string): string {
  if (typeof value === 'string') return literal(value)
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value))
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((item) => indented(item, inner))
    : Object.entries(value).map(([name, member]) => `${memberName(name)}: ${indented(member, inner)}`)
  if (parts.length === 0) return `${open}${close}`
  const line = parts.join(', ')
  if (line.length < 60 && !line.includes('\n')) return Array.isArray(value) ? `[${line}]` : `{ ${line} }`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

const memberName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))
