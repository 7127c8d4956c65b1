/** Selects the columns of posts, and converts rows to posts and entries of an ids page. */
import { postFields } from '../../../contract/fields/posts.ts'
import type { IdsPageEntry } from '../../../contract/storage.ts'
import { rowReader } from '../engine/fields.ts'
import type { Row } from '../engine/fragments.ts'

const integer = { kind: 'integer' } as const

/** Whole rows. */
export const postReader = rowReader({
  id: { ...integer, column: 'id' },
  ...postFields,
  version: { ...integer, column: 'version' },
})

export const headColumns = ['id', 'type', 'status', 'author', 'parent', 'version'] as const

export function headOf(row: Row): IdsPageEntry {
  const head = { id: row[0], type: row[1], status: row[2], author: row[3], parent: row[4], version: row[5] }
  // The cast: the schema types the columns, and strict tables enforce them.
  return head as IdsPageEntry
}
