/** Site parts are templates of the library for headers, footers, single pages and archives. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { PostValues, Storage } from '../../../contract/storage.ts'
import { type Actor, system } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'
import { trashStatusKey } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { columnsToSave } from '../../content/posts/model.ts'
import { lockOfAnother, nameOf } from '../../shared/access/edit-locks.ts'
import { type Condition, parseCondition } from '../../shared/templates/template-conditions.ts'
import { conditionsKey, locationOf, overlayLocationOf, pathsOf } from '../../shared/templates/template-context.ts'
import { readTemplates, type Template, templateType, toTemplates } from '../template-library/model.ts'

/** Events of this feature. */
export interface SiteEditorEvents {
  'template.updated': { readonly id: number }
  'template.trashed': { readonly id: number }
}

interface PartType {
  readonly defaultCondition: string | null
}

const defaultConditions: { readonly [type: string]: string | null } = lookupTable({
  header: 'general',
  footer: 'general',
  single: 'singular',
  'single-post': 'singular',
  'single-page': 'singular',
  archive: 'archive',
  'search-results': 'archive',
  'error-404': 'singular',
  'loop-item': null,
})

/** Popups, floating buttons and the headers and footers of the theme have conditions too, but the list of site parts leaves them out. */
const hasConditions = ({ type }: Template): boolean =>
  partType(type) !== undefined || locationOf(type) !== undefined || overlayLocationOf(type) !== undefined

/** Undefined for templates that are no site part. */
export function partType(type: string): PartType | undefined {
  if (!Object.hasOwn(defaultConditions, type)) return undefined
  return { defaultCondition: defaultConditions[type] ?? null }
}

export interface SitePart extends Template {
  /** The conditions as stored. */
  readonly paths: readonly string[]
}

export const conditionsOf = ({ paths }: Pick<SitePart, 'paths'>): Condition[] => paths.map(parseCondition)

type ReadContext = Pick<Context, 'storage' | 'user'>

// ---------------------------------------------------------------- reading

/** Newest first. Interface: users with access to the site editor see all site parts. */
export async function readParts(context: ReadContext): Promise<SitePart[]> {
  return (await readConditioned(context)).filter(({ type }) => partType(type))
}

/** Returns every template that has conditions, the newest first. */
export const readConditioned = async (context: ReadContext): Promise<SitePart[]> =>
  conditioned(context.storage, await readTemplates({ ...context, user: system }))

const conditioned = (storage: Storage, templates: readonly Template[]): Promise<SitePart[]> =>
  withPaths(storage, templates.filter(hasConditions))

export async function withPaths(storage: Storage, templates: readonly Template[]): Promise<SitePart[]> {
  const ids = templates.map(({ post }) => post.id)
  const entries = await storage.meta.read('post', ids, [conditionsKey])
  const stored = new Map(entries.map(({ id, value }) => [id, value]))
  return templates.map((template) => ({ ...template, paths: pathsOf(stored.get(template.post.id)) }))
}

/** Also finds a trashed template; undefined for a post without conditions. */
export async function findPart(context: ReadContext, id: number): Promise<SitePart | undefined> {
  const posts = await context.storage.posts.read([id])
  const templates = await toTemplates(
    context,
    posts.filter(({ type }) => type === templateType),
  )
  const [part] = await conditioned(context.storage, templates)
  return part
}

export const partNotFound = () => new ApiError('rest_post_invalid_id', 'There is no such post.', 404)

/** The path pattern also matches letters; such an id is 0, which no post has. */
export const parseId = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

// ---------------------------------------------------------------- locks

/** Throws 403 while another user has the template open. Interface: with the id as a text. */
export async function requireUnlocked(context: Parameters<typeof lockOfAnother>[0], id: number): Promise<void> {
  const lock = (await lockOfAnother(context, [id]))?.lock
  if (!lock) return
  throw new ApiError('post_lock', 'Somebody else has this template open.', 403, {
    locked_by_user_id: String(lock.user),
    locked_by_user_name: await nameOf(context.storage, lock.user),
  })
}

