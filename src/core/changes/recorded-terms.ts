/** Records the writes of terms, and which terms posts have. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { MaybePromise, Term, TermStore } from '../../contract/storage.ts'
import { metaOf, noteRemovedMeta, rememberNoMeta } from './recorded-meta.ts'
import type { Recorder, Rows } from './recorder.ts'
import type { StoredTerm } from './row-change.ts'
import {
  given,
  insertRows,
  noteRemoved,
  type RowKind,
  remember,
  rowKind,
  rowsBefore,
  updateRows,
} from './row-writes.ts'

/** Maps posts to their terms, which are grouped by taxonomy. */
type PostTerms = ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>

export function recordedTerms(recorder: Recorder): Partial<TermStore> {
  const { terms } = recorder.storage
  const kind = rowKind<StoredTerm>(recorder, 'terms', { read: (ids) => termRows(recorder, { ids }) })
  return {
    query: (query) =>
      andThen(terms.query(query), (found) => {
        remember(recorder, kind, found.rows.map(withoutCount))
        return found
      }),
    insert: (rows, ids) =>
      insertRows(
        recorder,
        kind,
        () => terms.insert(rows, ...given(ids)),
        (at) => ({ ...rows[at] }),
        (id) => ids ?? rememberNoMeta(recorder, 'term', id),
      ),
    update: (updates) => {
      const update = () => updateRows(recorder, kind, updates, (storage, some) => storage.terms.update(some))
      const moved = updates.filter(({ changes }) => changes.taxonomy !== undefined).map(({ id }) => id)
      return moved.length === 0 ? update() : updateMoved(recorder, moved, update)
    },
    remove: (ids) =>
      recorder.write(
        async () => ({
          rows: await rowsBefore(recorder, kind, ids),
          children: kind.isWanted ? await termRows(recorder, { parents: ids }) : [],
          meta: await metaOf(recorder, 'term', ids),
          assigned: await assignmentsWith(recorder, ids),
        }),
        () => terms.remove(ids),
        ({ rows, children, meta, assigned }) => {
          noteAssignments(recorder, assigned, withoutTerms(assigned, new Set(ids)))
          noteRemovedMeta(recorder, 'term', meta)
          noteRemoved(recorder, kind, rows)
          noteMovedChildren(recorder, kind, ids, rows, children)
        },
      ),
    ...(recorder.options.wants('assignments') && recordedAssignments(recorder)),
  }
}

function recordedAssignments(recorder: Recorder): Pick<TermStore, 'of' | 'assign'> {
  const { terms } = recorder.storage
  return {
    of: (posts) =>
      andThen(terms.of(posts), (rows) => {
        for (const [post, assigned] of grouped(posts, rows)) recorder.log.remember(keyOf(post), assigned)
        return rows
      }),
    assign: (assignments) =>
      recorder.write(
        () =>
          assignmentsOf(
            recorder,
            assignments.map(({ post }) => post),
          ),
        () => terms.assign(assignments),
        (before) => {
          for (const { post, taxonomy, terms: assigned } of assignments) {
            const earlier = before.get(post)?.get(taxonomy) ?? []
            noteAssignment(recorder, { post, taxonomy }, earlier, sorted(assigned))
          }
        },
      ),
  }
}

const keyOf = (post: number) => `terms of ${post}`
const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

export const rememberNoTerms = ({ log, options }: Recorder, post: number): void => {
  if (options.wants('assignments')) log.remember(keyOf(post), new Map())
}

/** The terms of posts as they are now. */
export async function assignmentsOf(recorder: Recorder, posts: readonly number[]): Promise<PostTerms> {
  if (!recorder.options.wants('assignments') || recorder.log.isFull) return new Map()
  const rows = await recorder.known(posts, keyOf, (missing) => readAssignments(recorder, missing))
  // The casts: these keys have such values.
  return new Map(
    [...new Set(posts)].map((post) => [post, (rows.get(keyOf(post)) ?? new Map()) as Map<string, number[]>]),
  )
}

const readAssignments = ({ storage }: Recorder, posts: readonly number[]) =>
  andThen(storage.terms.of(posts), (rows) =>
    [...grouped(posts, rows)].map(([post, assigned]) => [keyOf(post), assigned] as const),
  )

