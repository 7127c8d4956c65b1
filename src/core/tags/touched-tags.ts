/**
 * Knows what each committed transaction has touched, of this process and of all others, up to a position of the storage. Each
 * transaction keeps its tags in the storage, in a row with its position. A process that finds the storage further on reads the rows of the
 * transactions in between, apart from its own. Where one has no row, such as a write around the library, everything may have changed.
 */
import type { Changes, Collection, Storage, StoredRecord } from '../../contract/storage.ts'
import type { ChangeObserver, ChangeSet } from '../changes/row-change.ts'
import { type TagRules, tagsOfChanges } from './change-tags.ts'
import { KnownLists, knownLists, type ListNames } from './known-lists.ts'
import { isTouched, type Touch } from './list-reads.ts'
import { allAnswers, allLists, longList } from './tag-names.ts'

/** The tags of the last transactions. */
export const touchedTags: Collection = {
  name: 'touched_tags',
  fields: {
    position: 'integer',
    /** Tells rows apart that have one position in two histories: a server that took over may have lost the last transactions. */
    uid: 'text',
    /** Null: anything may have changed. */
    tags: 'json',
  },
}

/** A transaction that touches more ends everything. */
const mostTags = 1000
/** Processes that are further behind end everything. */
export const keptRows = 1000
export const sweepInterval = 128
/** More touched tags are not remembered: what was made before ends. */
const mostRemembered = 10_000

/** Undefined: everything. */
type Touched = ReadonlySet<string> | undefined

/** The row of a transaction. */
interface Entry {
  readonly id: number
  readonly uid: string
  readonly position: number
  readonly tags: Touched
  /** Other processes have the tags alone. */
  readonly moves: Touch['moves']
  isCommitted: boolean
}

type Token = Changes['all'] | undefined

interface HiddenNames {
  readonly records: ReadonlySet<string>
  readonly options: ReadonlySet<string>
}

interface TouchedOptions extends TagRules {
  /** Gives a random name of this process. */
  readonly nameProcess: () => string
  readonly storage: Storage
  /** No answer is made from these: their changes are not observed. */
  readonly hidden: HiddenNames
  /** Tags that only the service itself reads: they reach no cache and no event. */
  readonly privateTags: ReadonlySet<string>
  /** Called after each commit of this process that touches what answers are made from. */
  readonly onCommit: (tags: () => readonly string[]) => void
  /** Where lists are made known; undefined: no answer names lists. */
  readonly listStorage?: (() => Storage | undefined) | undefined
  /** Runs inside each such transaction. */
  readonly beforeCommit?: (tags: readonly string[], transaction: Storage) => Promise<void>
}

export class TouchedTags {
  readonly #options: TouchedOptions
  /** All that was committed up to here is known. */
  #position = -1
  #history: string | undefined
  #token: Token
  /** The row of the transaction at this position, if it is known. */
  #last: Pick<Entry, 'id' | 'uid'> | undefined
  /** Rises whenever this process learns of transactions. */
  #moment = 0
  /** Answers of earlier moments have ended. */
  #floor = 0
  /** Lists the tags of the last transactions, the latest at the end. */
  #log: (Touch & { readonly moment: number; readonly position: number })[] = []
  #logged = 0
  #process: string | undefined
  #kept = 0
  readonly #own = new Map<number, Entry[]>()
  readonly #lists: KnownLists | undefined
  /** Whether the lists have to be read before the next answer names one. */
  #haveListsChanged = true
  readonly #ends = new WeakMap<ChangeSet, { readonly entry: Entry | undefined; readonly tags: Touched }>()
  #catchingUp: Promise<unknown> = Promise.resolve()
  readonly observer: ChangeObserver

  constructor(options: TouchedOptions) {
    this.#options = options
    this.#lists = options.listStorage && new KnownLists(options.listStorage)
    this.observer = {
      wants: (store, name = '') => (store !== 'records' && store !== 'options') || !options.hidden[store].has(name),
      takesAll: 'writes',
      beforeCommit: (changes, transaction) => this.#beforeCommit(changes, transaction),
      afterCommit: (changes) => this.#afterCommit(changes),
    }
  }

  /** The collections whose changes have tags. */
  get collections(): ReadonlyMap<string, Collection> {
    return this.#options.collections
  }

  /** An answer of this moment holds until a transaction that is found later touches its tags. */
  get moment(): number {
    return this.#moment
  }

