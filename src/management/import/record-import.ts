/** Imports records in the order of their source: collects them to batches, and merges each batch into the site. */

import { createNames } from '../../names/word-map.ts'
import { unknownAddress } from '../../site/settings.ts'
import { embeddedReferencesOf, inOneTransaction, itemRulesOf, type ManagementContext } from '../context.ts'
import { declaredFields } from '../declared-meta.ts'
import type { EmbeddedKinds } from '../transfer/embedded.ts'
import { ReferenceIds } from '../transfer/write/ids.ts'
import { mapComments } from './entries/comments.ts'
import { commentRules, type ImportedPost, type PostContext, postEntry } from './entries/posts.ts'
import { numbered } from './entries/references.ts'
import type { KeptTypes } from './kept-types/index.ts'
import type { MediaRewrite } from './media/rewrite.ts'
import { checkPosts } from './merge/checks.ts'
import { CommentImport, type PostComments } from './merge/comments.ts'
import { PostImport } from './merge/posts.ts'
import type { RecordCheck } from './merge/record-check.ts'
import { TermImport } from './merge/terms.ts'
import { UserImport } from './merge/users.ts'
import { createMoveLinks, type MoveLinks } from './moved-links.ts'
import type { FileHead, FileRecord } from './reader.ts'
import type { ReportBuilder, Warn } from './report.ts'
import { type UnknownWidgets, WidgetCounts } from './widgets.ts'

/** Items per transaction: each transaction writes the pages of all indexes anew. */
const batchSize = 400
/** Characters of texts per transaction: long items end a batch earlier, which bounds memory. */
const batchLength = 1024 * 1024

interface RecordImportOptions {
  readonly head: FileHead
  readonly report: ReportBuilder
  readonly update: boolean
  readonly types: KeptTypes
  /** The address whose links are led here. Default: that of the exported site. */
  readonly urlFrom?: string
  /** Absent where the site draws no documents. */
  readonly unknownWidgets: UnknownWidgets | undefined
  /** Called when a batch is written. */
  readonly onWrite: () => void
}

export class RecordImport {
  /** Items read so far. */
  items = 0
  readonly #options: RecordImportOptions
  readonly #storage: ManagementContext['storage']
  readonly #ids: ReferenceIds
  readonly #embedded: EmbeddedKinds
  readonly #mapping: Omit<PostContext, 'site'>
  readonly #users: UserImport
  readonly #terms: TermImport
  readonly #posts: PostImport
  readonly #comments: CommentImport
  readonly #home: string
  /** Made with the first item: the head of the file names the old site. */
  #moved: MoveLinks | undefined
  readonly #widgets = new WidgetCounts()
  /** The numbers of items that were left out, to which others may refer. */
  readonly #leftOut = new Set<number>()
  #hasBegun = false
  #declared: FileRecord[] = []
  #batch: ImportedPost[] = []
  #looseComments: FileRecord[] = []
  #length = 0