function grouped(posts: readonly number[], rows: Awaited<ReturnType<TermStore['of']>>): PostTerms {
  const byPost = new Map(posts.map((post) => [post, new Map<string, number[]>()]))
  for (const { post, taxonomy, term } of rows) {
    const assigned = byPost.get(post)
    assigned?.set(taxonomy, [...(assigned.get(taxonomy) ?? []), term])
  }
  return byPost
}

/** The posts that have one of these terms, as they are now, with all their terms. */
async function assignmentsWith(recorder: Recorder, terms: readonly number[]): Promise<PostTerms> {
  const { storage, options, log } = recorder
  if (!options.wants('assignments') || log.isFull || terms.length === 0) return new Map()
  const order = { by: 'id', descending: false } as const
  const query = { types: options.postTypes(), terms: { terms, has: 'any' }, order } as const
  const { idsPage } = await storage.posts.query({ ...query, offset: 0, limit: options.limit + 1 })
  if (idsPage.length > options.limit) log.overflow()
  const posts = log.isFull ? [] : idsPage.map(({ id }) => id)
  return posts.length === 0 ? new Map() : grouped(posts, await storage.terms.of(posts))
}

export const withoutTerms = (posts: PostTerms, removed?: ReadonlySet<number>): PostTerms =>
  new Map(
    [...posts].map(([post, assigned]) => [
      post,
      new Map([...assigned].map(([taxonomy, ids]) => [taxonomy, removed ? ids.filter((id) => !removed.has(id)) : []])),
    ]),
  )

export function noteAssignments(recorder: Recorder, before: PostTerms, after: PostTerms): void {
  for (const post of new Set([...before.keys(), ...after.keys()])) {
    const [earlier, later] = [before.get(post), after.get(post)]
    for (const taxonomy of new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])) {
      noteAssignment(recorder, { post, taxonomy }, earlier?.get(taxonomy) ?? [], later?.get(taxonomy) ?? [])
    }
  }
}

function noteAssignment(
  { log }: Recorder,
  at: { readonly post: number; readonly taxonomy: string },
  before: readonly number[],
  after: readonly number[],
): void {
  const subject = { store: 'assignments', ...at } as const
  log.change(`assignments ${at.post} ${at.taxonomy}`, subject, before, () => after)
  // The cast: this key has such a value.
  const known = log.find(keyOf(at.post)) as { readonly value: ReadonlyMap<string, readonly number[]> } | undefined
  if (known) log.remember(keyOf(at.post), new Map(known.value).set(at.taxonomy, after))
}

/** Terms take their posts along to another taxonomy. */
async function updateMoved(recorder: Recorder, moved: readonly number[], update: () => Promise<number[]>) {
  const before = await assignmentsWith(recorder, moved)
  const ids = await update()
  if (before.size > 0)
    noteAssignments(recorder, before, grouped([...before.keys()], await recorder.storage.terms.of([...before.keys()])))
  return ids
}

/** As the storage does it: each term that goes leaves its children to its parent, one after the other. */
function noteMovedChildren(
  { log }: Recorder,
  kind: RowKind<StoredTerm>,
  removed: readonly number[],
  rows: Rows,
  children: readonly StoredTerm[],
): void {
  // The cast: these are rows of the kind, undefined when they are gone already.
  const parents = new Map(
    [...(rows.values() as Iterable<StoredTerm | undefined>), ...children].map((row) => [row?.id, row?.parent]),
  )
  for (const id of removed) {
    const parent = parents.get(id)
    if (parent === undefined) continue
    parents.delete(id)
    for (const [child, above] of parents) if (above === id) parents.set(child, parent)
  }
  for (const child of children) {
    const parent = parents.get(child.id)
    const next = (now: unknown) => ({ ...(now as StoredTerm), parent })
    if (parent !== undefined) log.change(kind.keyOf(child.id), kind.subjectOf(child.id), child, next)
  }
}

const withoutCount = ({ count: _, ...row }: Term): StoredTerm => row

function termRows(
  { storage, options: { limit } }: Recorder,
  query: { readonly ids?: readonly number[]; readonly parents?: readonly number[] },
): MaybePromise<StoredTerm[]> {
  const order = { by: 'id', descending: false } as const
  const page = { offset: 0, limit: query.ids?.length ?? limit + 1 }
  return andThen(storage.terms.query({ ...query, order, ...page }), ({ rows }) => rows.map(withoutCount))
}
