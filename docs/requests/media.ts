/** The page of media. */
import { content } from '../../src/index.ts'
import type { Group } from './group.ts'

const media = '/cms/v2/media'

/** A GIF of one pixel. */
const dot = Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'))
const bytesOf = (text: string) => new TextEncoder().encode(text)

const mediaGroup: Group = {
  slug: 'media',
  title: 'Media',
  intro:
    'A medium is a file with a record. The body of POST is the file, with its name in `Content-Disposition` and the arguments in the\n' +
    'query; a form has it as the part `file`, and the arguments as the other parts. Bytes decide over name and type: a GIF called\n' +
    '`.png` is stored as `.gif`, and a file that has only the name of a picture is refused, as are HTML, SVG and scripts. A file has the\n' +
    'visibility of the record that it belongs to. Media have no trash: DELETE needs `force=true`, and removes the file and its\n' +
    'sizes. Where files are stored, which sizes are made and how they are served is in [media.md](../media.md).',
  features: ['media'],
  profile: content,
  async run({ ask, id }) {
    const shows = ['id', 'slug', 'status', 'title', 'alt_text', 'media_type', 'mime_type', 'post', 'source_url']
    await ask({
      says: 'The pictures that belong to published posts or to none. The totals count those that the caller may not see, too.',
      as: null,
      method: 'GET',
      path: `${media}?media_type=image&per_page=2&_fields=id,slug,alt_text,mime_type,source_url`,
      showsHeaders: ['X-CMS-Total', 'X-CMS-TotalPages'],
    })
    const made = await ask({
      says: 'An author uploads a file. Title and slug come from its name unless they are sent.',
      as: 'wren',
      method: 'POST',
      path: `${media}?alt_text=${encodeURIComponent('The gauge at the weir')}`,
      file: { name: 'Gauge at noon.gif', type: 'image/gif', bytes: dot },
      shows,
      showsHeaders: ['Location'],
    })
    await ask({
      says: 'The same as a form, attached to a post. A second file of the same name gets another one.',
      as: 'wren',
      method: 'POST',
      path: media,
      file: {
        ...{ name: 'Gauge at noon.gif', type: 'image/gif', bytes: dot },
        form: { title: 'The gauge, again', post: String(id('post.drought')) },
      },
      shows,
    })
    await ask({
      says: 'The content decides: this file is no picture, although its name says so.',
      as: 'wren',
      method: 'POST',
      path: media,
      file: { name: 'gauge.png', type: 'image/png', bytes: bytesOf('High at six.') },
    })
    const path = `${media}/${made.at('id')}`
    const read = await ask({
      says: 'One medium. The tag names its state.',
      as: null,
      method: 'GET',
      path: `${path}?_fields=id,alt_text,media_details`,
      showsHeaders: ['ETag'],
    })
    const tag = read.header('etag')
    const change = { method: 'PATCH', path, headers: { 'If-Match': tag }, shows: ['id', 'alt_text', 'caption'] }
    await ask({
      says: 'Its author describes it, unless another user has changed it meanwhile.',
      as: 'wren',
      ...change,
      body: { alt_text: 'The gauge, and the weir behind it', caption: 'Two dry months' },
    })
    await ask({
      says: 'A write with the former tag is refused.',
      as: 'tomas',
      ...change,
      body: { alt_text: 'A gauge' },
    })
    await ask({
      says: 'An edit makes a new picture from one: it takes `rotation` and `crop` in percent. Without them there is nothing to do.',
      as: 'wren',
      method: 'POST',
      path: `${path}/edit`,
      body: { src: made.at('source_url') },
    })
    await ask({
      says: 'Media are removed permanently, with their files.',
      as: 'wren',
      method: 'DELETE',
      path: `${path}?force=true`,
      shows: ['deleted', 'previous', 'id', 'slug', 'source_url'],
    })
  },
}

export const mediaGroups: readonly Group[] = [mediaGroup]
