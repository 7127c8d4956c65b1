/** The fields of posts, terms and users that picker responses may contain. Other fields are never sent. */

import type { Post, Term, User } from '../../../contract/storage.ts'
import { int, list, str } from '../../../core/declare/args.ts'
import { either, exactly, fields, mapOf } from '../../../core/declare/response-schema.ts'
import { decodeReferences } from '../../../render/filter/references.ts'
import { contentTaxonomies, findContentType } from '../../content/content-types/model.ts'

/** Members have the names that the caller chose; by default `id`, `label` and `groupLabel`. */
export const pickerSchema = fields(
  {
    success: exactly(true),
    data: fields({ value: list(mapOf(either(str(), int()))) }),
  },
  { title: 'What a picker has found' },
)

/** Fields by their public names; `label` is the display text that replaces the value of one field. */
export interface PickerRecord {
  readonly fields: ReadonlyMap<string, string | number>
  readonly label: { readonly field: string; readonly text: string | undefined }
}

/** Picks the chosen fields under their new names. Without names: all fields under theirs. */
export function pickerView({ fields, label }: PickerRecord, names: ReadonlyMap<string, string>): object {
  if (names.size === 0) return Object.fromEntries(fields)
  return Object.fromEntries(
    [...names].flatMap(([from, to]): [string, string | number][] => {
      // Interface: for types, taxonomies and roles the response contains the display name.
      const value = from === label.field ? label.text : fields.get(from)
      return value === undefined ? [] : [[to, value]]
    }),
  )
}

export const postRecord = (post: Post): PickerRecord => ({
  fields: new Map<string, string | number>([
    ['ID', post.id],
    ['post_title', post.title],
    ['post_type', post.type],
    ['post_name', post.slug],
    ['post_status', post.status],
    ['post_author', post.author],
    ['post_parent', post.parent],
    ['post_date', post.date],
    ['post_modified', post.modified],
  ]),
  label: { field: 'post_type', text: findContentType(post.type)?.pluralLabel },
})

export const termRecord = (term: Term): PickerRecord => ({
  fields: new Map<string, string | number>([
    ['term_id', term.id],
    ['name', decodeReferences(term.name)],
    ['slug', term.slug],
    ['taxonomy', term.taxonomy],
    ['description', term.description],
    ['parent', term.parent],
  ]),
  label: { field: 'taxonomy', text: contentTaxonomies.get(term.taxonomy) },
})

/** Contains neither login nor e-mail for any caller. */
export const userRecord = ({ id, displayName, slug, url, roles: [role] }: User): PickerRecord => ({
  fields: new Map<string, string | number>([
    ['ID', id],
    ['display_name', displayName],
    ['user_nicename', slug],
    ['user_url', url],
    ...(role === undefined ? [] : [['role', role] as const]),
  ]),
  label: { field: 'role', text: role === undefined ? undefined : roleLabel(role) },
})

/** `shop_manager`: Shop manager. */
const roleLabel = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1).replaceAll('_', ' ')
