/** The stored fields of terms of all taxonomies. `id` and `count` are set by the storage. */
import type { StoredFields } from './stored-field.ts'

/**
 * The fields of `storage.terms`. Each row has `id` and `count` besides.
 *
 * ```ts
 * import { termFields } from 'site-api/storage'
 *
 * export const columns = Object.values(termFields).map(({ column }) => column)
 * ```
 */
export const termFields = {
  taxonomy: { kind: 'text', column: 'taxonomy' },
  /** Unique per taxonomy. */
  slug: { kind: 'text', column: 'slug' },
  name: { kind: 'text', column: 'name', isFolded: true, hasIdentity: true },
  description: { kind: 'text', column: 'description', default: '', inDocuments: true },
  parent: { kind: 'integer', column: 'parent', default: 0 },
} as const satisfies StoredFields
