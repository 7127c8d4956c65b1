/**
 * Builders for the arguments of an endpoint. Each argument is described once by a schema node; checks, coercion, the
 * index entry and the handler's type are derived from it.
 */

import type { MaybePromise } from '../../contract/storage.ts'
import type { WordKind } from '../../names/word-map.ts'
import type { Context } from './context.ts'
import type { ErrorDetail } from './errors.ts'

/** `function` is for options of the host only: no request can send one. */
type NodeType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'function'

/** A JSON schema as the site index publishes it: `required` is a member of the property's own schema. */
export interface SchemaNode {
  readonly type?: NodeType | readonly NodeType[]
  readonly title?: string
  /** Says what the value is: in the index, the OpenAPI document, and for editors. */
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | number)[]
  /** The smallest number that is taken. */
  readonly minimum?: number
  /** The largest number that is taken. */
  readonly maximum?: number
  /** True: the bound itself is outside, as the index writes it. */
  readonly exclusiveMinimum?: boolean
  /** True: the bound itself is outside. */
  readonly exclusiveMaximum?: boolean
  /** The fewest characters that are taken. */
  readonly minLength?: number
  /** The most characters that are taken. */
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  /** Matches the whole value. */
  readonly pattern?: string
  readonly format?: 'date-time' | 'uri' | 'date' | 'email' | 'ip' | 'uuid'
  readonly items?: SchemaNode
  readonly properties?: { readonly [name: string]: SchemaNode }
  readonly additionalProperties?: boolean | SchemaNode
  readonly oneOf?: readonly SchemaNode[]
  /** Responses only have it, like `const`. */
  readonly anyOf?: readonly SchemaNode[]
  readonly const?: string | number | boolean
  readonly required?: boolean
  /** True: records show it, and no request writes it. */
  readonly readonly?: boolean
  /** The contexts that show it: `view`, `edit`, `embed`. */
  readonly context?: readonly string[]
  /** Responses only: OPTIONS calls the record so. */
  readonly record?: string
  /** Responses only: the members that the link lets its reader write, for OPTIONS. */
  readonly target?: { readonly [name: string]: SchemaNode }
}

/** Returns the problem of a well-typed value, or undefined; a bare text is a problem without a code. */
export type ArgCheck = (value: never, context: Context) => MaybePromise<ErrorDetail | string | undefined>

/** `Given` is true when the handler always gets a value: the argument is required or has a default. */
export interface Arg<T = unknown, Given extends boolean = boolean> {
  readonly node: SchemaNode
  /** Interface: checked only when all others are valid, so one error may not list every problem. */
  readonly late?: boolean
  /** Neither coerced nor checked; the handler interprets the value. */
  readonly loose?: boolean
  /** Interface: a text is accepted in place of the object that the index shows. */
  readonly orText?: boolean
  /** Interface: the index shows a default, but an absent argument has another meaning. */
  readonly publishedDefault?: boolean
  /** Interface: the index shows it as required, but requests of another form, which the other arguments tell, leave it out. */
  readonly unless?: (args: { readonly [name: string]: unknown }) => boolean
  /** Interface: accepted, but not listed in the index. */
  readonly unlisted?: boolean
  /** A password or a key: the value is in no recording of requests. */
  readonly isSecret?: boolean
  /** The value lists requests, as that of a batch: each has the arguments of its route. */
  readonly holdsRequests?: boolean
  /** The meaning of null in a body; without it null counts as not sent. */
  readonly nullMeans?: T
  /** The texts are identifiers of the service, so `names` translates them; enum values are always translated. */
  readonly identifiers?: WordKind
  /** Set by `field`, for values that records store. */
  readonly field?: FieldOptions
  readonly check?: ArgCheck
  /** `check` runs before the schema check, with a value of any type. */
  readonly checkFirst?: boolean
  /** Type carrier; absent at run time. */
  readonly '~types'?: [T, Given] | undefined
}

/** The options of a stored field. */
export interface FieldOptions {
  /** The search of posts, pages and media looks into it too. Default: false. */
  readonly isSearched?: boolean
  /** Revisions keep it, and a change of it makes one. Default: false. */
  readonly isRevisioned?: boolean
  /** Only users with this capability read it. Default: whoever reads the record in a context that has the field. */
  readonly readCapability?: string
  /** Only users with this capability write it. Default: whoever may change the record. */
  readonly writeCapability?: string
}

