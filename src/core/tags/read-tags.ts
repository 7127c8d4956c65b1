/**
 * Records the tags of what one answer is made from: a storage and settings that note each read. Nothing else has to say what it
 * depends on. A value from a memory of the process, which reads nothing, hands over the tags with which it was made.
 */
import { andThen } from '../../contract/maybe-promise.ts'
import type { Collection, MetaOwner, PostQuery, Storage } from '../../contract/storage.ts'
import type { Settings } from '../../site/settings.ts'
import type { ListNames } from './known-lists.ts'
import type { ListRead, Sources } from './list-reads.ts'
import { tagsOfChildren, tagsOfPostQuery, tagsOfSlugs } from './post-tags.ts'
import { tagsOfRecords } from './record-tags.ts'
import { compactTags, recordedRow } from './row-tags.ts'
import { settingTags } from './setting-tags.ts'
import {
  allOptions,
  allSettings,
  any,
  anyColumn,
  assignedTag,
  columnTag,
  headColumns,
  metaTag,
  optionTag,
  recordsTag,
  rowTag,
  termTree,
} from './tag-names.ts'
import { tagsOfTermQuery, tagsOfUserQuery } from './term-tags.ts'

/** Of more lists, the tags alone are kept. */
const maxLists = 50

/** An answer that is made from more has this one tag, and each change ends it. */
const maxTags = 2000

const recorders = new WeakMap<object, ReadTags>()
const plainValues = new WeakMap<object, object>()

/** The recorder whose storage, or whose settings, this is; undefined where nothing is recorded. */
export const readTagsOf = (recorded: object): ReadTags | undefined => recorders.get(recorded)

/** The storage or the settings without their recorder. */
export const unrecorded = <T extends object>(value: T): T => (plainValues.get(value) as T | undefined) ?? value

export interface TagNote {
  readonly tags: ReadonlySet<string>
  end(): void
}

interface ReadOptions {
  readonly hasColumns?: boolean
  readonly keepsLists?: boolean
  /** Names the lists among all tags. */
  readonly names?: ListNames | undefined
}

export class ReadTags {
  readonly #collections: ReadonlyMap<string, Collection>
  readonly #tags = new Set<string>()
  /** Whether each column of a post has a tag; an answer that shows whole rows needs one for all. */
  readonly #hasColumns: boolean
  /** Whether lists keep their queries. */
  readonly #keepsLists: boolean
  readonly #names: ListNames | undefined
  readonly #lists: ListRead[] = []
  /** Those that have this part. */
  readonly #wholes = new Set<ReadTags>()
  /** The terms of posts, as far as they were read. */
  readonly #assigned = new Map<number, Set<number>>()
  readonly #notes = new Set<Set<string>>()
  #grouped: ReturnType<typeof groupsOf> | undefined
  /** False: something was read that no tags tell, so the answer lasts until anything is written. */
  isComplete = true

  /** `collections`: those whose changes have tags. */
  constructor(
    collections: ReadonlyMap<string, Collection>,
    { hasColumns = false, keepsLists = false, names }: ReadOptions = {},
  ) {
    this.#collections = collections
    this.#hasColumns = hasColumns
    this.#keepsLists = keepsLists
    this.#names = names
  }

