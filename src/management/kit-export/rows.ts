/**
 * Reads the published rows of a site for a kit, and numbers them. A row that an import has brought keeps the number that it had in its
 * file, so that the kit of a copy equals the kit of the original.
 */
import type { Json, Post, Storage, Term } from '../../contract/storage.ts'
import { embeddedReferencesOf, type ManagementContext, readWindows, taxonomiesOf } from '../context.ts'
import { importKey } from '../import/entries/posts.ts'
import { maxRecords } from '../import/kit-archive.ts'
import { exportedMeta, exportedTexts, seededMeta, seededTexts } from '../transfer/embedded.ts'
import { metaOf } from '../transfer/entries.ts'

export type Meta = { readonly [key: string]: Json }

/** The site can not be written as a kit, because no import would take it. */
export class KitExportError extends Error {
  readonly code = 'export_kit'
}

export interface KitRow {
  readonly post: Post
  readonly number: number
  readonly guid: string
  /** Ids in documents are numbers of the kit. */
  readonly meta: Meta
  readonly terms: readonly Term[]
}

interface KitTerm {
  readonly term: Term
  readonly number: number
  readonly meta: Meta
}

export interface KitRows {
  /** Ordered by number. */
  readonly posts: readonly KitRow[]
  readonly terms: readonly KitTerm[]
  /** 0: the kit does not have the row. */
  readonly numberOf: (kind: 'post' | 'term' | 'user', id: number) => number
  readonly renumbered: (meta: Meta) => Meta
}

interface Wanted {
  readonly types: readonly string[]
  readonly withTerms: boolean
  readonly home: string
  /** Leaves out rows that are no part of a kit. */
  readonly isWanted: (post: Post, meta: Meta) => boolean
}

export async function readRows(
  context: ManagementContext,
  { types, withTerms, home, isWanted }: Wanted,
): Promise<KitRows> {
  const { storage } = context
  const stored = await publishedPosts(storage, types)
  const meta = await metaOf(storage, 'post', stored)
  const posts = stored.filter((post) => isWanted(post, meta.get(post.id) ?? {}))
  const terms = withTerms ? await readTerms(storage, taxonomiesOf(context), posts.length) : []
  const termMeta = await metaOf(storage, 'term', terms)
  const noteOf = ({ id }: Post) => meta.get(id)?.[importKey]
  const numbers = {
    post: numbered(posts, (post) => Number.parseInt(String(noteOf(post) ?? ''), 10) || 0),
    term: new Map(terms.map(({ id }, index) => [id, index + 1])),
    user: new Map<number, number>(),
  }
  const numberOf = (kind: keyof typeof numbers, id: number) => numbers[kind].get(id) ?? 0
  const { renumbered, renumberedPost } = withNumbers(context, numberOf)
  const assigned = Map.groupBy(await storage.terms.of(posts.map(({ id }) => id)), ({ post }) => post)
  const byId = new Map(terms.map((term) => [term.id, term]))
  const rows = posts.map((post): KitRow => {
    const [, guid = ''] = /^\d+ (\S+)/.exec(String(noteOf(post) ?? '')) ?? []
    return {
      post: renumberedPost(post),
      number: numberOf('post', post.id),
      guid: guid || `${home}/?p=${post.id}`,
      meta: renumbered(meta.get(post.id) ?? {}),
      terms: (assigned.get(post.id) ?? []).flatMap(({ term }) => byId.get(term) ?? []).sort(bySlug),
    }
  })
  return {
    posts: rows.sort((a, b) => a.number - b.number),
    terms: terms.map((term) => ({ term, number: numberOf('term', term.id), meta: termMeta.get(term.id) ?? {} })),
    numberOf,
    renumbered,
  }
}

const tooMany = () => new KitExportError(`the site has more than ${maxRecords} items, and a kit holds no more`)

async function publishedPosts(storage: Storage, types: readonly string[]): Promise<Post[]> {
  const posts: Post[] = []
  const order = { by: 'id', descending: false } as const
  const statuses = [{ status: 'publish' }, { status: 'inherit' }]
  const windows = readWindows<Post>(async (offset, limit) => {
    const { idsPage } = await storage.posts.query({ types, statuses, order, offset, limit })
    return storage.posts.read(idsPage.map(({ id }) => id))
  })
  for await (const window of windows) {
    posts.push(...window)
    if (posts.length > maxRecords) throw tooMany()
  }
  return posts
}

/** In an order that does not depend on ids. */
async function readTerms(storage: Storage, taxonomies: readonly string[], posts: number): Promise<Term[]> {
  const order = { by: 'id', descending: false } as const
  const query = { taxonomies, order, offset: 0, limit: maxRecords + 1 }
  const { rows } = await storage.terms.query(query)
  if (posts + rows.length > maxRecords) throw tooMany()
  return [...rows].sort(bySlug)
}

const bySlug = (a: Term, b: Term) => compare(a.taxonomy, b.taxonomy) || compare(a.slug, b.slug)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Imported rows have their old numbers; the others have their ids, or free numbers where those are taken. */
function numbered(posts: readonly Post[], oldNumberOf: (post: Post) => number): Map<number, number> {
  const numbers = new Map<number, number>()
  const taken = new Set<number>()
  const take = (id: number, number: number) => {
    if (number <= 0 || taken.has(number)) return false
    taken.add(number)
    numbers.set(id, number)
    return true
  }
  const others = posts.filter((post) => !take(post.id, oldNumberOf(post)))
  const clashing = others.filter(({ id }) => !take(id, id))
  let last = [...taken].reduce((most, number) => Math.max(most, number), 0)
  for (const { id } of clashing) take(id, ++last)
  return numbers
}

/** Ids of rows that the kit does not have become 0. */
function withNumbers(context: ManagementContext, numberOf: KitRows['numberOf']) {
  const embedded = embeddedReferencesOf(context)
  const keys = {
    reference(kind: string, id: number) {
      // The cast: the features name these kinds.
      const number = numberOf(kind as 'post' | 'term' | 'user', id)
      return number === 0 ? undefined : `${kind}.${number}`
    },
  }
  const numberIn = (name: string) => Number(name.slice(name.indexOf('.') + 1)) || 0
  return {
    renumbered: (meta: Meta) => seededMeta(exportedMeta(meta, embedded, keys), embedded, numberIn),
    renumberedPost: (post: Post) => seededTexts(exportedTexts(post, embedded, keys), embedded, numberIn),
  }
}
