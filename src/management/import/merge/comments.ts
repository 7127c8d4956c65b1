/** Writes the comments of imported posts. A post notes the comments of the file that it has, so that none is written twice. */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { CommentRows } from '../../../core/declare/feature.ts'
import { type ManagementContext, nowGmt, windowsOf } from '../../context.ts'
import type { PlannedRecord } from '../../transfer/plan-records.ts'
import type { Reference } from '../../transfer/references.ts'
import { ReferenceIds } from '../../transfer/write/ids.ts'
import { insertRecords } from '../../transfer/write/records.ts'
import type { MappedComment } from '../entries/comments.ts'
import { numbered } from '../entries/references.ts'
import type { ReportBuilder } from '../report.ts'
import { type RecordCheck, recordCheck } from './record-check.ts'

/** Meta of a post: the ids of its imported comments, by their ids in the file. */
const importedKey = '_import_comments'

/** The comments of one stored post. */
export interface PostComments {
  readonly post: number
  readonly line: number
  /** The title of the post. */
  readonly what: string
  readonly comments: readonly MappedComment[]
}

const referenceOf = (post: number, number: number) => `comments.${post}.${number}`

export class CommentImport {
  readonly #context: ManagementContext
  readonly #report: ReportBuilder
  readonly #target: CommentRows | undefined

  constructor(context: ManagementContext, report: ReportBuilder) {
    this.#context = context
    this.#report = report
    this.#target = (context.persisted ?? []).find(({ comments }) => comments)?.comments
  }

  /** Adds the comments that the posts do not have yet. Returns a callback to run after the commit. */
  async write(transaction: Storage, posts: readonly PostComments[], known: ReferenceIds): Promise<() => void> {
    const target = this.#target
    const commented = posts.filter(({ comments }) => comments.length > 0)
    if (commented.length === 0) return () => undefined
    if (!target) return () => this.#reportLost(commented)
    const ids = new ReferenceIds(known)
    const numbers = await readImported(transaction, commented, ids)
    const rows = commented.flatMap((one) => newComments(one, ids).map((row) => this.#planned(row, target)))
    // Level by level, so that a comment is written after the one that it answers.
    const levels = [...Map.groupBy(rows, ({ depth }) => depth)].sort(([one], [other]) => one - other)
    for (const window of levels.flatMap(([, level]) => [...windowsOf(level)]))
      await insertRecords(transaction, target.collection, window, ids)
    for (const { post, number } of rows) if (number > 0) numbers.get(post)?.add(number)
    const notes = [...new Set(rows.map(({ post }) => post))].map((post) => ({
      ...{ id: post, key: importedKey },
      value: Object.fromEntries([...(numbers.get(post) ?? [])].map((one) => [one, ids.of(referenceOf(post, one))])),
    }))
    if (notes.length > 0) await transaction.meta.write('post', notes)
    const total = commented.reduce((sum, { comments }) => sum + comments.length, 0)
    return () => {
      for (let n = 0; n < total; n++) this.#report.count('comments', n < rows.length ? 'created' : 'existing')
    }
  }

  async check(storage: Storage, posts: readonly PostComments[], known: ReferenceIds): Promise<RecordCheck[]> {
    const target = this.#target
    if (!target) return []
    const ids = new ReferenceIds(known)
    await readImported(storage, posts, ids)
    const wanted = posts.flatMap(({ post, comments }) =>
      comments.map((comment) => this.#planned({ post, comment, answers: true, depth: 0, index: 0 }, target)),
    )
    const all = wanted.map(({ reference }) => ids.of(reference))
    const { rows } = await storage.records.query(target.collection, { where: { field: 'id', in: all } })
    const stored = new Map(rows.map((row) => [row.id, row]))
    return wanted.map(({ number, reference, values, references }) => {
      const row = { ...values, ...ids.ofAll(references) }
      const found = stored.get(ids.of(reference))
      // Fields that the feature computes are not compared.
      const here = found && Object.fromEntries(Object.keys(row).map((name) => [name, found[name] ?? null]))
      return recordCheck('comments', number, row, here)
    })
  }

  #reportLost(posts: readonly PostComments[]): void {
    for (const { line, what, comments } of posts) this.#report.add('comments', '', { line, what }, comments.length)
  }

  #planned({ post, comment, answers, depth, index }: NewComment, target: CommentRows): PlannedComment {
    const { number, parent, user, date, ...texts } = comment
    const values = { ...texts, post, parent: 0, author: 0, date: date || nowGmt(this.#context) }
    const references: [string, Reference][] = []
    if (answers && parent > 0) references.push(['parent', referenceOf(post, parent)])
    if (user > 0) references.push(['author', numbered('user', user)])
    return {
      ...{ post, number, depth },
      reference: referenceOf(post, number || -index - 1),
      values: target.row(values),
      references: Object.fromEntries(references),
    }
  }
}

type PlannedComment = PlannedRecord & { readonly post: number; readonly number: number; readonly depth: number }

interface NewComment {
  readonly post: number
  readonly comment: MappedComment
  /** Whether the comment that it answers is there or in the file. Others begin threads. */
  readonly answers: boolean
  /** The number of new comments above it in its thread. */
  readonly depth: number
  readonly index: number
}

/** Sets the ids of the comments that the posts have. Returns their ids in the file, by post. */
async function readImported(
  storage: Storage,
  posts: readonly Pick<PostComments, 'post'>[],
  ids: ReferenceIds,
): Promise<Map<number, Set<number>>> {
  const numbers = new Map(posts.map(({ post }) => [post, new Set<number>()]))
  for (const { id, value } of await storage.meta.read('post', [...numbers.keys()], [importedKey])) {
    for (const [number, row] of Object.entries((value ?? {}) as { readonly [number: string]: Json })) {
      numbers.get(id)?.add(Number(number))
      ids.set(referenceOf(id, Number(number)), Number(row))
    }
  }
  return numbers
}

function newComments({ post, comments }: PostComments, ids: ReferenceIds): readonly NewComment[] {
  const isKnown = (number: number) => ids.of(referenceOf(post, number)) > 0
  const added = comments.filter(({ number }) => number === 0 || !isKnown(number))
  // A file may hold a comment twice: the last one counts.
  const distinct = [...new Map(added.map((comment, index) => [comment.number || -index - 1, comment])).values()]
  const parents = new Map(distinct.filter(({ number }) => number > 0).map(({ number, parent }) => [number, parent]))
  const depths = depthsOf(parents)
  return distinct.map((comment, index) => {
    const { number, parent } = comment
    const depth = depths.get(number) ?? (depths.get(parent) ?? -1) + 1
    return { post, comment, index, depth, answers: depth > 0 || isKnown(parent) }
  })
}

/** The number of comments above each one. Comments that answer each other in a circle begin threads. */
function depthsOf(parents: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const depths = new Map<number, number>()
  for (const start of parents.keys()) {
    const chain = new Set<number>()
    let at = start
    for (; !depths.has(at) && parents.has(at) && !chain.has(at); at = parents.get(at) ?? 0) chain.add(at)
    const below = [...chain]
    const circle = chain.has(at) ? below.splice(below.indexOf(at)) : []
    for (const number of circle) depths.set(number, 0)
    let depth = depths.get(at) ?? -1
    for (const number of below.toReversed()) depths.set(number, ++depth)
  }
  return depths
}
