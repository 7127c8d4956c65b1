/** The responses of the media routes. */
import { anything, bool, dateTime, int, list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import {
  actionLinks,
  editOnly,
  exactly,
  fields,
  links,
  mapOf,
  notEmbedded,
  openFields,
  shownIn,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import type { MetaFields } from '../../shared/post-meta.ts'
import { mediaRecords } from './model.ts'

const rendered = (description: string) =>
  fields(
    { raw: editOnly(str({ description: 'As it is stored; in the edit context.' })), rendered: str() },
    { description },
  )

const size = openFields({
  file: str({ description: 'Its name, beside the whole picture.' }),
  width: int(),
  height: int(),
  filesize: sometimes(int()),
  mime_type: str(),
  source_url: str(),
})

const details = openFields(
  {
    width: sometimes(int()),
    height: sometimes(int()),
    file: sometimes(str({ description: 'The path below the folder of uploads.' })),
    filesize: sometimes(int()),
    sizes: mapOf(size, { description: 'By name; `full` is the whole picture.' }),
    original_image: sometimes(str({ description: 'The upload, of which the picture is a smaller copy.' })),
    unprocessed: sometimes(bool({ description: 'The site has no library for pictures: there are no sizes.' })),
    sizes_pending: sometimes(bool({ description: 'The sizes are being made; `sizes` has those that are there.' })),
  },
  { description: 'The file.' },
)

const embeddable = exactly(true)

const members = {
  id: int(),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: notEmbedded(dateTime()),
  guid: notEmbedded(rendered('An address that never changes.')),
  modified: notEmbedded(dateTime()),
  modified_gmt: notEmbedded(dateTime()),
  slug: str(),
  status: notEmbedded(oneOf(['inherit', 'private', 'trash'])),
  type: exactly('attachment'),
  link: str({ format: 'uri' }),
  title: rendered('The title.'),
  author: int(),
  featured_media: int(),
  comment_status: notEmbedded(oneOf(['open', 'closed'])),
  ping_status: notEmbedded(oneOf(['open', 'closed'])),
  template: notEmbedded(str()),
  meta: notEmbedded(mediaRecords.meta.schema),
  permalink_template: editOnly(str()),
  generated_slug: editOnly(str()),
  class_list: notEmbedded(list(str())),
  description: notEmbedded(
    fields(
      { raw: editOnly(str()), rendered: shownIn(['view', 'edit'], str()) },
      { description: 'What there is to say about the file; begins with the file itself.' },
    ),
  ),
  caption: rendered('The text below the file.'),
  alt_text: str(),
  media_type: oneOf(['image', 'file']),
  mime_type: str(),
  media_details: details,
  post: notEmbedded(nullable(int({ description: 'The post that the file belongs to.' }))),
  source_url: str({ description: 'The address of the file; empty when there is none.' }),
  missing_image_sizes: editOnly(list(str(), { description: 'The sizes that are not made.' })),
  filename: notEmbedded(str({ description: 'The name of the upload.' })),
  filesize: notEmbedded(nullable(int())),
  exif_orientation: editOnly(int()),
  image_output_format: editOnly(nullable(str())),
  image_save_progressive: editOnly(bool()),
  image_quality: editOnly(fields({ default: int(), sizes: openFields({}) })),
}

const linked = {
  ...members,
  _links: fields({
    self: targetLinks,
    collection: links(),
    about: links(),
    author: links({ embeddable }),
    replies: sometimes(links({ embeddable })),
    'cms:featuredmedia': sometimes(links({ embeddable })),
    'cms:attached-to': sometimes(links({ embeddable, post_type: str(), id: int() })),
    'cms:action-publish': sometimes(links()),
    'cms:action-unfiltered-html': actionLinks({ content: anything() }),
    'cms:action-assign-author': actionLinks({ author: int() }),
    curies: links({ name: str(), templated: exactly(true) }),
  }),
  _embedded: sometimes(openFields({}, { description: 'With `_embed`: the records behind links.' })),
}

/** The responses, with the fields of a profile. */
export function mediaSchemasOf({ schema }: MetaFields) {
  const meta = notEmbedded(schema)
  const medium = fields({ ...linked, meta }, { title: 'Medium', record: 'attachment' })
  return {
    medium,
    media: list(medium),
    removed: fields({ deleted: exactly(true), previous: fields({ ...members, meta }) }, { title: 'Removed medium' }),
  }
}
