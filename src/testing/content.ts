/** Sample rows and queries; a case passes only the values that it tests. */
import { blankPost, blankTerm, blankUser } from '../contract/fields/blank.ts'
import type {
  Collection,
  Json,
  PostQuery,
  PostValues,
  RecordQuery,
  Storage,
  TermQuery,
  TermValues,
  UserQuery,
  UserValues,
  Where,
} from '../contract/storage.ts'

export function postValues(values: Partial<PostValues> = {}): PostValues {
  return {
    ...blankPost,
    type: 'post',
    status: 'publish',
    slug: '',
    author: 1,
    date: '2024-05-06T07:08:09',
    dateGmt: '2024-05-06T05:08:09',
    modified: '2024-05-06T07:08:09',
    modifiedGmt: '2024-05-06T05:08:09',
    commentStatus: 'open',
    ...values,
  }
}

export async function addPosts(storage: Storage, rows: readonly Partial<PostValues>[]): Promise<number[]> {
  return storage.posts.insert(rows.map(postValues))
}

export async function addPost(storage: Storage, values: Partial<PostValues> = {}): Promise<number> {
  return first(await addPosts(storage, [values]))
}

const everyPost: PostQuery = { types: ['post'], order: { by: 'id', descending: false }, offset: 0, limit: 100 }

export async function findPosts(storage: Storage, query: Partial<PostQuery> = {}): Promise<number[]> {
  const { idsPage } = await storage.posts.query({ ...everyPost, ...query })
  return idsPage.map((head) => head.id)
}

export async function countPosts(storage: Storage, query: Partial<PostQuery> = {}): Promise<number> {
  const { total } = await storage.posts.query({ ...everyPost, total: true, ...query })
  return total
}

export function termValues(slug: string, values: Partial<TermValues> = {}): TermValues {
  return { ...blankTerm, taxonomy: 'category', slug, name: slug, ...values }
}

export async function addTerm(storage: Storage, slug: string, values: Partial<TermValues> = {}): Promise<number> {
  return first(await storage.terms.insert([termValues(slug, values)]))
}

const everyTerm: TermQuery = { order: { by: 'id', descending: false }, offset: 0, limit: 100 }

export async function findTerms(storage: Storage, query: Partial<TermQuery> = {}): Promise<number[]> {
  const { rows } = await storage.terms.query({ ...everyTerm, ...query })
  return rows.map((row) => row.id)
}

export async function assign(storage: Storage, post: number, terms: readonly number[], taxonomy = 'category') {
  await storage.terms.assign([{ post, taxonomy, terms }])
}

export async function termsOf(storage: Storage, posts: readonly number[]): Promise<[number, number][]> {
  const rows = await storage.terms.of(posts)
  return rows.map(({ post, term }) => [post, term])
}

export function userValues(login: string, values: Partial<UserValues> = {}): UserValues {
  return { ...blankUser, login, slug: login, displayName: login, registered: '2024-05-06T05:08:09', ...values }
}

export async function addUser(storage: Storage, login: string, values: Partial<UserValues> = {}): Promise<number> {
  return first(await storage.users.insert([userValues(login, values)]))
}

const everyUser: UserQuery = { order: { by: 'id', descending: false }, offset: 0, limit: 100 }

export async function findUsers(storage: Storage, query: Partial<UserQuery> = {}): Promise<number[]> {
  const { rows } = await storage.users.query({ ...everyUser, ...query })
  return rows.map((row) => row.id)
}

export const things: Collection = {
  name: 'things',
  fields: { name: 'text', size: 'integer', weight: 'number', ready: 'boolean', extra: 'json', owner: 'integer' },
  indexed: ['owner', 'name'],
}

/** Has two unique sets. */
export const places: Collection = {
  name: 'places',
  fields: { owner: 'integer', place: 'text', code: 'text', note: 'text' },
  unique: [['owner', 'place'], ['code']],
}

export async function addThings(
  storage: Storage,
  rows: readonly { readonly [field: string]: Json }[],
): Promise<number[]> {
  return storage.records.insert(things, rows)
}

export async function findThings(storage: Storage, where?: Where, query: RecordQuery = {}): Promise<number[]> {
  const { rows } = await storage.records.query(things, { where, ...query })
  return rows.map((row) => row.id)
}

function first(ids: readonly number[]): number {
  const [id] = ids
  if (id === undefined) throw new Error('expected the id of a new row')
  return id
}
