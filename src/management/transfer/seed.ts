/** Writes a document into an empty storage, whole or not at all. */
import { passwordRow } from '../../core/pipeline/application-passwords.ts'
import { applicationPasswords } from '../../core/pipeline/authentication.ts'
import { digestOfPassword } from '../../core/runtime/crypto.ts'
import { autosaveSlug, revisionSlug } from '../../site/post-keys.ts'
import type { MetaOwner, PostValues, Storage } from '../../storage/contract.ts'
import {
  clearedDerivedOptions,
  collectionsOf,
  inOneTransaction,
  type ManagementContext,
  postTypesOf,
  siteOptions,
  windowsOf,
} from '../context.ts'
import { readDocument } from './document.ts'
import { type PlannedUser, planSite, type SitePlan } from './plan.ts'
import type { PlannedPost } from './plan-posts.ts'
import type { PlannedRecords } from './plan-records.ts'
import type { Meta, Reference } from './references.ts'

export interface SeedOptions {
  /** What `{base_url}` stands for. Default: the url of the site. */
  readonly baseUrl?: string
  /** Called with each window of rows that is written. */
  readonly progress?: (done: number, total: number) => void
}

/** The id of everything in the document, by its key with the kind before it: `post.hello`, `revision.hello.1`. */
export type SeededIds = { readonly [reference: string]: number }

/** A storage that has something in it already. */
export class NotEmptyError extends Error {
  readonly code = 'site_not_empty'
  constructor() {
    super('the storage is not empty: a site is only seeded into an empty one')
    this.name = 'NotEmptyError'
  }
}

export async function isEmpty(parts: ManagementContext, storage = parts.storage): Promise<boolean> {
  await parts.ready()
  const first = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
  if (Object.keys(await siteOptions(storage, parts)).length > 0) return false
  if ((await storage.users.query(first)).rows.length > 0) return false
  if ((await storage.terms.query(first)).rows.length > 0) return false
  return (await storage.posts.query({ ...first, types: postTypesOf(parts) })).heads.length === 0
}

export async function seed(
  parts: ManagementContext,
  document: unknown,
  { baseUrl, progress }: SeedOptions,
): Promise<SeededIds> {
  await parts.ready()
  if (!(await isEmpty(parts))) throw new NotEmptyError()
  const url = (baseUrl ?? (await parts.app.settings.read(parts.storage)).url).replace(/\/+$/, '')
  const plan = planSite(readDocument(document), {
    baseUrl: url,
    clock: parts.app.clock,
    collections: collectionsOf(parts),
  })
  // Before the transaction: it must not wait for slow digests.
  const digests = await Promise.all(plan.users.map(passwordDigest))
  const ids = await inOneTransaction(parts.storage, async (inside) => {
    if (!(await isEmpty(parts, inside))) throw new NotEmptyError()
    const made = new Ids()
    const step = createStep(plan, progress)
    await writeUsers(inside, plan, digests, made, step)
    await writeTerms(inside, plan, made, step)
    await writePosts(inside, plan.posts, made, step)
    await writeRecords(inside, plan.records, made, step)
    await inside.options.write({ ...plan.options, ...clearedDerivedOptions, ...made.ofAll(plan.optionReferences) })
    return made.all()
  })
  parts.emit([{ name: 'site.changed', payload: { options: Object.keys(plan.options) } }])
  return ids
}

const passwordDigest = ({ row, password }: PlannedUser) => (password === '' ? row.password : digestOfPassword(password))

/** The ids given out so far. */
class Ids {
  readonly #ids = new Map<Reference, number>()

