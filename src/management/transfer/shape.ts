/**
 * Shapes of JSON values from outside: each checks a value and names the place of the first mistake. The types of the site
 * format are made from them, so that a member is written down once.
 */
import type { Json } from '../../storage/contract.ts'

/** A document that is no site. The message names the place. */
export class SiteDocumentError extends Error {
  readonly code = 'site_document'
  readonly place: string
  constructor(place: string, problem: string) {
    super(`${place || 'the document'} ${problem}`)
    this.name = 'SiteDocumentError'
    this.place = place
  }
}

/** Answers the value, or throws a SiteDocumentError. */
export interface Shape<T> {
  (value: unknown, place: string): T
  readonly isOptional?: boolean
}
export interface OptionalShape<T> extends Shape<T> {
  readonly isOptional: true
}
export type Shaped<S> = S extends Shape<infer T> ? T : never

type Members = { readonly [name: string]: Shape<unknown> }
type OptionalNames<M> = { [K in keyof M]: M[K] extends OptionalShape<unknown> ? K : never }[keyof M]
type MembersOf<M> = {
  readonly [K in Exclude<keyof M, OptionalNames<M>>]: Shaped<M[K]>
} & { readonly [K in OptionalNames<M>]?: Shaped<M[K]> }

export const text: Shape<string> = (value, place) => {
  if (typeof value !== 'string') throw new SiteDocumentError(place, 'must be a text')
  if (value.includes('\0')) throw new SiteDocumentError(place, 'holds a NUL character')
  return value
}

export const filled: Shape<string> = (value, place) => {
  if (text(value, place) === '') throw new SiteDocumentError(place, 'must not be empty')
  return value as string
}

export const whole: Shape<number> = (value, place) => {
  if (!Number.isSafeInteger(value)) throw new SiteDocumentError(place, 'must be an integer')
  return value as number
}

export const decimal: Shape<number> = (value, place) => {
  if (!Number.isFinite(value)) throw new SiteDocumentError(place, 'must be a number')
  return value as number
}

export const flag: Shape<boolean> = (value, place) => {
  if (typeof value !== 'boolean') throw new SiteDocumentError(place, 'must be true or false')
  return value
}

/** `YYYY-MM-DDTHH:MM:SS`, a moment that exists. */
export const moment: Shape<string> = (value, place) => {
  const written = text(value, place)
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(written) ? Date.parse(`${written}Z`) : Number.NaN
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(written)
  if (!isReal) throw new SiteDocumentError(place, 'must be a time like 2024-05-31T09:30:00')
  return written
}

const maxDepth = 200

/** Any JSON value that a storage keeps. */
export const json: Shape<Json> = (value, place) => {
  checkJson(value, place, 0)
  // The cast: everything in it was just seen.
  return value as Json
}

function checkJson(value: unknown, place: string, depth: number): void {
  if (depth > maxDepth) throw new SiteDocumentError(place, `is nested deeper than ${maxDepth} levels`)
  if (typeof value === 'string') text(value, place)
  else if (typeof value === 'number') decimal(value, place)
  else if (Array.isArray(value)) value.forEach((one, index) => void checkJson(one, `${place}[${index}]`, depth + 1))
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) checkJson(member, at(place, text(name, place)), depth + 1)
  } else if (value !== null && typeof value !== 'boolean') throw new SiteDocumentError(place, 'must be a JSON value')
}

export const oneOf =
  <const V extends readonly string[]>(values: V): Shape<V[number]> =>
  (value, place) => {
    if (!values.includes(value as string)) throw new SiteDocumentError(place, `must be one of ${values.join(', ')}`)
    return value as V[number]
  }

export const nullable =
  <T>(inner: Shape<T>): Shape<T | null> =>
  (value, place) =>
    value === null ? null : inner(value, place)

export const listOf =
  <T>(inner: Shape<T>): Shape<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) throw new SiteDocumentError(place, 'must be a list')
    return value.map((one, index) => inner(one, `${place}[${index}]`))
  }

/** An object whose names are free. */
export const mapOf =
  <T>(inner: Shape<T>): Shape<{ readonly [name: string]: T }> =>
  (value, place) =>
    Object.fromEntries(
      entriesOf(value, place).map(([name, member]) => [text(name, place), inner(member, at(place, name))]),
    )

export const optional = <T>(inner: Shape<T>): OptionalShape<T> =>
  Object.assign((value: unknown, place: string) => inner(value, place), { isOptional: true as const })

/** An object with these members and no others. */
export const object =
  <const M extends Members>(members: M): Shape<MembersOf<M>> =>
  (value, place) => {
    const given = entriesOf(value, place)
    const unknown = given.find(([name]) => !Object.hasOwn(members, name))
    if (unknown) throw new SiteDocumentError(place, `has a member that is not known: ${JSON.stringify(unknown[0])}`)
    const read = new Map<string, unknown>()
    for (const [name, member] of given) {
      if (member !== undefined) read.set(name, members[name]?.(member, at(place, name)))
    }
    const missing = Object.keys(members).find((name) => !members[name]?.isOptional && !read.has(name))
    if (missing !== undefined) throw new SiteDocumentError(place, `lacks the member ${JSON.stringify(missing)}`)
    // The cast: each member went through its own shape.
    return Object.fromEntries(read) as MembersOf<M>
  }

function entriesOf(value: unknown, place: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SiteDocumentError(place, 'must be an object')
  }
  return Object.entries(value)
}

function at(place: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${place}[${JSON.stringify(name)}]`
  return place === '' ? name : `${place}.${name}`
}
