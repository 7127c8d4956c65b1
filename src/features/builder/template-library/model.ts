/**
 * Templates: builder documents that are kept to be used again. A template is a post of a type of its own; what kind of
 * document it holds stands in its meta.
 */
import type { Context } from '../../../core/declare/context.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'
import { blankColumns } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { Json, Post, PostQuery, PostValues, User } from '../../../storage/contract.ts'
import {
  type BuilderElement,
  editModeKey,
  elementsKey,
  isObject,
  mapElements,
  pageSettingsKey,
  randomElementId,
  templateTypeKey,
} from '../../shared/elements/model.ts'

/** What it tells listeners. */
export interface TemplateLibraryEvents {
  'template.created': { readonly id: number; readonly type: string }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends TemplateLibraryEvents {}
}

export const templateType = 'builder_library'

export interface Template {
  readonly post: Post
  /** What kind of document it is. */
  readonly type: string
  readonly hasPageSettings: boolean
  readonly author: User | undefined
}

// ---------------------------------------------------------------- reading

/** Published ones for all who write; others for their authors, and for those who edit what others wrote. */
function visibleStatuses(user: Context['user']): NonNullable<PostQuery['statuses']> {
  const own = user.can('edit_others_posts') ? {} : { author: user.id }
  const hidden = user.can('read_private_posts') ? {} : { author: user.id }
  return [
    { status: 'publish' },
    ...['draft', 'pending', 'future'].map((status) => ({ status, ...own })),
    { status: 'private', ...hidden },
  ]
}

/** Newest first. */
export function readTemplates(context: Pick<Context, 'storage' | 'user'>): MaybePromise<Template[]> {
  const { storage, user } = context
  const found = storage.posts.query({
    types: [templateType],
    statuses: visibleStatuses(user),
    order: { by: 'date', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return andThen(found, ({ heads }) =>
    andThen(storage.posts.read(heads.map(({ id }) => id)), (posts) => toTemplates(context, posts)),
  )
}

export function toTemplates({ storage }: Pick<Context, 'storage'>, posts: readonly Post[]): MaybePromise<Template[]> {
  const ids = posts.map(({ id }) => id)
  const authors = storage.users.query({
    ids: [...new Set(posts.map(({ author }) => author))],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const meta = storage.meta.read('post', ids, [templateTypeKey, pageSettingsKey])
  return andThen(all([authors, meta] as const), ([{ rows }, entries]) => {
    const users = new Map(rows.map((user) => [user.id, user]))
    const values = (wanted: string) =>
      new Map(entries.filter(({ key }) => key === wanted).map(({ id, value }) => [id, value]))
    const [types, settings] = [values(templateTypeKey), values(pageSettingsKey)]
    return posts
      .map((post) => ({
        post,
        type: String(types.get(post.id) ?? ''),
        hasPageSettings: isFilled(settings.get(post.id)),
        author: users.get(post.author),
      }))
      .filter(({ type }) => type !== 'kit')
  })
}

const isFilled = (value: Json | undefined) => isObject(value) && Object.keys(value).length > 0

// ---------------------------------------------------------------- saving

export interface NewTemplate {
  readonly title?: string
  readonly type: string
  /** As it was sent: elements in a list, in an object, or one alone. */
  readonly content?: object
  readonly pageSettings?: object
}

type WriteContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

export function createTemplate(context: WriteContext, sent: NewTemplate): MaybePromise<Template> {
  const { storage, app, settings, user, emit } = context
  const isTrusted = user.can('unfiltered_html')
  const given = sent.title?.trim() ?? ''
  const title = (isTrusted ? given : filterTitle(given)) || '(no title)'
  const status = user.can('publish_posts') ? 'publish' : 'pending'
  return andThen(uniqueSlugs(storage, settings, [{ type: templateType, base: toSlug(title) }]), ([slug = '']) => {
    const now = settings.time.now(app.clock)
    const values: PostValues = {
      ...blankColumns,
      ...{ type: templateType, status, slug, title, author: user.id },
      ...{ date: now.local, dateGmt: now.gmt, modified: now.local, modifiedGmt: now.gmt },
    }
    const meta: { readonly [key: string]: Json } = {
      [editModeKey]: 'builder',
      [templateTypeKey]: sent.type,
      [elementsKey]: JSON.stringify(sanitized(withNewIds(parseContent(sent.content)), { isTrusted })),
      // The cast: it came as JSON.
      ...(isObject(sent.pageSettings)
        ? { [pageSettingsKey]: sanitized(sent.pageSettings as Json, { isTrusted }) as Json }
        : {}),
    }
    return andThen(storage.posts.insert([values]), ([id = 0]) => {
      const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
      return andThen(storage.meta.write('post', entries), () => {
        emit('template.created', { id, type: sent.type })
        return andThen(toTemplates(context, [{ ...values, id, version: 1 }]), ([template]) => template as Template)
      })
    })
  })
}

/** Interface: lists arrive as objects with numbers for names. */
function parseContent(content: object | undefined): readonly BuilderElement[] {
  if (!isObject(content)) return []
  if (typeof content['elType'] === 'string') return [content]
  return Object.values(content)
    .flat()
    .filter(isObject)
    .filter(({ elType }) => typeof elType === 'string')
}

const withNewIds = (elements: readonly BuilderElement[]): BuilderElement[] =>
  mapElements(elements, (element) => ({ ...element, id: randomElementId() }))

/** Markup in texts is filtered for users without the unfiltered-HTML capability. */
function sanitized<T>(value: T, options: { readonly isTrusted: boolean }): T | Json {
  if (options.isTrusted) return value
  if (typeof value === 'string') return value.includes('<') ? filterContent(value) : value
  if (Array.isArray(value)) return value.map((one) => sanitized(one, options))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sanitized(one, options) as Json]))
}