  set(reference: Reference, id: number): void {
    this.#ids.set(reference, id)
  }
  /** 0 for nothing, and for what has no id yet. */
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

type Step = (rows: number) => void

function createStep({ users, terms, posts, records }: SitePlan, progress: SeedOptions['progress']): Step {
  const total = users.length + terms.length + posts.length + records.reduce((sum, { rows }) => sum + rows.length, 0)
  let done = 0
  return (rows) => {
    done += rows
    progress?.(done, total)
  }
}

async function writeUsers(storage: Storage, { users }: SitePlan, digests: readonly string[], ids: Ids, step: Step) {
  const rows = users.map((user, index) => ({ ...user, row: { ...user.row, password: digests[index] ?? '' } }))
  for (const window of windowsOf(rows)) {
    const made = await storage.users.insert(window.map(({ row }) => row))
    give(ids, window, made)
    await writeMeta(storage, 'user', window, ids)
    const passwords = window.flatMap(({ reference, applicationPasswords: list }) =>
      list.map((one) => passwordRow({ ...one, user: ids.of(reference) })),
    )
    await storage.records.insert(applicationPasswords, passwords)
    step(window.length)
  }
}

async function writeTerms(storage: Storage, { terms }: SitePlan, ids: Ids, step: Step) {
  for (const window of windowsOf(terms)) {
    give(ids, window, await storage.terms.insert(window.map(({ row }) => ({ ...row, parent: 0 }))))
    await writeMeta(storage, 'term', window, ids)
    step(window.length)
  }
  const children = terms.filter(({ parent }) => parent !== null)
  for (const window of windowsOf(children)) {
    await storage.terms.update(
      window.map(({ reference, parent }) => ({ id: ids.of(reference), changes: { parent: ids.of(parent) } })),
    )
  }
}

async function writePosts(storage: Storage, posts: readonly PlannedPost[], ids: Ids, step: Step) {
  const orphans: PlannedPost[] = []
  for (const window of runsOf(posts).flatMap((run) => [...windowsOf(run)])) {
    orphans.push(...window.filter(({ parent }) => parent !== null && ids.of(parent) === 0))
    give(ids, window, await storage.posts.insert(window.map((post) => postRow(post, ids))))
    await writeMeta(storage, 'post', window, ids)
    await storage.terms.assign(
      window.flatMap(({ reference, terms }) =>
        terms.map(({ taxonomy, references }) => ({
          post: ids.of(reference),
          taxonomy,
          terms: references.map((one) => ids.of(one)),
        })),
      ),
    )
    step(window.length)
  }
  // A parent may stand below its child in the document.
  const updates = orphans.map(({ reference, parent }) => ({
    id: ids.of(reference),
    changes: { parent: ids.of(parent) },
  }))
  for (const window of windowsOf(updates)) await storage.posts.update(window)
}

/** Rows of one type: what they refer to among other types has its id before they are written. */
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
  const above = ids.of(parent)
  const slug =
    revisionOf === undefined ? row.slug : revisionOf === 'autosave' ? autosaveSlug(above) : revisionSlug(above)
  return { ...row, slug, author: ids.of(author), parent: above, featuredMedia: ids.of(featuredMedia) }
}

async function writeRecords(storage: Storage, all: readonly PlannedRecords[], ids: Ids, step: Step) {
  for (const { collection, rows } of all) {
    for (const window of windowsOf(rows)) {
      const values = window.map(({ values, references }) => ({ ...values, ...ids.ofAll(references) }))
      give(ids, window, await storage.records.insert(collection, values))
      step(window.length)
    }
  }
  // Rows may refer to later ones: by now all ids are known.
  for (const { collection, rows } of all) {
    const referring = rows.filter(({ references }) => Object.values(references).some(isRecord))
    for (const window of windowsOf(referring)) {
      await storage.records.update(
        collection,
        window.map(({ reference, references }) => ({ id: ids.of(reference), changes: ids.ofAll(references) })),
      )
    }
  }
}

/** References to rows end in their number. */
const isRecord = (reference: Reference) => /\.\d+$/.test(reference)

function give(ids: Ids, rows: readonly { readonly reference: Reference }[], made: readonly number[]): void {
  rows.forEach(({ reference }, index) => void ids.set(reference, made[index] ?? 0))
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
