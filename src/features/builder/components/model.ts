/**
 * Components: builder documents that other documents use. A component is a post of a type of its own; what somebody
 * changes without publishing it waits in an autosave below it, one for each user.
 */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError, type ErrorData } from '../../../core/declare/errors.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { autosaveSlug, blankColumns } from '../../../site/post-keys.ts'
import type { Json, Post, PostQuery, PostValues, Storage } from '../../../storage/contract.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { type BuilderElement, elementsKey, isObject } from '../../shared/elements/model.ts'

export const componentType = 'builder_component'

export const uidKey = '_builder_component_uid'
export const propsKey = '_builder_component_overridable_props'
/** `{ at }` in GMT, or nothing. */
export const archivedKey = '_builder_component_archived'

/** Meta that an autosave keeps and publishing copies. */
export const draftKeys = [elementsKey, propsKey, archivedKey] as const

export const titleLength = { minLength: 2, maxLength: 200 } as const
export const limits = { inUse: 100, uidLength: 200, nesting: 50 } as const

/** All but the trash. */
const statuses = ['publish', 'draft', 'pending', 'private', 'future'].map((status) => ({ status }))

export interface Component {
  readonly post: Post
  readonly uid: string
  readonly isArchived: boolean
}

/** Errors of this family always carry `meta`; empty, it is a list. */
export const failure = (code: string, message: string, status: number, meta: ErrorData | readonly [] = []) =>
  new ApiError(code, message, status, { meta })

export const enveloped = <T>(data: T) => ({ data, meta: [] })

// ---------------------------------------------------------------- reading

const newestFirst = (limit: number): PostQuery => ({
  types: [componentType],
  statuses,
  order: { by: 'date', descending: true },
  offset: 0,
  limit,
})

export function readComponents(storage: Storage, limit = Number.MAX_SAFE_INTEGER): MaybePromise<Component[]> {
  return andThen(storage.posts.query(newestFirst(limit)), ({ heads }) =>
    andThen(storage.posts.read(heads.map(({ id }) => id)), (posts) => withMeta(storage, posts)),
  )
}

/** Those of the ids that are components, in their order; each once. */
export function findComponents(storage: Storage, ids: readonly number[]): MaybePromise<Component[]> {
  const possible = ids.filter((id) => Number.isSafeInteger(id) && id > 0)
  return andThen(storage.posts.read(possible), (posts) =>
    withMeta(
      storage,
      posts.filter(({ type, status }) => type === componentType && status !== 'trash'),
    ),
  )
}

export const findComponent = (storage: Storage, id: number): MaybePromise<Component | undefined> =>
  andThen(findComponents(storage, [id]), ([component]) => component)

function withMeta(storage: Storage, posts: readonly Post[]): MaybePromise<Component[]> {
  return andThen(readMeta(storage, posts, [uidKey, archivedKey]), (meta) =>
    posts.map((post) => {
      const values = meta.get(post.id)
      return { post, uid: String(values?.get(uidKey) ?? ''), isArchived: values?.has(archivedKey) ?? false }
    }),
  )
}

export type MetaByPost = ReadonlyMap<number, ReadonlyMap<string, Json>>

export function readMeta(
  storage: Storage,
  posts: readonly Pick<Post, 'id'>[],
  keys: readonly string[],
): MaybePromise<MetaByPost> {
  const read = storage.meta.read(
    'post',
    posts.map(({ id }) => id),
    keys,
  )
  return andThen(read, (entries) => {
    const byPost = Map.groupBy(entries, ({ id }) => id)
    return new Map([...byPost].map(([id, own]) => [id, new Map(own.map(({ key, value }) => [key, value]))]))
  })
}

// ---------------------------------------------------------------- autosaves

/** Drafts that wait to be published, newest first; of one user when one is named. */
export function readDrafts(storage: Storage, components: readonly Component[], author?: number): MaybePromise<Post[]> {
  return andThen(readAutosaves(storage, components, author), (autosaves) => autosaves.filter(isPending(components)))
}

