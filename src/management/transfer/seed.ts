/** Writes a document into an empty storage, in one transaction. */

import type { Collection, Json, MetaOwner, PostValues, Storage } from '../../contract/storage.ts'
import { passwordRow } from '../../core/pipeline/application-passwords.ts'
import { applicationPasswords } from '../../core/pipeline/authentication.ts'
import { digestOfPassword } from '../../core/runtime/crypto.ts'
import { attachmentMetadataKey, autosaveSlug, revisionSlug } from '../../site/post-keys.ts'
import {
  clearedDerivedOptions,
  collectionsOf,
  embeddedReferencesOf,
  type ManagementContext,
  postTypesOf,
  sectionsOf,
  siteOptions,
  windowsOf,
} from '../context.ts'
import { SiteDocumentError } from './document-error.ts'
import { type EmbeddedKinds, seededMeta } from './embedded.ts'
import { idsOf } from './given-ids.ts'
import { planSite, type SitePlan } from './plan.ts'
import type { PlannedPost, PostPlan } from './plan-posts.ts'
import type { PlannedRecord, PlannedRecords } from './plan-records.ts'
import { rowsOf } from './planned-rows.ts'
import type { Meta, Reference } from './references.ts'
import { openSource } from './site-source.ts'

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
  const embedded = embeddedReferencesOf(context)
  const plan = await planSite(await openSource(documents, sectionsOf(context)), {
    baseUrl: url,
    clock: context.app.clock,
    collections: collectionsOf(context),
    embedded,
    areKept: context.storage.keepsIds === true,
  })
  // Before the transaction, which must not wait for slow digests and for files.
  const digests = await passwordDigests(plan)
  const details = await keepFiles(context, plan.posts)
  return context.write(async (transaction, queue) => {
    if (!(await isEmpty(context, transaction))) throw new NotEmptyError()
    const rowIds = new Ids()
    const countRows = createCounter(plan, progress)
    await writeUsers(transaction, plan, digests, rowIds, countRows)
    await writeTerms(transaction, plan, rowIds, countRows)
    await writePosts(transaction, plan.posts, details, rowIds, countRows)
    await writeMetaReferences(transaction, plan.posts, rowIds)
    await writeEmbedded(transaction, plan.posts, embedded, rowIds)
    await writeRecords(transaction, plan.records, rowIds, countRows)
    await transaction.options.write({
      ...plan.options,
      ...clearedDerivedOptions,
      ...rowIds.ofAll(plan.optionReferences),
    })
    queue('site.changed', { options: Object.keys(plan.options) })
    return rowIds.all()
  })
}

/** A seed that fails afterwards leaves the files: the next one replaces them. */
async function keepFiles({ keepFile }: ManagementContext, { rows, hasFiles }: PostPlan) {
  const details = new Map<Reference, Json>()
  if (!hasFiles) return details
  for await (const window of rows()) {
    for (const { file, path, reference } of window) {
      if (!file) continue
      if (!keepFile) throw new SiteDocumentError(`${path}.data`, 'is a file, and there is no place for files')
      const bytes = Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0))
      details.set(reference, await keepFile({ path: file.path, type: file.type, bytes }))
    }
  }
  return details
}

function withDetails(post: PlannedPost, details: ReadonlyMap<Reference, Json>): PlannedPost {
  const value = details.get(post.reference)
  return value === undefined ? post : { ...post, meta: { ...post.meta, [attachmentMetadataKey]: value } }
}

/** Of users whose password the document has in clear text. */
async function passwordDigests({ users }: SitePlan): Promise<ReadonlyMap<Reference, string>> {
  const digests = new Map<Reference, string>()
  for await (const window of users()) {
    const clear = window.filter(({ password }) => password !== '')
    const made = await Promise.all(clear.map(({ password }) => digestOfPassword(password)))
    clear.forEach(({ reference }, index) => void digests.set(reference, made[index] ?? ''))
  }
  return digests
}

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

function createCounter({ total }: SitePlan, progress: SeedOptions['progress']): CountRows {
  let done = 0
  return (rows) => {
    done += rows
    progress?.(done, total)
  }
}

async function writeUsers(
  storage: Storage,
  { users }: SitePlan,
  digests: ReadonlyMap<Reference, string>,
  ids: Ids,
  countRows: CountRows,
) {
  for await (const window of users()) {
    const rows = window.map(({ row, reference }) => ({ ...row, password: digests.get(reference) ?? row.password }))
    setIds(ids, window, await storage.users.insert(rows, idsOf(window)))
    await writeMeta(storage, 'user', window, ids)
    const passwords = window.flatMap(({ reference, applicationPasswords: list }) =>
      list.map((password) => passwordRow({ ...password, user: ids.of(reference) })),
    )
    const passwordIds = idsOf(window.flatMap(({ applicationPasswords: list }) => list))
    await storage.records.insert(applicationPasswords, passwords, passwordIds)
    countRows(window.length)
  }
}

