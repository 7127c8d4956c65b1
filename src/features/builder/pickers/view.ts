/** What the pickers show of a post, a term and a user. A field that is not named here is never answered. */

import { int, list, str } from '../../../core/declare/args.ts'
import { either, exactly, fields, mapOf } from '../../../core/declare/response-schema.ts'
import type { Post, Term, User } from '../../../storage/contract.ts'
import { contentTaxonomies, contentType } from '../../content/content-types/model.ts'

/** Texts and numbers under the names that the caller gave; usually `id`, `label` and `groupLabel`. */
export const pickedForm = fields(
  {
    success: exactly(true),
    data: fields({ value: list(mapOf(either(str(), int()))) }),
  },
  { title: 'What a picker has found' },
)

/** What may be picked, by the names that clients know, and what stands for one of them to people. */
export interface PickerRecord {
  readonly fields: ReadonlyMap<string, string | number>
  readonly label: { readonly field: string; readonly text: string | undefined }
}

/** The named fields under their new names; all of them, as they are, when none is named. */
export function picked({ fields, label }: PickerRecord, names: ReadonlyMap<string, string>): object {
  if (names.size === 0) return Object.fromEntries(fields)
  return Object.fromEntries(
    [...names].flatMap(([from, to]): [string, string | number][] => {
      // Interface: types, taxonomies and roles are answered by the words for people.
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
  label: { field: 'post_type', text: contentType(post.type)?.pluralLabel },
})

export const termRecord = (term: Term): PickerRecord => ({
  fields: new Map<string, string | number>([
    ['term_id', term.id],
    ['name', term.name],
    ['slug', term.slug],
    ['taxonomy', term.taxonomy],
    ['description', term.description],
    ['parent', term.parent],
  ]),
  label: { field: 'taxonomy', text: contentTaxonomies.get(term.taxonomy) },
})

/** Neither login nor e-mail, whoever asks. */
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
