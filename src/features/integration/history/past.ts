/** Reads the changes since a moment. */
import type { Past } from '../../../contract/past.ts'
import type { Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Undo } from '../../../contract/undo.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { historySince, siteHistory, writtenAt } from './collections.ts'

type Lists<K> = Map<K, Undo[]>

/** The changes after the moment, which is ISO in GMT with milliseconds. */
export async function readPast(storage: Storage, moment: string): Promise<Past> {
  const read = await rowsSince(storage, new Date(Date.parse(moment) - clockMs).toISOString())
  // By the ids from the first one on: a clock that was set back would else leave a gap in the changes of a record.
  return pastOf(read.slice(0, read.findLastIndex((row) => writtenAt(row) > moment) + 1))
}

/** The clocks of processes differ by less, and are set back by less. */
const clockMs = 60 * 60 * 1000
const firstWindow = 64
const longestWindow = 4096

/** All rows after the newest one that is older than the moment, the newest first. */
async function rowsSince(storage: Storage, moment: string): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (let limit = firstWindow; ; limit = Math.min(2 * limit, longestWindow)) {
    const last = found.at(-1)?.id
    const { rows } = await storage.records.query(siteHistory, {
      ...(last === undefined ? {} : { where: { field: 'id', below: last } }),
      order: [{ by: 'id', descending: true }],
      limit,
    })
    found.push(...rows)
    const oldest = rows.at(-1)
    if (rows.length < limit || (oldest && writtenAt(oldest) < moment)) return found
  }
}

/** Sorts rows of the history, the newest first, by their records. */
export function pastOf(rows: readonly StoredRecord[]): Past {
  const posts: Lists<number> = new Map()
  const terms: Lists<number> = new Map()
  const options: Lists<string> = new Map()
  const records = new Map<string, Lists<number>>()
  const typesOf = new Map<number, Set<string>>()
  for (const row of rows) {
    const { kind, key } = recordOf(row)
    // The cast: only the history writes its rows.
    const undo = row['undo'] as Undo
    if (kind === 'option') push(options, key, undo)
    else if (kind === 'term') push(terms, Number(key), undo)
    else if (kind === 'post') {
      push(posts, Number(key), undo)
      addTypes(typesOf, Number(key), String(row['type']))
      for (const id of undo.revisions ?? []) push(posts, id, { row: null })
    } else {
      const list: Lists<number> = records.get(kind) ?? new Map()
      records.set(kind, list)
      push(list, Number(key), undo)
    }
  }
  dropUnknown(typesOf, posts)
  return { posts, terms, options, records, typesOf }
}

/** A post of which only meta or terms changed has the type of now. */
function dropUnknown(typesOf: Map<number, Set<string>>, posts: Lists<number>): void {
  for (const [id, undos] of posts) if (!undos.some(({ row }) => row !== undefined)) typesOf.delete(id)
}

/** `post:12` is of the kind `post`. */
export function recordOf({ record }: StoredRecord): { readonly kind: string; readonly key: string } {
  const text = String(record)
  const end = text.indexOf(':')
  return { kind: text.slice(0, end), key: text.slice(end + 1) }
}

function push<K>(lists: Lists<K>, key: K, undo: Undo): void {
  const known = lists.get(key)
  if (known) known.push(undo)
  else lists.set(key, [undo])
}

function addTypes(typesOf: Map<number, Set<string>>, id: number, text: string): void {
  const known = typesOf.get(id) ?? new Set()
  typesOf.set(id, known)
  for (const type of text.split(',')) if (type !== '') known.add(type)
}

/** Refuses a moment before the first one that is kept, and one that is still to come. */
export async function checkMoment(storage: Storage, moment: string, now: number): Promise<void> {
  const since = (await storage.options.read([historySince.name]))[historySince.name]
  if (Date.parse(moment) > now) throw new ApiError('history_future', 'This moment is still to come.', 400)
  if (typeof since !== 'string') throw new ApiError('history_not_kept', 'The history of this site has not begun.', 404)
  if (moment < since) {
    throw new ApiError('history_not_kept', `The history of this site begins at ${since}.`, 404, { since })
  }
}
