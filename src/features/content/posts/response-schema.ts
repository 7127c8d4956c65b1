/** Response schemas of posts and of the records that `_embed` adds. The views are in view.ts and embeds.ts. */

import { type Arg, bool, dateTime, int, list, oneOf, str } from '../../../core/declare/args.ts'
import { either, exactly, fields, links, sometimes } from '../../../core/declare/response-schema.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import { metaSchema } from '../../shared/post-meta/model.ts'
import { publicUserSchema } from '../users/model.ts'
import { formats, writableStatuses } from './args.ts'

/** `raw` is present in the edit context only. */
const rendered = (description?: string) =>
  fields(
    { raw: sometimes(str({ description: 'As it is stored; in the edit context.' })), rendered: str() },
    describedAs(description),
  )

const describedAs = (description: string | undefined) => (description === undefined ? {} : { description })
const editOnly = <T>(inner: Arg<T>) => sometimes(inner)
const notEmbedded = <T>(inner: Arg<T>) => sometimes(inner)

const embeddable = exactly(true)
const action = sometimes(links())

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

const termSchema = fields(
  {
    id: int(),
    link: str({ format: 'uri' }),
    name: str(),
    slug: str(),
    taxonomy: oneOf([categories, tags]),
    _links: fields({ self: links(), collection: links(), about: links(), 'cms:post_type': links() }),
  },
  { title: 'Embedded term' },
)

const postMembers = {
  id: int(),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: notEmbedded(dateTime()),
  guid: notEmbedded(rendered('An address that never changes.')),
  modified: notEmbedded(dateTime()),
  modified_gmt: notEmbedded(dateTime()),
  password: editOnly(str()),
  slug: str(),
  status: notEmbedded(oneOf([...writableStatuses, 'trash', 'auto-draft'])),
  type: exactly('post'),
  link: str({ format: 'uri' }),
  title: rendered(),
  content: notEmbedded(
    fields({
      raw: editOnly(str()),
      rendered: str({ description: 'HTML; empty while a password is missing.' }),
      protected: bool({ description: 'Whether a password opens it.' }),
      block_version: editOnly(int({ description: '1 if it holds blocks.' })),
    }),
  ),
  excerpt: fields({ raw: editOnly(str()), rendered: str(), protected: bool() }),
  author: int({ description: 'The ID of the user.' }),
  featured_media: int({ description: 'The ID of the medium; 0: none.' }),
  comment_status: notEmbedded(oneOf(['open', 'closed'])),
  ping_status: notEmbedded(oneOf(['open', 'closed'])),
  sticky: notEmbedded(bool()),
  template: notEmbedded(str()),
  format: notEmbedded(oneOf(formats)),
  meta: notEmbedded(metaSchema),
  categories: notEmbedded(list(int())),
  tags: notEmbedded(list(int())),
  permalink_template: editOnly(str({ description: 'The link with a gap in place of the slug.' })),
  generated_slug: editOnly(str({ description: 'The slug that the title would give.' })),
  class_list: notEmbedded(list(str(), { description: 'Classes for the element that shows it.' })),
  _embedded: sometimes(
    fields(
      {
        author: sometimes(list(publicUserSchema)),
        'cms:featuredmedia': sometimes(list(mediumSchema)),
        'cms:term': sometimes(list(list(termSchema), { description: 'Categories, then tags.' })),
      },
      { description: 'With `_embed`: the records behind links.' },
    ),
  ),
}

const linksSchema = fields({
  self: links(),
  collection: links(),
  about: links(),
  author: links({ embeddable }),
  replies: links({ embeddable }),
  'version-history': links({ count: int({ description: 'How many revisions there are.' }) }),
  'predecessor-version': sometimes(links({ id: int({ description: 'The newest revision.' }) })),
  'cms:featuredmedia': sometimes(links({ embeddable })),
  'cms:attachment': links(),
  'cms:term': links({ taxonomy: oneOf([categories, tags]), embeddable }),
  'cms:action-publish': action,
  'cms:action-unfiltered-html': action,
  'cms:action-sticky': action,
  'cms:action-assign-author': action,
  'cms:action-create-categories': action,
  'cms:action-assign-categories': action,
  'cms:action-create-tags': action,
  'cms:action-assign-tags': action,
  curies: links({ name: str(), templated: exactly(true) }),
})

export const postSchema = fields({ ...postMembers, _links: linksSchema }, { title: 'Post' })
export const postsSchema = list(postSchema)

/** The post in the trash, or the deleted post. */
export const deletedPostSchema = either(
  postSchema,
  fields({ deleted: exactly(true), previous: fields(postMembers) }, { title: 'Removed post' }),
)
