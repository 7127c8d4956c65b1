/** Plans the posts of a document, in the order in which they get ids: revisions after all others. */

import { blankPost } from '../../contract/fields/blank.ts'
import { postFields } from '../../contract/fields/posts.ts'
import type { PostValues } from '../../contract/storage.ts'
import { categories, desiredSlugKey, tags, trashStatusKey } from '../../site/post-keys.ts'
import type { SiteMoment, SiteTime } from '../../site/time-zone.ts'
import type { DeclaredFields } from '../declared-meta.ts'
import { mediumMeta } from '../media.ts'
import { checkedMeta } from './check.ts'
import type { SiteMedium, SitePost, SiteRevision } from './document.ts'
import { SiteDocumentError } from './document-error.ts'
import { type EmbeddedKinds, type EmbeddedValues, splitEmbedded } from './embedded.ts'
import { blankFile } from './entries.ts'
import { expandedRows } from './expanded-entries.ts'
import { type GivenIds, idOf } from './given-ids.ts'
import { convertedRows, entryRows, forEachRow, type Rows, rowsOf } from './planned-rows.ts'
import {
  createTree,
  createUnique,
  type Meta,
  type Reference,
  type ReferenceFinder,
  type References,
  termKind,
} from './references.ts'
import type { Located, SiteSource, SourcePart } from './site-source.ts'
import { valuesOf } from './stored-members.ts'

export interface PlannedPost {
  readonly reference: Reference
  readonly id?: number
  readonly path: string
  /** The line of the file that it begins at; absent for a document. */
  readonly line?: number
  readonly row: Omit<PostValues, 'author' | 'parent' | 'featuredMedia'>
  /** Set when the slug is derived from the id of the post, which is not known yet. */
  readonly revisionOf?: 'revision' | 'autosave'
  readonly author: Reference | null
  readonly parent: Reference | null
  readonly featuredMedia: Reference | null
  readonly terms: readonly { readonly taxonomy: string; readonly references: readonly Reference[] }[]
  readonly meta: Meta
  /** Meta whose value is an id. */
  readonly metaReferences: { readonly [key: string]: Reference }
  /** Meta with references inside, and the rows that it and the texts name. */
  readonly embedded: EmbeddedValues
  readonly file?: PlannedFile
}

/** A file that the media service stores. */
interface PlannedFile {
  readonly path: string
  readonly type: string
  /** The bytes in base64. */
  readonly data: string
}

/** Revisions get ids after all others. */
export interface PostPlan {
  readonly count: number
  readonly rows: Rows<PlannedPost>
  readonly revisions: Rows<PlannedPost>
  readonly hasFiles: boolean
  /** Throws for references to nothing. */
  check(): Promise<void>
}

export interface PostRules {
  readonly time: SiteTime
  readonly now: SiteMoment
  readonly embedded: EmbeddedKinds
  readonly fields: DeclaredFields
}

export interface ListedPost {
  readonly kind: string
  readonly type: string
  readonly path: string
  readonly entry: SitePost & { readonly status?: string; readonly parent?: string | null }
  readonly defaults: { readonly status: string; readonly values: typeof blankPost }
  readonly meta: Meta
  readonly file?: PlannedFile
}

