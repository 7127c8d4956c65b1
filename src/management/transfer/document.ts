/**
 * The portable site format: what `seed` reads and `export` writes. Things name each other by key, never by id; dates
 * without `_gmt` are site time. Members that are left out have the defaults of an empty site.
 */
import type { Json } from '../../storage/contract.ts'
import {
  decimal,
  filled,
  flag,
  json,
  listOf,
  mapOf,
  moment,
  nullable,
  object,
  oneOf,
  optional,
  type Shape,
  type Shaped,
  SiteDocumentError,
  text,
  whole,
} from './shape.ts'

const key = filled
const keys = listOf(key)
const meta = optional(mapOf(json))

/** An application password whose secret stays secret. */
const passwordEntry = object({
  name: text,
  app_id: optional(text),
  digest: (value, place) => {
    if (!/^[0-9a-f]{64}$/.test(text(value, place)))
      throw new SiteDocumentError(place, 'must be a digest in hexadecimal')
    return value as string
  },
  created: optional(moment),
  last_used: optional(nullable(moment)),
})

const user = object({
  key,
  login: filled,
  display_name: optional(text),
  nicename: optional(filled),
  email: optional(text),
  url: optional(text),
  role: optional(filled),
  roles: optional(listOf(filled)),
  capabilities: optional(mapOf(flag)),
  password: optional(text),
  password_digest: optional(text),
  application_password: optional(filled),
  application_password_digest: optional(filled),
  application_passwords: optional(listOf(passwordEntry)),
  blocked: optional(flag),
  registered: optional(moment),
  meta,
})

const termMembers = {
  key,
  slug: filled,
  name: text,
  parent: optional(nullable(key)),
  description: optional(text),
  meta,
}

const revision = object({
  author: optional(nullable(key)),
  date: moment,
  date_gmt: optional(nullable(moment)),
  modified: optional(moment),
  modified_gmt: optional(moment),
  title: optional(text),
  content: optional(text),
  excerpt: optional(text),
  /** Unpublished changes of one author, kept beside the post. */
  autosave: optional(flag),
  /** Only where it is not the usual one. */
  slug: optional(text),
  comment_status: optional(text),
  ping_status: optional(text),
  format: optional(text),
  template: optional(text),
  password: optional(text),
  sticky: optional(flag),
  mime_type: optional(text),
  featured_media: optional(nullable(key)),
  status: optional(filled),
  meta,
})

const postMembers = {
  key,
  title: optional(text),
  /** By default the key. */
  slug: optional(text),
  author: optional(nullable(key)),
  date: optional(moment),
  /** Null: a floating draft. Left out: follows from the date. */
  date_gmt: optional(nullable(moment)),
  modified: optional(moment),
  modified_gmt: optional(moment),
  content: optional(text),
  excerpt: optional(text),
  password: optional(text),
  categories: optional(keys),
  tags: optional(keys),
  /** Terms of other taxonomies. */
  terms: optional(mapOf(keys)),
  format: optional(text),
  sticky: optional(flag),
  template: optional(text),
  featured_media: optional(nullable(key)),
  comment_status: optional(text),
  ping_status: optional(text),
  mime_type: optional(text),
  meta,
  revisions: optional(listOf(revision)),
  status_before_trash: optional(text),
  desired_slug: optional(text),
}

const status = optional(oneOf(['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit']))
/** The key of a page; a post of another kind is named with it: `post.hello`. */
const parent = optional(nullable(key))

const page = object({ ...postMembers, status, parent })
const post = object({ ...postMembers, status, parent })
const medium = object({
  ...postMembers,
  status: optional(filled),
  parent,
  file: optional(filled),
  width: optional(whole),
  height: optional(whole),
  alt_text: optional(text),
})
const otherPost = object({ ...postMembers, type: filled, status: optional(filled), parent })

const optionShapes: { readonly [name: string]: Shape<Json> } = {
  name: text,
  description: text,
  url: text,
  home: text,
  permalink: text,
  timezone_string: text,
  gmt_offset: nullable(decimal),
  show_on_front: oneOf(['page', 'posts']),
  page_on_front: nullable(key),
  page_for_posts: nullable(key),
  default_category: nullable(key),
  default_comment_status: text,
  default_ping_status: text,
  templates: listOf(text),
  roles: mapOf(mapOf(flag)),
}

const options: Shape<{ readonly [name: string]: Json }> = (value, place) => {
  const read = mapOf(json)(value, place)
  for (const [name, option] of Object.entries(read)) {
    if (Object.hasOwn(optionShapes, name)) optionShapes[name]?.(option, `${place}.${name}`)
  }
  return read
}

const site = object({
  options: optional(options),
  users: optional(listOf(user)),
  categories: optional(listOf(object(termMembers))),
  tags: optional(listOf(object(termMembers))),
  /** Terms of other taxonomies. */
  terms: optional(listOf(object({ ...termMembers, taxonomy: filled }))),
  media: optional(listOf(medium)),
  pages: optional(listOf(page)),
  posts: optional(listOf(post)),
  /** Posts of other types: templates, components, builder documents. */
  documents: optional(listOf(otherPost)),
  /** Rows of other collections: notes, submissions and so on. A field that refers to something holds its key. */
  records: optional(mapOf(listOf(mapOf(json)))),
})

export type SiteDocument = Shaped<typeof site>
export type SiteUser = Shaped<typeof user>
export type SiteTerm = Shaped<ReturnType<typeof object<typeof termMembers>>>
export type SitePost = Shaped<ReturnType<typeof object<typeof postMembers>>>
export type SiteMedium = Shaped<typeof medium>
export type SiteRevision = Shaped<typeof revision>

/** Throws a SiteDocumentError that names the first place that is wrong. Whether keys exist is not looked at here. */
export const readDocument = (value: unknown): SiteDocument => site(value, '')
