/** The documents of the page builder: which were changed last, and how a new one begins. */
import type { Context } from '../../../core/declare/context.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { categories } from '../../../site/post-keys.ts'
import type { Post, PostQuery, PostValues } from '../../../storage/contract.ts'
import { type ContentType, contentType, editorOf } from '../../content/content-types/model.ts'
import { editModeKey, templateTypeKey } from '../../shared/elements/model.ts'

export interface BuilderDocument {
  readonly post: Post
  /** Empty when none is stored. */
  readonly templateType: string
}

export interface RecentQuery {
  readonly types: readonly string[]
  readonly notIds: readonly number[]
  readonly count: number
}

/** Choice: looked for among so many that were changed last, so that an old site with few documents costs no more. */
const candidateLimit = 1000

/** Published ones, and the drafts that the caller may edit. */
export function recentDocuments(
  context: Context,
  { types, notIds, count }: RecentQuery,
): MaybePromise<BuilderDocument[]> {
  const { storage, user } = context
  const mayEditOthers = (name: string) => editorOf(user, name).can('edit_others_posts')
  const known = [...new Set(types)].filter((name) => contentType(name)?.documentType !== undefined)
  // Types whose drafts are all open to the caller, and those where only their own are, cannot be asked for at once.
  const groups = [known.filter(mayEditOthers), known.filter((name) => !mayEditOthers(name))]
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
  return andThen(all(queries.map((query) => storage.posts.query(query))), (found) => {
    const listed = found.map(({ heads }) => heads.map(({ id }) => id))
    return andThen(storage.meta.read('post', listed.flat(), [editModeKey, templateTypeKey]), (entries) => {
      const valuesOf = (key: string) =>
        new Map(entries.filter((entry) => entry.key === key).map(({ id, value }) => [id, String(value)]))
      const [editModes, templateTypes] = [valuesOf(editModeKey), valuesOf(templateTypeKey)]
      const isBuilt = (id: number) => editModes.get(id) === 'builder' && templateTypes.get(id) !== 'kit'
      const newest = listed.flatMap((ids) => ids.filter(isBuilt).slice(0, count))
      return andThen(storage.posts.read(newest), (posts) =>
        posts
          .toSorted(newestFirst)
          .slice(0, count)
          .map((post) => ({ post, templateType: templateTypes.get(post.id) ?? '' })),
      )
    })
  })
}

const newestFirst = (a: Post, b: Post) => (a.modified === b.modified ? b.id - a.id : a.modified < b.modified ? 1 : -1)

// ---------------------------------------------------------------- a new one

export function createDocument(
  context: Context,
  type: ContentType & { readonly documentType: string },
): MaybePromise<number> {
  const { storage, settings, app, user, emit } = context
  const { local, gmt } = settings.time.now(app.clock)
  const values: PostValues = {
    type: type.name,
    status: 'draft',
    slug: '',
    title: '',
    content: '',
    excerpt: '',
    author: user.id,
    parent: 0,
    date: local,
    dateGmt: null,
    modified: local,
    modifiedGmt: gmt,
    password: '',
    commentStatus: type.name === 'post' ? settings.defaultCommentStatus : 'closed',
    pingStatus: type.name === 'post' ? settings.defaultPingStatus : 'closed',
    format: 'standard',
    sticky: false,
    template: '',
    featuredMedia: 0,
    mimeType: '',
  }
  return andThen(storage.posts.insert([values]), ([id = 0]) => {
    const title = `Builder ${type.label} #${id}`
    const meta = [
      { id, key: editModeKey, value: 'builder' },
      { id, key: templateTypeKey, value: type.documentType },
    ]
    const writes = all([
      storage.posts.update([{ id, changes: { title } }]),
      storage.meta.write('post', meta),
      type.name === 'post' ? assignDefaultCategory(context, id) : undefined,
    ])
    return andThen(writes, () => {
      emit('post.created', { post: { ...values, id, title, version: 2 } })
      return id
    })
  })
}

/** As every post: into the default category, if there is one. */
function assignDefaultCategory({ storage, settings }: Context, post: number): MaybePromise<void> {
  const order = { by: 'id', descending: false } as const
  const wanted = { taxonomies: [categories], ids: [settings.defaultCategory], order, offset: 0, limit: 1 }
  return andThen(storage.terms.query(wanted), ({ rows: [term] }) =>
    term ? storage.terms.assign([{ post, taxonomy: categories, terms: [term.id] }]) : undefined,
  )
}