export async function planPosts(
  source: SiteSource,
  references: References,
  givenIds: GivenIds,
  rules: PostRules,
): Promise<PostPlan> {
  const listed = rowsOf(...source.parts.map((part) => listedPosts(source, part)))
  const found = { count: 0, hasFiles: false, hasRevisions: false }
  const uniqueSlug = createUnique('slug')
  await forEachRow(listed, (post) => {
    const { entry, path, type, kind } = post
    const slug = entry.slug ?? entry.key
    if (slug !== '') uniqueSlug(`${type} ${slug}`, `${path}.slug`)
    references.add(kind, entry.key, path, 'post')
    givenIds.add('post', entry.id, path)
    for (const { id } of entry.revisions ?? []) givenIds.add('post', id, `${path}.revisions`)
    const revisions = entry.revisions?.length ?? 0
    found.count += 1 + revisions
    if (revisions > 0) found.hasRevisions = true
    if (post.file) found.hasFiles = true
  })
  const rows = convertedRows(listed, (post) => [planPost(post, references, rules)])
  const revisions = convertedRows(listed, (post) =>
    (post.entry.revisions ?? []).map((revision, index) => planRevision(post, revision, index, references, rules)),
  )
  if (found.hasRevisions)
    await forEachRow(revisions, ({ reference, path }) => {
      references.add('revision', reference.slice('revision.'.length), path)
    })
  const check = async () => {
    const tree = createTree()
    await forEachRow(rows, ({ reference, parent, path }) => tree.add(reference, parent, path))
    tree.check()
  }
  return { ...found, rows, revisions: found.hasRevisions ? revisions : rowsOf(), check }
}

function listedPosts(source: SiteSource, part: SourcePart): Rows<ListedPost> {
  const { options } = source
  const open = {
    ...blankPost,
    commentStatus: discussionOf(options.default_comment_status),
    pingStatus: discussionOf(options.default_ping_status),
  }
  const listed = (kind: string, values: typeof blankPost) =>
    entryRows<ListedPost['entry'], ListedPost>(part.list(`${kind}s`), ({ entry, path }) => ({
      ...{ kind, type: kind, path, entry, meta: {} },
      defaults: { status: 'publish', values },
    }))
  const documents = rowsOf(
    entryRows<ExpandedDocument, ExpandedDocument>(part.list('documents'), ({ entry, path }) => ({
      ...entry,
      ...{ kind: 'document', path },
    })),
    expandedRows<ExpandedDocument>(source, part, 'documents'),
  )
  return rowsOf(
    entryRows(part.list('media'), listedMedium),
    listed('page', blankPost),
    listed('post', open),
    convertedRows(documents, ({ type, kind, path, ...entry }) => [
      { kind, type, path, entry, defaults: { status: 'publish', values: blankPost }, meta: {} },
    ]),
  )
}

const listedMedium = ({
  entry: { file, width, height, alt_text: alt, caption, description, data, ...entry },
  path,
}: Located<SiteMedium>): ListedPost => ({
  kind: 'media',
  type: 'attachment',
  path,
  entry: { ...entry, excerpt: entry.excerpt ?? caption ?? '', content: entry.content ?? description ?? '' },
  defaults: { status: 'inherit', values: blankFile },
  meta: mediumMeta({ file, width, height, alt }),
  ...(data === undefined || file === undefined
    ? {}
    : { file: { path: file, type: entry.mime_type ?? 'application/octet-stream', data } }),
})

type ExpandedDocument = SitePost & { readonly kind: string; readonly type: string; readonly path: string }

const discussionOf = (option: unknown) => (typeof option === 'string' ? option : 'open')

export function planPost(listed: ListedPost, references: ReferenceFinder, rules: PostRules): PlannedPost {
  const { entry, path, kind, type, defaults } = listed
  const status = entry.status ?? defaults.status
  return {
    reference: `${kind}.${entry.key}`,
    ...idOf(entry),
    path,
    row: {
      ...valuesOf(postFields, entry, defaults.values),
      type,
      status,
      slug: entry.slug ?? entry.key,
      ...datesOf(entry, rules, status),
    },
    author: entry.author ? references.find('user', entry.author, `${path}.author`) : null,
    parent: entry.parent ? references.find(kind, entry.parent, `${path}.parent`) : null,
    featuredMedia: featuredOf(entry, path, references),
    terms: termsOf(entry, path, references),
    ...splitEmbedded(
      { ...listed.meta, ...trashMeta(entry), ...checkedMeta(rules.fields.posts(type), entry.meta, path) },
      entry,
      rules.embedded,
      references,
      path,
    ),
    metaReferences: Object.fromEntries(
      Object.entries(entry.meta_references ?? {}).map(([name, reference]) => [
        name,
        references.findAny(reference, `${path}.meta_references.${name}`),
      ]),
    ),
    ...(listed.file ? { file: listed.file } : {}),
  }
}

