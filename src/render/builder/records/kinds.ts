/** Defines the kinds of records that a render reads. Each `load` reads all keys in one or two storage calls. */

import type { Json, Post, PostQuery, Term, User } from '../../../contract/storage.ts'
import { optionTag } from '../../../core/tags/tag-names.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { readTermAddresses } from '../../../site/term-address.ts'
import { decodeReferences } from '../../filter/references.ts'
import { isObject, numberOf, objectOf, ownValue, textOf } from '../document/values.ts'
import { kitParts } from './keys.ts'
import type { RecordKind, RecordSource } from './records.ts'

const byId = { by: 'id', descending: false } as const
const all = { order: byId, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const

export const posts: RecordKind<number, Post> = {
  name: 'posts',
  load: async (ids, { storage }) => new Map((await storage.posts.read(ids)).map((post) => [post.id, post])),
}

export const users: RecordKind<number, User> = {
  name: 'users',
  load: async (ids, { storage }) =>
    new Map((await storage.users.query({ ids, ...all })).rows.map((user) => [user.id, user])),
}

/** Leaves out `count`, which changes whenever a post does. */
export interface TermRecord extends Omit<Term, 'count'> {
  readonly address: string
}

/** Reads terms by id. Names are stored with character references; widgets write plain text. */
async function readTerms(ids: readonly number[], { storage, site }: RecordSource): Promise<Map<number, TermRecord>> {
  const { rows } = await storage.terms.query({ ids, ...all })
  const addressOf = await readTermAddresses(rows, { storage, settings: site })
  // Without a look at other columns: whoever reads one depends on it.
  return new Map(rows.map((row) => [row.id, termRecord(row, addressOf)]))
}

const termRecord = (row: Term, addressOf: (row: Term) => string): TermRecord => ({
  id: row.id,
  get taxonomy() {
    return row.taxonomy
  },
  get slug() {
    return row.slug
  },
  get name() {
    return decodeReferences(row.name)
  },
  get description() {
    return row.description
  },
  get parent() {
    return row.parent
  },
  get address() {
    return addressOf(row)
  },
})

export const terms: RecordKind<number, TermRecord> = { name: 'terms', load: readTerms }

/** The terms of a post, of all taxonomies. */
export const postTerms: RecordKind<number, readonly TermRecord[]> = {
  name: 'terms of posts',
  load: async (ids, source) => {
    const assigned = await source.storage.terms.of(ids)
    const found = await readTerms([...new Set(assigned.map(({ term }) => term))], source)
    return new Map(
      ids.map((id) => [
        id,
        assigned.flatMap(({ post, term }) => {
          const row = post === id ? found.get(term) : undefined
          return row ? [row] : []
        }),
      ]),
    )
  },
}

/** The address of a post. */
export const addresses: RecordKind<number, string> = {
  name: 'addresses',
  load: async (ids, { storage, site }) => {
    const rows = await storage.posts.read(ids)
    const found = await addressesOf(rows, { storage, settings: site })
    return new Map(rows.map(({ id }, index) => [id, found[index] ?? '']))
  },
}

/** Meta values of posts; the key is `<id> <key>`. */
export const postMeta: RecordKind<string, Json> = metaOf('post')
export const userMeta: RecordKind<string, Json> = metaOf('user')

function metaOf(owner: 'post' | 'user'): RecordKind<string, Json> {
  return {
    name: `meta of ${owner}s`,
    load: async (keys, { storage }) => {
      const pairs = keys.map(
        (key) => [Number(key.slice(0, key.indexOf(' '))), key.slice(key.indexOf(' ') + 1)] as const,
      )
      const ids = [...new Set(pairs.map(([id]) => id))]
      const entries = await storage.meta.read(owner, ids, [...new Set(pairs.map(([, key]) => key))])
      return new Map(entries.map(({ id, key, value }) => [`${id} ${key}`, value]))
    },
  }
}

export const options: RecordKind<string, Json> = {
  name: 'options',
  tagOf: optionTag,
  load: async (keys, { storage }) => {
    const nameOf = (key: string) => (isPart.has(key) ? key.slice(0, key.lastIndexOf('/')) : key)
    const stored = await storage.options.read([...new Set(keys.map(nameOf))])
    return new Map(
      keys.flatMap((key) => (Object.hasOwn(stored, nameOf(key)) ? [[key, stored[nameOf(key)] as Json]] : [])),
    )
  },
}

const isPart: ReadonlySet<string> = new Set(Object.values(kitParts))

interface PostList {
  readonly ids: readonly number[]
  readonly total: number
}

/** Results of post queries; the key is the query as JSON. */
export const postLists: RecordKind<string, PostList> = {
  name: 'post lists',
  load: async (queries, { storage }) =>
    new Map(
      await Promise.all(
        queries.map(async (text) => {
          // The cast: `postListKey` writes the key.
          const { idsPage, total } = await storage.posts.query(JSON.parse(text) as PostQuery)
          return [text, { ids: idsPage.map(({ id }) => id), total }] as const
        }),
      ),
    ),
}

export const postListKey = (query: PostQuery): string => JSON.stringify(query)

/** Ids of all descendants of a term. */
export const termsBelow: RecordKind<number, readonly number[]> = {
  name: 'terms below',
  load: async (ids, { storage }) =>
    new Map(await Promise.all(ids.map(async (id) => [id, await storage.terms.below([id])] as const))),
}

// ---------------------------------------------------------------- media

interface MediumSize {
  readonly address: string
  readonly width: number
  readonly height: number
}

export interface Medium {
  readonly id: number
  readonly address: string
  /** The path below the uploads folder. */
  readonly path: string
  readonly mimeType: string
  readonly width: number | undefined
  readonly height: number | undefined
  readonly alternative: string
  readonly caption: string
  readonly title: string
  readonly description: string
  /** Sizes by name: `thumbnail`, `medium` and so on. */
  readonly sizes: ReadonlyMap<string, MediumSize>
}

export const media: RecordKind<number, Medium> = {
  name: 'media',
  load: async (ids, { storage, fileAddress }) => {
    const keys = [attachedFileKey, attachmentMetadataKey, alternativeTextKey]
    const [rows, entries] = await Promise.all([storage.posts.read(ids), storage.meta.read('post', ids, keys)])
    const values = new Map(entries.map(({ id, key, value }) => [`${id} ${key}`, value]))
    return new Map(
      rows.flatMap((post): [number, Medium][] => {
        const path = values.get(`${post.id} ${attachedFileKey}`)
        if (post.type !== 'attachment' || post.status === 'trash' || typeof path !== 'string') return []
        const metadata = values.get(`${post.id} ${attachmentMetadataKey}`)
        const alternative = textOf(values.get(`${post.id} ${alternativeTextKey}`))
        return [[post.id, { ...mediumOf(post, alternative), ...fileOf(path, metadata, fileAddress) }]]
      }),
    )
  },
}

const mediumOf = ({ id, mimeType, excerpt, title, content }: Post, alternative: string) => ({
  ...{ id, mimeType, alternative, title },
  caption: excerpt,
  description: content,
})

function fileOf(path: string, metadata: unknown, fileAddress: (path: string) => string) {
  const { width, height, sizes } = objectOf(metadata)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const listed = Object.entries(objectOf(sizes)).flatMap(([name, size]): [string, MediumSize][] => {
    if (!isObject(size)) return []
    const [file, wide, high] = [textOf(ownValue(size, 'file')), numberOf(size['width']), numberOf(size['height'])]
    if (file === '' || wide === undefined || high === undefined) return []
    return [[name, { address: fileAddress(folder + file.slice(file.lastIndexOf('/') + 1)), width: wide, height: high }]]
  })
  return { address: fileAddress(path), path, width: numberOf(width), height: numberOf(height), sizes: new Map(listed) }
}
