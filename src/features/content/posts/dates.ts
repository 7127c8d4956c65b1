/** The dates of a post, and whether they make it scheduled. The rules are the interface's. */
import { ApiError } from '../../../core/declare/errors.ts'
import type { Settings } from '../../../site/settings.ts'
import type { SiteMoment } from '../../../site/time-zone.ts'
import type { Post } from '../../../storage/contract.ts'

export interface PostDates {
  readonly date: string
  /** Null: floating, so the date follows the clock. */
  readonly dateGmt: string | null
}

export interface DateInput {
  /** Null makes the date of a draft floating again and sets that of any other post to now. */
  readonly date?: string | null
  readonly date_gmt?: string | null
}

const floatingStatuses = ['draft', 'pending', 'auto-draft']
export const isFloatingStatus = (status: string) => floatingStatuses.includes(status)

/** `date` wins over `date_gmt`. The date of a draft floats until a request sets it. Throws `invalid_date`. */
export function datesFor(
  input: DateInput,
  before: Pick<Post, 'date' | 'dateGmt' | 'status'> | undefined,
  status: string,
  settings: Settings,
  clock: () => number,
): PostDates {
  const { time } = settings
  const now = time.now(clock)
  let date = before?.date ?? ''
  let dateGmt = before?.dateGmt ?? null
  const parse = (text: string, isGmt: boolean) => requireValid(time.parseDate(text, { isGmt, isExact: true }))
  const local = input.date ? parse(input.date, false) : undefined
  const gmt = input.date || !input.date_gmt ? undefined : parse(input.date_gmt, true)
  let isSet = false
  if (local && local.local !== before?.date) [date, dateGmt, isSet] = [local.local, local.gmt, true]
  else if (gmt && gmt.gmt !== before?.dateGmt) [date, dateGmt, isSet] = [gmt.local, gmt.gmt, true]
  if (input.date === null || input.date_gmt === null) [date, dateGmt] = ['', null]
  const floats = before !== undefined && isFloatingStatus(before.status) && before.dateGmt === null && !isSet
  if (floats || date === '') date = now.local
  if (floats) dateGmt = null
  if (dateGmt === null && !isFloatingStatus(status)) dateGmt = time.toGmt(date)
  return { date, dateGmt }
}

function requireValid(time: SiteMoment | undefined): SiteMoment {
  if (!time) throw new ApiError('invalid_date', 'Invalid date.', 400)
  return time
}

const minuteMs = 60_000

/** A published post dated a minute ahead or more is scheduled; a scheduled one that is due is published. */
export function statusAt(status: string, dateGmt: string | null, clock: () => number): string {
  if (status !== 'publish' && status !== 'future') return status
  const ahead = dateGmt !== null && Date.parse(`${dateGmt}Z`) - clock() >= minuteMs
  return ahead ? 'future' : 'publish'
}
