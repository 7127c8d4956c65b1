/** Merges posts into the site in batches, each in one transaction. Posts of an earlier import are recognised by their meta. */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Post, Storage } from '../../../contract/storage.ts'
import { mayBeWritten } from '../../../core/runtime/unit-of-work.ts'
import { addOldSlugs } from '../../../site/addresses/old-slugs.ts'
import { attachedFileKey, attachmentMetadataKey, importedStoredKey } from '../../../site/post-keys.ts'
import type { SiteTime } from '../../../site/time-zone.ts'
import {
  clearedDerivedOptions,
  embeddedReferencesOf,
  inOneTransaction,
  type ManagementContext,
  windowsOf,
} from '../../context.ts'
import { declaredFields } from '../../declared-meta.ts'
import { type EmbeddedKinds, exportedMeta, exportedTexts, withNotedNames } from '../../transfer/embedded.ts'
import { type PlannedPost, type PostRules, planPost } from '../../transfer/plan-posts.ts'
import { ReferenceIds } from '../../transfer/write/ids.ts'
import {
  completeReferences,
  linkEmbedded,
  type OpenPost,
  type OpenReferences,
} from '../../transfer/write/open-posts.ts'
import { insertPosts, updatePosts } from '../../transfer/write/posts.ts'
import { type ImportedPost, importKey } from '../entries/posts.ts'
import { fileReferences, numbered } from '../entries/references.ts'
import { importedMeta } from '../imported-posts.ts'
import type { ReportBuilder } from '../report.ts'
import type { CommentImport } from './comments.ts'
import { createSlugChooser } from './slugs.ts'
import type { TermImport } from './terms.ts'
import type { UserImport } from './users.ts'
import { WaitingPosts } from './waiting-posts.ts'

interface PostImportOptions {
  readonly context: ManagementContext
  readonly users: UserImport
  readonly terms: TermImport
  readonly comments: CommentImport
  readonly report: ReportBuilder
  readonly ids: ReferenceIds
  readonly time: SiteTime
  /** The permalink structure of the site; it reserves some slugs. */
  readonly permalink: string
  /** Whether existing posts are overwritten with the values of the file. */
  readonly update: boolean
  /** The numbers of items that were left out. One that can not be written is added. */
  readonly leftOut: Set<number>
}

/** A post of the file, the row that it is to become, and the id of the stored one; 0: there is none. */
export interface CheckedPost {
  readonly item: ImportedPost
  readonly post: PlannedPost
  readonly id: number
}

/** Returns callbacks to run after the commit. */
type WriteBatch = (transaction: Storage, items: readonly ImportedPost[]) => Promise<(() => void)[]>

/** The meta key of notes: what a post waits for. */
const waitingKey = '_import_waiting'

/** When as many posts in a row fail, the storage itself is taken to be failing. */
const maxFailures = 20

/** The defaults of new posts. An entry of the import has nearly all members. */
const defaults = { status: 'draft', values: blankPost }

export class PostImport {
  readonly #options: PostImportOptions
  readonly #embedded: EmbeddedKinds
  readonly #named: ReturnType<typeof withNotedNames>
  readonly #rules: PostRules
  readonly #slugs = createSlugChooser()
  readonly #waiting = new WaitingPosts()
  /** The ids of stored posts, which are found by guid. */
  readonly #stored = new Map<string, number>()
  #failuresInRow = 0

  constructor(options: PostImportOptions) {
    this.#options = options
    const { context, time } = options
    this.#embedded = embeddedReferencesOf(context)
    // The entries have their meta in the declared types already.
    const fields = declaredFields()
    this.#named = withNotedNames(this.#embedded)
    this.#rules = { time, now: time.now(context.app.clock), embedded: this.#named.embedded, fields }
  }

