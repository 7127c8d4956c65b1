/**
 * Builders for what an endpoint answers. The members of an answer are always there unless it says `sometimes`, and there
 * are no others; everything else is described with the builders of the arguments (`int`, `str`, `list`, ...).
 */
import { type Arg, list, type SchemaNode, str } from './args.ts'

/** The form of one answer. `contentType` is that of a body that is no JSON. */
export interface ResponseSchema<T = unknown> extends Arg<T> {
  readonly contentType?: string
  /** What the same is also sent as, where the caller asks for it. */
  readonly alsoAs?: string
}

/** What a success answers, by its status; also refusals whose body is not that of all errors. */
export interface Responses {
  readonly [status: number]: ResponseSchema
}

/** A member that may be missing: in another context, or because there is nothing to say. */
export interface Sometimes<T = unknown> extends Arg<T> {
  readonly isSometimes: true
}

export interface Members {
  readonly [name: string]: Arg | Sometimes
}

type ValueOf<A> = A extends Arg<infer T> ? T : never
type AlwaysIn<M> = { readonly [K in keyof M as M[K] extends Sometimes ? never : K]: ValueOf<M[K]> }
type SometimesIn<M> = { readonly [K in keyof M as M[K] extends Sometimes ? K : never]?: ValueOf<M[K]> }
/** The value of an answer with these members. */
export type MemberValues<M> = AlwaysIn<M> & SometimesIn<M>

export const sometimes = <T>(inner: Arg<T>): Sometimes<T> => ({ node: inner.node, isSometimes: true })

type Words = Pick<SchemaNode, 'title' | 'description'>

const form = <T>(node: SchemaNode): ResponseSchema<T> => ({ node })

/** A record with exactly these members. */
export const fields = <const M extends Members>(members: M, words: Words = {}): ResponseSchema<MemberValues<M>> =>
  form({ ...words, type: 'object', properties: propertiesOf(members), additionalProperties: false })

/** A record with these members, and others that nobody can know beforehand. */
export const openFields = <const M extends Members>(
  members: M,
  words: Words = {},
): ResponseSchema<MemberValues<M> & { readonly [name: string]: unknown }> =>
  form({ ...words, type: 'object', properties: propertiesOf(members) })

function propertiesOf(members: Members): { [name: string]: SchemaNode } {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      'isSometimes' in member ? member.node : { ...member.node, required: true },
    ]),
  )
}

/** A record whose members have names of the site's own, such as ids, and values of one form. */
export const mapOf = <T>(value: Arg<T>, words: Words = {}): ResponseSchema<{ readonly [name: string]: T }> =>
  form({ ...words, type: 'object', additionalProperties: value.node })

/** A value that has one of several forms. */
export const either = <const F extends readonly Arg[]>(...forms: F): ResponseSchema<ValueOf<F[number]>> =>
  form({ anyOf: forms.map(({ node }) => node) })

/** Always this value. */
export const exactly = <const V extends string | number | boolean | null>(value: V): ResponseSchema<V> =>
  form(value === null ? { type: 'null' } : { const: value })

/** `Interface:` an object without members is sent as an empty list. */
export const emptyList = (): ResponseSchema<readonly never[]> => form({ type: 'array', maxItems: 0 })

/** `Interface:` some moments have neither `T` nor an offset: `2026-01-05 09:00:00`. */
export const spacedTime = (description: string) =>
  str({ pattern: '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}', description })

/** A body that is no JSON, such as CSV. */
export const nonJsonBody = (contentType: string, words: Words = {}): ResponseSchema<string> => ({
  node: { ...words, type: 'string' },
  contentType,
})

/** JSON, or the same in another form where the caller asks for it. */
export const alsoAs = <T>(inner: ResponseSchema<T>, contentType: string): ResponseSchema<T> => ({
  ...inner,
  alsoAs: contentType,
})

/** The links of one relation, each with these members besides its address. */
export const links = <const M extends Members>(members?: M) =>
  list(fields({ ...members, href: str({ format: 'uri' }) }))

/** No body at all: 204. */
export const noBody = (): ResponseSchema<undefined> => form({})
