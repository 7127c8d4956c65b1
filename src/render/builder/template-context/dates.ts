/** Formats dates of the site. A format consists of letters: `F j, Y` is `January 5, 2026`; a backslash escapes a letter. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import { textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import { options } from '../records/kinds.ts'

const DEFAULTS = { date_format: 'F j, Y', time_format: 'g:i a' } as const

export function siteFormat(name: keyof typeof DEFAULTS, pass: Pass): string {
  pass.depend(`option:${name}`)
  return textOf(pass.get(options, name)) || DEFAULTS[name]
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const DAY = 86_400_000

const two = (value: number): string => String(value).padStart(2, '0')
const twelve = (hours: number): number => hours % 12 || 12
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function ordinal(day: number): string {
  if (day > 10 && day < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

/** ISO 8601: the week belongs to the year that contains its Thursday. */
function week(date: Date): { readonly year: number; readonly number: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY)
  const year = thursday.getUTCFullYear()
  return { year, number: 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY)) }
}

interface Moment {
  /** The local time, stored as if it were GMT. */
  readonly date: Date
  /** The offset from GMT in hours. */
  readonly offset: number
  readonly zone: string
}

function offsetText(hours: number, colon: string): string {
  const minutes = Math.round(Math.abs(hours) * 60)
  return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`
}

const LETTERS: { readonly [letter: string]: (moment: Moment) => string | number } = lookupTable({
  d: ({ date }) => two(date.getUTCDate()),
  j: ({ date }) => date.getUTCDate(),
  D: ({ date }) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  l: ({ date }) => DAYS[date.getUTCDay()] ?? '',
  N: ({ date }) => date.getUTCDay() || 7,
  w: ({ date }) => date.getUTCDay(),
  S: ({ date }) => ordinal(date.getUTCDate()),
  z: ({ date }) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY),
  W: ({ date }) => two(week(date).number),
  o: ({ date }) => week(date).year,
  F: ({ date }) => MONTHS[date.getUTCMonth()] ?? '',
  M: ({ date }) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  m: ({ date }) => two(date.getUTCMonth() + 1),
  n: ({ date }) => date.getUTCMonth() + 1,
  t: ({ date }) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  L: ({ date }) => (isLeap(date.getUTCFullYear()) ? 1 : 0),
  Y: ({ date }) => date.getUTCFullYear(),
  y: ({ date }) => two(date.getUTCFullYear() % 100),
  a: ({ date }) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: ({ date }) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: ({ date }) => twelve(date.getUTCHours()),
  G: ({ date }) => date.getUTCHours(),
  h: ({ date }) => two(twelve(date.getUTCHours())),
  H: ({ date }) => two(date.getUTCHours()),
  i: ({ date }) => two(date.getUTCMinutes()),
  s: ({ date }) => two(date.getUTCSeconds()),
  P: ({ offset }) => offsetText(offset, ':'),
  O: ({ offset }) => offsetText(offset, ''),
  e: ({ zone }) => zone,
  T: ({ zone, offset }) => zone || offsetText(offset, ':'),
  c: (moment) => `${moment.date.toISOString().slice(0, 19)}${offsetText(moment.offset, ':')}`,
  U: ({ date, offset }) => Math.floor(date.getTime() / 1000 - offset * 3600),
})

const maxFormat = 200

/** Formats `local`, which is `YYYY-MM-DDTHH:MM:SS` in the time zone of the site, as plain text. */
export const formatDate = (local: string, format: string, pass: Pass): string =>
  pass.once(`date ${local} ${format}`, () => dateText(local, format, pass))

function dateText(local: string, format: string, pass: Pass): string {
  const time = Date.parse(`${local}Z`)
  if (Number.isNaN(time)) return ''
  pass.depend('option:timezone')
  const { site } = pass
  const moment: Moment = {
    date: new Date(time),
    offset: site.time.offsetHours(Date.parse(`${site.time.toGmt(local)}Z`)),
    zone: site.timeZone,
  }
  let text = ''
  const letters = format.slice(0, maxFormat)
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ''
    if (letter === '\\') text += letters[++at] ?? ''
    else text += Object.hasOwn(LETTERS, letter) ? String(LETTERS[letter]?.(moment) ?? '') : letter
  }
  return text
}

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** Returns the age in words: `3 days ago`. The result depends on the clock. */
export function ageOf(gmt: string, pass: Pass): string {
  pass.depend('vary:time')
  const seconds = Math.round((pass.now - Date.parse(`${gmt}Z`)) / 1000)
  const [name, unit] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const count = Math.max(1, Math.floor(Math.abs(seconds) / unit))
  const span = `${count} ${name}${count === 1 ? '' : 's'}`
  return seconds < 0 ? `in ${span}` : `${span} ago`
}

/** Returns the day of the render in the time zone of the site: `2026-01-09`. */
export function localDay(pass: Pass): string {
  pass.depend('vary:day')
  pass.depend('option:timezone')
  return pass.site.time.now(() => pass.now).local.slice(0, 10)
}

/** Returns the time of the render in the time zone of the site. */
export function localNow(pass: Pass): string {
  pass.depend('vary:time')
  pass.depend('option:timezone')
  return pass.site.time.now(() => pass.now).local
}