  /** Reads which posts were imported before. `sites` are the URLs of the exported site. */
  async begin(sites: readonly string[]): Promise<void> {
    for await (const window of importedMeta(this.#options.context, [importKey, waitingKey])) {
      for (const { id, key, value } of window) {
        if (key === importKey) this.#remember(String(value), id, sites)
        // The cast: the import has written the note.
        else this.#waiting.set({ ...(value as OpenReferences), id, line: 0 })
      }
    }
  }

  async write(items: readonly ImportedPost[]): Promise<void> {
    const { users, terms, report, update, ids } = this.#options
    await users.ensure(items)
    await terms.ensure(items.flatMap((item) => item.terms))
    // A batch may have the same item twice: the last one counts.
    const distinct = [...new Map(items.map((item) => [item.guid, item])).values()]
    const existing = distinct.filter(({ guid }) => this.#stored.has(guid))
    for (const item of existing) ids.set(referenceOf(item), this.#idOf(item))
    const merged = update ? distinct : distinct.filter((item) => !existing.includes(item))
    if (merged.length > 0) await this.#writeOrSplit(merged, this.#merge)
    const commented = update ? [] : existing.filter((item) => item.comments.length > 0)
    if (commented.length > 0) await this.#writeOrSplit(commented, this.#addComments)
    const untouched = items.filter((item) => !distinct.includes(item) || (!update && existing.includes(item)))
    for (const { type } of untouched) report.count(countOf(type), 'existing')
    await this.#settle(this.#waiting.for(items.map(referenceOf)))
  }

  /** Completes references where their posts exist, reports the others, and links documents and texts. */
  async finish(): Promise<void> {
    const { context, report, leftOut } = this.#options
    for (const posts of windowsOf(this.#waiting.all)) await this.#settle(posts)
    this.#waiting.reportMissing(report, leftOut)
    const missing = (reference: string) => {
      const [kind = '', number = ''] = reference.split(/\.#?/, 2)
      const isLeftOut = kind === 'post' && leftOut.has(Number(number))
      report.add(isLeftOut ? 'left-out-post' : 'missing-post', `${kind} in a document`, { line: 0, what: number })
    }
    for (const posts of windowsOf(this.#waiting.all.filter(({ isUnlinked }) => isUnlinked))) {
      const linked = posts.map(({ isUnlinked: _, ...post }) => post)
      await inOneTransaction(context.storage, async (transaction) => {
        await linkEmbedded(
          transaction,
          posts.map(({ id }) => id),
          this.#embedded,
          (reference) => {
            const id = this.#options.ids.of(reference)
            if (id === 0) missing(reference)
            return id
          },
          { touches: true },
        )
        await completeReferences(transaction, linked, { ids: this.#options.ids, noteKey: waitingKey })
      })
    }
  }

  /** The row that a post is to become, and the id of the stored one; 0: there is none. */
  planned(item: ImportedPost): CheckedPost {
    return { item, post: this.#planned(item), id: this.#idOf(item) }
  }

  #idOf({ guid }: ImportedPost): number {
    return this.#stored.get(guid) ?? 0
  }

  #remember(guid: string, id: number, sites: readonly string[]): void {
    this.#stored.set(guid, id)
    const [number = '', address = ''] = guid.split(' ', 2)
    const isOfSite = sites.some((site) => site !== '' && address.startsWith(site))
    if (isOfSite) this.#options.ids.set(numbered('post', Number(number)), id)
  }

  #planned({ entry: { meta = {}, ...entry }, type, line }: ImportedPost): PlannedPost {
    const keys = { reference: numbered }
    const { embedded, forget } = this.#named
    forget()
    const named = { ...exportedTexts(entry, embedded, keys), meta: exportedMeta(meta, embedded, keys) }
    const listed = { kind: 'post', type, path: `line ${line}`, entry: named, defaults, meta: {} }
    return { ...planPost(listed, fileReferences, this.#rules), line }
  }

  /** Inserts new posts, and overwrites those that are stored. */
  readonly #merge: WriteBatch = async (transaction, items) => {
    const ids = new ReferenceIds(this.#options.ids)
    const planned = await this.#plannedWithRows(transaction, items)
    const requests = planned.map(({ post: { row: to }, row }) => {
      const own = row?.type === to.type ? { own: row.slug } : {}
      return { type: to.type, slug: to.slug, ...own }
    })
    const slugs = await this.#slugs.choose(transaction, requests, this.#options.permalink)
    const posts = planned.map(({ post, row }, index) => ({
      row,
      post: { ...post, row: { ...post.row, slug: slugs[index] ?? '' } },
    }))
    const added = posts.flatMap(({ post, row }) => (row ? [] : [post]))
    const changed = posts.flatMap(({ post, row }) => (row ? [{ post, row }] : []))
    const rules = { ids, embedded: this.#embedded }
    const open = added.length > 0 ? await insertPosts(transaction, added, rules) : []
    if (changed.length > 0) open.push(...(await updatePosts(transaction, changed, rules)))
    const keep = await this.#complete(transaction, open, ids)
    const written = planned.map(({ item, post, row }) => ({ item, id: row?.id ?? ids.of(post.reference) }))
    const old = written.flatMap(({ item: { type, oldSlugs }, id }) =>
      oldSlugs.map((slug) => ({ slug, type, post: id })),
    )
    await addOldSlugs(transaction, old)
    const reportComments = await this.#options.comments.write(transaction, written.map(commentsOf), ids)
    const mayBeDue = changed.length > 0 || added.some(({ row }) => row.status === 'future')
    if (mayBeDue) await transaction.options.write(clearedDerivedOptions(this.#options.context))
    const reports = planned.map(({ item, row }, index) => () => {
      this.#stored.set(item.guid, written[index]?.id ?? 0)
      this.#reportWritten(item, slugs[index] ?? '', row ? 'updated' : 'created')
    })
    return [() => ids.commit(), ...reports, keep, reportComments]
  }

  async #plannedWithRows(transaction: Storage, items: readonly ImportedPost[]) {
    const known = items.map((item) => this.#idOf(item)).filter((id) => id > 0)
    const stored = known.length > 0 ? await transaction.posts.read(known) : []
    const rows = new Map(stored.map((row) => [row.id, row]))
    const files = await transaction.meta.read('post', known, [importedStoredKey])
    const withFile = new Set(files.map(({ id }) => id))
    return items.map((item) => {
      const post = this.#planned(item)
      const row = rows.get(this.#idOf(item))
      return { item, row, post: row && withFile.has(row.id) ? keepingFile(post, row) : post }
    })
  }

  /** Posts that stay as they are may have new comments. */
  readonly #addComments: WriteBatch = async (transaction, items) => {
    const posts = items.map((item) => commentsOf({ item, id: this.#idOf(item) }))
    return [await this.#options.comments.write(transaction, posts, this.#options.ids)]
  }

  /** Completes references, and notes the others. Returns a callback to run after the commit. */
  async #complete(transaction: Storage, open: readonly OpenPost[], ids: ReferenceIds): Promise<() => void> {
    const circles: OpenPost[] = []
    const remaining = await completeReferences(transaction, open, {
      ...{ ids, noteKey: waitingKey },
      onCircle: (post) => void circles.push(post),
    })
    return () => {
      for (const { line } of circles) this.#options.report.add('parent-circle', 'item', { line, what: '' })
      for (const { id } of open) this.#waiting.delete(id)
      for (const post of remaining) this.#waiting.set(post)
    }
  }

  async #settle(posts: readonly OpenPost[]): Promise<void> {
    if (posts.length === 0) return
    const { context, ids } = this.#options
    const keep = await inOneTransaction(context.storage, (transaction) => this.#complete(transaction, posts, ids))
    keep()
  }

  #reportWritten({ type, entry, line }: ImportedPost, slug: string, how: 'created' | 'updated'): void {
    const { report } = this.#options
    if (slug !== entry.slug) report.add('slug-changed', type, { line, what: entry.slug })
    report.count(countOf(type), how)
  }

  /** When a batch fails, its posts are written one by one, so that only the bad ones are left out. */
  async #writeOrSplit(items: readonly ImportedPost[], writeBatch: WriteBatch): Promise<void> {
    const { storage } = this.#options.context
    try {
      for (const afterCommit of await inOneTransaction(storage, (transaction) => writeBatch(transaction, items)))
        afterCommit()
    } catch (error) {
      // Where the batch may be stored, in part or after a lost answer, a retry would create duplicates.
      if (!storage.atomic || mayBeWritten(error)) throw error
      const [only] = items
      if (items.length === 1 && only) return this.#skip(only, error)
      for (const item of items) await this.#writeOrSplit([item], writeBatch)
      return
    }
    this.#failuresInRow = 0
  }

  /** Reports a post that can not be written. Throws the error again when too many posts in a row fail. */
  #skip({ line, number, entry: { title } }: ImportedPost, error: unknown): void {
    if (this.#failuresInRow++ >= maxFailures) throw error
    this.#options.leftOut.add(number)
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.report.add('not-written', reason.slice(0, 200), { line, what: title })
  }
}

interface WrittenItem {
  readonly item: ImportedPost
  readonly id: number
}

const referenceOf = ({ entry }: ImportedPost) => `post.${entry.key}`

const commentsOf = ({ item: { line, comments, entry }, id: post }: WrittenItem) => ({
  ...{ post, line, comments },
  what: entry.title,
})

/** A file that is stored here overrules the values of the export file. */
function keepingFile({ row, meta, ...post }: PlannedPost, { mimeType }: Post): PlannedPost {
  const { [attachedFileKey]: _file, [attachmentMetadataKey]: _details, ...others } = meta
  return { ...post, row: { ...row, mimeType }, meta: others }
}

/** The report counts posts of a type under this name. */
export function countOf(type: string): string {
  if (type === 'attachment') return 'media'
  return type === 'post' || type === 'page' ? `${type}s` : type
}