/** The arguments of an endpoint by name, in index order. */
export type Args = { readonly [name: string]: Arg }

type ArgValue<A> = A extends Arg<infer T, infer G> ? (true extends G ? T : T | undefined) : never
/** The value that a handler receives. */
export type ArgValues<A extends Args> = { readonly [K in keyof A]: ArgValue<A[K]> }

type Options<T> = Pick<SchemaNode, 'title' | 'description' | 'context' | 'readonly'> & {
  /** The value where none is sent. */
  default?: T
  /** Called with a well-typed value: returns its problem, or undefined. */
  check?: ArgCheck
}
type HasDefault<O> = O extends { default: unknown } ? true : false

function arg<T, O extends object>(node: SchemaNode, options: O | undefined): Arg<T, HasDefault<O>> {
  const { check, ...rest } = (options ?? {}) as { check?: ArgCheck }
  return { node: { ...node, ...rest }, ...(check ? { check } : {}) }
}

/** Options as they were written, with the words of their declaration, which editors would not find for the type parameter alone. */
type Written<O extends Declared, Declared> = O & Declared

type Bounds = Pick<SchemaNode, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'>

export const int = <const O extends Options<number> & Bounds>(options?: Written<O, Options<number> & Bounds>) =>
  arg<number, O>({ type: 'integer' }, options)

export const num = <const O extends Options<number> & Bounds>(options?: Written<O, Options<number> & Bounds>) =>
  arg<number, O>({ type: 'number' }, options)

export const str = <
  const O extends Options<string> & Pick<SchemaNode, 'minLength' | 'maxLength' | 'pattern' | 'format'>,
>(
  options?: Written<O, Options<string> & Pick<SchemaNode, 'minLength' | 'maxLength' | 'pattern' | 'format'>>,
) => arg<string, O>({ type: 'string' }, options)

export const bool = <const O extends Options<boolean>>(options?: Written<O, Options<boolean>>) =>
  arg<boolean, O>({ type: 'boolean' }, options)

/** A text `YYYY-MM-DDTHH:MM:SS` with an optional offset. */
export const dateTime = <const O extends Options<string>>(options?: Written<O, Options<string>>) =>
  arg<string, O>({ type: 'string', format: 'date-time' }, options)

export const oneOf = <const V extends readonly string[], const O extends Options<V[number]>>(
  values: V,
  options?: Written<O, Options<V[number]>>,
) => arg<V[number], O>({ type: 'string', enum: values }, options)

export const list = <
  T,
  const O extends Options<readonly T[] | T> & Pick<SchemaNode, 'minItems' | 'maxItems' | 'uniqueItems'>,
>(
  item: Arg<T>,
  options?: Written<O, Options<readonly T[] | T> & Pick<SchemaNode, 'minItems' | 'maxItems' | 'uniqueItems'>>,
) => arg<readonly T[], O>({ type: 'array', items: item.node }, options)

/** The value of an object with these members; members that are not required may be absent. */
export type ObjectValue<A extends Args> = {
  readonly [K in keyof A as '~required' extends keyof A[K] ? K : never]: ArgValue<A[K]>
} & { readonly [K in keyof A as '~required' extends keyof A[K] ? never : K]?: ArgValue<A[K]> }

/** An object. Undeclared members pass unless `additionalProperties` is false. */
export const object = <A extends Args, const O extends Options<object> & Pick<SchemaNode, 'additionalProperties'>>(
  properties: A,
  options?: Written<O, Options<object> & Pick<SchemaNode, 'additionalProperties'>>,
) =>
  arg<ObjectValue<A> & { readonly [name: string]: unknown }, O>(
    { type: 'object', properties: Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, v.node])) },
    options,
  )

/** A function, for options of the host. */
export const callable = <const O extends Options<never>>(options?: Written<O, Options<never>>) =>
  arg<(...args: never) => unknown, O>({ type: 'function' }, options)

/** Any value, unchecked. */
export const anything = <const O extends Options<unknown>>(options?: Written<O, Options<unknown>>) =>
  arg<unknown, O>({}, options)

/** A list or an object; exactly one of the two has to match. */
export const listOrObject = <T, F, const O extends Options<unknown>>(
  items: Arg<readonly T[]>,
  form: Arg<F>,
  options?: Written<O, Options<unknown>>,
) =>
  arg<readonly T[] | F, O>(
    {
      type: ['object', 'array'],
      oneOf: [
        { title: 'List', ...items.node },
        { title: 'Object', ...form.node },
      ],
    },
    options,
  )

