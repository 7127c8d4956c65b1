/** Templates are builder documents for reuse, stored as posts of type `builder_library` with the document type in meta. */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Json, Post, PostQuery, PostValues, User } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { filterTitle } from '../../../render/filter/filter.ts'
import { toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { withNewIds } from '../../shared/element-ids.ts'
import {
  type BuilderElement,
  editModeKey,
  elementsKey,
  isObject,
  pageSettingsKey,
  templateTypeKey,
  withoutScripts,
} from '../../shared/elements.ts'
import { warnOfUndrawnSettings, warnOfUnknownTypes } from '../../shared/rendered-documents.ts'
import { type BroughtDesign, takeDesign } from './brought-design.ts'
import { withOwnPictures } from './own-pictures.ts'

/** Events of this feature. */
export interface TemplateLibraryEvents {
  'template.created': { readonly id: number; readonly type: string }
}

export const templateType = 'builder_library'

export interface Template {
  readonly post: Post
  /** The document type. */
  readonly type: string
  readonly hasPageSettings: boolean
  readonly author: User | undefined
}

// ---------------------------------------------------------------- reading

/** Published templates are visible to all users of the route; others to their authors and to editors. */
function visibleStatuses(user: Context['user']): NonNullable<PostQuery['statuses']> {
  const own = user.can('edit_others_posts') ? {} : { author: user.id }
  const hidden = user.can('read_private_posts') ? {} : { author: user.id }
  return [
    { status: 'publish' },
    ...['draft', 'pending', 'future'].map((status) => ({ status, ...own })),
    { status: 'private', ...hidden },
  ]
}

/** Newest first; `ids`: only those of them that the user may see. */
export async function readTemplates(
  context: Pick<Context, 'storage' | 'user'>,
  ids?: readonly number[],
): Promise<Template[]> {
  const { storage, user } = context
  const { idsPage } = await storage.posts.query({
    types: [templateType],
    ...(ids === undefined ? {} : { ids }),
    statuses: visibleStatuses(user),
    order: { by: 'date', descending: true },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return toTemplates(context, await storage.posts.read(idsPage.map(({ id }) => id)))
}

export const noTemplate = () => new ApiError('template_not_found', 'There is no such template.', 404)

export async function toTemplates({ storage }: Pick<Context, 'storage'>, posts: readonly Post[]): Promise<Template[]> {
  const [{ rows }, entries] = await Promise.all([
    storage.users.query({
      ids: [...new Set(posts.map(({ author }) => author))],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: Number.MAX_SAFE_INTEGER,
    }),
    storage.meta.read(
      'post',
      posts.map(({ id }) => id),
      [templateTypeKey, pageSettingsKey],
    ),
  ])
  const users = new Map(rows.map((user) => [user.id, user]))
  const valuesOf = (metaKey: string) =>
    new Map(entries.filter(({ key }) => key === metaKey).map(({ id, value }) => [id, value]))
  const [types, settings] = [valuesOf(templateTypeKey), valuesOf(pageSettingsKey)]
  return posts
    .map((post) => ({
      post,
      type: String(types.get(post.id) ?? ''),
      hasPageSettings: isNonEmptyObject(settings.get(post.id)),
      author: users.get(post.author),
    }))
    .filter(({ type }) => type !== 'kit')
}

const isNonEmptyObject = (value: Json | undefined) => isObject(value) && Object.keys(value).length > 0

// ---------------------------------------------------------------- saving

export interface NewTemplate {
  readonly title?: string
  readonly type: string
  /** The unparsed content is a list of elements, an object with elements as members, or a single element. */
  readonly content?: object
  readonly pageSettings?: object
  /** The global classes and variables of the file. */
  readonly design?: BroughtDesign
}

type WriteContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit' | 'warnings'>

export async function createTemplate(context: WriteContext, input: NewTemplate): Promise<Template> {
  const { storage, app, settings, user, emit } = context
  const isTrusted = user.can('unfiltered_html')
  // The cast: parsed from JSON.
  const allowed = (value: unknown): Json => (isTrusted ? (value as Json) : withoutScripts(value))
  const own = (value: unknown) => withOwnPictures(context, allowed(value))
  const design = allowed(input.design ?? {}) as BroughtDesign
  const pageSettings = isObject(input.pageSettings) ? input.pageSettings : undefined
  // Together: a class that both name is added once.
  const [elements = [], ownSettings = {}] = await takeDesign(
    context,
    [await own(withNewIds(parseContent(input.content))), pageSettings ? await own(pageSettings) : {}],
    design,
  )
  if (Array.isArray(elements)) await warnOfUnknownTypes(context, elements, 'content')
  await warnOfUndrawnSettings(context, { type: input.type, settings: pageSettings, param: 'page_settings' })
  const rawTitle = input.title?.trim() ?? ''
  const title = (isTrusted ? rawTitle : filterTitle(rawTitle)) || '(no title)'
  const [slug = ''] = await uniqueSlugs(storage, settings, [{ type: templateType, base: toSlug(title) }])
  const now = settings.time.now(app.clock)
  const values: PostValues = {
    ...blankPost,
    type: templateType,
    status: user.can('publish_posts') ? 'publish' : 'pending',
    slug,
    title,
    author: user.id,
    date: now.local,
    dateGmt: now.gmt,
    modified: now.local,
    modifiedGmt: now.gmt,
  }
  const meta: { readonly [key: string]: Json } = {
    [editModeKey]: 'builder',
    [templateTypeKey]: input.type,
    [elementsKey]: JSON.stringify(elements),
    ...(pageSettings ? { [pageSettingsKey]: ownSettings } : {}),
  }
  const [id = 0] = await storage.posts.insert([values])
  await storage.meta.write(
    'post',
    Object.entries(meta).map(([key, value]) => ({ id, key, value })),
  )
  emit('template.created', { id, type: input.type })
  const [template] = await toTemplates(context, [{ ...values, id, version: 1 }])
  // The cast: only posts of type `kit` are filtered out.
  return template as Template
}

/** Interface: clients may send a list as an object with numeric keys. */
function parseContent(content: object | undefined): readonly BuilderElement[] {
  if (!isObject(content)) return []
  if (typeof content['elType'] === 'string') return [content]
  return Object.values(content)
    .flat()
    .filter(isObject)
    .filter(({ elType }) => typeof elType === 'string')
}
