/** Writes the comments of imported items. The post remembers which comments of the file it has, so that none is written twice. */

import type { Json, Storage } from '../../contract/storage.ts'
import type { CommentRows, ImportedComment } from '../../core/declare/feature.ts'
import { type ManagementContext, windowsOf } from '../context.ts'
import type { Authors } from './authors.ts'
import { type RecordCheck, recordCheck } from './checks/record-check.ts'
import type { MappedItem } from './map.ts'
import type { MappedComment } from './map-comments.ts'
import type { ReportBuilder } from './report.ts'

/** Meta of a post: the ids of its imported comments, by their ids in the file. */
const importedKey = '_import_comments'

interface ItemOfPost {
  readonly item: Pick<MappedItem, 'line' | 'comments'> & { readonly row: { readonly title: string } }
  readonly post: number
}

export interface CommentImport {
  /** Adds the comments that the posts do not have yet. Returns a callback to run after the commit. */
  write(transaction: Storage, items: readonly ItemOfPost[]): Promise<() => void>
  check(
    storage: Storage,
    loose: readonly LooseComment[],
    idOf: (number: number) => number | undefined,
  ): Promise<RecordCheck[]>
}

/** A comment without its post, whose id in the source it names. */
export interface LooseComment {
  readonly post: number
  readonly comments: readonly MappedComment[]
}

export const looseItem = ({ post, comments }: LooseComment): ItemOfPost['item'] => ({
  ...{ line: 0, comments },
  row: { title: String(post) },
})

export function createCommentImport(
  { persisted = [] }: ManagementContext,
  { authors, report, now }: { readonly authors: Authors; readonly report: ReportBuilder; readonly now: () => string },
): CommentImport {
  const target = persisted.find(({ comments }) => comments)?.comments
  return {
    async write(transaction, items) {
      const commented = items.filter(({ item }) => item.comments.length > 0)
      if (commented.length === 0) return () => undefined
      if (!target) return () => commented.forEach(({ item }) => void reportLost(item, report))
      const known = await readImported(transaction, commented)
      const open = commented.flatMap((one) => openComments(one, known.get(one.post) ?? new Map()))
      const made = await insertThreads(transaction, open, {
        target,
        known,
        toComment: (one) => toImported(one, authors, now),
      })
      await transaction.meta.write(
        'post',
        [...made].map((id) => ({ id, key: importedKey, value: Object.fromEntries(known.get(id) ?? []) })),
      )
      const total = commented.reduce((sum, { item }) => sum + item.comments.length, 0)
      return () => {
        for (let n = 0; n < total; n++) report.count('comments', n < open.length ? 'created' : 'existing')
      }
    },
    async check(storage, loose, idOf) {
      if (!target) return []
      const posts = loose.map(({ post }) => idOf(post) ?? 0)
      const known = await readImported(
        storage,
        [...new Set(posts)].map((post) => ({ post })),
      )
      const wanted = loose.flatMap(({ comments }, index) =>
        comments.map((comment) => {
          const post = posts[index] ?? 0
          const ids = known.get(post)
          const row = target.row(
            toImported({ post, comment, parent: ids?.get(comment.parent) ?? 0, inFile: new Set() }, authors, now),
          )
          return { number: comment.number, id: ids?.get(comment.number) ?? 0, row }
        }),
      )
      const { rows } = await storage.records.query(target.collection, {
        where: { field: 'id', in: wanted.map(({ id }) => id) },
      })
      const stored = new Map(rows.map((row) => [row.id, row]))
      return wanted.map(({ number, id, row }) => {
        const found = stored.get(id)
        // What the feature computes is no part of the comment.
        const here = found && Object.fromEntries(Object.keys(row).map((name) => [name, found[name] ?? null]))
        return recordCheck('comments', number, row, here)
      })
    },
  }
}

const reportLost = ({ line, row, comments }: ItemOfPost['item'], report: ReportBuilder) =>
  report.add('comments', '', { line, what: row.title }, comments.length)

// ---------------------------------------------------------------- threads

interface OpenComment {
  readonly post: number
  readonly comment: MappedComment
  /** The file's ids of the comments that it may answer. */
  readonly inFile: ReadonlySet<number>
}

/** By post, the ids of comments by their ids in the file. */
type KnownComments = Map<number, Map<number, number>>

async function readImported(transaction: Storage, items: readonly Pick<ItemOfPost, 'post'>[]): Promise<KnownComments> {
  const ids = items.map(({ post }) => post)
  const known: KnownComments = new Map(ids.map((id) => [id, new Map()]))
  for (const { id, value } of await transaction.meta.read('post', ids, [importedKey])) known.set(id, readPairs(value))
  return known
}

const readPairs = (value: Json): Map<number, number> =>
  new Map(
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([number, id]) => [Number(number), Number(id)])
      : [],
  )

function openComments({ item, post }: ItemOfPost, known: ReadonlyMap<number, number>): OpenComment[] {
  const inFile = new Set(item.comments.map(({ number }) => number))
  const fresh = item.comments.filter(({ number }) => number === 0 || !known.has(number))
  // A file may hold a comment twice: the last one counts.
  const byNumber = new Map(fresh.map((comment, index) => [comment.number || -index - 1, comment]))
  return [...byNumber.values()].map((comment) => ({ post, comment, inFile }))
}

interface Threads {
  readonly target: CommentRows
  readonly known: KnownComments
  readonly toComment: (one: OpenComment & { readonly parent: number }) => ImportedComment
}

/**
 * Level by level, so that a comment is written after the one that it answers. An answer to a comment that the file lacks, and those
 * that answer each other in a circle, begin threads. Returns the posts that got comments.
 */
async function insertThreads(
  transaction: Storage,
  open: readonly OpenComment[],
  threads: Threads,
): Promise<ReadonlySet<number>> {
  const { target, known, toComment } = threads
  const posts = new Set<number>()
  const parentOf = ({ post, comment }: OpenComment) => known.get(post)?.get(comment.parent)
  let waiting = open
  while (waiting.length > 0) {
    const isReady = (one: OpenComment) =>
      one.comment.parent === 0 || !one.inFile.has(one.comment.parent) || parentOf(one) !== undefined
    const ready = waiting.filter(isReady)
    const level = ready.length > 0 ? ready : waiting
    for (const window of windowsOf(level)) {
      const rows = window.map((one) => target.row(toComment({ ...one, parent: parentOf(one) ?? 0 })))
      const ids = await transaction.records.insert(target.collection, rows)
      for (const [index, { post, comment }] of window.entries()) {
        posts.add(post)
        if (comment.number > 0) known.get(post)?.set(comment.number, ids[index] ?? 0)
      }
    }
    const written = new Set(level)
    waiting = waiting.filter((one) => !written.has(one))
  }
  return posts
}

function toImported(
  { post, parent, comment }: OpenComment & { readonly parent: number },
  authors: Authors,
  now: () => string,
): ImportedComment {
  const { number: _, user, date, ...values } = comment
  return { ...values, post, parent, author: authors.idOfNumber(user), date: date || now() }
}
