/**
 * Compares our argument parser with a query parser with zod, and with TypeBox's `Value`: each parses the query of the
 * posts list to typed filters, and the body of a new post to checked values.
 */
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parse } from 'picoquery'
import { z } from 'zod'
import type { Args, SchemaNode } from '../src/core/declare/args.ts'
import { parsePattern } from '../src/core/declare/pattern.ts'
import { createArgumentParser } from '../src/core/request/argument-parser.ts'
import { checkedJson } from '../src/core/request/body.ts'
import { postParts } from '../src/features/content/posts/content-type.ts'
import { createNames } from '../src/names/word-map.ts'
import { freshSlices } from './fresh-slices.ts'
import type { Contender, Contenders } from './measure.ts'

const [{ args: listArgs }, { args: writeArgs }] = postParts.records as unknown as readonly [
  { args: Args },
  { args: Args },
]

const size = 200

const freshTexts = (create: (seed: number) => string) =>
  freshSlices(
    '/?',
    Array.from({ length: size }, (_, seed) => create(seed)),
  )

const usual = freshTexts((seed) => `page=${1 + (seed % 9)}&per_page=20&orderby=title&order=asc&search=harbour+${seed}`)

const filtered = freshTexts(
  (seed) =>
    `per_page=${10 + (seed % 80)}&status=publish,draft&categories[]=${seed}&categories[]=${seed + 1}&tags=7,${seed}` +
    '&after=2024-01-01T00:00:00&search=old%20harbour&orderby=date&order=desc&context=view&sticky=false',
)

const plain = freshTexts((seed) => `per_page=${1 + (seed % 100)}`)

const queries = { 'one filter': plain, 'five filters': usual, 'ten filters': filtered }

function contender(read: (query: string) => { readonly per_page?: unknown }): Contender {
  const cases = Object.entries(queries).map(([name, fresh]) => {
    if (typeof read(fresh()[3] as string).per_page !== 'number') throw new Error(`${name}: per_page is no number`)
    const run = () => {
      let sum = 0
      for (const query of fresh()) sum += read(query).per_page as number
      return sum
    }
    return [name, run] as const
  })
  return { operations: size, cases: Object.fromEntries(cases) }
}

export const contenders: Contenders = {
  'site-api': () => {
    const parser = createArgumentParser(listArgs, parsePattern('/cms/v2/posts'), createNames())
    return contender((query) => {
      const { args, isWrong } = parser.parse([], query, undefined)
      if (isWrong) throw new Error('invalid')
      return args
    })
  },

  'picoquery and zod': () => {
    const schema = z.object(membersOf(listArgs, zodOf))
    return contender((query) => schema.parse(parse(query, { nestingSyntax: 'js' })) as { per_page?: unknown })
  },

  'picoquery and TypeBox Value': () => {
    const schema = Type.Object(membersOf(listArgs, typeOf))
    return contender((query) => {
      const input = listsOf(parse(query, { nestingSyntax: 'js' }))
      const value = Value.Clean(schema, Value.Convert(schema, Value.Default(schema, input)))
      if (!Value.Check(schema, value)) throw new Error('invalid')
      return value as { per_page?: unknown }
    })
  },

  'body: site-api': () => {
    const parser = createArgumentParser(writeArgs, parsePattern('/cms/v2/posts'), createNames())
    return bodies((text) => {
      const { isWrong } = parser.parse([], '', checkedJson(JSON.parse(text)) as { [name: string]: unknown })
      if (isWrong) throw new Error('invalid')
    })
  },

  'body: JSON.parse': () => bodies((text) => void JSON.parse(text)),
}

// ---------------------------------------------------------------- bodies

const paragraph =
  'The harbour lay quiet in the morning light, and the boats came in one after the other with \\"what the night had left\\".'

