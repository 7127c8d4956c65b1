/** The posts of a site as members of a document: media, pages, posts, documents, each with its revisions. */
import {
  alternativeTextKey,
  attachedFileKey,
  attachmentMetadataKey,
  autosaveSlug,
  categories,
  desiredSlugKey,
  revisionSlug,
  tags,
  trashStatusKey,
} from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import type { Json, Post, Storage } from '../../storage/contract.ts'
import { readAll, windowsOf } from '../context.ts'
import type { SiteDocument, SiteMedium, SitePost, SiteRevision } from './document.ts'
import { metaOf, withoutEmpty } from './entries.ts'
import type { Keys } from './keys.ts'
import type { Meta } from './references.ts'

/** Everything that belongs to posts, read once. */
interface Shelf {
  readonly keys: Keys
  readonly meta: ReadonlyMap<number, Meta>
  readonly terms: ReadonlyMap<number, readonly { readonly term: number; readonly taxonomy: string }[]>
  readonly revisions: ReadonlyMap<number, readonly Post[]>
}

const kinds: { readonly [type: string]: string } = { attachment: 'media', page: 'page', post: 'post' }

export async function exportPosts(
  storage: Storage,
  keys: Keys,
  types: readonly string[],
): Promise<Pick<SiteDocument, 'media' | 'pages' | 'posts' | 'documents'>> {
  const rows = await readPosts(storage, types)
  const posts = rows.filter(({ type }) => type !== 'revision')
  for (const { id, type, slug, title } of posts) keys.give('post', kinds[type] ?? 'document', id, slug || toSlug(title))
  const shelf: Shelf = {
    keys,
    meta: await metaOf(storage, 'post', rows),
    terms: await termsOf(storage, posts),
    revisions: Map.groupBy(
      rows.filter(({ type }) => type === 'revision'),
      ({ parent }) => parent,
    ),
  }
  const ofType = (type: string) => posts.filter((post) => post.type === type)
  const others = posts.filter(({ type }) => kinds[type] === undefined)
  return {
    media: ofType('attachment').map((post) => mediumEntry(post, shelf)),
    pages: ofType('page').map((post) => ({ ...entryOf(post, shelf, { isPost: false }), ...statusOf(post) })),
    posts: ofType('post').map((post) => ({ ...entryOf(post, shelf, { isPost: true }), ...statusOf(post) })),
    ...withoutEmpty({
      documents: others.map((post) => ({
        type: post.type,
        status: post.status,
        ...entryOf(post, shelf, { isPost: false }),
      })),
    }),
  }
}

async function readPosts(storage: Storage, types: readonly string[]): Promise<Post[]> {
  return readAll<Post>(async (offset, limit) => {
    const order = { by: 'id', descending: false } as const
    const { heads } = await storage.posts.query({ types, order, offset, limit })
    return storage.posts.read(heads.map(({ id }) => id))
  })
}

async function termsOf(storage: Storage, posts: readonly Post[]): Promise<Shelf['terms']> {
  const rows = []
  for (const window of windowsOf(posts)) rows.push(...(await storage.terms.of(window.map(({ id }) => id))))
  return Map.groupBy(rows, ({ post }) => post)
}

type Entry = SitePost & { readonly parent?: string | null }

// The cast: the storage gives out what a document put in, or one of the interface's own statuses.
const statusOf = ({ status }: Post) => ({ status: status as NonNullable<SiteDocument['posts']>[number]['status'] })

/** Posts show all their members; for other types what is usual is left out. */
function entryOf(post: Post, shelf: Shelf, { isPost }: { readonly isPost: boolean }): Entry {
  const { keys } = shelf
  const { [trashStatusKey]: trashStatus, [desiredSlugKey]: desiredSlug, ...meta } = shelf.meta.get(post.id) ?? {}
  const terms = shelf.terms.get(post.id) ?? []
  const keysOf = (taxonomy: string) =>
    terms.filter((one) => one.taxonomy === taxonomy).map(({ term }) => keys.key('term', term) ?? '')
  const others = [...new Set(terms.map(({ taxonomy }) => taxonomy))].filter((one) => one !== categories && one !== tags)
  const more = {
    password: post.password,
    categories: keysOf(categories),
    tags: keysOf(tags),
    sticky: post.sticky,
    template: post.template,
    featured_media: keys.key('post', post.featuredMedia) ?? null,
    meta: { ...unlessText(trashStatusKey, trashStatus), ...unlessText(desiredSlugKey, desiredSlug), ...meta },
  }
  const talk = { comment_status: post.commentStatus, ping_status: post.pingStatus }
  return {
    key: keys.key('post', post.id) ?? '',
    title: post.title,
    slug: post.slug,
    author: keys.key('user', post.author) ?? null,
    ...datesOf(post),
    content: post.content,
    ...(isPost ? { excerpt: post.excerpt, ...more, format: post.format, ...talk } : usualLeftOut(post, more)),
    ...withoutEmpty({
      parent: parentOf(post, keys),
      terms: Object.fromEntries(others.map((taxonomy) => [taxonomy, keysOf(taxonomy)])),
      mime_type: post.mimeType,
      revisions: (shelf.revisions.get(post.id) ?? []).map((revision) => revisionEntry(revision, post, shelf)),
    }),
    ...(typeof trashStatus === 'string' ? { status_before_trash: trashStatus } : {}),
    ...(typeof desiredSlug === 'string' ? { desired_slug: desiredSlug } : {}),
  }
}