  /** Whether all that was committed before the token is known. */
  isAt(token: Token): boolean {
    return token !== undefined && token === this.#token
  }

  /** The moment that begins when all that is being learned is known. */
  get #next(): number {
    return this.#moment + 1
  }

  /** The names of lists for an answer that is made from the state of this token, or a later one. */
  namesAt(token: Token): ListNames | undefined {
    return this.isAt(token) ? this.#lists?.names : undefined
  }

  /** Whether nothing has touched an answer since a moment. */
  isUntouched(sources: Parameters<typeof isTouched>[0], since: number): boolean {
    if (since < this.#floor) return false
    for (let at = this.#log.length - 1; at >= 0; at--) {
      const touch = this.#log[at]
      if (!touch || touch.moment <= since) return true
      if (isTouched(sources, touch, (list) => this.#lists?.isSame(list, touch) ?? false)) return false
    }
    return true
  }

  /** Learns what was committed up to these tokens; false where that cannot be known. */
  catchUp(changes: Changes): Promise<boolean> {
    const caughtUp = this.#catchingUp.then(() => this.#catchUp(changes))
    this.#catchingUp = caughtUp.catch(() => undefined)
    return caughtUp
  }

  async #catchUp({ all: token, position, history }: Changes): Promise<boolean> {
    if (this.isAt(token)) return true
    if (position === undefined) return false
    // A standby may be behind what this process knows.
    if (position < this.#position && this.#options.storage.requests) return false
    const isContinued = this.#position >= 0 && position >= this.#position && history === this.#history
    if (!isContinued || !(await this.#follow(position))) this.#endEverything()
    await this.#followLists(position)
    this.#position = position
    this.#history = history
    // Together: requests that come before still have the earlier token, so what they read may be older than these touches.
    this.#token = token
    this.#moment++
    for (const known of this.#own.keys()) if (known <= position) this.#own.delete(known)
    return true
  }

  async #followLists(position: number): Promise<void> {
    if (this.#haveListsChanged) await this.#lists?.read(this.#options.storage, position, true)
    else if (this.#lists) this.#lists.position = position
    this.#haveListsChanged = false
  }

  /** Returns the lists that were known before a transaction. */
  async #listsBefore(position: number, transaction: Storage): Promise<KnownLists | undefined> {
    const lists = this.#lists
    if (!lists) return undefined
    for (let at = lists.position + 1; at <= position; at++) {
      const own = this.#own.get(at) ?? []
      const isOwn = at === position || (own.length > 0 && own.every(({ isCommitted }) => isCommitted))
      if (!isOwn || own.some(({ tags }) => !tags || tags.has(allLists))) {
        await lists.read(transaction, position - 1, false)
        break
      }
      if (at < position) lists.position = at
    }
    return lists
  }

  /** False: a transaction on the way has no row. */
  async #follow(position: number): Promise<boolean> {
    for (let next = this.#position + 1; next <= position; next++) {
      const own = this.#own.get(next)
      if (!own?.every(({ isCommitted }) => isCommitted)) return this.#followRows(next, position)
      this.#applyAll(own)
    }
    return true
  }

  async #followRows(from: number, position: number): Promise<boolean> {
    const last = this.#last
    const rows = await this.#readRows(last?.id)
    const newest = rows.findLast((row) => row.position === position)
    const isKnown = last !== undefined && rows[0]?.id === last.id && rows[0].uid === last.uid
    this.#last = newest
    if (!isKnown) return false
    const found = rows.filter((row) => row.position >= from && row.position <= position)
    if (new Set(found.map((row) => row.position)).size !== position - from + 1) return false
    this.#applyAll(found)
    return true
  }

  /** Reads the rows from an id on, or the last ones. */
  async #readRows(id: number | undefined): Promise<readonly Entry[]> {
    const { rows } = await this.#options.storage.records.query(touchedTags, {
      ...(id === undefined ? {} : { where: { field: 'id', from: id } }),
      order: [{ by: 'id', descending: id === undefined }],
      limit: id === undefined ? 100 : keptRows + sweepInterval,
    })
    const entries = rows.map(toEntry)
    return id === undefined ? entries.toReversed() : entries
  }

  #applyAll(entries: readonly Entry[]): void {
    for (const { id, uid, position, tags, moves } of entries) {
      this.#last = { id, uid }
      if (tags?.has(allLists)) this.#haveListsChanged = true
      if (!tags) this.#endEverything()
      else if (tags.size > 0) {
        this.#log.push({ moment: this.#next, position, tags, moves })
        this.#logged += tags.size
      }
    }
    if (this.#logged > mostRemembered) this.#forgetOldest()
  }

  #endEverything(): void {
    this.#haveListsChanged = true
    this.#floor = this.#next
    this.#log = []
    this.#logged = 0
  }

  #forgetOldest(): void {
    const gone = this.#log.splice(0, Math.ceil(this.#log.length / 2))
    this.#floor = gone.at(-1)?.moment ?? this.#next
    for (const { tags } of gone) this.#logged -= tags.size
  }

  async #beforeCommit(set: ChangeSet, transaction: Storage): Promise<void> {
    const position = await transaction.position?.()
    const lists = position === undefined ? undefined : await this.#listsBefore(position, transaction)
    const touch = set.overflow ? undefined : await this.#touchOf(set, transaction, lists)
    const tags = touch?.tags
    if (this.#touchesAnswers(tags)) await this.#options.beforeCommit?.(this.#told(tags), transaction)
    // Answers do not end with a list that becomes known: other processes learn of it by this row alone.
    const kept = tags && set.written.has(knownLists.name) ? new Set([...tags, allLists]) : tags
    const entry =
      position === undefined ? undefined : await this.#keep(position, { tags: kept, moves: touch?.moves }, transaction)
    this.#ends.set(set, { entry, tags })
  }

  /** Undefined: everything. */
  async #touchOf(
    { changes }: ChangeSet,
    transaction: Storage,
    lists: KnownLists | undefined,
  ): Promise<Touch | undefined> {
    const touch = await tagsOfChanges(changes, transaction, {
      ...this.#options,
      needsTerms: (type) => lists?.needsTerms(type) ?? false,
      // Over a network, a commit waits for more answers only where outside caches gain by it.
      looksForOthers: !transaction.isRemote || lists !== undefined,
    })
    const tags = new Set([...touch.tags, ...((await lists?.touchedBy(touch, transaction)) ?? [])])
    return tags.size > mostTags ? undefined : { tags, moves: touch.moves }
  }

  async #keep(position: number, touch: Pick<Entry, 'tags' | 'moves'>, transaction: Storage): Promise<Entry> {
    const { tags } = touch
    // The storage has lost transactions that this process knows.
    if (position <= this.#position) this.#forget()
    this.#process ??= this.#options.nameProcess()
    const uid = `${this.#process}.${++this.#kept}`
    const [id = 0] = await transaction.records.insert(touchedTags, [{ position, uid, tags: tags ? [...tags] : null }])
    if (position % sweepInterval === 0) await removeOld(transaction, position)
    const entry: Entry = { id, uid, position, ...touch, isCommitted: false }
    this.#own.set(position, [...(this.#own.get(position) ?? []), entry])
    return entry
  }

  #forget(): void {
    this.#position = -1
    this.#token = undefined
  }

  #afterCommit(changes: ChangeSet): void {
    const end = this.#ends.get(changes)
    if (!end) return
    const { entry, tags } = end
    if (entry) entry.isCommitted = true
    if (this.#touchesAnswers(tags)) this.#options.onCommit(() => this.#told(tags))
  }

  #touchesAnswers(tags: Touched): boolean {
    if (!tags) return true
    for (const tag of tags) if (!this.#options.privateTags.has(tag)) return true
    return false
  }

  /** The tags for caches and events. */
  #told(tags: Touched): readonly string[] {
    if (!tags) return [allAnswers, longList]
    return [...[...tags].filter((tag) => !this.#options.privateTags.has(tag)), longList]
  }
}

async function removeOld({ records }: Storage, position: number): Promise<void> {
  const { rows } = await records.query(touchedTags, { order: [{ by: 'id' }], limit: 2 * sweepInterval })
  const old = rows.filter((row) => Number(row.position) < position - keptRows).map(({ id }) => id)
  if (old.length > 0) await records.remove(touchedTags, { field: 'id', in: old })
}

const toEntry = ({ id, uid, position, tags }: StoredRecord): Entry => ({
  ...{ id, uid: String(uid), position: Number(position), moves: undefined, isCommitted: true },
  tags: Array.isArray(tags) ? new Set(tags.map(String)) : undefined,
})
