/**
 * The schema of the portable site format, which `seed` reads and `export` writes. Entries refer to each other by key, never
 * by id; dates without `_gmt` are site time; absent members have the defaults of an empty site.
 */

import { postFields } from '../../contract/fields/posts.ts'
import { termFields } from '../../contract/fields/terms.ts'
import { userFields } from '../../contract/fields/users.ts'
import type { Collection, Json } from '../../contract/storage.ts'
import {
  type Arg,
  type Args,
  anything,
  bool,
  int,
  list,
  nullable,
  num,
  type ObjectValue,
  object,
  oneOf,
  required,
  str,
} from '../../core/declare/args.ts'
import type { DocumentSection } from '../../core/declare/feature.ts'
import { integer, mapOf, storedMembers } from './stored-members.ts'

/** An object with these members and no others. */
const record = <A extends Args>(members: A): Arg<ObjectValue<A>, false> =>
  object(members, { additionalProperties: false })

const text = str()
const filled = str({ minLength: 1 })
// The cast: `storable` checks the document first.
const json = anything() as Arg<Json, false>

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const dayOfYear =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
/** A local time or GMT without an offset, on a day that the calendar has. */
const time = str({
  pattern: `(?:\\d{4}-${dayOfYear}|${leapYear}-02-29)T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d`,
  description: 'a time like 2024-05-31T09:30:00',
})
const sha256 = str({ pattern: '[0-9a-f]{64}', description: 'a digest in hexadecimal' })

const base64 = str({ pattern: '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?', description: 'base64' })

const key = filled
const keys = list(key)
/** In a document that keeps ids, the id of each row. */
export const id: Arg<number, false> = int({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const meta = mapOf(json)

/** Records of a feature hold values of these schemas, by the kind of the field. */
export const fieldKinds: { readonly [kind in Collection['fields'][string]]: Arg<Json> } = {
  integer: nullable(integer),
  number: nullable(num()),
  text: nullable(text),
  boolean: nullable(bool()),
  json,
}

/** An application password; of its secret only the digest. */
const passwordEntry = record({
  id,
  name: required(text),
  app_id: text,
  digest: required(sha256),
  created: time,
  last_used: nullable(time),
  last_ip: nullable(text),
})

const user = record({
  key: required(key),
  id,
  ...storedMembers(userFields),
  login: required(filled),
  display_name: text,
  nicename: filled,
  email: text,
  first_name: text,
  last_name: text,
  nickname: text,
  description: text,
  role: filled,
  roles: list(filled),
  password: text,
  password_digest: text,
  application_password: filled,
  application_password_digest: filled,
  application_passwords: list(passwordEntry),
  registered: time,
  meta,
})

const termMembers = {
  key: required(key),
  id,
  ...storedMembers(termFields),
  slug: required(filled),
  name: required(text),
  parent: nullable(key),
  meta,
}

const revision = record({
  id,
  ...storedMembers(postFields),
  author: nullable(key),
  date: required(time),
  date_gmt: nullable(time),
  modified: time,
  modified_gmt: time,
  /** True: an autosave, the unpublished changes of one author. */
  autosave: bool(),
  /** Only if it differs from the default slug of revisions. */
  slug: text,
  featured_media: nullable(key),
  status: filled,
  meta,
})

const postMembers = {
  key: required(key),
  id,
  ...storedMembers(postFields),
  /** Default: the key. */
  slug: text,
  author: nullable(key),
  date: time,
  /** Null: a draft without a fixed date. Absent: derived from `date`. */
  date_gmt: nullable(time),
  modified: time,
  modified_gmt: time,
  categories: keys,
  tags: keys,
  /** Terms of other taxonomies. */
  terms: mapOf(keys),
  featured_media: nullable(key),
  meta,
  /** Meta whose value is the id of another entry, by key with the kind: `page.about`. */
  meta_references: mapOf(filled),
  revisions: list(revision),
  status_before_trash: text,
  desired_slug: text,
}

const status = oneOf(['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'])
/** Names an entry of the same kind by its key; one of another kind also by that kind: `post.hello`. */
const parent = nullable(key)

const page = record({ ...postMembers, status, parent })
const post = record({ ...postMembers, status, parent })
const medium = record({
  ...postMembers,
  status: filled,
  parent,
  file: filled,
  width: integer,
  height: integer,
  alt_text: text,
  caption: text,
  description: text,
  /** The bytes of the file, in base64. */
  data: base64,
})
const otherPost = record({ ...postMembers, type: required(filled), status: filled, parent })

/** Other options hold any value. */
const options = object(
  {
    name: text,
    description: text,
    url: text,
    home: text,
    permalink: text,
    timezone_string: text,
    gmt_offset: nullable(num()),
    show_on_front: oneOf(['page', 'posts']),
    page_on_front: nullable(key),
    page_for_posts: nullable(key),
    default_category: nullable(key),
    default_comment_status: text,
    default_ping_status: text,
    templates: list(text),
    roles: mapOf(mapOf(bool())),
  },
  { additionalProperties: true },
  // The cast: `storable` checks the document first.
) as Arg<{ readonly [name: string]: Json }, false>

const entries = {
  users: user,
  categories: record(termMembers),
  tags: record(termMembers),
  /** Terms of other taxonomies. */
  terms: record({ ...termMembers, taxonomy: required(filled) }),
  media: medium,
  pages: page,
  posts: post,
  /** Posts of other types: templates, components, builder documents. */
  documents: otherPost,
}

const members = {
  options,
  users: list(entries.users),
  categories: list(entries.categories),
  tags: list(entries.tags),
  terms: list(entries.terms),
  media: list(entries.media),
  pages: list(entries.pages),
  posts: list(entries.posts),
  documents: list(entries.documents),
  /** Rows of collections: notes, submissions and so on. A field that refers to a row has its key. */
  records: mapOf(list(mapOf(json))),
}
const site = record(members)

type ValueOf<A> = A extends Arg<infer T> ? T : never

/** A site in the portable format, as `api.site.export()` gives it and `api.site.seed()` takes it. */
export type SiteDocument = ValueOf<typeof site>
export type SiteUser = ValueOf<typeof user>
export type SiteTerm = ObjectValue<typeof termMembers>
export type SitePost = ObjectValue<typeof postMembers>
export type SiteMedium = ValueOf<typeof medium>
export type SiteRevision = ValueOf<typeof revision>

/** The schema of a whole document with the members that features add. */
export const documentSchema = (sections: readonly DocumentSection[]): typeof site => {
  const added = Object.fromEntries(sections.map(({ member, entry }) => [member, list(entry)]))
  // The cast: members that features add are read by their names.
  return record({ ...members, ...added }) as typeof site
}

const row = mapOf(json)

/** The schema of the entries of a list; collections are `records.notes`. Any value is an entry of an unknown list. */
export function entrySchema(member: string, sections: readonly DocumentSection[]): Arg {
  if (member.startsWith('records.')) return row
  if (Object.hasOwn(entries, member)) return entries[member as keyof typeof entries]
  return sections.find((section) => section.member === member)?.entry ?? json
}

type Options = NonNullable<SiteDocument['options']>

/** Joins options: the last one of a name wins, and lists are concatenated. */
export function joinedOptions(all: readonly Options[]): Options {
  const joined = new Map<string, Json>()
  for (const [name, value] of all.flatMap((options) => Object.entries(options))) {
    const before = joined.get(name)
    joined.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
  }
  return Object.fromEntries(joined)
}