/** The body of a new post as an editor sends it: paragraphs in blocks. */
function postBody(paragraphs: number): (seed: number) => string {
  const blocks = Array.from(
    { length: paragraphs },
    (_, at) => `<!-- cms:paragraph {\\"n\\":${at}} -->\\n<p>${paragraph}</p>\\n<!-- /cms:paragraph -->`,
  ).join('\\n\\n')
  return (seed) =>
    `{"title":"Harbour notes ${seed}","content":"${blocks}","excerpt":"Notes of day ${seed}","status":"draft",` +
    `"slug":"harbour-notes-${seed}","date":"2024-05-0${1 + (seed % 9)}T08:30:00","categories":[${seed},${seed + 1}],` +
    `"tags":[3,5,8],"featured_media":${seed},"comment_status":"closed","format":"standard","sticky":false}`
}

function bodies(read: (text: string) => void): Contender {
  const cases = [8, 40].map((paragraphs) => {
    const fresh = freshTexts(postBody(paragraphs))
    const run = () => {
      for (const text of fresh()) read(text)
    }
    return [`body with ${paragraphs} paragraphs`, run] as const
  })
  return { operations: size, cases: Object.fromEntries(cases) }
}

// ---------------------------------------------------------------- the same arguments for the other contenders

const membersOf = <T>(args: Args, make: (node: SchemaNode) => T): { [name: string]: T } =>
  Object.fromEntries(Object.entries(args).map(([name, { node }]) => [name, make(node)]))

const splitText = (value: unknown) => (typeof value === 'string' ? value.split(',') : value)

function zodOf(node: SchemaNode): z.ZodType {
  const schema = zodSchema(node)
  if (node.default !== undefined) return schema.default(splitDefault(node))
  return node.required === true ? schema : schema.optional()
}

const splitDefault = ({ type, default: value }: SchemaNode) => (type === 'array' ? [value].flat() : value)

function zodSchema(node: SchemaNode): z.ZodType {
  if (node.oneOf) return z.preprocess(splitText, z.union(node.oneOf.map(zodSchema) as [z.ZodType, z.ZodType]))
  if (node.enum) return z.enum(node.enum as readonly string[] as [string])
  if (node.type === 'integer') {
    return z.coerce
      .number()
      .int()
      .min(node.minimum ?? Number.MIN_SAFE_INTEGER)
      .max(node.maximum ?? Number.MAX_SAFE_INTEGER)
  }
  if (node.type === 'boolean') return z.stringbool()
  if (node.type === 'array') return z.preprocess(splitText, z.array(zodSchema(node.items ?? {})))
  if (node.type === 'object') return z.object(Object.fromEntries(entriesOf(node, zodOf)))
  return node.format === 'date-time' ? z.string().regex(dateTime) : z.string()
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})?$/

const entriesOf = <T>(node: SchemaNode, make: (inner: SchemaNode) => T) =>
  Object.entries(node.properties ?? {}).map(([name, inner]) => [name, make(inner)] as const)

function typeOf(node: SchemaNode): TSchema {
  const options = node.default === undefined ? {} : { default: splitDefault(node) }
  const schema = typeSchema(node, options)
  return node.required === true ? schema : Type.Optional(schema)
}

function typeSchema(node: SchemaNode, options: object): TSchema {
  if (node.oneOf) return Type.Union(node.oneOf.map((alternative) => typeSchema(alternative, {})))
  if (node.enum)
    return Type.Union(
      node.enum.map((value) => Type.Literal(value)),
      options,
    )
  if (node.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = node
    return Type.Integer({ ...options, minimum, maximum })
  }
  if (node.type === 'boolean') return Type.Boolean(options)
  if (node.type === 'array') return Type.Array(typeSchema(node.items ?? {}, {}), options)
  if (node.type === 'object') return Type.Object(Object.fromEntries(entriesOf(node, typeOf)))
  return Type.String(node.format === 'date-time' ? { ...options, pattern: dateTime.source } : options)
}

const listNames = Object.entries(listArgs)
  .filter(([, { node }]) => node.type === 'array' || node.oneOf)
  .map(([name]) => name)

/** Splits lists, because `Value.Convert` converts `1,2` to one item. */
function listsOf(input: object): object {
  const values = input as { [name: string]: unknown }
  for (const name of listNames) if (typeof values[name] === 'string') values[name] = splitText(values[name])
  return values
}