function planRevision(
  { kind, entry, path: postPath }: ListedPost,
  revision: SiteRevision,
  index: number,
  references: References,
  rules: PostRules,
): PlannedPost {
  const path = `${postPath}.revisions[${index}]`
  const post = `${kind}.${entry.key}`
  const author = revision.author === undefined ? entry.author : revision.author
  // The key of a post and that of a page may be equal; then only the key of the post goes without its kind.
  const isAlone = kind === 'post' || !references.has(`post.${entry.key}`)
  return {
    reference: `revision.${isAlone ? entry.key : post}.${index + 1}`,
    ...idOf(revision),
    path,
    row: {
      ...valuesOf(postFields, revision, blankPost),
      type: 'revision',
      status: revision.status ?? 'inherit',
      slug: revision.slug ?? '',
      ...datesOf(revision, rules),
    },
    ...(revision.slug === undefined ? { revisionOf: revision.autosave ? 'autosave' : 'revision' } : {}),
    author: author ? references.find('user', author, `${path}.author`) : null,
    parent: post,
    featuredMedia: featuredOf(revision, path, references),
    terms: [],
    metaReferences: {},
    ...splitEmbedded(revision.meta ?? {}, revision, rules.embedded, references, path),
  }
}

type Dated = Pick<SitePost, 'date' | 'date_gmt' | 'modified' | 'modified_gmt'>
type Dates = Pick<PostValues, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>

/** Site time or GMT is enough; without either the date is now. Drafts may have none in GMT; a scheduled post is published by it. */
function datesOf(entry: Dated, { time, now }: PostRules, status?: string): Dates {
  const date = entry.date ?? (entry.date_gmt ? time.toLocal(entry.date_gmt) : now.local)
  const gmt = entry.date_gmt ?? (entry.date === undefined ? now.gmt : time.toGmt(date))
  const modified = entry.modified ?? (entry.modified_gmt ? time.toLocal(entry.modified_gmt) : date)
  const modifiedGmt = entry.modified_gmt ?? (entry.modified === undefined ? gmt : time.toGmt(modified))
  return { date, dateGmt: entry.date_gmt === null && status !== 'future' ? null : gmt, modified, modifiedGmt }
}

const trashMeta = ({ status_before_trash: status, desired_slug: slug }: SitePost): Meta => ({
  ...(status === undefined ? {} : { [trashStatusKey]: status }),
  ...(slug === undefined ? {} : { [desiredSlugKey]: slug }),
})

const featuredOf = (entry: SitePost | SiteRevision, path: string, references: ReferenceFinder) =>
  entry.featured_media ? references.find('media', entry.featured_media, `${path}.featured_media`) : null

function termsOf(entry: SitePost, path: string, references: ReferenceFinder): PlannedPost['terms'] {
  const otherTerms = entry.terms ?? {}
  const duplicate = [categories, tags].find((taxonomy) => Object.hasOwn(otherTerms, taxonomy))
  if (duplicate !== undefined)
    throw new SiteDocumentError(`${path}.terms`, `holds ${duplicate}, which has a member of its own`)
  const lists = [
    { taxonomy: categories, keys: entry.categories ?? [], termsPath: `${path}.categories` },
    { taxonomy: tags, keys: entry.tags ?? [], termsPath: `${path}.tags` },
    ...Object.entries(otherTerms).map(([taxonomy, keys]) => ({
      taxonomy,
      keys,
      termsPath: `${path}.terms.${taxonomy}`,
    })),
  ]
  return lists
    .filter(({ keys }) => keys.length > 0)
    .map(({ taxonomy, keys, termsPath }) => ({
      taxonomy,
      references: keys.map((key, index) => references.find(termKind(taxonomy), key, `${termsPath}[${index}]`)),
    }))
}