  /** All tags. */
  get tags(): ReadonlySet<string> {
    const ofLists = this.#lists.flatMap((list) => this.#names?.tagsOf(list) ?? list.tags)
    return compactTags(this.#tags, ofLists)
  }

  /** Returns the tags of everything but lists, and the lists with their queries. */
  get sources(): Sources {
    const isNamed = this.#lists.every((list) => this.#names?.knows(list) ?? true)
    return { tags: compactTags(this.#tags), lists: this.#lists, isNamed }
  }

  add(tags: Iterable<string>): void {
    for (const tag of tags) this.#add(tag)
    if (this.#tags.size > maxTags) this.isComplete = false
  }

  #add(tag: string): void {
    for (const noted of this.#notes) noted.add(tag)
    if (this.#tags.has(tag)) return
    this.#tags.add(tag)
    for (const whole of this.#wholes) whole.#add(tag)
  }

  /** Notes apart the tags of all reads until its end, also of reads that were noted before. */
  note(): TagNote {
    const tags = new Set<string>()
    this.#notes.add(tags)
    return { tags, end: () => void this.#notes.delete(tags) }
  }

  /**
   * Returns the tags of a value that depends on one row and on the rows that belong to it: `noted` while it was made, and all of the row and
   * its terms, which decide about more than the noted tags. Other posts that the same answer shows are no part of it. `showsSettings`: the
   * value has the digest of the settings in it.
   */
  ofRow(id: number, noted: Iterable<string>, { showsSettings = false } = {}): readonly string[] {
    if (this.#grouped?.count !== this.#tags.size) this.#grouped = groupsOf(this.#tags)
    const { posts, terms } = this.#grouped
    const shared = [...noted].filter((tag) => !/^posts?:/.test(tag) && tag !== allSettings)
    const ofTerms = [...(this.#assigned.get(id) ?? terms.keys())].flatMap((term) => terms.get(term) ?? [])
    return [...shared, ...(posts.get(id) ?? []), ...ofTerms, ...(showsSettings ? [allSettings] : [])]
  }

  /**
   * Notes rows of posts that a memory of the process has, as if they were read. Returns false where each column has a tag: then they have to
   * be read.
   */
  noteRows(ids: readonly number[]): boolean {
    if (this.#hasColumns) return false
    this.add(ids.flatMap((id) => [rowTag('post', id), columnTag('post', id, anyColumn)]))
    return true
  }

  /** A recorder of a part, whose tags are handed over to this one when the part is done. */
  part(): ReadTags {
    return new ReadTags(this.#collections, { hasColumns: true })
  }

  /** Hands over the tags of a part, and those that it still gets: a row tells its columns when they are read. */
  follow(part: ReadTags): void {
    this.isComplete &&= part.isComplete
    // A hundred rows that are read together have one part.
    if (part.#wholes.has(this) && !this.#isNoting) return
    part.#wholes.add(this)
    this.add(part.#tags)
  }

  /** Whether a note takes the tags of each read, also of those whose tags are known. */
  get #isNoting(): boolean {
    return this.#notes.size > 0
  }

  /** Hands over the tags of a part that is done. */
  addPart({ tags, isComplete }: Pick<ReadTags, 'tags' | 'isComplete'>): void {
    this.add(tags)
    this.isComplete &&= isComplete
  }

  /** The storage, with notes of each read. */
  storage(storage: Storage): Storage {
    const { posts, terms, users, meta, options, records, atomic } = storage
    const add = (tags: Iterable<string>) => this.add(tags)
    const row = { add: (tag: string) => this.#add(tag), isNoting: () => this.#isNoting }
    const recorded: Storage = {
      ...passedOn(storage),
      posts: {
        ...bound(posts),
        query: (query) => {
          return andThen(posts.query(query), (found) => {
            this.#addPosts(query, found)
            add(found.idsPage.flatMap(({ id }) => [rowTag('post', id), columnTag('post', id, headColumns)]))
            return found
          })
        },
        read: (ids) => {
          add(ids.map((id) => rowTag('post', id)))
          if (this.#hasColumns)
            return andThen(posts.read(ids), (rows) => rows.map((one) => recordedRow('post', one, row)))
          add(ids.map((id) => columnTag('post', id, anyColumn)))
          return posts.read(ids)
        },
        takenSlugs: (type, slugs, parent) => {
          add(tagsOfSlugs(type, slugs, parent))
          return posts.takenSlugs(type, slugs, parent)
        },
        childCounts: (type, parents) => {
          add(tagsOfChildren(type, parents))
          return posts.childCounts(type, parents)
        },
      },
      terms: {
        ...bound(terms),
        query: (query) => {
          const { own, ofList } = tagsOfTermQuery(query)
          add(own)
          this.#addList({ store: 'terms', tags: ofList, query })
          return andThen(terms.query(query), (found) => {
            add(found.rows.map(({ id }) => rowTag('term', id)))
            return { ...found, rows: found.rows.map((one) => recordedRow('term', one, row)) }
          })
        },
        below: (ids) => {
          add([termTree])
          return terms.below(ids)
        },
        of: (ids) => {
          add(ids.map(assignedTag))
          return andThen(terms.of(ids), (found) => {
            this.#noteTerms(ids, found)
            return found
          })
        },
      },
      users: {
        ...bound(users),
        query: (query) => {
          const { own, ofList } = tagsOfUserQuery(query)
          add(own)
          this.#addList({ store: 'users', tags: ofList, query })
          return andThen(users.query(query), (found) => {
            add(found.rows.map(({ id }) => rowTag('user', id)))
            return { ...found, rows: found.rows.map((one) => recordedRow('user', one, row)) }
          })
        },
      },
      meta: {
        ...bound(meta),
        read: (owner, ids, keys) => {
          add(metaTags(owner, ids, keys))
          return meta.read(owner, ids, keys)
        },
      },
      options: {
        ...bound(options),
        read: (names) => {
          add(names ? names.map(optionTag) : [allOptions])
          return options.read(names)
        },
      },
      records: {
        ...bound(records),
        query: (collection, query) => {
          this.#addRecords(collection, query.where)
          return records.query(collection, query)
        },
      },
      ...(atomic && {
        atomic: (work, choices) => atomic.call(storage, (inside) => work(this.storage(inside)), choices) as never,
      }),
    }
    recorders.set(recorded, this)
    plainValues.set(recorded, unrecorded(storage))
    return recorded
  }

  /** The settings, with a note of each option that is read. */
  settings(settings: Settings): Settings {
    const plain = unrecorded(settings)
    const recorded = settingTags(plain, (tags) => this.add(tags))
    recorders.set(recorded, this)
    plainValues.set(recorded, plain)
    return recorded
  }

  #addPosts(query: PostQuery, { idsPage }: { readonly idsPage: readonly { readonly id: number }[] }): void {
    const isWhole = query.offset === 0 && idsPage.length < query.limit
    const whole = isWhole ? new Set(idsPage.map(({ id }) => id)) : undefined
    if (query.ids) this.add(tagsOfPostQuery(query))
    else this.#addList({ store: 'posts', tags: tagsOfPostQuery(query), query, whole })
  }

  #addList(list: ListRead): void {
    if (list.tags.length === 0) return
    if (this.#keepsLists && this.#lists.length < maxLists) this.#lists.push(list)
    else this.add(list.tags)
  }

  #noteTerms(posts: readonly number[], found: readonly { readonly post: number; readonly term: number }[]): void {
    for (const id of posts) if (!this.#assigned.has(id)) this.#assigned.set(id, new Set())
    for (const { post, term } of found) this.#assigned.get(post)?.add(term)
  }

  #addRecords(collection: Collection, where: Parameters<typeof tagsOfRecords>[1]): void {
    const declared = this.#collections.get(collection.name)
    this.add(declared ? tagsOfRecords(declared, where) : [recordsTag(collection.name)])
  }
}

/** Groups the tags of posts and of terms by their rows. */
function groupsOf(tags: ReadonlySet<string>) {
  const [posts, terms] = [new Map<number, string[]>(), new Map<number, string[]>()]
  for (const tag of tags) {
    const group = tag.startsWith('post') ? posts : tag.startsWith('term:') ? terms : undefined
    if (!group) continue
    const id = idIn(tag)
    if (id === undefined) continue
    const known = group.get(id)
    if (known) known.push(tag)
    else group.set(id, [tag])
  }
  return { count: tags.size, posts, terms }
}

/** The children of a post, such as its revisions, belong to it: a view counts them. Other lists belong to no row. */
function idIn(tag: string): number | undefined {
  // `post:` and `term:` are of one length.
  if (!tag.startsWith('posts:')) return Number.parseInt(tag.slice(5), 10)
  const at = tag.lastIndexOf(':parent:')
  return at === -1 ? undefined : Number(tag.slice(at + 8))
}

const metaTags = (owner: MetaOwner, ids: readonly number[], keys: readonly string[] = [any]) =>
  ids.flatMap((id) => keys.map((key) => metaTag(owner, id, key)))

/** The members that tell what a storage can do. */
function passedOn(storage: Storage): Partial<Storage> {
  const { requests, keepsIds, isRemote } = storage
  return {
    ...(requests && { requests }),
    ...(keepsIds && { keepsIds }),
    ...(isRemote && { isRemote }),
    ...(storage.now && { now: () => storage.now?.() ?? Date.now() }),
    ...(storage.changes && { changes: () => storage.changes?.() ?? '' }),
    ...(storage.readChanges && { readChanges: () => storage.readChanges?.() ?? { all: '' } }),
  }
}

const boundStores = new WeakMap<object, object>()

/** The methods of a store, which may be an object of a class. */
function bound<S extends object>(store: S): S {
  // The cast: only this function fills the map.
  const known = (boundStores.get(store) as S | undefined) ?? bindAll(store)
  boundStores.set(store, known)
  return known
}

function bindAll<S extends object>(store: S): S {
  const names = new Set<string>()
  for (
    let at: object | null = store;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  // The cast: the names are those of the store.
  const members = store as { readonly [name: string]: unknown }
  const methods = [...names].filter((name) => name !== 'constructor' && typeof members[name] === 'function')
  return Object.fromEntries(methods.map((name) => [name, (members[name] as () => unknown).bind(store)])) as S
}
