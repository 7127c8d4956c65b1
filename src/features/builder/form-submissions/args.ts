/** Arguments of the form and submission routes, with the checks of their values. */

import { splitList } from '../../../contract/scalars.ts'
import { bool, context, int, list, loose, object, oneOf, required, search, str } from '../../../core/declare/args.ts'
import { formPattern, midnight } from './model.ts'

const options = oneOf(['options'], { default: 'options', description: 'Choices for a filter.' })

const day = (description: string) =>
  str({
    format: 'date',
    description,
    check: (input: string) => (isDay(input) ? undefined : { code: 'rest_invalid_date', message: 'This is no date.' }),
  })

function isDay(input: string): boolean {
  try {
    midnight(input)
    return true
  } catch {
    return false
  }
}

const filterArgs = (perPage: { readonly default: number; readonly maximum: number }) => ({
  context: context(),
  page: int({ default: 1, minimum: 1, description: 'The page of the list, from 1.' }),
  per_page: int({
    default: perPage.default as number,
    minimum: 1,
    maximum: perPage.maximum,
    description: 'How many submissions a page has at most.',
  }),
  search: search('Finds only submissions with this text in their values or their id.'),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'Direction of the order.' }),
  order_by: oneOf(['created_at', 'id', 'main_meta_id'], { default: 'created_at', description: 'Order by a field.' }),
  status: oneOf(['all', 'unread', 'read', 'trash'], {
    default: 'all',
    description: 'Only submissions in this state; all is everything outside the trash.',
  }),
  form: str({
    description: 'Only submissions of this form: the id of its post, an underscore, the id of its element.',
    check: (input: string) => (input === '' || formPattern.test(input) ? undefined : 'This is no id of a form.'),
  }),
  referer: str({ description: 'Only submissions that were sent from this page.' }),
  after: day('Only submissions of this day and later ones, in the time zone of the site.'),
  before: day('Only submissions of this day and earlier ones, in the time zone of the site.'),
})

/** Texts must be digits only, so `1e9` is refused. Undefined if an entry is not an integer. */
export function toIds(input: unknown): readonly number[] | undefined {
  const raw = Array.isArray(input) ? input : typeof input === 'string' ? splitList(input) : [input]
  const ids = raw.map((entry) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
  return ids.every((id) => Number.isSafeInteger(id)) ? [...new Set(ids as number[])] : undefined
}

const checkIds = (input: unknown) => (toIds(input) === undefined ? 'This is no list of ids.' : undefined)
const checkSomeIds = (input: unknown) => (toIds(input)?.length === 0 ? 'The list is empty.' : checkIds(input))

const ids = { description: 'The submissions.' }
const id = required(int({ description: 'The submission.' }))
const isRead = bool({ description: 'Whether somebody has read it.' })
const force = bool({ description: 'Remove for good instead of moving to the trash.' })

export const optionsArgs = { context: options }
export const listArgs = filterArgs({ default: 50, maximum: 100 })
export const exportArgs = {
  ...filterArgs({ default: 10, maximum: 10_000 }),
  ids: loose(list(int(), { description: 'Only these submissions.' }), checkIds),
  format: oneOf(['csv'], { default: 'csv', description: 'The form of the file.' }),
}
export const bulkDeleteArgs = { ids: required(loose(list(int(), ids), checkSomeIds)), force }
export const bulkUpdateArgs = { ids: required(loose(list(int(), ids), checkSomeIds)), is_read: isRead }
export const bulkRestoreArgs = { ids: required(loose(list(int(), ids), checkSomeIds)) }
export const idArgs = { id }
export const deleteArgs = { id, force }
export const updateArgs = {
  id,
  is_read: isRead,
  values: object(
    {},
    {
      description: 'New texts by the id of their field.',
      check: (input: object) => (Object.values(input).every(isText) ? undefined : 'Each value is a text.'),
    },
  ),
}

const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

export const refererArgs = {
  context: options,
  search: search('Finds only pages with this text in their title.'),
  value: str({ description: 'Only the page with this address.' }),
}