  private constructor(
    context: ManagementContext,
    options: RecordImportOptions,
    {
      ids,
      mapping,
      permalink,
      home,
    }: {
      ids: ReferenceIds
      mapping: Omit<PostContext, 'site'>
      permalink: string
      home: string
    },
  ) {
    const { report, update, types } = options
    this.#options = options
    this.#storage = context.storage
    this.#ids = ids
    // A site that has no address yet gets one when it is served: links are relative to it, as addresses of files are.
    this.#home = home === unknownAddress ? '' : home
    this.#embedded = embeddedReferencesOf(context)
    this.#mapping = mapping
    this.#users = new UserImport({ context, report, ids })
    this.#terms = new TermImport({ context, report, ids, names: mapping.names, types, update })
    this.#comments = new CommentImport(context, report)
    const parts = { users: this.#users, terms: this.#terms, comments: this.#comments }
    this.#posts = new PostImport({
      context,
      ...parts,
      report,
      ids,
      time: mapping.time,
      permalink,
      update,
      leftOut: this.#leftOut,
    })
  }

  static async open(context: ManagementContext, options: RecordImportOptions): Promise<RecordImport> {
    const { time, permalink, home, defaultCategory } = await context.app.settings.read(context.storage)
    const ids = new ReferenceIds()
    const order = { by: 'id', descending: false } as const
    const query = { ids: [defaultCategory], order, offset: 0, limit: 1 }
    const [category] = (await context.storage.terms.query(query)).rows
    if (category) ids.set(`category.${category.slug}`, category.id)
    const mapping = {
      ...{ names: createNames(context.fileWords), time, clock: context.app.clock },
      ...{ types: options.types, items: itemRulesOf(context) },
      fields: declaredFields(context.persisted),
      defaultCategory: category?.slug ?? '',
    }
    return new RecordImport(context, options, { ids, mapping, permalink, home })
  }

  async add(record: FileRecord): Promise<void> {
    if (record.kind === 'item') this.#addItem(record)
    else (record.kind === 'comment' ? this.#looseComments : this.#declared).push(record)
    const isFull = this.#batch.length >= batchSize || this.#looseComments.length >= batchSize
    if (isFull || this.#length >= batchLength) await this.flush()
  }

  /** Writes the records that were added. */
  async flush(): Promise<void> {
    const { head, onWrite, types } = this.#options
    await types.save()
    const [declared, posts, comments] = [this.#declared, this.#batch, this.#looseComments]
    this.#declared = []
    this.#batch = []
    this.#looseComments = []
    this.#length = 0
    await this.#users.declare(declared.filter(({ kind }) => kind === 'author'))
    await this.#terms.declare(declared.filter(({ kind }) => kind !== 'author'))
    if (!this.#hasBegun) await this.#posts.begin([head.site, ...(head.addresses ?? [])])
    this.#hasBegun = true
    if (posts.length > 0) await this.#posts.write(posts)
    if (comments.length > 0) await this.#writeLoose(comments)
    onWrite()
  }

  /** The id of the row that the source calls by this number; 0: there is none. */
  idOf(number: number): number {
    return this.#ids.of(numbered('post', number))
  }

  async finish(): Promise<void> {
    const { report, unknownWidgets } = this.#options
    await this.flush()
    await this.#posts.finish()
    if (unknownWidgets) await this.#widgets.report(report, unknownWidgets)
  }

  /** For each record, the source and the stored row. */
  async check(records: readonly FileRecord[], rewrite: MediaRewrite | undefined): Promise<RecordCheck[]> {
    const of = (...kinds: readonly string[]) => records.filter(({ kind }) => kinds.includes(kind))
    const posts = of('item').flatMap((record) => this.#postEntry(record, () => undefined) ?? [])
    const comments = of('comment').map((record) => this.#commentsOf(record, () => undefined))
    return [
      ...(await this.#users.check(of('author'))),
      ...(await this.#terms.check(of('category', 'tag', 'term'))),
      ...(await checkPosts(
        posts.map((item) => this.#posts.planned(item)),
        { storage: this.#storage, ids: this.#ids, embedded: this.#embedded, rewrite },
      )),
      ...(await this.#comments.check(this.#storage, comments, this.#ids)),
    ]
  }

  #addItem(record: FileRecord): void {
    this.items++
    const what = record.fields['title'] ?? ''
    const item = this.#postEntry(record, (kind, which, count) =>
      this.#options.report.add(kind, which, { line: record.line, what }, count),
    )
    if (!item) {
      this.#leftOut.add(Number(record.fields['wp:post_id']) || 0)
      return
    }
    this.#options.types.observe(item, record)
    this.#widgets.observe(item)
    this.#batch.push(item)
    this.#length += lengthOf(item)
  }

  #postEntry(record: FileRecord, warn: Warn): ImportedPost | undefined {
    return postEntry(this.#moveLinks(record), { ...this.#mapping, site: this.#options.head.site }, warn)
  }

  #moveLinks(record: FileRecord): FileRecord {
    const { head, urlFrom } = this.#options
    this.#moved ??= createMoveLinks(urlFrom ?? head.site, this.#home)
    return this.#moved(record)
  }

  /** Comments that come without their posts. */
  async #writeLoose(records: readonly FileRecord[]): Promise<void> {
    const { report, types } = this.#options
    // Together, so that an answer finds the comment that it answers.
    const byPost = Map.groupBy(
      records.map((record) =>
        this.#commentsOf(record, (kind, which) => report.add(kind, which, { line: 0, what: 'a comment' })),
      ),
      ({ what }) => what,
    )
    const known = [...byPost.values()].flatMap((all) => {
      const [first] = all
      if (first?.post) return [{ ...first, comments: all.flatMap(({ comments }) => comments) }]
      const kind = this.#leftOut.has(Number(first?.what)) ? 'left-out-post' : 'missing-post'
      report.add(kind, 'post of a comment', { line: 0, what: first?.what ?? '' })
      return []
    })
    for (const { comments } of known) types.observeComments(comments)
    const afterCommit = await inOneTransaction(this.#storage, (transaction) =>
      this.#comments.write(transaction, known, this.#ids),
    )
    afterCommit()
  }

  #commentsOf({ fields, comments }: FileRecord, warn: Warn): PostComments {
    const number = Number(fields['wp:post_id']) || 0
    const mapped = mapComments(comments, commentRules(this.#mapping), warn)
    return { post: this.#ids.of(numbered('post', number)), line: 0, what: String(number), comments: mapped }
  }
}

/** The texts that may be long. */
function lengthOf({ entry: { content, meta = {} }, comments }: ImportedPost): number {
  const ofComments = comments.flatMap((comment) => [comment.content, ...Object.values(comment.meta ?? {})])
  const texts = [content, ...ofComments, ...Object.values(meta)]
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}
