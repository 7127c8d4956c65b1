/** Display conditions that compare the time in the time zone of the site. */
import { ownValue, textOf } from '../document/values.ts'
import type { Condition, ConditionContext } from '../pass/pass.ts'
import { localNow } from '../template-context/dates.ts'
import { compareOrder, compareSets, listOf } from './compare.ts'

const text = ({ stored }: ConditionContext, ...names: readonly string[]): string =>
  names.map((name) => textOf(ownValue(stored, name))).find((value) => value !== '') ?? ''

const order = (first: string, second: string): number => (first === second ? 0 : first < second ? -1 : 1)

export const currentDate: Condition = (context) => {
  const now = localNow(context.pass)
  const wanted = text(context, 'date', 'value').replace(' ', 'T').slice(0, 16)
  if (!/^\d{4}-\d\d-\d\d/.test(wanted)) return false
  return compareOrder(context.comparator, order(now.slice(0, wanted.length), wanted))
}

const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/** Stored days are numbers (0 is Sunday) or names. */
export const dayOfWeek: Condition = ({ stored, comparator, pass }) => {
  const day = new Date(`${localNow(pass)}Z`).getUTCDay()
  const wanted = listOf(ownValue(stored, 'days') ?? ownValue(stored, 'day')).map((one) => one.toLowerCase())
  return compareSets(comparator, [String(day), DAYS[day] ?? ''], wanted)
}

/** Reads `9:30`, `09:30` or `9:30 pm` as 24-hour `HH:MM`. */
function timeOf(written: string): string | undefined {
  const parts = /^(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap]m)?$/i.exec(written.trim())
  if (!parts) return undefined
  const half = parts[3]?.toLowerCase()
  const hour = half === undefined ? Number(parts[1]) : (Number(parts[1]) % 12) + (half === 'pm' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${parts[2]}`
}

export const timeOfDay: Condition = (context) => {
  const now = localNow(context.pass).slice(11, 16)
  const wanted = timeOf(text(context, 'time', 'value'))
  return wanted !== undefined && compareOrder(context.comparator, order(now, wanted))
}
