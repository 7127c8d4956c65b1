/** Response schemas of posts and of the records that `_embed` adds. The views are in view.ts and embeds.ts. */

import { type Arg, type Args, anything, bool, dateTime, int, list, oneOf, str } from '../../../core/declare/args.ts'
import {
  actionLinks,
  editOnly,
  either,
  exactly,
  fields,
  links,
  type MemberValues,
  notEmbedded,
  openFields,
  type ResponseSchema,
  type Sometimes,
  shownIn,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { postFormats } from '../../../site/post-keys.ts'
import type { IfHierarchical, IfSupported, Support } from '../content-types/model.ts'
import { embeddedTermSchema } from '../terms/view.ts'
import { publicUserSchema } from '../users/model.ts'
import { writableStatuses } from './args.ts'
import type { RecordType } from './model.ts'
import { type PlainMembers, plainMembers } from './plain-fields.ts'

/** `raw` is present in the edit context only. */
const rendered = (description?: string) =>
  fields(
    { raw: editOnly(str({ description: 'As it is stored; in the edit context.' })), rendered: str() },
    describedAs(description),
  )

const describedAs = (description: string | undefined) => (description === undefined ? {} : { description })

const embeddable = exactly(true)

const mediumSchema = fields(
  {
    id: int(),
    date: dateTime(),
    slug: str(),
    type: exactly('attachment'),
    link: str({ format: 'uri' }),
    title: fields({ rendered: str() }),
    author: int(),
    featured_media: exactly(0),
    caption: fields({ rendered: str() }),
    alt_text: str(),
    media_type: oneOf(['image', 'file']),
    mime_type: str(),
    media_details: fields({
      width: sometimes(int()),
      height: sometimes(int()),
      file: sometimes(str({ description: 'The path below the folder of uploads.' })),
      sizes: fields({}),
    }),
    source_url: str({ description: 'The address of the file; empty when there is none.' }),
    _links: fields({ self: links(), about: links(), author: links({ embeddable }) }),
  },
  { title: 'Embedded medium' },
)

const baseMembers = {
  id: int(),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: notEmbedded(dateTime()),
  guid: notEmbedded(rendered('An address that never changes.')),
  modified: notEmbedded(dateTime()),
  modified_gmt: notEmbedded(dateTime()),
  password: editOnly(str()),
  slug: str(),
  status: notEmbedded(oneOf([...writableStatuses, 'trash', 'auto-draft'])),
  link: str({ format: 'uri' }),
}

const storedText = { raw: shownIn(['view', 'edit'], str({ description: 'As it is stored.' })) }

const titleMember = { title: rendered() }
const contentMember = {
  content: notEmbedded(
    fields({
      raw: editOnly(str()),
      rendered: shownIn(['view', 'edit'], str({ description: 'HTML; empty while a password is missing.' })),
      protected: bool({ description: 'Whether a password opens it.' }),
      block_version: editOnly(int({ description: '1 if it holds blocks.' })),
    }),
  ),
}
const storedContent = notEmbedded(
  fields({ ...storedText, protected: bool(), block_version: editOnly(int({ description: '1 if it holds blocks.' })) }),
)
const excerptMember = { excerpt: fields({ raw: editOnly(str()), rendered: str(), protected: bool() }) }
const authorMember = { author: int({ description: 'The ID of the user.' }) }
const mediaMember = { featured_media: int({ description: 'The ID of the medium; 0: none.' }) }
const parentMember = { parent: notEmbedded(int({ description: 'The ID of the page above; 0: none.' })) }
/** Lists of pages have it, in profiles with front ends of the page builder. */
const userCanMember = {
  user_can: notEmbedded(fields({ edit: bool(), delete: bool() }, { description: 'What the caller may do.' })),
}
const stickyMember = { sticky: notEmbedded(bool()) }
const templateMember = { template: notEmbedded(str()) }
const formatMember = { format: notEmbedded(oneOf(postFormats)) }
const termMember = () => notEmbedded(list(int()))
const viewableMembers = {
  permalink_template: editOnly(str({ description: 'The link with a gap in place of the slug.' })),
  generated_slug: editOnly(str({ description: 'The slug that the title would give.' })),
  class_list: notEmbedded(list(str(), { description: 'Classes for the element that shows it.' })),
}
const embeddedMember = {
  _embedded: sometimes(
    fields(
      {
        author: sometimes(list(publicUserSchema)),
        'cms:featuredmedia': sometimes(list(mediumSchema)),
        'cms:term': sometimes(list(list(embeddedTermSchema), { description: 'Categories, then tags.' })),
        up: sometimes(list(openFields({ id: int() }))),
      },
      { description: 'With `_embed`: the records behind links.' },
    ),
  ),
}

const linksSchema = (type: RecordType) =>
  fields({
    self: targetLinks,
    collection: links(),
    about: links(),
    author: sometimes(links({ embeddable })),
    replies: sometimes(links({ embeddable })),
    'version-history': sometimes(links({ count: int({ description: 'How many revisions there are.' }) })),
    'predecessor-version': sometimes(links({ id: int({ description: 'The newest revision.' }) })),
    up: sometimes(links({ embeddable })),
    'cms:featuredmedia': sometimes(links({ embeddable })),
    'cms:attachment': sometimes(links()),
    'cms:term': sometimes(links({ taxonomy: oneOf(type.published.taxonomies.map(({ name }) => name)), embeddable })),
    'cms:action-publish': actionLinks({ status: oneOf(['publish', 'future']) }),
    'cms:action-unfiltered-html': actionLinks({ content: anything() }),
    ...(type.supports('sticky') ? { 'cms:action-sticky': actionLinks({ sticky: bool() }) } : {}),
    ...(type.supports('author') ? { 'cms:action-assign-author': actionLinks({ author: int() }) } : {}),
    ...Object.fromEntries(
      type.published.taxonomies.flatMap(({ restBase }) => [
        [`cms:action-create-${restBase}`, actionLinks({ [restBase]: list(int()) })],
        [`cms:action-assign-${restBase}`, actionLinks({ [restBase]: list(int()) })],
      ]),
    ),
    curies: links({ name: str(), templated: exactly(true) }),
  })

type RecordMembers<S extends Support, H extends boolean, T extends string, M, More = unknown> = typeof baseMembers & {
  readonly type: Arg<string>
} & IfSupported<S, 'title', typeof titleMember> &
  IfSupported<S, 'editor', typeof contentMember> &
  IfSupported<S, 'excerpt', typeof excerptMember> &
  IfSupported<S, 'author', typeof authorMember> &
  IfSupported<S, 'thumbnail', typeof mediaMember> &
  IfHierarchical<H, typeof parentMember> &
  PlainMembers<S> &
  IfSupported<S, 'sticky', typeof stickyMember> &
  typeof templateMember &
  IfSupported<S, 'post-formats', typeof formatMember> & { readonly meta: Sometimes<M> } & More & {
    readonly [K in T]: ReturnType<typeof termMember>
  } & typeof viewableMembers &
  IfHierarchical<H, typeof userCanMember> &
  typeof embeddedMember

/** The members for the fields that are beside `meta`. */
export type BesideMeta<F extends Args, K extends string> = {
  readonly [N in K & keyof F]: F[N] extends Arg<infer V> ? Sometimes<V> : never
}

/** The response schemas of the routes of a type. */
interface RecordSchemas<S extends Support, H extends boolean, T extends string, M, More = unknown> {
  readonly record: ResponseSchema<
    MemberValues<RecordMembers<S, H, T, M, More> & { readonly _links: ReturnType<typeof linksSchema> }>
  >
  readonly records: ResponseSchema<
    readonly MemberValues<RecordMembers<S, H, T, M, More> & { readonly _links: ReturnType<typeof linksSchema> }>[]
  >
  /** The record in the trash, or the deleted record. */
  readonly deleted: ResponseSchema<
    | MemberValues<RecordMembers<S, H, T, M, More> & { readonly _links: ReturnType<typeof linksSchema> }>
    | { readonly deleted: true; readonly previous: MemberValues<RecordMembers<S, H, T, M, More>> }
  >
}

export function recordSchemasOf<S extends Support, H extends boolean, T extends string, M, More = unknown>(
  type: RecordType,
): RecordSchemas<S, H, T, M, More> {
  const { isHierarchical, taxonomies } = type.published
  const { link, ...head } = baseMembers
  const members = {
    ...head,
    type: exactly(type.name),
    link,
    ...(type.supports('title') ? (type.isViewable ? titleMember : { title: fields(storedText) }) : {}),
    ...(type.supports('editor') ? (type.isViewable ? contentMember : { content: storedContent }) : {}),
    ...(type.supports('excerpt') ? excerptMember : {}),
    ...(type.supports('author') ? authorMember : {}),
    ...(type.supports('thumbnail') ? mediaMember : {}),
    ...(isHierarchical ? parentMember : {}),
    ...plainMembers(type.supports),
    ...(type.supports('sticky') ? stickyMember : {}),
    ...templateMember,
    ...(type.supports('post-formats') ? formatMember : {}),
    meta: notEmbedded(type.shownMeta.schema),
    ...Object.fromEntries(Object.entries(type.besideMeta.members).map(([name, member]) => [name, notEmbedded(member)])),
    ...Object.fromEntries(taxonomies.map(({ restBase }) => [restBase, termMember()])),
    ...(type.isViewable ? viewableMembers : {}),
    ...(isHierarchical ? userCanMember : {}),
    ...embeddedMember,
  }
  const record = fields({ ...members, _links: linksSchema(type) }, { title: type.label, record: type.name })
  const removed = { title: `Removed ${type.label.toLowerCase()}` }
  // The cast: the conditions above are those of the type.
  return {
    record,
    records: list(record),
    deleted: either(record, fields({ deleted: exactly(true), previous: fields(members) }, removed)),
  } as unknown as RecordSchemas<S, H, T, M, More>
}
