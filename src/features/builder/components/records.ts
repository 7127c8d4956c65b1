/**
 * Components: builder documents that other documents use, stored as posts with the type `builder_component`.
 * Unpublished changes are stored in an autosave of the component, one for each user.
 */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Json, Post, PostQuery, PostValues, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { lastEditorKey } from '../../../render/builder/records/keys.ts'
import { autosaveSlug } from '../../../site/post-keys.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { type BuilderElement, elementsKey, isObject, parseElements } from '../../shared/elements.ts'

export const componentType = 'builder_component'

export const uidKey = '_builder_component_uid'
export const propsKey = '_builder_component_overridable_props'
/** `{ at }` in GMT; missing for a component in use. */
export const archivedKey = '_builder_component_archived'

/** Meta keys that an autosave stores and publishing copies. */
export const draftKeys = [elementsKey, propsKey, archivedKey, lastEditorKey] as const

export const titleLength = { minLength: 2, maxLength: 200 } as const
/** Archived components do not count as in use, but documents may show them: their styles are read too. */
export const limits = { inUse: 100, styled: 1000, uidLength: 200, nesting: 50 } as const

/** Every status except the trash. */
const statuses = ['publish', 'draft', 'pending', 'private', 'future'].map((status) => ({ status }))

export interface Component {
  readonly post: Post
  readonly uid: string
  readonly isArchived: boolean
}

// ---------------------------------------------------------------- reading

const newestFirst = (limit: number): PostQuery => ({
  types: [componentType],
  statuses,
  order: { by: 'date', descending: true },
  offset: 0,
  limit,
})

export async function readComponents(storage: Storage, limit = Number.MAX_SAFE_INTEGER): Promise<Component[]> {
  const { idsPage } = await storage.posts.query(newestFirst(limit))
  return withMeta(storage, await storage.posts.read(idsPage.map(({ id }) => id)))
}

/** Finds the components among the ids, in the order of the ids and without duplicates. */
export async function findComponents(storage: Storage, ids: readonly number[]): Promise<Component[]> {
  const posts = await storage.posts.read(ids.filter((id) => Number.isSafeInteger(id) && id > 0))
  return withMeta(
    storage,
    posts.filter(({ type, status }) => type === componentType && status !== 'trash'),
  )
}

export async function findComponent(storage: Storage, id: number): Promise<Component | undefined> {
  const [component] = await findComponents(storage, [id])
  return component
}

async function withMeta(storage: Storage, posts: readonly Post[]): Promise<Component[]> {
  const meta = await readMeta(storage, posts, [uidKey, archivedKey])
  return posts.map((post) => {
    const values = meta.get(post.id)
    return { post, uid: String(values?.get(uidKey) ?? ''), isArchived: values?.has(archivedKey) ?? false }
  })
}

type MetaByPost = ReadonlyMap<number, ReadonlyMap<string, Json>>

export async function readMeta(
  storage: Storage,
  posts: readonly Pick<Post, 'id'>[],
  keys: readonly string[],
): Promise<MetaByPost> {
  const ids = posts.map(({ id }) => id)
  const byPost = Map.groupBy(await storage.meta.read('post', ids, keys), ({ id }) => id)
  return new Map([...byPost].map(([id, entries]) => [id, new Map(entries.map(({ key, value }) => [key, value]))]))
}

/** The uids of the components among the posts. */
export async function componentUids(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const entries = await storage.meta.read('post', ids, [uidKey])
  return new Map(entries.map(({ id, value }) => [id, String(value)]))
}

