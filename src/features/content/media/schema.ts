/** The responses of the media routes. */
import { bool, dateTime, int, list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import {
  exactly,
  fields,
  links,
  mapOf,
  openFields,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { mediaRecords } from './model.ts'

const rendered = (description: string) =>
  fields(
    { raw: sometimes(str({ description: 'As it is stored; in the edit context.' })), rendered: str() },
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
  },
  { description: 'The file.' },
)

const embeddable = exactly(true)
const action = sometimes(links())

const members = {
  id: int(),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: sometimes(dateTime()),
  guid: sometimes(rendered('An address that never changes.')),
  modified: sometimes(dateTime()),
  modified_gmt: sometimes(dateTime()),
  slug: str(),
  status: sometimes(oneOf(['inherit', 'private', 'trash'])),
  type: exactly('attachment'),
  link: str({ format: 'uri' }),
  title: rendered('The title.'),
  author: int(),
  featured_media: int(),
  comment_status: sometimes(oneOf(['open', 'closed'])),
  ping_status: sometimes(oneOf(['open', 'closed'])),
  template: sometimes(str()),
  meta: sometimes(mediaRecords.meta.schema),
  permalink_template: sometimes(str()),
  generated_slug: sometimes(str()),
  class_list: sometimes(list(str())),
  description: sometimes(rendered('What there is to say about the file; begins with the file itself.')),
  caption: rendered('The text below the file.'),
  alt_text: str(),
  media_type: oneOf(['image', 'file']),
  mime_type: str(),
  media_details: details,
  post: sometimes(nullable(int({ description: 'The post that the file belongs to.' }))),
  source_url: str({ description: 'The address of the file; empty when there is none.' }),
  missing_image_sizes: sometimes(list(str(), { description: 'The sizes that are not made.' })),
  filename: sometimes(str({ description: 'The name of the upload.' })),
  filesize: sometimes(nullable(int())),
  exif_orientation: sometimes(int()),
  image_output_format: sometimes(nullable(str())),
  image_save_progressive: sometimes(bool()),
  image_quality: sometimes(fields({ default: int(), sizes: openFields({}) })),
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
    'cms:action-publish': action,
    'cms:action-unfiltered-html': action,
    'cms:action-assign-author': action,
    curies: links({ name: str(), templated: exactly(true) }),
  }),
  _embedded: sometimes(openFields({}, { description: 'With `_embed`: the records behind links.' })),
}

export const mediumSchema = fields(linked, { title: 'Medium' })
export const mediaSchema = list(mediumSchema)
export const removedSchema = fields({ deleted: exactly(true), previous: fields(members) }, { title: 'Removed medium' })
