/** Reads recently changed page builder documents and creates new drafts. */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Post, PostQuery, PostValues } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { categories } from '../../../site/post-keys.ts'
import { type ContentType, editorOf, findContentType } from '../../content/content-types/model.ts'
import { editModeKey, templateTypeKey } from '../../shared/elements.ts'

export interface BuilderDocument {
  readonly post: Post
  /** Empty when none is stored. */
  readonly templateType: string
}

interface RecentQuery {
  readonly types: readonly string[]
  readonly notIds: readonly number[]
  readonly count: number
}

/** Choice: only so many recently changed posts are examined, which bounds the cost on a site with few documents. */
const candidateLimit = 1000

/** Published documents, and drafts that the user may edit; the last changed first. */
export async function recentDocuments(
  context: Context,
  { types, notIds, count }: RecentQuery,
): Promise<BuilderDocument[]> {
  const { storage, user } = context
  const mayEditOthers = (name: string) => editorOf(user, name).can('edit_others_posts')
  const builderTypes = [...new Set(types)].filter((name) => findContentType(name)?.documentType !== undefined)
  // Types whose drafts the user may all edit, and types with only their own drafts, need separate queries.
  const groups = [builderTypes.filter(mayEditOthers), builderTypes.filter((name) => !mayEditOthers(name))]
  const queries = groups
    .filter((group) => group.length > 0)
    .map((group): PostQuery => {
      const own = mayEditOthers(group[0] ?? '') ? {} : { author: user.id }
      return {
        types: group,
        statuses: [{ status: 'publish' }, { status: 'draft', ...own }],
        notIds,
        order: { by: 'modified', descending: true },
        offset: 0,
        limit: candidateLimit,
      }
    })
  const pages = await Promise.all(queries.map((query) => storage.posts.query(query)))
  const idLists = pages.map(({ idsPage }) => idsPage.map(({ id }) => id))
  const entries = await storage.meta.read('post', idLists.flat(), [editModeKey, templateTypeKey])
  const valuesOf = (key: string) =>
    new Map(entries.filter((entry) => entry.key === key).map(({ id, value }) => [id, String(value)]))
  const [editModes, templateTypes] = [valuesOf(editModeKey), valuesOf(templateTypeKey)]
  const isDocument = (id: number) => editModes.get(id) === 'builder' && templateTypes.get(id) !== 'kit'
  const posts = await storage.posts.read(idLists.flatMap((ids) => ids.filter(isDocument).slice(0, count)))
  return posts
    .toSorted(newestFirst)
    .slice(0, count)
    .map((post) => ({ post, templateType: templateTypes.get(post.id) ?? '' }))
}

const newestFirst = (a: Post, b: Post) => (a.modified === b.modified ? b.id - a.id : a.modified < b.modified ? 1 : -1)

// ---------------------------------------------------------------- creation

export async function createDocument(
  context: Context,
  type: ContentType & { readonly documentType: string },
): Promise<number> {
  const { storage, settings, app, user, emit } = context
  const { local, gmt } = settings.time.now(app.clock)
  const given: PostValues = {
    ...blankPost,
    type: type.name,
    status: 'draft',
    slug: '',
    author: user.id,
    date: local,
    dateGmt: null,
    modified: local,
    modifiedGmt: gmt,
    commentStatus: type.name === 'post' ? settings.defaultCommentStatus : 'closed',
    pingStatus: type.name === 'post' ? settings.defaultPingStatus : 'closed',
  }
  const { values } = await beforeChange(context, 'post.saving', { values: given, meta: {}, terms: [] })
  const [id = 0] = await storage.posts.insert([values])
  const title = `Builder ${type.label} #${id}`
  await Promise.all([
    storage.posts.update([{ id, changes: { title } }]),
    storage.meta.write('post', [
      { id, key: editModeKey, value: 'builder' },
      { id, key: templateTypeKey, value: type.documentType },
    ]),
    type.name === 'post' ? assignDefaultCategory(context, id) : undefined,
  ])
  emit('post.created', { post: { ...values, id, title, version: 2 } })
  return id
}

/** Assigns the default category, unless it was deleted. */
async function assignDefaultCategory({ storage, settings }: Context, post: number): Promise<void> {
  const order = { by: 'id', descending: false } as const
  const query = { taxonomies: [categories], ids: [settings.defaultCategory], order, offset: 0, limit: 1 }
  const [term] = (await storage.terms.query(query)).rows
  if (term) await storage.terms.assign([{ post, taxonomy: categories, terms: [term.id] }])
}