// ---------------------------------------------------------------- writing

interface Columns {
  readonly post_title?: string | undefined
  readonly post_status?: string | undefined
  readonly post_name?: string | undefined
  readonly post_content?: string | undefined
  readonly post_excerpt?: string | undefined
}

type WriteContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

export async function updatePart(context: WriteContext, { post }: SitePart, input: Columns): Promise<void> {
  const { storage, settings, app, emit } = context
  const now = settings.time.now(app.clock)
  const slug = input.post_name === undefined ? undefined : toSlug(input.post_name) || post.slug
  const [uniqueSlug] =
    slug === undefined ? [] : await uniqueSlugs(storage, settings, [{ type: templateType, base: slug, own: post.slug }])
  const changes = await columnsToSave(context, post, {
    ...textColumns(context.user, input),
    ...(input.post_status === undefined ? {} : { status: input.post_status }),
    ...(uniqueSlug === undefined ? {} : { slug: uniqueSlug }),
    // A draft gets its date on publication.
    ...(post.dateGmt === null && input.post_status === 'publish' ? { date: now.local, dateGmt: now.gmt } : {}),
    modified: now.local,
    modifiedGmt: now.gmt,
  })
  await storage.posts.update([{ id: post.id, changes }])
  if (post.status === 'trash' && input.post_status !== undefined) {
    await storage.meta.write('post', [{ id: post.id, key: trashStatusKey, value: null }])
  }
  // A template is a post too, so listeners of posts get an event as well.
  emit('post.updated', { post: { ...post, ...changes, version: post.version + 1 }, before: post, changedMeta: [] })
  emit('template.updated', { id: post.id })
}

/** Markup is filtered for users without the unfiltered-HTML capability. */
function textColumns(user: Actor, { post_title, post_content, post_excerpt }: Columns): Partial<PostValues> {
  const isTrusted = user.can('unfiltered_html')
  const title = (text: string) => (isTrusted ? text : filterTitle(text))
  const content = (text: string) => (isTrusted ? text : filterContent(text))
  return {
    ...(post_title === undefined ? {} : { title: title(post_title) }),
    ...(post_content === undefined ? {} : { content: content(post_content) }),
    ...(post_excerpt === undefined ? {} : { excerpt: content(post_excerpt) }),
  }
}

/** False when it is already trashed. The storage compares the status, so one of two parallel calls returns false. */
export async function trashPart(context: WriteContext, { post }: SitePart): Promise<boolean> {
  const { storage, settings, app, emit } = context
  if (post.status === 'trash') return false
  const now = settings.time.now(app.clock)
  const trashed = { status: 'trash', modified: now.local, modifiedGmt: now.gmt }
  const changes = await columnsToSave(context, post, trashed)
  const changed = await storage.posts.update([{ id: post.id, changes, when: { status: post.status } }])
  if (changed.length === 0) return false
  await storage.meta.write('post', [{ id: post.id, key: trashStatusKey, value: post.status }])
  emit('post.trashed', { post: { ...post, ...changes, version: post.version + 1, trashedFrom: post.status } })
  emit('template.trashed', { id: post.id })
  return true
}

export async function writeConditions(
  { storage, emit }: Pick<WriteContext, 'storage' | 'emit'>,
  { post }: SitePart,
  paths: readonly string[],
): Promise<void> {
  const value = paths.length > 0 ? paths : null
  await storage.meta.write('post', [{ id: post.id, key: conditionsKey, value }])
  emit('template.updated', { id: post.id })
}

/** Other templates of the same location with exactly this condition. Overlays have no location: a page shows all of them. */
export function conflictsWith(parts: readonly SitePart[], id: number, condition: string): SitePart[] {
  const location = locationOf(parts.find(({ post }) => post.id === id)?.type ?? '')
  if (location === undefined) return []
  return parts.filter(
    ({ post, type, paths }) => post.id !== id && locationOf(type) === location && paths.includes(condition),
  )
}
