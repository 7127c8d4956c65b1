/** Remediations and pages in responses, and the schemas of all accessibility responses. */

import type { Json, StoredRecord } from '../../../contract/storage.ts'
import { bool, int, list, oneOf, str } from '../../../core/declare/args.ts'
import {
  either,
  exactly,
  fields,
  openFields,
  type ResponseSchema,
  sometimes,
  spacedTime,
} from '../../../core/declare/response-schema.ts'
import { success, successSchema } from '../../shared/success.ts'

export const message = (text: string) => success({ message: text })

const digit = (value: Json | undefined) => (value === true ? '1' : '0')

/** Interface: all values of a listed remediation are strings, booleans as '0' and '1'. */
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

/** `override`: the value of the page's override, if it has one. */
export const globalRowView = (row: StoredRecord, override: boolean | undefined) => ({
  ...rowView(row),
  active_for_page: digit(override ?? row['active']),
})

/** Interface: a new remediation has a numeric id and booleans. */
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

// ---------------------------------------------------------------- schemas

export const messageSchema = successSchema(fields({ message: str() }, { title: 'Message' }))

const texts = {
  url: str({ description: 'The page on which it was made.' }),
  category: str({ description: 'The level of conformance: A, AA or AAA.' }),
  rule: str({ description: 'What it is about.' }),
  group: str({ description: 'The kind of rules that the rule belongs to.' }),
  content: str({ description: 'What it changes, as JSON text.' }),
}
const created = spacedTime('When it was made, in UTC.')
const updated = spacedTime('When it was last changed, in UTC.')
const times = { created_at: created, updated_at: updated }
const flag = oneOf(['0', '1'])

const row = { id: str(), ...texts, active: flag, global: flag, ...times }

export const itemsSchema = successSchema(
  fields({
    message: str(),
    data: fields({
      page: list(fields(row, { title: 'Remediation' }), { description: 'Those of the page alone.' }),
      global: list(fields({ ...row, active_for_page: flag }, { title: 'Global remediation' }), {
        description: 'Those of all pages, with what this page says about them.',
      }),
    }),
  }),
)

export const newItemSchema = successSchema(
  fields({
    remediation: fields(
      { id: int(), ...texts, active: bool(), global: bool(), ...times },
      { title: 'New remediation' },
    ),
    message: str(),
  }),
)

export const registeredSchema = successSchema(
  fields({
    message: str(),
    data: fields(
      {
        id: int(),
        url: str(),
        title: str(),
        object_id: str({ description: 'The post or term that the page shows; empty when none was named.' }),
        object_type: str(),
        object_type_name: str(),
        hash: exactly(''),
        full_html: exactly(null),
        violations: int({ description: 'How many issues the scan found.' }),
        resolved: int(),
        status: oneOf(['active', 'disabled']),
        ...times,
      },
      { title: 'Scanned page' },
    ),
  }),
)

export const mediumSchema = successSchema(str({ description: 'The text that the file consists of.' }))

const closedSchema: ResponseSchema<'1' | false> = either(exactly('1'), exactly(false))

export const settingsSchema = successSchema(
  fields({
    isConnected: bool(),
    closePostConnectModal: closedSchema,
    closeOnboardingModal: closedSchema,
    closeGetStartedModal: closedSchema,
    isRTL: bool({ description: 'Whether the language of the caller is written from right to left.' }),
    isUrlMismatch: bool({ description: 'Whether the site was connected at another address.' }),
    unfilteredUploads: bool(),
    homeUrl: str({ format: 'uri' }),
    isBuilderOne: bool(),
    widgetActivationSettings: openFields({ enabled: sometimes(bool()) }),
  }),
)
