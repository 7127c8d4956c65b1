/**
 * The examples of the OpenAPI document, made of the requests that the pages of docs/features show: for each route the first
 * one that succeeded. `npm run docs` writes them.
 */

import { invalid } from '../src/contract/scalars.ts'
import type { EndpointExample } from '../src/core/declare/documentation.ts'
import { parsePattern } from '../src/core/declare/pattern.ts'
import { coercer } from '../src/core/request/coercion.ts'
import type { Exchange } from './requests/scene.ts'
import { withMasks } from './requests/shown.ts'
import type { Row } from './tables.ts'

export const examplesFile = 'src/profiles/recorded-examples.ts'

export interface Recording {
  readonly exchanges: readonly Exchange[]
  readonly masks: ReadonlyMap<string, string>
}

/** The text of the file. */
export function examplesText(recordings: readonly Recording[], rows: readonly Row[]): string {
  const listed = rows.filter(({ endpoint }) => !endpoint.unlisted)
  const examples: { [route: string]: EndpointExample } = {}
  for (const { exchanges, masks } of recordings) {
    for (const exchange of exchanges.filter(({ status }) => status < 300)) {
      const found = routeOf(exchange, listed)
      if (found) examples[`${exchange.method} ${found.row.path}`] ??= exampleOf(exchange, found, masks)
    }
  }
  fillPaths(examples, listed)
  const lines = Object.entries(examples).map(
    ([route, example]) => `${JSON.stringify(route)}:${JSON.stringify(example)}`,
  )
  const escaped = lines.join(',\n').replace(/[\\`]|\$\{/g, (character) => `\\${character}`)
  return `/** Made from docs/requests by \`npm run docs\`; not written by hand. JSON, because it is parsed on demand only. */\nexport const recordedExamples = \`{\n${escaped}\n}\`\n`
}

interface Found {
  readonly row: Row
  readonly parameters: { readonly [name: string]: string }
}

/** Routes with fewer parameters first, as in the router. */
function routeOf({ method, path }: Exchange, rows: readonly Row[]): Found | undefined {
  const [pathname = ''] = path.split('?')
  const matches = rows.flatMap((row) => {
    if (!row.endpoint.methods.includes(method as 'GET')) return []
    const groups = new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`).exec(pathname)
    return groups ? [{ row, parameters: { ...groups.groups } }] : []
  })
  return matches.sort((a, b) => Object.keys(a.parameters).length - Object.keys(b.parameters).length)[0]
}

function exampleOf(exchange: Exchange, { row, parameters }: Found, masks: Recording['masks']): EndpointExample {
  const { says, body, status, path, response, whole } = exchange
  const query = queryOf(path)
  const { _fields: fields, ...sent } = { ...query, ...parameters }
  const args = Object.entries(sent).map(([name, value]) => [name, argumentOf(row, name, value)] as const)
  const isList = Array.isArray(body)
  // Responses of other types than JSON, and those that `_fields` has cut, are left out.
  const shown = whole ?? (fields === undefined && typeof response === 'object' ? response : undefined)
  return withMasks(
    {
      summary: says,
      args: { ...Object.fromEntries(args), ...(isList ? {} : body) },
      ...(isList ? { body } : {}),
      ...(shown === undefined ? {} : { status, response: shown }),
    },
    masks,
  )
}

/** `a[b]=1` is a member of an object. */
function queryOf(path: string): { readonly [name: string]: unknown } {
  const result: { [name: string]: unknown } = {}
  for (const [key, value] of new URL(path, 'https://any.example').searchParams) {
    const [, name = key, member] = /^(\w+)\[(\w+)\]$/.exec(key) ?? []
    result[name] = member === undefined ? value : { ...(result[name] as object | undefined), [member]: value }
  }
  return result
}

function argumentOf({ endpoint }: Row, name: string, value: unknown): unknown {
  const arg = endpoint.args[name]
  const coerced = arg ? coercer(arg.node)(value) : value
  return coerced === invalid ? value : coerced
}

/** Routes without a recorded request get the path parameters of another route that begins the same. */
function fillPaths(examples: { [route: string]: EndpointExample }, rows: readonly Row[]): void {
  const known = new Map<string, unknown>()
  // Reads first: their records exist after the recording.
  const routes = Object.entries(examples).sort(([a], [b]) => Number(b.startsWith('GET')) - Number(a.startsWith('GET')))
  for (const [route, { args = {} }] of routes) {
    for (const [prefix, name] of parametersIn(route.replace(/^\S+ /, ''))) {
      if (!known.has(prefix)) known.set(prefix, args[name])
    }
  }
  for (const { path, endpoint } of rows) {
    const values = parametersIn(path).flatMap(([prefix, name]) => {
      const value = known.get(prefix)
      return value === undefined || !isValid(endpoint.path, name, value) ? [] : [[name, value] as const]
    })
    const [method = ''] = endpoint.methods
    const isKnown = endpoint.methods.some((one) => examples[`${one} ${path}`])
    if (values.length > 0 && !isKnown) examples[`${method} ${path}`] = { args: Object.fromEntries(values) }
  }
}

function isValid(path: string, name: string, value: unknown): boolean {
  const parameter = parsePattern(path).parameters.find((one) => one.name === name)
  return parameter !== undefined && new RegExp(`^${parameter.pattern}$`).test(String(value))
}

/** Each parameter with the path up to it, in which other names do not matter. */
const parametersIn = (path: string): (readonly [prefix: string, name: string])[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(({ index, 1: name = '' }) => [
    path.slice(0, index).replace(/\{\w+\}/g, '{}'),
    name,
  ])
