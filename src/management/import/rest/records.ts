/** From the answers of a running site to the records that an export file has, so that both are imported by the same rules. */
import type { Json } from '../../../contract/storage.ts'
import type { FileRecord } from '../reader.ts'
import type { RestObject } from './client.ts'

/** Resolves ids in answers: to the logins of users, and to terms by their taxonomy. */
export interface RestIndex {
  readonly logins: ReadonlyMap<number, string>
  /** The key is `taxonomy id`. */
  readonly terms: ReadonlyMap<string, { readonly slug: string; readonly name: string }>
  /** The members of posts that list terms, by taxonomy. */
  readonly termMembers: ReadonlyMap<string, string>
}

const bare = { line: 0, meta: [], terms: [], comments: [] } as const

export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** `{ raw, rendered }`, or a text. */
const rawOf = (value: Json | undefined): string => {
  const { raw, rendered } = (typeof value === 'object' && value !== null ? value : {}) as RestObject
  return textOf(raw ?? rendered ?? (typeof value === 'object' ? '' : value))
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export function userRecord(user: RestObject): FileRecord {
  const { id, username, email, name, url, slug, roles, description, nickname } = user
  return {
    ...bare,
    kind: 'author',
    fields: {
      'wp:author_id': textOf(id),
      'wp:author_login': textOf(username) || textOf(slug),
      'wp:author_email': textOf(email),
      'wp:author_display_name': textOf(name),
      'rest:url': textOf(url),
      'rest:slug': textOf(slug),
      'rest:roles': listOf(roles).map(textOf).join(','),
      'rest:registered': textOf(user['registered_date']),
    },
    meta: Object.entries({
      ...{ description: textOf(description), nickname: textOf(nickname) },
      ...{ first_name: textOf(user['first_name']), last_name: textOf(user['last_name']) },
    }).filter(([, value]) => value !== ''),
  }
}

/** `parents` has the slugs of the terms of the taxonomy, by id. */
export const termRecord = (
  taxonomy: string,
  { id, slug, name, description, parent, meta }: RestObject,
  parents: ReadonlyMap<number, string>,
): FileRecord => ({
  ...bare,
  kind: 'term',
  fields: {
    'wp:term_id': textOf(id),
    'wp:term_taxonomy': taxonomy,
    'wp:term_slug': textOf(slug),
    'wp:term_parent': parents.get(Number(parent)) ?? '',
    'wp:term_name': textOf(name),
    'wp:term_description': textOf(description),
  },
  meta: shownMeta(meta),
})

/** Converts a row of any type: posts, pages, blocks, media and types of the site. */
export function itemRecord(type: string, post: RestObject, index: RestIndex): FileRecord {
  const { template, featured_media: thumbnail, format } = post
  const formats = typeof format === 'string' && format !== 'standard' ? [formatTerm(format)] : []
  return {
    ...bare,
    kind: 'item',
    fields: { ...itemFields(type, post, index), ...(type === 'attachment' ? mediumFields(post) : {}) },
    meta: [
      ...shownMeta({ ...besideMeta(post), ...objectOf(post['meta']) }),
      ...(textOf(template) === '' ? [] : [['_wp_page_template', textOf(template)] as const]),
      ...(Number(thumbnail) > 0 ? [['_thumbnail_id', textOf(thumbnail)] as const] : []),
      ...(type === 'attachment' ? mediumMeta(post) : []),
    ],
    terms: [...formats, ...termsOf(post, index)],
  }
}

/** Blocks show this field beside their meta. */
const besideMeta = ({ wp_pattern_sync_status: status }: RestObject): RestObject =>
  status === undefined ? {} : { wp_pattern_sync_status: status }

const formatTerm = (format: string) => ({ domain: 'post_format', slug: `post-format-${format}`, name: format })

function termsOf(post: RestObject, { terms, termMembers }: RestIndex): FileRecord['terms'] {
  return [...termMembers].flatMap(([taxonomy, member]) =>
    listOf(post[member]).flatMap((id) => {
      const term = terms.get(`${taxonomy} ${textOf(id)}`)
      return term ? [{ domain: taxonomy, ...term }] : []
    }),
  )
}

function itemFields(type: string, post: RestObject, { logins }: RestIndex): { [element: string]: string } {
  const { id, author, date, modified, slug, status, parent } = post
  return {
    title: rawOf(post['title']),
    'content:encoded': rawOf(post['content']),
    'excerpt:encoded': rawOf(post['excerpt']),
    guid: rawOf(post['guid']),
    link: textOf(post['link']),
    'dc:creator': logins.get(Number(author)) ?? '',
    'wp:post_id': textOf(id),
    'wp:post_type': type,
    'wp:post_name': textOf(slug),
    'wp:status': textOf(status),
    'wp:post_parent': textOf(parent),
    'wp:post_date': spaced(date),
    'wp:post_date_gmt': floats(post) ? '0000-00-00 00:00:00' : spaced(post['date_gmt']),
    'wp:post_modified': spaced(modified),
    'wp:post_modified_gmt': spaced(post['modified_gmt']),
    'wp:post_password': textOf(post['password']),
    'wp:is_sticky': post['sticky'] === true ? '1' : '0',
    'wp:comment_status': textOf(post['comment_status']),
    'wp:ping_status': textOf(post['ping_status']),
    'wp:menu_order': textOf(post['menu_order']),
  }
}

const spaced = (date: Json | undefined): string => textOf(date).replace('T', ' ')

/** Choice: answers do not tell a floating date from a fixed one; a draft whose date is that of its last change floats. */
const floats = ({ status, date, modified }: RestObject): boolean =>
  (status === 'draft' || status === 'pending') && textOf(date) === textOf(modified)

// ---------------------------------------------------------------- media

const mediumFields = (post: RestObject): { [element: string]: string } => ({
  'content:encoded': rawOf(post['description']),
  'excerpt:encoded': rawOf(post['caption']),
  'wp:post_parent': textOf(post['post']),
  'wp:attachment_url': textOf(post['source_url']),
  'rest:mime_type': textOf(post['mime_type']),
})

function mediumMeta(post: RestObject): readonly (readonly [string, Json])[] {
  const details = objectOf(post['media_details'])
  const url = textOf(post['source_url'])
  const file = textOf(details['file']) || (/\/uploads\/([^?#]+)$/.exec(url)?.[1] ?? '')
  const alternative = textOf(post['alt_text'])
  const { full: _full, ...sizes } = objectOf(details['sizes'])
  return [
    ...(file === '' ? [] : [['_wp_attached_file', file] as const]),
    ...(alternative === '' ? [] : [['_wp_attachment_image_alt', alternative] as const]),
    ['_wp_attachment_metadata', { ...details, file, sizes: sizes as Json }],
  ]
}

// ---------------------------------------------------------------- menus and comments

export function menuItemRecord(item: RestObject, menus: RestIndex['terms'], menuTaxonomy: string): FileRecord {
  const { id, menus: menu, attr_title: title, description, title: label, menu_order: order, status } = item
  const term = menus.get(`${menuTaxonomy} ${textOf(menu)}`)
  const fields = ['type', 'object', 'target', 'url', 'classes', 'xfn'] as const
  const meta = fields.map((name) => [`_menu_item_${name}`, item[name] ?? ''] as const)
  return {
    ...bare,
    kind: 'item',
    fields: {
      title: rawOf(label),
      'content:encoded': textOf(description),
      'excerpt:encoded': textOf(title),
      'wp:post_id': textOf(id),
      'wp:post_type': 'nav_menu_item',
      'wp:status': textOf(status),
      'wp:menu_order': textOf(order),
    },
    meta: [
      ...meta,
      ['_menu_item_object_id', textOf(item['object_id'])],
      ['_menu_item_menu_item_parent', textOf(item['parent'])],
    ],
    terms: term ? [{ domain: menuTaxonomy, ...term }] : [],
  }
}

/** A comment by itself: the post is a field. */
export const commentRecord = (comment: RestObject): FileRecord => ({
  ...bare,
  kind: 'comment',
  fields: { 'wp:post_id': textOf(comment['post']) },
  comments: [
    {
      fields: {
        'wp:comment_id': textOf(comment['id']),
        'wp:comment_parent': textOf(comment['parent']),
        'wp:comment_user_id': textOf(comment['author']),
        'wp:comment_author': textOf(comment['author_name']),
        'wp:comment_author_email': textOf(comment['author_email']),
        'wp:comment_author_url': textOf(comment['author_url']),
        'wp:comment_author_IP': textOf(comment['author_ip']),
        'wp:comment_date': spaced(comment['date']),
        'wp:comment_date_gmt': spaced(comment['date_gmt']),
        'wp:comment_content': rawOf(comment['content']),
        'wp:comment_approved': textOf(comment['status']).replace('approved', 'approve'),
        'wp:comment_type': textOf(comment['type']),
      },
      meta: shownMeta(comment['meta']),
    },
  ],
})

const objectOf = (value: Json | undefined): RestObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RestObject) : {}

const shownMeta = (meta: Json | undefined): FileRecord['meta'] =>
  Object.entries(objectOf(meta)).filter(([, value]) => !isEmpty(value))

/** A registered field without a value is in every answer. */
const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
