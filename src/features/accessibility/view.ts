/** Remediations and pages as clients see them. */
import type { Json, StoredRecord } from '../../storage/contract.ts'

export const success = (data: unknown) => ({ success: true, data })
export const message = (text: string) => success({ message: text })

const digit = (value: Json | undefined) => (value === true ? '1' : '0')

/** Interface: all values are texts, as they come out of the field's storage. */
export const rowView = (row: StoredRecord) => ({
  id: String(row.id),
  url: row['url'],
  category: row['category'],
  rule: row['rule'],
  group: row['group'],
  content: row['content'],
  active: digit(row['active']),
  global: digit(row['global']),
  created_at: row['created_at'],
  updated_at: row['updated_at'],
})

/** `override`: what the page itself says. */
export const globalRowView = (row: StoredRecord, override: boolean | undefined) => ({
  ...rowView(row),
  active_for_page: digit(override ?? row['active']),
})

/** Interface: right after it was made, it has a number and real booleans. */
export const newRowView = (row: StoredRecord) => ({
  ...rowView(row),
  active: row['active'],
  global: row['global'],
  id: row.id,
})

export const pageView = (row: StoredRecord) => ({
  id: row.id,
  url: row['url'],
  title: row['title'],
  object_id: String(row['post'] ?? row['term'] ?? ''),
  object_type: row['object_type'],
  object_type_name: row['object_type_name'],
  hash: '',
  full_html: null,
  violations: row['violations'],
  resolved: row['resolved'],
  status: row['status'],
  created_at: row['created_at'],
  updated_at: row['updated_at'],
})
