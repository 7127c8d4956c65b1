/** When a post is dated, and whether that makes it scheduled. The rules are the interface's. */
import { ApiError } from '../../../core/declare/errors.ts'
import type { Settings } from '../../../site/settings.ts'
import type { SiteMoment } from '../../../site/time-zone.ts'
import type { Post } from '../../../storage/contract.ts'

export interface PostDates {
  readonly date: string
  /** Null: floating. */
  readonly dateGmt: string | null
}

export interface DateInput {
  /** Null sets a draft floating again and any other post to now. */
  readonly date?: string | null
  readonly date_gmt?: string | null
}

const floatingStatuses = ['draft', 'pending', 'auto-draft']
export const isFloatingStatus = (status: string) => floatingStatuses.includes(status)

/** `date` wins over `date_gmt`. A draft keeps following the clock until somebody gives it a date. Throws `invalid_date`. */
export function datesFor(
  sent: DateInput,
  before: Pick<Post, 'date' | 'dateGmt' | 'status'> | undefined,
  status: string,
  settings: Settings,
  clock: () => number,
): PostDates {
  const { time } = settings
  const now = time.now(clock)
  let date = before?.date ?? ''
  let dateGmt = before?.dateGmt ?? null
  const read = (text: string, isGmt: boolean) => requireValid(time.parseDate(text, { isGmt, isExact: true }))
  const local = sent.date ? read(sent.date, false) : undefined
  const gmt = sent.date || !sent.date_gmt ? undefined : read(sent.date_gmt, true)
  let isGiven = false
  if (local && local.local !== before?.date) [date, dateGmt, isGiven] = [local.local, local.gmt, true]
  else if (gmt && gmt.gmt !== before?.dateGmt) [date, dateGmt, isGiven] = [gmt.local, gmt.gmt, true]
  if (sent.date === null || sent.date_gmt === null) [date, dateGmt] = ['', null]
  const floats = before !== undefined && isFloatingStatus(before.status) && before.dateGmt === null && !isGiven
  if (floats || date === '') date = now.local
  if (floats) dateGmt = null
  if (dateGmt === null && !isFloatingStatus(status)) dateGmt = time.toGmt(date)
  return { date, dateGmt }
}

function requireValid(moment: SiteMoment | undefined): SiteMoment {
  if (!moment) throw new ApiError('invalid_date', 'Invalid date.', 400)
  return moment
}

const minuteMs = 60_000

/** A published post dated a minute ahead or more is scheduled; a scheduled one that is due is published. */
export function statusAt(status: string, dateGmt: string | null, clock: () => number): string {
  if (status !== 'publish' && status !== 'future') return status
  const ahead = dateGmt !== null && Date.parse(`${dateGmt}Z`) - clock() >= minuteMs
  return ahead ? 'future' : 'publish'
}
