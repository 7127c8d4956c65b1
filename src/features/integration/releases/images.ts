/** Records as a storage has them, by their names: all members of each. */
import type { Collection, Json, Storage } from '../../../contract/storage.ts'
import { columnsOf } from './changes.ts'

/** The members of a record. Those that are not there are null. */
export interface RecordImage {
  readonly [member: string]: Json
}

/** A record that is not there has none. */
export type Images = ReadonlyMap<string, RecordImage>

/** `post:12` is of the kind `post`. */
export function partsOf(record: string): { readonly kind: string; readonly key: string } {
  const end = record.indexOf(':')
  return { kind: record.slice(0, end), key: record.slice(end + 1) }
}

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const

/** Reads these records, with one statement for each table. */
export async function readImages(
  storage: Storage,
  collections: ReadonlyMap<string, Collection>,
  records: Iterable<string>,
): Promise<Images> {
  const keys = Map.groupBy([...records].map(partsOf), ({ kind }) => kind)
  const keysOf = (kind: string) => (keys.get(kind) ?? []).map(({ key }) => key)
  const images: GrowingImages = new Map()
  await readPosts(storage, keysOf('post').map(Number), images)
  await readTerms(storage, keysOf('term').map(Number), images)
  const options = keysOf('option')
  const values = options.length > 0 ? await storage.options.read(options) : {}
  for (const name of options) images.set(`option:${name}`, { value: values[name] ?? null })
  for (const [kind, collection] of collections) {
    const ids = keysOf(kind).map(Number)
    if (ids.length === 0) continue
    enter(images, kind, (await storage.records.query(collection, { where: { field: 'id', in: ids } })).rows)
  }
  return images
}

type GrowingImages = Map<string, { [member: string]: Json }>

function enter(images: GrowingImages, kind: string, rows: readonly { readonly id: number }[]): void {
  // The cast: rows are JSON.
  for (const row of rows) images.set(`${kind}:${row.id}`, columnsOf(row as unknown as RecordImage))
}

async function readPosts(storage: Storage, ids: readonly number[], images: GrowingImages): Promise<void> {
  if (ids.length === 0) return
  enter(images, 'post', await storage.posts.read(ids))
  enterMeta(images, 'post', await storage.meta.read('post', ids))
  for (const { post, taxonomy, term } of await storage.terms.of(ids)) {
    const image = images.get(`post:${post}`)
    // The cast: only lists of ids are there.
    if (image) image[`terms.${taxonomy}`] = [...((image[`terms.${taxonomy}`] ?? []) as number[]), term]
  }
}

async function readTerms(storage: Storage, ids: readonly number[], images: GrowingImages): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await storage.terms.query({ ids, ...everything })
  enter(
    images,
    'term',
    rows.map(({ count: _count, ...row }) => row),
  )
  enterMeta(images, 'term', await storage.meta.read('term', ids))
}

function enterMeta(
  images: ReadonlyMap<string, { [member: string]: Json }>,
  owner: 'post' | 'term',
  entries: readonly { readonly id: number; readonly key: string; readonly value: Json }[],
): void {
  for (const { id, key, value } of entries) {
    const image = images.get(`${owner}:${id}`)
    if (image) image[`meta.${key}`] = value
  }
}