async function writeTerms(storage: Storage, { terms }: SitePlan, ids: Ids, countRows: CountRows) {
  const children: { readonly reference: Reference; readonly parent: Reference }[] = []
  for await (const window of terms()) {
    setIds(
      ids,
      window,
      await storage.terms.insert(
        window.map(({ row }) => ({ ...row, parent: 0 })),
        idsOf(window),
      ),
    )
    await writeMeta(storage, 'term', window, ids)
    for (const { reference, parent } of window) if (parent !== null) children.push({ reference, parent })
    countRows(window.length)
  }
  for (const window of windowsOf(children)) {
    await storage.terms.update(
      window.map(({ reference, parent }) => ({ id: ids.of(reference), changes: { parent: ids.of(parent) } })),
    )
  }
}

/** The columns of a post that hold ids of other posts, which may follow it in the document. */
interface DeferredPost {
  readonly reference: Reference
  readonly parent: Reference | null
  readonly featuredMedia: Reference | null
}

async function writePosts(
  storage: Storage,
  { rows, revisions }: PostPlan,
  details: ReadonlyMap<Reference, Json>,
  ids: Ids,
  countRows: CountRows,
) {
  const deferred: DeferredPost[] = []
  const isUnknown = (reference: Reference | null) => reference !== null && ids.of(reference) === 0
  for await (const planned of rowsOf(rows, revisions)()) {
    for (const run of runsOf(planned).flatMap((posts) => [...windowsOf(posts)])) {
      const window = run.map((post) => withDetails(post, details))
      for (const { reference, parent, featuredMedia } of window)
        if (isUnknown(parent) || isUnknown(featuredMedia)) deferred.push({ reference, parent, featuredMedia })
      setIds(
        ids,
        window,
        await storage.posts.insert(
          window.map((post) => postRow(post, ids)),
          idsOf(window),
        ),
      )
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
  }
  const updates = deferred.map(({ reference, parent, featuredMedia }) => ({
    id: ids.of(reference),
    changes: { parent: ids.of(parent), featuredMedia: ids.of(featuredMedia) },
  }))
  for (const window of windowsOf(updates)) await storage.posts.update(window)
}

/** After all rows that the meta may refer to. */
async function writeMetaReferences(storage: Storage, { rows, hasMetaReferences }: PostPlan, ids: Ids) {
  if (!hasMetaReferences) return
  for await (const window of rows()) {
    const entries = window.flatMap(({ reference, metaReferences }) =>
      Object.entries(metaReferences).map(([key, target]) => ({ id: ids.of(reference), key, value: ids.of(target) })),
    )
    if (entries.length > 0) await storage.meta.write('post', entries)
  }
}

/** After all rows that the values may name. */
async function writeEmbedded(
  storage: Storage,
  { rows, revisions, hasEmbedded }: PostPlan,
  embedded: EmbeddedKinds,
  ids: Ids,
): Promise<void> {
  if (!hasEmbedded) return
  for await (const window of rowsOf(rows, revisions)()) {
    const written = window.map((row) => ({ ...row, meta: seededMeta(row.embedded, embedded, (name) => ids.of(name)) }))
    await writeMeta(storage, 'post', written, ids)
  }
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
  const deferred: { readonly collection: Collection; readonly row: Pick<PlannedRecord, 'reference' | 'references'> }[] =
    []
  for (const { collection, rows } of all) {
    for await (const window of rows()) {
      for (const { reference, references } of window) {
        const isUnknown = Object.values(references).some((target) => ids.of(target) === 0)
        if (isUnknown) deferred.push({ collection, row: { reference, references } })
      }
      const values = window.map(({ values, references }) => ({ ...values, ...ids.ofAll(references) }))
      setIds(ids, window, await storage.records.insert(collection, values, idsOf(window)))
      countRows(window.length)
    }
  }
  // Rows may refer to later rows, whose ids are known only now.
  for (const [collection, rows] of Map.groupBy(deferred, ({ collection: of }) => of)) {
    for (const window of windowsOf(rows)) {
      const updates = window.map(({ row }) => ({ id: ids.of(row.reference), changes: ids.ofAll(row.references) }))
      await storage.records.update(collection, updates)
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
