/** Writes a document into an empty storage, in one transaction. */
import { passwordRow } from '../../core/pipeline/application-passwords.ts'
import { applicationPasswords } from '../../core/pipeline/authentication.ts'
import { digestOfPassword } from '../../core/runtime/crypto.ts'
import { attachmentMetadataKey, autosaveSlug, revisionSlug } from '../../site/post-keys.ts'
import type { Json, MetaOwner, PostValues, Storage } from '../../storage/contract.ts'
import {
  clearedDerivedOptions,
  collectionsOf,
  inOneTransaction,
  type ManagementContext,
  postTypesOf,
  sectionsOf,
  siteOptions,
  windowsOf,
} from '../context.ts'
import { joinDocuments, readDocument } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { type PlannedUser, planSite, type SitePlan } from './plan.ts'
import type { PlannedPost } from './plan-posts.ts'
import type { PlannedRecords } from './plan-records.ts'
import type { Meta, Reference } from './references.ts'

/** How a document is written. */
export interface SeedOptions {
  /** The value of `{base_url}` in the document. Default: the url of the site. */
  readonly baseUrl?: string
  /** Called with row counts after each window of rows. */
  readonly progress?: (done: number, total: number) => void
}

/** The id of each entry of the document, by its key with the kind: `post.hello`, `revision.hello.1`. */
export type SeededIds = { readonly [reference: string]: number }

/** The storage is not empty. */
class NotEmptyError extends Error {
  readonly code = 'site_not_empty'
  constructor() {
    super('the storage is not empty: a site is only seeded into an empty one')
    this.name = 'NotEmptyError'
  }
}

export async function isEmpty(context: ManagementContext, storage = context.storage): Promise<boolean> {
  await context.ready()
  const first = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
  if (Object.keys(await siteOptions(storage, context)).length > 0) return false
  if ((await storage.users.query(first)).rows.length > 0) return false
  if ((await storage.terms.query(first)).rows.length > 0) return false
  return (await storage.posts.query({ ...first, types: postTypesOf(context) })).heads.length === 0
}

export async function seed(
  context: ManagementContext,
  documents: unknown,
  { baseUrl, progress }: SeedOptions,
): Promise<SeededIds> {
  await context.ready()
  if (!(await isEmpty(context))) throw new NotEmptyError()
  const url = (baseUrl ?? (await context.app.settings.read(context.storage)).url).replace(/\/+$/, '')
  const sections = sectionsOf(context)
  const read = (Array.isArray(documents) && documents.length > 0 ? documents : [documents]).map((document) =>
    readDocument(document, sections),
  )
  const plan = planSite(joinDocuments(read), {
    baseUrl: url,
    clock: context.app.clock,
    collections: collectionsOf(context),
  })
  // Before the transaction, which must not wait for slow digests and for files.
  const digests = await Promise.all(plan.users.map(passwordDigest))
  const details = await keepFiles(context, plan.posts)
  const ids = await inOneTransaction(context.storage, async (transaction) => {
    if (!(await isEmpty(context, transaction))) throw new NotEmptyError()
    const rowIds = new Ids()
    const countRows = createCounter(plan, progress)
    await writeUsers(transaction, plan, digests, rowIds, countRows)
    await writeTerms(transaction, plan, rowIds, countRows)
    await writePosts(
      transaction,
      plan.posts.map((post) => withDetails(post, details)),
      rowIds,
      countRows,
    )
    await writeMetaReferences(transaction, plan.posts, rowIds)
    await writeRecords(transaction, plan.records, rowIds, countRows)
    await transaction.options.write({
      ...plan.options,
      ...clearedDerivedOptions,
      ...rowIds.ofAll(plan.optionReferences),
    })
    return rowIds.all()
  })
  context.emit([{ name: 'site.changed', payload: { options: Object.keys(plan.options) } }])
  return ids
}

/** A seed that fails afterwards leaves the files: the next one replaces them. */
async function keepFiles({ keepFile }: ManagementContext, posts: readonly PlannedPost[]) {
  const details = new Map<Reference, Json>()
  for (const { file, path, reference } of posts) {
    if (!file) continue
    if (!keepFile) throw new SiteDocumentError(`${path}.data`, 'is a file, and there is no place for files')
    details.set(reference, await keepFile(file))
  }
  return details
}

function withDetails(post: PlannedPost, details: ReadonlyMap<Reference, Json>): PlannedPost {
  const value = details.get(post.reference)
  return value === undefined ? post : { ...post, meta: { ...post.meta, [attachmentMetadataKey]: value } }
}

const passwordDigest = ({ row, password }: PlannedUser) => (password === '' ? row.password : digestOfPassword(password))

/** The ids of the rows that are written so far. */
class Ids {
  readonly #ids = new Map<Reference, number>()

