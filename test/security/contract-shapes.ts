/**
 * Declares the argument types of contract/storage.ts as schemas, which check the arguments of every storage call in
 * tests.
 */
import { z } from 'zod'
import { postFields } from '../../src/contract/fields/posts.ts'
import type { FieldKind, StoredField } from '../../src/contract/fields/stored-field.ts'
import type { StorageCall } from '../support/spied-storage.ts'

const text = z.string().refine((value) => !value.includes('\0'), 'a NUL')
const texts = z.array(text)
/** `z.int` accepts safe integers only. */
const ints = z.array(z.int())
const date = z.string().regex(/^\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
const json: z.ZodType = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), text, z.array(json), z.record(text, json)]),
)
const order = <const T extends readonly string[]>(by: T) => z.strictObject({ by: z.enum(by), descending: z.boolean() })
const window = { offset: z.int().min(0), limit: z.int().min(0), total: z.boolean().optional() }
/** The values of each kind. */
const kinds: { readonly [kind in FieldKind]: z.ZodType } = {
  text,
  integer: z.int(),
  boolean: z.boolean(),
  texts,
  flags: z.record(text, z.boolean()),
}
/** A whole row; the names of fields say which are dates. */
const post = z.strictObject(
  Object.fromEntries(
    Object.entries<StoredField>(postFields).map(([name, { kind, isNullable }]) => {
      const value = /^(?:date|modified)/.test(name) ? date : kinds[kind]
      return [name, isNullable ? value.nullable() : value]
    }),
  ),
)

const termTree: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ every: z.array(termTree) }),
    z.strictObject({ some: z.array(termTree) }),
    z.strictObject({ terms: ints, has: z.enum(['any', 'all', 'none']) }),
    z.strictObject({ formats: texts }),
  ]),
)

const postQuery = z.strictObject({
  types: texts,
  statuses: z.array(z.strictObject({ status: text, author: z.int().optional() })).optional(),
  ...{ ids: ints.optional(), notIds: ints.optional(), authors: ints.optional(), notAuthors: ints.optional() },
  ...{ parents: ints.optional(), notParents: ints.optional(), menuOrders: ints.optional() },
  ...{ mimeTypes: texts.optional(), featuredMedia: ints.optional() },
  ...{ slugs: texts.optional(), sticky: z.boolean().optional() },
  withPassword: z.boolean().optional(),
  dates: z
    .array(
      z.strictObject({
        field: z.enum(['date', 'dateGmt', 'modified']),
        ...{ after: date.optional(), before: date.optional() },
      }),
    )
    .optional(),
  terms: termTree.optional(),
  search: z
    .strictObject({
      ...{ every: texts, none: texts, exact: z.boolean() },
      columns: z.array(z.enum(['title', 'content', 'excerpt'])),
      meta: text.optional(),
    })
    .optional(),
  order: z.union([
    order(['date', 'modified', 'id', 'author', 'parent', 'title', 'slug', 'menuOrder']),
    z.strictObject({ by: z.enum(['ids', 'slugs']) }),
    z.strictObject({ by: z.literal('relevance'), phrase: text, words: texts }),
  ]),
  ...window,
})

const usedBy = z.strictObject({ types: texts, statuses: texts })
const termQuery = z.strictObject({
  ...{ taxonomies: texts.optional(), ids: ints.optional(), slugs: texts.optional(), parents: ints.optional() },
  ...{
    notIds: ints.optional(),
    names: texts.optional(),
    posts: ints.optional(),
    usedBy: usedBy.optional(),
    counts: z.boolean().optional(),
  },
  search: z.strictObject({ text, fields: z.array(z.enum(['name', 'slug'])) }).optional(),
  counted: z.enum(['itself', 'orBelow']).optional(),
  ...{ order: order(['id', 'name', 'slug', 'description', 'count']), ...window },
})
const userQuery = z.strictObject({
  ...{ ids: ints.optional(), logins: texts.optional(), slugs: texts.optional(), emails: texts.optional() },
  ...{ notIds: ints.optional(), names: texts.optional(), roles: texts.optional() },
  capabilities: z.array(z.array(z.strictObject({ capability: text, roles: texts }))).optional(),
  authorsOf: usedBy.optional(),
  search: z.strictObject({ text, fields: z.array(z.enum(['id', 'login', 'slug', 'email', 'displayName'])) }).optional(),
  order: z.union([
    order(['id', 'login', 'slug', 'displayName', 'email', 'url', 'registered']),
    z.strictObject({ by: z.enum(['ids', 'slugs']) }),
  ]),
  ...window,
})

