/**
 * The schema of the portable site format, which `seed` reads and `export` writes. Entries refer to each other by key, never
 * by id; dates without `_gmt` are site time; absent members have the defaults of an empty site.
 */
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
import type { DocumentSection, ExpandedEntries } from '../../core/declare/feature.ts'
import type { Collection, Json } from '../../storage/contract.ts'
import { checked, storable } from './check.ts'

/** An object with these members and no others. */
const record = <A extends Args>(members: A): Arg<ObjectValue<A>, false> =>
  object(members, { additionalProperties: false })

/** An object whose members have any names. */
const mapOf = <T>(member: Arg<T>): Arg<{ readonly [name: string]: T }, false> => ({
  node: { type: 'object', additionalProperties: member.node },
})

const text = str()
const filled = str({ minLength: 1 })
const integer = int({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
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
const meta = mapOf(json)

/** What a record of a feature holds in a field of each kind. */
export const fieldKinds: { readonly [kind in Collection['fields'][string]]: Arg<Json> } = {
  integer: nullable(integer),
  number: nullable(num()),
  text: nullable(text),
  boolean: nullable(bool()),
  json,
}

/** An application password; of its secret only the digest. */
const passwordEntry = record({
  name: required(text),
  app_id: text,
  digest: required(sha256),
  created: time,
  last_used: nullable(time),
  last_ip: nullable(text),
})

const user = record({
  key: required(key),
  login: required(filled),
  display_name: text,
  nicename: filled,
  email: text,
  url: text,
  first_name: text,
  last_name: text,
  nickname: text,
  description: text,
  role: filled,
  roles: list(filled),
  capabilities: mapOf(bool()),
  password: text,
  password_digest: text,
  application_password: filled,
  application_password_digest: filled,
  application_passwords: list(passwordEntry),
  blocked: bool(),
  registered: time,
  meta,
})

const termMembers = {
  key: required(key),
  slug: required(filled),
  name: required(text),
  parent: nullable(key),
  description: text,
  meta,
}

const revision = record({
  author: nullable(key),
  date: required(time),
  date_gmt: nullable(time),
  modified: time,
  modified_gmt: time,
  title: text,
  content: text,
  excerpt: text,
  /** True: an autosave, the unpublished changes of one author. */
  autosave: bool(),
  /** Only if it differs from the default slug of revisions. */
  slug: text,
  comment_status: text,
  ping_status: text,
  format: text,
  template: text,
  password: text,
  sticky: bool(),
  mime_type: text,
  featured_media: nullable(key),
  status: filled,
  meta,
})

const postMembers = {
  key: required(key),
  title: text,
  /** Default: the key. */
  slug: text,
  author: nullable(key),
  date: time,
  /** Null: a draft without a fixed date. Absent: derived from `date`. */
  date_gmt: nullable(time),
  modified: time,
  modified_gmt: time,
  content: text,
  excerpt: text,
  password: text,
  categories: keys,
  tags: keys,
  /** Terms of other taxonomies. */
  terms: mapOf(keys),
  format: text,
  sticky: bool(),
  template: text,
  featured_media: nullable(key),
  menu_order: integer,
  comment_status: text,
  ping_status: text,
  mime_type: text,
  meta,
  /** Meta whose value is the id of another entry, by key with the kind: `page.about`. */
  meta_references: mapOf(filled),
  revisions: list(revision),
  status_before_trash: text,
  desired_slug: text,
}

const status = oneOf(['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'])
/** The key of an entry of the same kind; for another kind with the kind before it: `post.hello`. */
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

const members = {
  options,
  users: list(user),
  categories: list(record(termMembers)),
  tags: list(record(termMembers)),
  /** Terms of other taxonomies. */
  terms: list(record({ ...termMembers, taxonomy: required(filled) })),
  media: list(medium),
  pages: list(page),
  posts: list(post),
  /** Posts of other types: templates, components, builder documents. */
  documents: list(otherPost),
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

/** A document, and the entries of the members that features add. */
export interface ReadDocument {
  readonly document: SiteDocument
  readonly expanded: readonly ExpandedEntries[]
  /** The documents that were joined, each on its own: the ids of posts follow the order of the documents. */
  readonly parts?: readonly ReadDocument[]
}

/** Throws a SiteDocumentError that names the position of the first mistake. Whether keys exist is not checked here. */
export function readDocument(value: unknown, sections: readonly DocumentSection[] = []): ReadDocument {
  const added = Object.fromEntries(sections.map(({ member, entry }) => [member, list(entry)]))
  const whole = checked(record({ ...members, ...added }), storable(value), '')
  const expanded = sections.flatMap(({ member, expand }) => {
    const entries: unknown = (whole as { readonly [name: string]: unknown })[member]
    // The cast: the schema of the section checked each entry.
    return Array.isArray(entries) ? entries.map((entry) => expand(entry as never)) : []
  })
  const names = new Set(sections.map(({ member }) => member))
  const document = Object.fromEntries(Object.entries(whole).filter(([name]) => !names.has(name)))
  return { document, expanded }
}

/** Documents that complete each other: lists are joined, and of options with one name the last wins. */
export function joinDocuments(documents: readonly ReadDocument[]): ReadDocument {
  const joined: { [name: string]: unknown } = {}
  for (const { document } of documents) {
    for (const [name, value] of Object.entries(document)) joined[name] = joinedMember(joined[name], value)
  }
  return { document: joined, expanded: documents.flatMap(({ expanded }) => expanded), parts: documents }
}

function joinedMember(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  if (typeof before !== 'object' || before === null) return value
  // The cast: members that are no lists are objects, of lists or of options.
  const entries = Object.entries(value as object).map(([name, inner]) => {
    const known: unknown = Object.hasOwn(before, name) ? (before as { [name: string]: unknown })[name] : undefined
    return [name, Array.isArray(known) && Array.isArray(inner) ? [...known, ...inner] : inner]
  })
  return { ...before, ...Object.fromEntries(entries) }
}
