/** The dates of a post, and whether they make it scheduled. The rules are the interface's. */

import type { Post } from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Settings } from '../../../site/settings.ts'
import type { SiteMoment } from '../../../site/time-zone.ts'

interface PostDates {
  readonly date: string
  /** Null: floating, so the date follows the clock. */
  readonly dateGmt: string | null
}

interface DateInput {
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
  const changed = changedDate(input, before, settings)
  let date = changed?.local ?? before?.date ?? ''
  let dateGmt = changed?.gmt ?? before?.dateGmt ?? null
  if (input.date === null || input.date_gmt === null) [date, dateGmt] = ['', null]
  const floats = before !== undefined && isFloatingStatus(before.status) && before.dateGmt === null && !changed
  if (floats || date === '') date = now.local
  if (floats) dateGmt = null
  if (dateGmt === null && !isFloatingStatus(status)) dateGmt = time.toGmt(date)
  return { date, dateGmt }
}

/** The date in the request, if it differs from the stored one. */
function changedDate(
  { date, date_gmt: gmt }: DateInput,
  before: Pick<Post, 'date' | 'dateGmt'> | undefined,
  { time }: Settings,
): SiteMoment | undefined {
  const parse = (text: string, isGmt: boolean) => requireValid(time.parseDate(text, { isGmt, isExact: true }))
  if (date) {
    const parsed = parse(date, false)
    return parsed.local === before?.date ? undefined : parsed
  }
  const parsed = gmt ? parse(gmt, true) : undefined
  return parsed?.gmt === before?.dateGmt ? undefined : parsed
}

function requireValid(time: SiteMoment | undefined): SiteMoment {
  if (!time) throw new ApiError('invalid_date', 'This is no date.', 400)
  return time
}

const minuteMs = 60_000

/** A published post dated a minute ahead or more is scheduled; a scheduled one that is due is published. */
export function statusAt(status: string, dateGmt: string | null, clock: () => number): string {
  if (status !== 'publish' && status !== 'future') return status
  const ahead = dateGmt !== null && Date.parse(`${dateGmt}Z`) - clock() >= minuteMs
  return ahead ? 'future' : 'publish'
}
