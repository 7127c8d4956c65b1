/** The posts of a document, of all types, in the order in which they get their ids: revisions come after all others. */
import { categories, desiredSlugKey, tags, trashStatusKey } from '../../site/post-keys.ts'
import type { SiteMoment, SiteTime } from '../../site/time-zone.ts'
import type { PostValues } from '../../storage/contract.ts'
import { mediumMeta } from '../media.ts'
import type { SiteDocument, SitePost, SiteRevision } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { checkTree, createUnique, type Meta, type Reference, type References, termKind } from './references.ts'

export interface PlannedPost {
  readonly reference: Reference
  readonly place: string
  readonly row: Omit<PostValues, 'author' | 'parent' | 'featuredMedia'>
  /** Named after its post, whose id is not known yet. */
  readonly revisionOf?: 'revision' | 'autosave'
  readonly author: Reference | null
  readonly parent: Reference | null
  readonly featuredMedia: Reference | null
  readonly terms: readonly { readonly taxonomy: string; readonly references: readonly Reference[] }[]
  readonly meta: Meta
}

interface Clock {
  readonly time: SiteTime
  readonly now: SiteMoment
}

interface Listed {
  readonly kind: 'media' | 'page' | 'post' | 'document'
  readonly type: string
  readonly place: string
  readonly entry: SitePost & { readonly status?: string; readonly parent?: string | null }
  readonly usual: { readonly status: string; readonly talk: readonly [comments: string, pings: string] }
  readonly meta: Meta
}

export function planPosts(document: SiteDocument, references: References, clock: Clock): PlannedPost[] {
  const listed = listPosts(document)
  const uniqueSlug = createUnique('slug')
  const given = listed.map((one) => {
    const slug = one.entry.slug ?? one.entry.key
    if (slug !== '') uniqueSlug(`${one.type} ${slug}`, `${one.place}.slug`)
    return { ...one, reference: references.give(one.kind, one.entry.key, one.place) }
  })
  const posts = given.map((one) => planPost(one, one.reference, references, clock))
  checkTree(posts)
  const revisions = given.flatMap((one) =>
    (one.entry.revisions ?? []).map((revision, index) =>
      planRevision(one, one.reference, revision, index, references, clock),
    ),
  )
  return [...posts, ...revisions]
}

function listPosts({ options = {}, media = [], pages = [], posts = [], documents = [] }: SiteDocument): Listed[] {
  const talk = [talkOf(options.default_comment_status), talkOf(options.default_ping_status)] as const
  const quiet = ['closed', 'closed'] as const
  return [
    ...media.map(({ file, width, height, alt_text: alt, ...entry }, index) => ({
      ...{ kind: 'media' as const, type: 'attachment', place: `media[${index}]`, entry },
      usual: { status: 'inherit', talk: quiet },
      meta: mediumMeta({ file, width, height, alt }),
    })),
    ...pages.map((entry, index) => ({
      ...{ kind: 'page' as const, type: 'page', place: `pages[${index}]`, entry },
      ...{ usual: { status: 'publish', talk: quiet }, meta: {} },
    })),
    ...posts.map((entry, index) => ({
      ...{ kind: 'post' as const, type: 'post', place: `posts[${index}]`, entry },
      ...{ usual: { status: 'publish', talk }, meta: {} },
    })),
    ...documents.map(({ type, ...entry }, index) => ({
      ...{ kind: 'document' as const, type, place: `documents[${index}]`, entry },
      ...{ usual: { status: 'publish', talk: quiet }, meta: {} },
    })),
  ]
}

const talkOf = (option: unknown) => (typeof option === 'string' ? option : 'open')

function planPost(listed: Listed, reference: Reference, references: References, clock: Clock): PlannedPost {
  const { entry, place, kind, type, usual } = listed
  const status = entry.status ?? usual.status
  const [comments, pings] = usual.talk
  return {
    reference,
    place,
    row: {
      ...textsOf(entry),
      type,
      status,
      slug: entry.slug ?? entry.key,
      ...datesOf(entry, clock),
      commentStatus: entry.comment_status ?? comments,
      pingStatus: entry.ping_status ?? pings,
    },
    author: entry.author ? references.find('user', entry.author, `${place}.author`) : null,
    parent: entry.parent ? references.find(kind, entry.parent, `${place}.parent`) : null,
    featuredMedia: featuredOf(entry, place, references),
    terms: termsOf(entry, place, references),
    meta: { ...listed.meta, ...trashMeta(entry), ...entry.meta },
  }
}

