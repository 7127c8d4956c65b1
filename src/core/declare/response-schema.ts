/**
 * Builders for the responses of an endpoint. Members are always present unless marked `sometimes`, and no others may
 * occur; the rest is described with the builders of arguments (`int`, `str`, `list`, ...).
 */
import { type Arg, list, type SchemaNode, str } from './args.ts'

/** The schema of one response. `contentType` is set for bodies that are not JSON. */
export interface ResponseSchema<T = unknown> extends Arg<T> {
  readonly contentType?: string
  /** Another content type of the same data, on request. */
  readonly alsoAs?: string
}

/** Responses by status: the successes, and errors whose body differs from the common one. */
export interface Responses {
  readonly [status: number]: ResponseSchema
}

/** A member that may be absent: in another context, or without a value. */
export interface Sometimes<T = unknown> extends Arg<T> {
  readonly isSometimes: true
}

interface Members {
  readonly [name: string]: Arg | Sometimes
}

type ValueOf<A> = A extends Arg<infer T> ? T : never
type SometimesKey<M> = { readonly [K in keyof M]: M[K] extends Sometimes ? K : never }[keyof M]
/** Maps keys of a type, not chosen ones with `as`: so members keep their comments for editors. */
type ValuesOf<M, K extends keyof M> = { readonly [P in K]: ValueOf<M[P]> }
/** The value of a response with these members. */
export type MemberValues<M> = ValuesOf<M, Exclude<keyof M, SometimesKey<M>>> & Partial<ValuesOf<M, SometimesKey<M>>>

export const sometimes = <T>(inner: Arg<T>): Sometimes<T> => ({ node: inner.node, isSometimes: true })

const sometimesIn = <T>({ node }: Arg<T>, context: readonly string[]): Sometimes<T> => ({
  node: { ...node, context },
  isSometimes: true,
})

/** A member that is always present, apart from the contexts that are not listed. */
export const shownIn = <T>(context: readonly string[], { node, ...inner }: Arg<T>): Arg<T> => ({
  ...inner,
  node: { ...node, context },
})

/** A member that only the edit context has. */
export const editOnly = <T>(inner: Arg<T>): Sometimes<T> => sometimesIn(inner, ['edit'])

/** A member that the embed context leaves out. */
export const notEmbedded = <T>(inner: Arg<T>): Sometimes<T> => sometimesIn(inner, ['view', 'edit'])

/**
 * `record` is the name of the record in the interface. Its members are in all contexts, unless `context` lists others; those that no
 * argument writes are read-only, unless `readonly` is false.
 */
type Words = Pick<SchemaNode, 'title' | 'description' | 'record' | 'context' | 'readonly'>

const form = <T>(node: SchemaNode): ResponseSchema<T> => ({ node })

/** A record with exactly these members. */
export const fields = <const M extends Members>(members: M, words: Words = {}): ResponseSchema<MemberValues<M>> =>
  form({ ...words, type: 'object', properties: propertiesOf(members), additionalProperties: false })

/** A record with these members and undeclared ones. */
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

/** A record has arbitrary keys, such as ids, and values of one schema. */
export const mapOf = <T>(value: Arg<T>, words: Words = {}): ResponseSchema<{ readonly [name: string]: T }> =>
  form({ ...words, type: 'object', additionalProperties: value.node })

/** A value of one of several schemas. */
export const either = <const F extends readonly Arg[]>(...forms: F): ResponseSchema<ValueOf<F[number]>> =>
  form({ anyOf: forms.map(({ node }) => node) })

/** A constant value. */
export const exactly = <const V extends string | number | boolean | null>(value: V): ResponseSchema<V> =>
  form(value === null ? { type: 'null' } : { const: value })

/** `Interface:` an object without members is sent as an empty list. */
export const emptyList = (): ResponseSchema<readonly never[]> => form({ type: 'array', maxItems: 0 })

/** `Interface:` some dates have neither `T` nor an offset: `2026-01-05 09:00:00`. */
export const spacedTime = (description: string) =>
  str({ pattern: '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}', description })

/** A body that is not JSON, such as CSV. */
export const nonJsonBody = (contentType: string, words: Words = {}): ResponseSchema<string> => ({
  node: { ...words, type: 'string' },
  contentType,
})

/** JSON, or another content type on request. */
export const alsoAs = <T>(inner: ResponseSchema<T>, contentType: string): ResponseSchema<T> => ({
  ...inner,
  alsoAs: contentType,
})

/** The links of one relation have these members besides `href`. */
export const links = <const M extends Members>(members?: M) =>
  list(fields({ ...members, href: str({ format: 'uri' }) }))

/** The link that a record has where its reader may write these members so. */
export function actionLinks(target: Members): Sometimes<readonly { readonly href: string }[]> {
  const written = Object.entries(target).map(([name, { node }]) => [name, node] as const)
  const { node } = links()
  return { node: { ...node, target: Object.fromEntries(written) }, isSometimes: true }
}

/** The links to a record itself, with what this caller may do there. */
export const targetLinks = links({ targetHints: sometimes(fields({ allow: list(str()) })) })

/** No body: 204. */
export const noBody = (): ResponseSchema<undefined> => form({})