const scalar = z.union([z.null(), z.boolean(), z.number(), text])
const bound = z.union([z.number(), text]).optional()
const where: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ every: z.array(where) }),
    z.strictObject({ some: z.array(where) }),
    z.strictObject({ not: where }),
    z.strictObject({ field: text, is: scalar }),
    z.strictObject({ field: text, in: z.array(scalar) }),
    z.strictObject({ field: text, above: bound, below: bound, from: bound, to: bound }),
    z.strictObject({ field: text, holds: text }),
  ]),
)
const collection = z.looseObject({ name: text, fields: z.record(text, text) })
const recordQuery = z.strictObject({
  where: where.optional(),
  order: z.array(z.strictObject({ by: text, descending: z.boolean().optional() })).optional(),
  ...{ offset: window.offset.optional(), limit: window.limit.optional(), total: window.total },
})
/** Keys that our own code writes: a name sent by a client never becomes a key. */
const ownName = z.string().regex(/^_?[a-z][a-z0-9_.:-]*$/)
const owner = z.enum(['post', 'user', 'term'])
const row = z.record(ownName, json)

const shapes: { readonly [name: string]: z.ZodType } = {
  'posts.query': z.tuple([postQuery]),
  'posts.read': z.tuple([ints]),
  'posts.insert': z.tuple([z.array(post)]),
  'posts.update': z.tuple([
    z.array(
      z.strictObject({
        ...{ id: z.int(), changes: post.partial() },
        when: z.strictObject({ version: z.int().optional(), status: text.optional() }).optional(),
      }),
    ),
  ]),
  'posts.remove': z.tuple([ints]),
  'posts.takenSlugs': z.tuple([text, texts, z.int().optional()]),
  'posts.childCounts': z.tuple([text, ints]),
  'terms.query': z.tuple([termQuery]),
  'terms.below': z.tuple([ints]),
  'terms.of': z.tuple([ints]),
  'terms.assign': z.tuple([z.array(z.strictObject({ post: z.int(), taxonomy: text, terms: ints }))]),
  'users.query': z.tuple([userQuery]),
  'meta.read': z.tuple([owner, ints, z.array(ownName).optional()]),
  'meta.write': z.tuple([owner, z.array(z.strictObject({ id: z.int(), key: ownName, value: json }))]),
  'options.read': z.tuple([z.array(ownName).optional()]),
  'options.write': z.tuple([z.record(ownName, json)]),
  'options.swap': z.tuple([ownName, json, json]),
  'records.query': z.tuple([collection, recordQuery]),
  'records.insert': z.tuple([collection, z.array(row)]),
  'records.update': z.tuple([
    collection,
    z.array(z.strictObject({ id: z.int(), changes: row, when: where.optional() })),
  ]),
  'records.remove': z.tuple([collection, where]),
  atomic: z.tuple([]),
  commit: z.tuple([]),
}

/** Describes the first wrong argument of a call; undefined if all fit. */
export function mistyped({ name, args }: StorageCall): string | undefined {
  const shape = shapes[name]
  if (!shape) return `${name} has no shape`
  // A member that is undefined counts as absent, also at the end of the arguments.
  const parsed = shape.safeParse([...args])
  return parsed.success ? undefined : `${name} ${JSON.stringify(args)}: ${z.prettifyError(parsed.error)}`
}