function planRevision(
  { kind, entry, place: postPlace }: Listed,
  post: Reference,
  revision: SiteRevision,
  index: number,
  references: References,
  clock: Clock,
): PlannedPost {
  const place = `${postPlace}.revisions[${index}]`
  const author = revision.author === undefined ? entry.author : revision.author
  return {
    // Revisions of posts are named by the post alone.
    reference: references.give('revision', `${kind === 'post' ? entry.key : post}.${index + 1}`, place),
    place,
    row: {
      ...textsOf(revision),
      type: 'revision',
      status: revision.status ?? 'inherit',
      slug: revision.slug ?? '',
      ...datesOf(revision, clock),
      commentStatus: revision.comment_status ?? 'closed',
      pingStatus: revision.ping_status ?? 'closed',
    },
    ...(revision.slug === undefined ? { revisionOf: revision.autosave ? 'autosave' : 'revision' } : {}),
    author: author ? references.find('user', author, `${place}.author`) : null,
    parent: post,
    featuredMedia: featuredOf(revision, place, references),
    terms: [],
    meta: revision.meta ?? {},
  }
}

const textsOf = (entry: SitePost | SiteRevision) => ({
  title: entry.title ?? '',
  content: entry.content ?? '',
  excerpt: entry.excerpt ?? '',
  password: entry.password ?? '',
  format: entry.format ?? 'standard',
  sticky: entry.sticky ?? false,
  template: entry.template ?? '',
  mimeType: entry.mime_type ?? '',
})

type Dated = Pick<SitePost, 'date' | 'date_gmt' | 'modified' | 'modified_gmt'>
type Dates = Pick<PostValues, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>

/** Of site time and GMT, one is enough; without either it is now. */
function datesOf(entry: Dated, { time, now }: Clock): Dates {
  const date = entry.date ?? (entry.date_gmt ? time.toLocal(entry.date_gmt) : now.local)
  const gmt = entry.date_gmt ?? (entry.date === undefined ? now.gmt : time.toGmt(date))
  const modified = entry.modified ?? (entry.modified_gmt ? time.toLocal(entry.modified_gmt) : date)
  const modifiedGmt = entry.modified_gmt ?? (entry.modified === undefined ? gmt : time.toGmt(modified))
  return { date, dateGmt: entry.date_gmt === null ? null : gmt, modified, modifiedGmt }
}

const trashMeta = ({ status_before_trash: status, desired_slug: slug }: SitePost): Meta => ({
  ...(status === undefined ? {} : { [trashStatusKey]: status }),
  ...(slug === undefined ? {} : { [desiredSlugKey]: slug }),
})

const featuredOf = (entry: SitePost | SiteRevision, place: string, references: References) =>
  entry.featured_media ? references.find('media', entry.featured_media, `${place}.featured_media`) : null

function termsOf(entry: SitePost, place: string, references: References): PlannedPost['terms'] {
  const others = entry.terms ?? {}
  const twice = [categories, tags].find((taxonomy) => Object.hasOwn(others, taxonomy))
  if (twice !== undefined)
    throw new SiteDocumentError(`${place}.terms`, `holds ${twice}, which has a member of its own`)
  const named = [
    { taxonomy: categories, keys: entry.categories ?? [], at: `${place}.categories` },
    { taxonomy: tags, keys: entry.tags ?? [], at: `${place}.tags` },
    ...Object.entries(others).map(([taxonomy, keys]) => ({ taxonomy, keys, at: `${place}.terms.${taxonomy}` })),
  ]
  return named
    .filter(({ keys }) => keys.length > 0)
    .map(({ taxonomy, keys, at }) => ({
      taxonomy,
      references: keys.map((key, index) => references.find(termKind(taxonomy), key, `${at}[${index}]`)),
    }))
}