/** A value that has no member of its own, because it is no text, stays among the meta. */
const unlessText = (key: string, value: Json | undefined): Meta =>
  value === undefined || typeof value === 'string' ? {} : { [key]: value }

function usualLeftOut(post: Post, more: Partial<Entry>): Partial<Entry> {
  return {
    ...withoutEmpty({ excerpt: post.excerpt, ...more, sticky: undefined }),
    ...(post.sticky ? { sticky: true } : {}),
    ...(post.format === 'standard' ? {} : { format: post.format }),
    ...(post.commentStatus === 'closed' ? {} : { comment_status: post.commentStatus }),
    ...(post.pingStatus === 'closed' ? {} : { ping_status: post.pingStatus }),
  }
}

const datesOf = ({ date, dateGmt, modified, modifiedGmt }: Post) => ({
  date,
  date_gmt: dateGmt,
  modified,
  modified_gmt: modifiedGmt,
})

/** Pages lie below pages; whatever else lies below something names the kind of it. */
function parentOf({ type, parent }: Post, keys: Keys): string | undefined {
  const reference = keys.reference('post', parent)
  return type === 'page' ? reference?.replace(/^page\./, '') : reference
}

function mediumEntry(post: Post, shelf: Shelf): SiteMedium {
  const { meta: all = {}, ...entry } = entryOf(post, shelf, { isPost: false })
  const { [attachedFileKey]: file, [attachmentMetadataKey]: measures, [alternativeTextKey]: alt, ...rest } = all
  const size = sizeOf(measures, file)
  const meta = {
    ...rest,
    ...(typeof file === 'string' && file !== '' ? {} : kept(attachedFileKey, file)),
    ...(size ? {} : kept(attachmentMetadataKey, measures)),
    ...(typeof alt === 'string' && alt !== '' ? {} : kept(alternativeTextKey, alt)),
  }
  return {
    ...entry,
    ...(post.status === 'inherit' ? {} : { status: post.status }),
    ...(typeof file === 'string' && file !== '' ? { file } : {}),
    ...size,
    ...(typeof alt === 'string' && alt !== '' ? { alt_text: alt } : {}),
    ...withoutEmpty({ meta }),
  }
}

const kept = (key: string, value: Json | undefined): Meta => (value === undefined ? {} : { [key]: value })

/** Width and height, if that is all there is. */
function sizeOf(measures: Json | undefined, file: Json | undefined): { width: number; height: number } | undefined {
  if (typeof measures !== 'object' || measures === null || Array.isArray(measures)) return undefined
  const { width, height, file: measured, ...more } = measures as { readonly [name: string]: Json }
  const isPlain = Object.keys(more).length === 0 && measured === file && Number.isInteger(width)
  return isPlain && Number.isInteger(height) ? { width: Number(width), height: Number(height) } : undefined
}

function revisionEntry(revision: Post, post: Post, { keys, meta }: Shelf): SiteRevision {
  const usual = [revisionSlug(post.id), autosaveSlug(post.id)]
  return {
    author: keys.key('user', revision.author) ?? null,
    ...datesOf(revision),
    title: revision.title,
    content: revision.content,
    excerpt: revision.excerpt,
    ...(revision.slug === usual[1] ? { autosave: true } : {}),
    ...(usual.includes(revision.slug) ? {} : { slug: revision.slug }),
    ...(revision.status === 'inherit' ? {} : { status: revision.status }),
    ...(revision.commentStatus === 'closed' ? {} : { comment_status: revision.commentStatus }),
    ...(revision.pingStatus === 'closed' ? {} : { ping_status: revision.pingStatus }),
    ...(revision.format === 'standard' ? {} : { format: revision.format }),
    ...(revision.sticky ? { sticky: true } : {}),
    ...withoutEmpty({
      template: revision.template,
      password: revision.password,
      mime_type: revision.mimeType,
      featured_media: keys.key('post', revision.featuredMedia) ?? null,
      meta: meta.get(revision.id) ?? {},
    }),
  }
}
