/** Revisions of a post. A revision is a row of type `revision` whose parent is the post; it is never updated. */

import { equalJson } from '../../../contract/equal-json.ts'
import { blankPost } from '../../../contract/fields/blank.ts'
import { postFields } from '../../../contract/fields/posts.ts'
import { namesWith, picked } from '../../../contract/fields/stored-field.ts'
import type { Json, Post, PostQuery, PostValues, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { revisionSlug } from '../../../site/post-keys.ts'
import { versionedKeys } from '../../shared/post-meta.ts'

/** Autosaves have this type too; their slug differs. */
export const revisionType = 'revision'

/** The state of a revision or autosave, for conditions: each write of one raises its version. */
export const revisionState = (row: Pick<Post, 'id' | 'version'> | undefined) =>
  storedState(row && { id: row.id, version: row.version })

/** The columns that a revision stores. */
const revisionedFields = namesWith(postFields, 'isRevisioned')
export type RevisionedTexts = Pick<Post, (typeof revisionedFields)[number]>

export const revisionedTexts = (post: RevisionedTexts): RevisionedTexts => picked(post, revisionedFields)

/** The meta that a revision stores, by key. */
type RevisionedMeta = { readonly [key: string]: Json }

type RevisionContext = Pick<Context, 'storage' | 'user' | 'app'>

/** The number in the storage, which includes autosaves. */
export interface RevisionCounts {
  readonly count: number
  /** 0: there is none. */
  readonly latest: number
}

const noRevisions: RevisionCounts = { count: 0, latest: 0 }

/** A new revision, unless the last one is equal, and the counts with it. */
interface SavedRevision {
  readonly id?: number
  readonly counts: RevisionCounts
}

interface VersionOptions {
  /** The counts as the caller has read them. */
  readonly known?: RevisionCounts
  /** The meta whose changes make a version. Default: those of all types. */
  readonly versionedKeys?: readonly string[]
}

/**
 * Stores the post that a save has written as a revision, unless the last revision is the same version. Interface: the first save after
 * the creation always creates a revision; its author is the user who saved.
 */
export async function saveRevision(
  { storage, user, app }: RevisionContext,
  post: Post,
  meta: RevisionedMeta,
  { known, versionedKeys: keys = versionedKeys }: VersionOptions = {},
): Promise<SavedRevision> {
  const counts = known ?? (await readCounts(storage, post.id))
  const last = await lastRevision(storage, post.id, counts)
  if (last && (await isSameVersion(storage, last, post, pickedMeta(meta, keys)))) return { counts }
  const id = await insertRevision(storage, revisionValues(post, user.id), meta)
  const limit = app.limits.revisions
  const count = counts.count + 1
  if (limit === undefined || count <= limit) return { id, counts: { count, latest: id } }
  await removeOldest(storage, post.id, limit)
  return { id, counts: await readCounts(storage, post.id) }
}

async function readCounts(storage: Storage, post: number): Promise<RevisionCounts> {
  const [counts = noRevisions] = await storage.posts.childCounts(revisionType, [post])
  return { count: counts.count, latest: counts.latest }
}

const revisionQuery = (post: number, window: Pick<PostQuery, 'offset' | 'limit'>): PostQuery => ({
  types: [revisionType],
  parents: [post],
  slugs: [revisionSlug(post)],
  order: { by: 'id', descending: true },
  ...window,
})

/** The latest of them may be an autosave. */
async function lastRevision(storage: Storage, post: number, { latest }: RevisionCounts): Promise<Post | undefined> {
  if (latest === 0) return undefined
  const [member] = await storage.posts.read([latest])
  if (member?.slug === revisionSlug(post)) return member
  const { idsPage } = await storage.posts.query(revisionQuery(post, { offset: 0, limit: 1 }))
  const [head] = idsPage
  if (!head) return undefined
  const [row] = await storage.posts.read([head.id])
  return row
}

const pickedMeta = (meta: RevisionedMeta, keys: readonly string[]): RevisionedMeta =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => keys.includes(key)))

/** Interface: blanks and line ends alone make no further version, nor does meta that is not versioned. */
async function isSameVersion(
  storage: Storage,
  stored: Post,
  texts: RevisionedTexts,
  versioned: RevisionedMeta,
): Promise<boolean> {
  const isChanged = (name: (typeof revisionedFields)[number]) =>
    stored[name] !== texts[name] && withSingleBlanks(stored[name]) !== withSingleBlanks(texts[name])
  if (revisionedFields.some(isChanged)) return false
  return sameMeta(storage, stored, versioned)
}

const withSingleBlanks = (text: string): string =>
  text
    .replace(/[\r\n]+/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim()

/** Whether a stored row has these texts and this meta. */
export async function sameTexts(
  storage: Storage,
  stored: Post,
  texts: RevisionedTexts,
  meta: RevisionedMeta,
): Promise<boolean> {
  return revisionedFields.every((name) => stored[name] === texts[name]) && sameMeta(storage, stored, meta)
}

async function sameMeta(storage: Storage, stored: Post, meta: RevisionedMeta): Promise<boolean> {
  const keys = Object.keys(meta)
  if (keys.length === 0) return true
  const entries = await storage.meta.read('post', [stored.id], keys)
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  return keys.every((key) => equalJson(values.get(key) ?? '', meta[key]))
}

export async function insertRevision(storage: Storage, revision: PostValues, meta: RevisionedMeta): Promise<number> {
  const [id = 0] = await storage.posts.insert([revision])
  // A new row has no meta that an empty value would remove.
  await writeRevisionMeta(storage, id, Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== '')))
  return id
}

export async function writeRevisionMeta(storage: Storage, id: number, meta: RevisionedMeta): Promise<void> {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value: value === '' ? null : value }))
  if (entries.length > 0) await storage.meta.write('post', entries)
}

async function removeOldest(storage: Storage, post: number, limit: number): Promise<void> {
  const { idsPage } = await storage.posts.query(revisionQuery(post, { offset: limit, limit: Number.MAX_SAFE_INTEGER }))
  if (idsPage.length > 0) await storage.posts.remove(idsPage.map((head) => head.id))
}

/** A revision is dated by the last change of the post, which is the time of the save. */
export const revisionValues = (post: Post, author: number): PostValues => ({
  ...blankPost,
  ...revisionedTexts(post),
  type: revisionType,
  status: 'inherit',
  slug: revisionSlug(post.id),
  author,
  parent: post.id,
  date: post.modified,
  dateGmt: post.modifiedGmt,
  modified: post.modified,
  modifiedGmt: post.modifiedGmt,
})

/** Removes all revisions and autosaves of these posts. */
export async function removeRevisions(storage: Storage, parents: readonly number[]): Promise<void> {
  const { idsPage } = await storage.posts.query({
    types: [revisionType],
    parents,
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  await storage.posts.remove(idsPage.map((head) => head.id))
}