/** The properties that instances of the components may override. */
export async function propsOfComponents(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, Json>> {
  const entries = await storage.meta.read('post', ids, [propsKey])
  return new Map(entries.map(({ id, value }) => [id, value]))
}

/** The elements that the components are made of. */
export async function elementsOfComponents(
  storage: Storage,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly BuilderElement[]>> {
  const entries = await storage.meta.read('post', ids, [elementsKey])
  const elements = new Map(entries.map(({ id, value }) => [id, parseElements(value)]))
  return new Map(ids.map((id) => [id, elements.get(id) ?? []]))
}

/** Returns the ids of all components by their uid. */
export async function idsOfComponents(storage: Storage): Promise<ReadonlyMap<string, number>> {
  return new Map((await readComponents(storage)).map(({ post, uid }) => [uid, post.id]))
}

// ---------------------------------------------------------------- autosaves

/** The autosaves that are newer than their component, newest first; of all users or of one. */
export async function readDrafts(storage: Storage, components: readonly Component[], author?: number): Promise<Post[]> {
  const autosaves = await readAutosaves(storage, components, author)
  return autosaves.filter(isPending(components))
}

/** An autosave is outdated when its component has changed after it. */
function isPending(components: readonly Component[]): (autosave: Post) => boolean {
  const modified = new Map(components.map(({ post }) => [post.id, post.modifiedGmt]))
  return ({ parent, modifiedGmt }) => modifiedGmt >= (modified.get(parent) ?? '')
}

export async function readAutosaves(
  storage: Storage,
  components: readonly Component[],
  author?: number,
): Promise<Post[]> {
  const { idsPage } = await storage.posts.query({
    types: [revisionType],
    parents: components.map(({ post }) => post.id),
    slugs: components.map(({ post }) => autosaveSlug(post.id)),
    ...(author === undefined ? {} : { authors: [author] }),
    order: { by: 'modified', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return storage.posts.read(idsPage.map(({ id }) => id))
}

/** The newest draft of each component, by component id. Expects the newest draft first. */
export function newestByComponent(drafts: readonly Post[]): ReadonlyMap<number, Post> {
  return new Map(drafts.toReversed().map((draft) => [draft.parent, draft]))
}

// ---------------------------------------------------------------- writing

type WriteContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user'>

export function newComponent({ app, settings, user }: WriteContext, title: string, status: string): PostValues {
  const now = settings.time.now(app.clock)
  return {
    ...blankPost,
    type: componentType,
    status,
    slug: '',
    title,
    author: user.id,
    date: now.local,
    dateGmt: now.gmt,
    modified: now.local,
    modifiedGmt: now.gmt,
  }
}

export const modifiedNow = ({ app, settings }: Pick<WriteContext, 'app' | 'settings'>) => {
  const now = settings.time.now(app.clock)
  return { modified: now.local, modifiedGmt: now.gmt }
}

/** The caller's drafts of these components, by component id. A missing draft is created as a copy of the component. */
export async function openDrafts(
  context: WriteContext,
  components: readonly Component[],
): Promise<ReadonlyMap<number, Post>> {
  const { storage, user } = context
  const autosaves = await readAutosaves(storage, components, user.id)
  const drafts = autosaves.filter(isPending(components))
  const outdated = autosaves.filter((autosave) => !drafts.includes(autosave))
  const draftsById = newestByComponent(drafts)
  const posts = components.map(({ post }) => post).filter(({ id }) => !draftsById.has(id))
  const rows = posts.map((post) => draftOf(context, post))
  const [ids, , meta] = await Promise.all([
    storage.posts.insert(rows),
    storage.posts.remove(outdated.map(({ id }) => id)),
    readMeta(storage, posts, draftKeys),
  ])
  const copies = posts.flatMap((post, index) =>
    [...(meta.get(post.id) ?? [])].map(([key, value]) => ({ id: ids[index] ?? 0, key, value })),
  )
  const created = rows.map((row, index): Post => ({ ...row, id: ids[index] ?? 0, version: 1 }))
  await storage.meta.write('post', copies)
  return newestByComponent([...drafts, ...created])
}

const draftOf = (context: WriteContext, post: Post): PostValues => {
  const { id: _id, version: _version, ...values } = post
  return {
    ...values,
    type: revisionType,
    status: 'inherit',
    slug: autosaveSlug(post.id),
    parent: post.id,
    author: context.user.id,
    ...modifiedNow(context),
  }
}

// ---------------------------------------------------------------- instances

/** The component of an instance element: its id, or the uid of one that has no id yet. */
export type Reference = number | string

const instanceOf = (element: BuilderElement) => {
  const settings = element['settings']
  const instance = isObject(settings) ? settings['component_instance'] : undefined
  const value = isObject(instance) ? instance['value'] : undefined
  return element['widgetType'] === 'e-component' && isObject(value) ? value : undefined
}

export function referenceOf(element: BuilderElement): Reference | undefined {
  const id = instanceOf(element)?.['component_id']
  const reference = isObject(id) ? id['value'] : id
  return typeof reference === 'number' || typeof reference === 'string' ? reference : undefined
}

/** Copies the element with the id of the component instead of its uid. */
export function withReference(element: BuilderElement, id: number): BuilderElement {
  const value = instanceOf(element)
  if (!value) return element
  // The casts: `instanceOf` has checked both.
  const settings = element['settings'] as BuilderElement
  const instance = settings['component_instance'] as BuilderElement
  const component = { $$type: 'number', value: id }
  return {
    ...element,
    settings: { ...settings, component_instance: { ...instance, value: { ...value, component_id: component } } },
  }
}