  set(reference: Reference, id: number): void {
    this.#ids.set(reference, id)
  }
  /** 0 for null, and for a row that has no id yet. */
  of(reference: Reference | null): number {
    return reference === null ? 0 : (this.#ids.get(reference) ?? 0)
  }
  ofAll(references: { readonly [name: string]: Reference }): { [name: string]: number } {
    return Object.fromEntries(Object.entries(references).map(([name, reference]) => [name, this.of(reference)]))
  }
  all(): SeededIds {
    return Object.fromEntries(this.#ids)
  }
}

type CountRows = (rows: number) => void

function createCounter({ users, terms, posts, records }: SitePlan, progress: SeedOptions['progress']): CountRows {
  const total = users.length + terms.length + posts.length + records.reduce((sum, { rows }) => sum + rows.length, 0)
  let done = 0
  return (rows) => {
    done += rows
    progress?.(done, total)
  }
}

async function writeUsers(
  storage: Storage,
  { users }: SitePlan,
  digests: readonly string[],
  ids: Ids,
  countRows: CountRows,
) {
  const rows = users.map((user, index) => ({ ...user, row: { ...user.row, password: digests[index] ?? '' } }))
  for (const window of windowsOf(rows)) {
    setIds(ids, window, await storage.users.insert(window.map(({ row }) => row)))
    await writeMeta(storage, 'user', window, ids)
    const passwords = window.flatMap(({ reference, applicationPasswords: list }) =>
      list.map((password) => passwordRow({ ...password, user: ids.of(reference) })),
    )
    await storage.records.insert(applicationPasswords, passwords)
    countRows(window.length)
  }
}

async function writeTerms(storage: Storage, { terms }: SitePlan, ids: Ids, countRows: CountRows) {
  for (const window of windowsOf(terms)) {
    setIds(ids, window, await storage.terms.insert(window.map(({ row }) => ({ ...row, parent: 0 }))))
    await writeMeta(storage, 'term', window, ids)
    countRows(window.length)
  }
  const children = terms.filter(({ parent }) => parent !== null)
  for (const window of windowsOf(children)) {
    await storage.terms.update(
      window.map(({ reference, parent }) => ({ id: ids.of(reference), changes: { parent: ids.of(parent) } })),
    )
  }
}

async function writePosts(storage: Storage, posts: readonly PlannedPost[], ids: Ids, countRows: CountRows) {
  const deferred: PlannedPost[] = []
  for (const window of runsOf(posts).flatMap((run) => [...windowsOf(run)])) {
    deferred.push(...window.filter(({ parent }) => parent !== null && ids.of(parent) === 0))
    setIds(ids, window, await storage.posts.insert(window.map((post) => postRow(post, ids))))
    await writeMeta(storage, 'post', window, ids)
    await storage.terms.assign(
      window.flatMap(({ reference, terms }) =>
        terms.map(({ taxonomy, references }) => ({
          post: ids.of(reference),
          taxonomy,
          terms: references.map((term) => ids.of(term)),
        })),
      ),
    )
    countRows(window.length)
  }
  // A parent may follow its child in the document.
  const updates = deferred.map(({ reference, parent }) => ({
    id: ids.of(reference),
    changes: { parent: ids.of(parent) },
  }))
  for (const window of windowsOf(updates)) await storage.posts.update(window)
}

/** After all rows that the meta may refer to. */
async function writeMetaReferences(storage: Storage, posts: readonly PlannedPost[], ids: Ids) {
  const entries = posts.flatMap(({ reference, metaReferences }) =>
    Object.entries(metaReferences).map(([key, target]) => ({ id: ids.of(reference), key, value: ids.of(target) })),
  )
  for (const window of windowsOf(entries)) await storage.meta.write('post', window)
}

/** Splits posts where the type changes: rows of earlier types have ids before later ones refer to them. */
function runsOf(posts: readonly PlannedPost[]): PlannedPost[][] {
  const runs: PlannedPost[][] = []
  for (const post of posts) {
    const run = runs.at(-1)
    if (run?.[0]?.row.type === post.row.type) run.push(post)
    else runs.push([post])
  }
  return runs
}

function postRow({ row, revisionOf, author, parent, featuredMedia }: PlannedPost, ids: Ids): PostValues {
  const parentId = ids.of(parent)
  const slug =
    revisionOf === undefined ? row.slug : revisionOf === 'autosave' ? autosaveSlug(parentId) : revisionSlug(parentId)
  return { ...row, slug, author: ids.of(author), parent: parentId, featuredMedia: ids.of(featuredMedia) }
}

async function writeRecords(storage: Storage, all: readonly PlannedRecords[], ids: Ids, countRows: CountRows) {
  const deferred = new Map<PlannedRecords, PlannedRecords['rows'][number][]>()
  for (const planned of all) {
    const { collection, rows } = planned
    for (const window of windowsOf(rows)) {
      const unresolved = window.filter(({ references }) => Object.values(references).some((one) => ids.of(one) === 0))
      deferred.set(planned, [...(deferred.get(planned) ?? []), ...unresolved])
      const values = window.map(({ values, references }) => ({ ...values, ...ids.ofAll(references) }))
      setIds(ids, window, await storage.records.insert(collection, values))
      countRows(window.length)
    }
  }
  // Rows may refer to later rows, whose ids are known only now.
  for (const [{ collection }, rows] of deferred) {
    for (const window of windowsOf(rows)) {
      await storage.records.update(
        collection,
        window.map(({ reference, references }) => ({ id: ids.of(reference), changes: ids.ofAll(references) })),
      )
    }
  }
}

function setIds(ids: Ids, rows: readonly { readonly reference: Reference }[], inserted: readonly number[]): void {
  rows.forEach(({ reference }, index) => void ids.set(reference, inserted[index] ?? 0))
}

async function writeMeta(
  storage: Storage,
  owner: MetaOwner,
  rows: readonly { readonly reference: Reference; readonly meta: Meta }[],
  ids: Ids,
) {
  await storage.meta.write(
    owner,
    rows.flatMap(({ reference, meta }) =>
      Object.entries(meta).map(([key, value]) => ({ id: ids.of(reference), key, value })),
    ),
  )
}
