/**
 * Lists that answers for outside caches name by one tag each: a commit compares its rows with the query of each of them, and touches the
 * tag where the list differs. They are kept in the storage, so that every process that writes knows them. A list that is not known has
 * the tags of all that may change it.
 */
import type { Collection, PostQuery, Storage } from '../../contract/storage.ts'
import { keepsPage } from './kept-pages.ts'
import { isListTouched, type ListRead, movesWithin, type Touch } from './list-reads.ts'
import { tagsOfPostQuery } from './post-tags.ts'
import { listTag } from './tag-names.ts'
import { tagsOfTermQuery, tagsOfUserQuery } from './term-tags.ts'

export const knownLists: Collection = {
  name: 'known_lists',
  fields: {
    /** That of the transaction that made it known: answers that are made from earlier states do not name it. */
    position: 'integer',
    /** JSON of the store and the query; text, because a list is found by it. */
    list: 'text',
  },
}

/** A commit compares its rows with each. */
const mostLists = 300
const mostAsked = 1000
/** A list with a longer query stays unknown. */
const longestQuery = 2000

/** A commit looks for the places of moved rows in no more lists. */
const mostPages = 80

interface KnownList {
  readonly tag: string
  readonly list: ListRead
  /** The position of the transaction that made the list known. */
  readonly position: number
}

/** Names lists as one answer may name them. */
export interface ListNames {
  knows(list: ListRead): boolean
  tagsOf(list: ListRead): readonly string[]
}

export class KnownLists {
  readonly #storage: () => Storage | undefined
  /** The lists by which answers are named, by their texts. */
  #named: ReadonlyMap<string, KnownList> = new Map()
  /** The lists with which commits are compared. */
  #compared: readonly KnownList[] = []
  /** All lists that were known at this position are compared. */
  position = -1
  /** The texts of lists that were asked for once. */
  readonly #asked = new Set<string>()
  readonly #wanted = new Set<string>()
  #isWriting = false

  /** `storage`: where new lists are written, outside of transactions. */
  constructor(storage: () => Storage | undefined) {
    this.#storage = storage
  }

  /** The names of the lists that are known now. */
  get names(): ListNames {
    const named = this.#named
    return {
      knows: (list) => named.has(textOf(list)),
      tagsOf: (list) => {
        const text = textOf(list)
        const known = named.get(text)
        if (known) return [known.tag]
        if (text.length <= longestQuery) this.#ask(text)
        return list.tags
      },
    }
  }

  /** A list that is asked for once is not worth a row. */
  #ask(text: string): void {
    if (!this.#asked.has(text)) {
      if (this.#asked.size >= mostAsked) this.#asked.clear()
      this.#asked.add(text)
      return
    }
    this.#asked.delete(text)
    this.#wanted.add(text)
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    try {
      while (this.#wanted.size > 0) {
        const texts = [...this.#wanted]
        this.#wanted.clear()
        await this.#storage()?.atomic?.((transaction) => insertLists(texts, transaction))
      }
    } catch {
      // A storage that takes no writes now: whoever asks twice more tries once more.
      this.#wanted.clear()
    } finally {
      this.#isWriting = false
    }
  }

  /** Reads the lists that were known at a position. `isCommitted`: answers may be named by them. */
  async read({ records }: Pick<Storage, 'records'>, position: number, isCommitted: boolean): Promise<void> {
    const { rows } = await records.query(knownLists, { order: [{ by: 'id' }], limit: 2 * mostLists })
    const known = rows.map((row) => {
      const text = String(row['list'])
      return { text, tag: listTag(row.id), list: listOf(text), position: Number(row['position']) }
    })
    this.#compared = known
    this.position = position
    if (!isCommitted) return
    const named = known.filter((one) => one.position <= position)
    this.#named = new Map(named.map((one) => [one.text, one]))
  }

  /** Whether a list depends on the terms of posts of this type. */
  needsTerms(type: string): boolean {
    return this.#compared.some(
      ({ list }) => list.store === 'posts' && list.query.terms && list.query.types.includes(type),
    )
  }

  /** Returns the tags of the lists that differ after these changes, which `transaction` has made. */
  async touchedBy(touch: Touch, transaction: Pick<Storage, 'posts'>): Promise<readonly string[]> {
    const touched = this.#compared.filter(({ list }) => isListTouched(list, touch))
    const pages = touched.flatMap((one) => {
      const moves = one.list.store === 'posts' && touch.moves && movesWithin(one.list, touch.moves.posts)
      return moves ? [{ one, query: one.list.query as PostQuery, moves }] : []
    })
    if (pages.length > mostPages) return touched.map(({ tag }) => tag)
    const keeps = await Promise.all(pages.map(({ query, moves }) => keepsPage(query, moves, transaction)))
    const same = new Set(pages.filter((_, at) => keeps[at]).map(({ one }) => one))
    return touched.filter((one) => !same.has(one)).map(({ tag }) => tag)
  }

  /** Whether the transaction at this position has compared the list, and found it to be the same. */
  isSame(list: ListRead, { tags, position }: Touch & { readonly position: number }): boolean {
    const known = this.#named.get(textOf(list))
    return known !== undefined && known.position < position && !tags.has(known.tag)
  }
}

async function insertLists(texts: readonly string[], { records, position }: Storage): Promise<void> {
  const { rows } = await records.query(knownLists, { order: [{ by: 'id' }], limit: 2 * mostLists })
  const known = new Set(rows.map((row) => row['list']))
  const added = texts.filter((text) => !known.has(text)).slice(0, mostLists - rows.length)
  const at = (await position?.()) ?? 0
  if (added.length > 0)
    await records.insert(
      knownLists,
      added.map((list) => ({ position: at, list })),
    )
}

const textOf = ({ store, query }: ListRead): string => JSON.stringify([store, query])

/** The tags are made anew, as this version of the library makes them. */
function listOf(text: string): ListRead {
  // The casts: `textOf` has written the text.
  const [store, query] = JSON.parse(text) as readonly [ListRead['store'], ListRead['query']]
  const named = { store, query } as ListRead
  return { ...named, tags: tagsOfList(named) }
}

function tagsOfList({ store, query }: ListRead): readonly string[] {
  if (store === 'posts') return tagsOfPostQuery(query as PostQuery)
  return (store === 'terms' ? tagsOfTermQuery(query) : tagsOfUserQuery(query)).ofList
}
