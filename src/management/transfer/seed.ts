/** Writes a document into an empty storage, in one transaction. */

import type { Collection, Json, Storage } from '../../contract/storage.ts'
import { digestOfPassword } from '../../core/runtime/crypto.ts'
import { attachmentMetadataKey } from '../../site/post-keys.ts'
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
import { declaredFields } from '../declared-meta.ts'
import { SiteDocumentError } from './document-error.ts'
import type { EmbeddedKinds } from './embedded.ts'
import { type PlannedUser, planSite, type SitePlan } from './plan.ts'
import type { PlannedPost, PostPlan } from './plan-posts.ts'
import type { PlannedRecords } from './plan-records.ts'
import { rowsOf } from './planned-rows.ts'
import type { Reference } from './references.ts'
import { openSource } from './site-source.ts'
import { ReferenceIds } from './write/ids.ts'
import { completeReferences, linkEmbedded, type OpenPost } from './write/open-posts.ts'
import { insertPosts } from './write/posts.ts'
import { completeRecords, insertRecords, type OpenRecord } from './write/records.ts'
import { insertTerms, parentsOf, type TermParent, writeParents } from './write/terms.ts'
import { insertUsers } from './write/users.ts'

/** How a document is written. */
export interface SeedOptions {
  /** The value of `{base_url}` in the document. Default: the url of the site. */
  readonly baseUrl?: string
  /** Called with row counts after each window of rows. */
  readonly progress?: (done: number, total: number) => void
}

/** Maps each entry of the document, by its key with the kind, to its id: `post.hello`, `revision.hello.1`. */
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
  return (await storage.posts.query({ ...first, types: postTypesOf(context) })).idsPage.length === 0
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
    fields: declaredFields(context.persisted),
    areKept: context.storage.keepsIds === true,
  })
  // Before the transaction, which must not wait for slow digests and for files.
  const digests = await passwordDigests(context, plan)
  const pending: string[] = []
  try {
    const details = await keepFiles(context, plan.posts, pending)
    return await writeSite(context, plan, { digests, details, pending, embedded, progress })
  } catch (error) {
    await context.documentFiles?.discard(pending, error)
    throw error
  }
}

interface Prepared extends Pick<SeedOptions, 'progress'> {
  readonly digests: ReadonlyMap<Reference, string>
  readonly details: ReadonlyMap<Reference, Json>
  /** The paths of the stored files. */
  readonly pending: readonly string[]
  readonly embedded: EmbeddedKinds
}

const writeSite = (
  context: ManagementContext,
  plan: SitePlan,
  { digests, details, pending, embedded, progress }: Prepared,
): Promise<SeededIds> =>
  context.write(async (transaction, queue) => {
    if (!(await isEmpty(context, transaction))) throw new NotEmptyError()
    await context.documentFiles?.commit(transaction, pending)
    const ids = new ReferenceIds()
    const countRows = createCounter(plan, progress)
    await writeUsers(transaction, plan, digests, ids, countRows)
    await writeTerms(transaction, plan, ids, countRows)
    const open = await writePosts(transaction, plan.posts, details, { ids, embedded }, countRows)
    await completePosts(transaction, open, embedded, ids)
    await writeRecords(transaction, plan.records, ids, countRows)
    await transaction.options.write({
      ...plan.options,
      ...clearedDerivedOptions(context),
      ...ids.ofAll(plan.optionReferences),
    })
    queue('site.changed', { options: Object.keys(plan.options) })
    return ids.all()
  })

/** Adds to `pending` what a failure has to remove. */
async function keepFiles({ documentFiles }: ManagementContext, { rows, hasFiles }: PostPlan, pending: string[]) {
  const details = new Map<Reference, Json>()
  if (!hasFiles) return details
  for await (const window of rows()) {
    for (const { file, path, reference } of window) {
      if (!file) continue
      if (!documentFiles) throw new SiteDocumentError(`${path}.data`, 'is a file, and there is no place for files')
      const bytes = Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0))
      const kept = await documentFiles.keep({ path: file.path, type: file.type, bytes })
      pending.push(...kept.pending)
      details.set(reference, kept.details)
    }
  }
  return details
}

function withDetails(post: PlannedPost, details: ReadonlyMap<Reference, Json>): PlannedPost {
  const value = details.get(post.reference)
  return value === undefined ? post : { ...post, meta: { ...post.meta, [attachmentMetadataKey]: value } }
}

/** Digests the passwords that the document has in clear text. */
async function passwordDigests(
  { app }: ManagementContext,
  { users }: SitePlan,
): Promise<ReadonlyMap<Reference, string>> {
  const digests = new Map<Reference, string>()
  for await (const window of users()) {
    const clear = window.filter(({ password }) => password !== '')
    const made = await Promise.all(clear.map(({ password }) => digestOfPassword(password, app.passwordCost)))
    clear.forEach(({ reference }, index) => void digests.set(reference, made[index] ?? ''))
  }
  return digests
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
  ids: ReferenceIds,
  countRows: CountRows,
) {
  for await (const window of users()) {
    const password = (user: PlannedUser) => digests.get(user.reference) ?? user.row.password
    await insertUsers(
      storage,
      window.map((user) => ({ ...user, row: { ...user.row, password: password(user) } })),
      ids,
    )
    countRows(window.length)
  }
}

async function writeTerms(storage: Storage, { terms }: SitePlan, ids: ReferenceIds, countRows: CountRows) {
  const children: TermParent[] = []
  for await (const window of terms()) {
    await insertTerms(storage, window, ids)
    for (const child of parentsOf(window)) children.push(child)
    countRows(window.length)
  }
  await writeParents(storage, children, ids)
}

/** Returns the posts that have references to rows without an id. */
async function writePosts(
  storage: Storage,
  { rows, revisions }: PostPlan,
  details: ReadonlyMap<Reference, Json>,
  rules: { readonly ids: ReferenceIds; readonly embedded: EmbeddedKinds },
  countRows: CountRows,
): Promise<readonly OpenPost[]> {
  const open: OpenPost[] = []
  for await (const planned of rowsOf(rows, revisions)()) {
    for (const run of runsOf(planned).flatMap((posts) => [...windowsOf(posts)])) {
      const window = run.map((post) => withDetails(post, details))
      for (const post of await insertPosts(storage, window, rules)) open.push(post)
      countRows(window.length)
    }
  }
  return open
}

/** Runs after all posts are written. */
async function completePosts(storage: Storage, open: readonly OpenPost[], embedded: EmbeddedKinds, ids: ReferenceIds) {
  for (const window of windowsOf(open)) {
    const rest = await completeReferences(storage, window, { ids })
    const unlinked = rest.map(({ id }) => id)
    if (unlinked.length > 0) await linkEmbedded(storage, unlinked, embedded, (reference) => ids.of(reference))
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

async function writeRecords(storage: Storage, all: readonly PlannedRecords[], ids: ReferenceIds, countRows: CountRows) {
  const open = new Map<Collection, OpenRecord[]>()
  for (const { collection, rows } of all) {
    const ofCollection: OpenRecord[] = []
    open.set(collection, ofCollection)
    for await (const window of rows()) {
      for (const row of await insertRecords(storage, collection, window, ids)) ofCollection.push(row)
      countRows(window.length)
    }
  }
  for (const [collection, rows] of open) await completeRecords(storage, collection, rows, ids)
}