/** Must be sent. */
export interface RequiredArg<T = unknown> extends Arg<T, true> {
  readonly '~required'?: true | undefined
}

export const required = <T>(inner: Arg<T>): RequiredArg<T> => {
  const { node, '~types': _, ...rest } = inner
  return { ...rest, node: { ...node, required: true } }
}

/** The index shows it as required. Requests for which `unless` holds leave it out: clients that send another form. */
export const requiredUnless = <T>(
  inner: Arg<T>,
  unless: (args: { readonly [name: string]: unknown }) => boolean,
): Arg<T, false> => {
  const { '~types': _, ...rest } = required(inner)
  return { ...rest, unless }
}

/** Whether requests of every form have to send it. */
export const isAlwaysRequired = ({ node, unless }: Arg): boolean => node.required === true && unless === undefined

/** Accepts null, which means something else than an absent argument. */
export const nullable = <T, G extends boolean>(inner: Arg<T, G>): Arg<T | null, G> => {
  const { node, '~types': _, ...rest } = inner
  return { ...rest, node: { ...node, type: [node.type as NodeType, 'null'] } }
}

/** Interface: the permission to send some values is checked before their schema. */
export const checkedFirst = <A extends Arg>(inner: A): A => ({ ...inner, checkFirst: true })

/** Interface: null clears some fields. */
export const nullMeans = <A extends Arg>(inner: A, value: ArgValue<A>): A => ({ ...inner, nullMeans: value })

const late = <A extends Arg>(inner: A): A => ({ ...inner, late: true })

/** Published as `inner`, but the handler receives the raw value. */
export const loose = (inner: Arg, check?: ArgCheck): Arg<unknown, false> => ({
  node: inner.node,
  loose: true,
  ...(check ? { check } : {}),
})

/** The argument of a text that is stored and shown in two forms; the types of clients take what may be sent. */
export interface TextArg<T = unknown> extends Arg<T, false> {
  readonly '~sent'?: string | { readonly raw: string } | undefined
}

export const orText = <T>(inner: Arg<T, false>): TextArg<T> => ({ ...inner, orText: true })

/**
 * A password, a key or a token: recordings of requests hold a placeholder for the value, and nothing of a member of the answer with this
 * name.
 */
export const secret = <A extends Arg>(inner: A): A => ({ ...inner, isSecret: true })

/** The index shows a default that the handler does not receive: an absent argument has another meaning. */
export const publishedDefault = <T>(inner: Arg<T>): Arg<T, false> => {
  const { '~types': _, ...rest } = inner
  return { ...rest, publishedDefault: true }
}

/**
 * For arguments that clients send and the interface does not list. Read and checked like any other, but left out of the
 * index, because clients compare it with the interface.
 */
export const unlisted = <A extends Arg>(inner: A): A => ({ ...inner, unlisted: true })

/** For texts without an enum that are identifiers: the name of a post type, the slug of a package. */
export const identifiers = <A extends Arg>(inner: A, kind: WordKind = 'word'): A => ({ ...inner, identifiers: kind })

export const lateAll = <A extends Args>(args: A): A =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, late(value)])) as A

/**
 * Gives options to a stored field, in a declaration of `metaFields`, `contentType` or `taxonomy`.
 *
 * ```ts
 * import { args, metaFields } from 'site-api'
 *
 * export const subtitles = metaFields({ post: { subtitle: args.field(args.str(), { isSearched: true }) } })
 * ```
 */
export const field = <A extends Arg>(inner: A, options: FieldOptions): A => ({ ...inner, field: options })

// Arguments that many endpoints share.

export const context = () =>
  oneOf(['view', 'embed', 'edit'], {
    default: 'view',
    description: 'Which members the answer has: `embed` has the fewest, `edit` has those for editors too.',
  })

export const paging = (defaults: { perPage?: number } = {}) => ({
  page: int({ default: 1, minimum: 1, description: 'The page of the list, from 1.' }),
  per_page: int({
    default: (defaults.perPage ?? 10) as number,
    minimum: 1,
    maximum: 100,
    description: 'How many items a page has at most.',
  }),
})

export const search = (description = 'Finds only items that contain this text.') =>
  str({ description, check: isSearchable })

function isSearchable(text: string, { app }: Context) {
  const most = app.limits.searchCharacters
  return text.length > most ? { code: 'rest_too_long', message: `A search has at most ${most} characters.` } : undefined
}
