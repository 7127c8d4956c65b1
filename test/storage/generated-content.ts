/** Arbitrary content for a storage: few texts and values, so that rows share them, and a history of changes. */
import fc from 'fast-check'
import type { Collection, Json, PostValues, Storage, TermValues, UserValues } from '../../src/contract/storage.ts'
import { postValues, termValues, things, userValues } from '../../src/testing/content.ts'

export const letters = [
  'a',
  'b',
  'A',
  'é',
  'e\u0301',
  'ß',
  'ﬁ',
  'Σ',
  'ς',
  'İ',
  '漢',
  '😀',
  '\ue000',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ' ',
  '\n',
]
export const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 6 })
export const shortText = fc.string({ unit: fc.constantFrom(...letters), maxLength: 3 })
export const day = fc.integer({ min: 1, max: 6 }).map((of) => `2024-01-0${of}T00:00:00`)
export const types = ['post', 'page', 'revision'] as const
export const statuses = ['publish', 'draft', 'trash'] as const
export const formats = ['standard', 'aside'] as const
export const roles = ['editor', 'author', 'au'] as const
export const taxonomies = ['category', 'tag'] as const
const small = fc.integer({ min: 0, max: 4 })
const row = fc.integer({ min: 1, max: 30 })

const postFields: { readonly [field in keyof PostValues]?: fc.Arbitrary<PostValues[field]> } = {
  type: fc.constantFrom(...types),
  status: fc.constantFrom(...statuses),
  slug: shortText,
  title: text,
  content: text,
  excerpt: text,
  author: small,
  parent: small,
  menuOrder: small,
  date: day,
  dateGmt: fc.option(day, { nil: null }),
  modified: day,
  password: fc.constantFrom('', '', 'secret'),
  sticky: fc.boolean(),
  format: fc.constantFrom(...formats),
}
// The cast: fc.record gives an object of the members it was given.
const post = fc.record(postFields) as fc.Arbitrary<Partial<PostValues>>
const change = fc.record(postFields, { requiredKeys: [] }) as fc.Arbitrary<Partial<PostValues>>

const term: fc.Arbitrary<Partial<TermValues>> = fc.record({
  taxonomy: fc.constantFrom(...taxonomies),
  name: text,
  parent: small,
})

const user: fc.Arbitrary<Partial<UserValues>> = fc.record({
  displayName: text,
  email: fc.constantFrom('', 'é@x', 'b@x', 'B@x', 'c@x'),
  url: fc.constantFrom('', 'http://x', 'Http://x', 'https://é'),
  roles: fc.subarray([...roles]),
  capabilities: fc.dictionary(fc.constantFrom('edit', 'read'), fc.boolean()),
  registered: day,
})

export const scalars = {
  name: fc.option(shortText, { nil: null }),
  size: fc.option(fc.integer({ min: -2, max: 3 }), { nil: null }),
  weight: fc.option(fc.constantFrom(-0.5, 0, 0.1, 2, 1e21), { nil: null }),
  ready: fc.option(fc.boolean(), { nil: null }),
  owner: fc.option(small, { nil: null }),
}
/** New rows have no `place`, so that only updates can violate the unique set. */
export const shelf: Collection = {
  ...things,
  fields: { ...things.fields, place: 'text' },
  unique: [['owner', 'place']],
}
const place = fc.constantFrom('a', 'b', null)
const thing = fc.record({ ...scalars, extra: fc.jsonValue({ maxDepth: 2 }) }, { requiredKeys: [] })

/** One write. A write may fail: then it must fail on all storages. */
export type Step = (storage: Storage) => unknown

export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ id: row, changes: change }).map(
    (update): Step =>
      ({ posts }) =>
        posts.update([update]),
  ),
  fc.tuple(row, row).map(
    (ids): Step =>
      ({ posts }) =>
        posts.remove(ids),
  ),
  fc.tuple(row, fc.constantFrom(...taxonomies), fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 })).map(
    ([id, taxonomy, terms]): Step =>
      (storage) =>
        storage.terms.assign([{ post: id, taxonomy, terms }]),
  ),
  fc.tuple(fc.integer({ min: 1, max: 8 }), term).map(
    ([id, changes]): Step =>
      ({ terms }) =>
        terms.update([{ id, changes }]),
  ),
  fc.integer({ min: 1, max: 8 }).map(
    (id): Step =>
      ({ terms }) =>
        terms.remove([id]),
  ),
  fc.tuple(fc.integer({ min: 1, max: 6 }), user).map(
    ([id, changes]): Step =>
      ({ users }) =>
        users.update([{ id, changes }]),
  ),
  fc.tuple(row, thing, fc.option(place, { nil: undefined })).map(
    ([id, changes, at]): Step =>
      ({ records }) =>
        records.update(shelf, [{ id, changes: { ...plain(changes), ...(at !== undefined && { place: at }) } }]),
  ),
)

export interface Content {
  readonly posts: readonly Partial<PostValues>[]
  readonly terms: readonly Partial<TermValues>[]
  readonly users: readonly Partial<UserValues>[]
  readonly things: readonly { readonly [field: string]: unknown }[]
  readonly steps: readonly Step[]
}

export const content: fc.Arbitrary<Content> = fc.record({
  posts: fc.array(post, { maxLength: 30, size: 'max' }),
  terms: fc.array(term, { maxLength: 8, size: 'max' }),
  users: fc.array(user, { maxLength: 6, size: 'max' }),
  things: fc.array(thing, { maxLength: 20, size: 'max' }),
  steps: fc.array(step, { maxLength: 30, size: 'max' }),
})

/** Writes the content; returns the result of each write, or the code of its error. */
export async function write(
  storage: Storage,
  { posts, terms, users, things: rows, steps }: Content,
): Promise<unknown[]> {
  const inserts: Step[] = [
    // New rows are unique, because ids may differ after a failed insert. Only updates cause conflicts.
    () => storage.posts.insert(posts.map((values, index) => postValues({ ...values, slug: ownSlug(values, index) }))),
    () => storage.terms.insert(terms.map((values, index) => termValues(`t${index}`, values))),
    () => storage.users.insert(users.map((values, index) => userValues(`User${index}`, { ...values, email: '' }))),
    () => storage.records.insert(shelf, rows.map(plain)),
  ]
  const outcomes: unknown[] = []
  for (const step of [...inserts, ...steps]) outcomes.push(await outcome(() => step(storage)))
  return outcomes
}

async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return (await work()) ?? 'done'
  } catch (error) {
    return `failed: ${(error as { code?: unknown }).code ?? 'invalid'}`
  }
}

function ownSlug({ slug = '', type }: Partial<PostValues>, index: number): string {
  return slug === '' || type === 'revision' ? slug : `${slug}${index}`
}

/** The cast: fast-check generates JSON values but types them as unknown. */
function plain(values: { readonly [field: string]: unknown }): { readonly [field: string]: Json } {
  return JSON.parse(JSON.stringify(values)) as { [field: string]: Json }
}