/** What was saved before the component last changed waits no longer. */
function isPending(components: readonly Component[]): (autosave: Post) => boolean {
  const changed = new Map(components.map(({ post }) => [post.id, post.modifiedGmt]))
  return ({ parent, modifiedGmt }) => modifiedGmt >= (changed.get(parent) ?? '')
}

export function readAutosaves(
  storage: Storage,
  components: readonly Component[],
  author?: number,
): MaybePromise<Post[]> {
  const found = storage.posts.query({
    types: [revisionType],
    parents: components.map(({ post }) => post.id),
    slugs: components.map(({ post }) => autosaveSlug(post.id)),
    ...(author === undefined ? {} : { authors: [author] }),
    order: { by: 'modified', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return andThen(found, ({ heads }) => storage.posts.read(heads.map(({ id }) => id)))
}

/** The newest draft of each component. */
export function byComponent(drafts: readonly Post[]): ReadonlyMap<number, Post> {
  return new Map(drafts.toReversed().map((draft) => [draft.parent, draft]))
}

// ---------------------------------------------------------------- writing

type Writing = Pick<Context, 'storage' | 'app' | 'settings' | 'user'>

export function newComponent({ app, settings, user }: Writing, title: string, status: string): PostValues {
  const now = settings.time.now(app.clock)
  return {
    ...blankColumns,
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

export const modifiedNow = ({ app, settings }: Pick<Writing, 'app' | 'settings'>) => {
  const now = settings.time.now(app.clock)
  return { modified: now.local, modifiedGmt: now.gmt }
}

/** Drafts of the caller for these components, those that are missing made as copies of what they are drafts of. */
export function openDrafts(
  context: Writing,
  components: readonly Component[],
): MaybePromise<ReadonlyMap<number, Post>> {
  const { storage, user } = context
  return andThen(readAutosaves(storage, components, user.id), (autosaves) => {
    const found = autosaves.filter(isPending(components))
    const outdated = autosaves.filter((one) => !found.includes(one))
    const open = byComponent(found)
    const posts = components.map(({ post }) => post).filter(({ id }) => !open.has(id))
    const rows = posts.map((post) => draftOf(context, post))
    const steps = [
      storage.posts.insert(rows),
      readMeta(storage, posts, draftKeys),
      storage.posts.remove(outdated.map(({ id }) => id)),
    ] as const
    return andThen(all(steps), ([ids, meta]) => {
      const copies = posts.flatMap((post, index) =>
        [...(meta.get(post.id) ?? [])].map(([key, value]) => ({ id: ids[index] ?? 0, key, value })),
      )
      const made = rows.map((row, index): Post => ({ ...row, id: ids[index] ?? 0, version: 1 }))
      return andThen(storage.meta.write('post', copies), () => byComponent([...found, ...made]))
    })
  })
}

const draftOf = (context: Writing, post: Post): PostValues => {
  const { id: _id, version: _version, ...values } = post
  const own = { type: revisionType, status: 'inherit', slug: autosaveSlug(post.id), parent: post.id }
  return { ...values, ...own, author: context.user.id, ...modifiedNow(context) }
}

// ---------------------------------------------------------------- instances

/** What the instances among these elements stand for: the id of a component, or the uid of one that has no id yet. */
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

/** The element with the id in the place of the uid. */
export function referTo(element: BuilderElement, id: number): BuilderElement {
  const value = instanceOf(element)
  if (!value) return element
  // The casts: `instanceOf` has seen both.
  const settings = element['settings'] as BuilderElement
  const instance = settings['component_instance'] as BuilderElement
  const component = { $$type: 'number', value: id }
  return {
    ...element,
    settings: { ...settings, component_instance: { ...instance, value: { ...value, component_id: component } } },
  }
}
