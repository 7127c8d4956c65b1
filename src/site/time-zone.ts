/**
 * Converts between the site's local time and GMT by the rules of its time zone on the given date. Texts have the form
 * `YYYY-MM-DDTHH:MM:SS`; times are milliseconds since 1970.
 */
import { fromEpochMilliseconds, toZonedDateTimeISO } from 'temporal-polyfill/fns/Instant'
import { offsetNanoseconds } from 'temporal-polyfill/fns/ZonedDateTime'

export interface SiteTime {
  /** The GMT of a local time. A local time that a clock change skips moves forward. */
  toGmt(local: string): string
  toLocal(gmt: string): string
  /** Hours ahead of GMT at a time, with two decimals. */
  offsetHours(moment: number): number
  /**
   * Parses a client's date; undefined when it is invalid. A date with an offset is converted, one without is site time,
   * or GMT with `isGmt`. Days beyond the end of a month run over. Dates outside the years 1 to 9999 are clamped; with
   * `isExact` they are invalid.
   */
  parseDate(text: string, options?: { readonly isGmt?: boolean; readonly isExact?: boolean }): SiteMoment | undefined
  now(clock: () => number | Date): SiteMoment
}

export interface SiteMoment {
  readonly local: string
  readonly gmt: string
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Days whose offset is cached per zone; beyond that the cache is cleared. */
const MAX_DAYS = 4096
const EARLIEST = Date.UTC(2000, 0, 1) - 730_485 * DAY
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59)
const YEAR_ONE = EARLIEST + 366 * DAY

/** Throws a RangeError for an unknown zone. Without a zone the fixed offset counts, in hours. */
export function createSiteTime(site: {
  readonly timeZone?: string | null
  readonly gmtOffset?: number | null
}): SiteTime {
  const offsetAt = site.timeZone ? zoneOffset(site.timeZone) : fixedOffset(site.gmtOffset ?? 0)

  const toMoment = (wall: number): number => {
    const current = offsetAt(wall)
    const before = offsetAt(wall - current)
    if (current === before || current > 0) return wall - before
    return offsetAt(wall - before) === before ? wall - before : wall - current
  }
  const at = (moment: number): SiteMoment => ({ local: toText(moment + offsetAt(moment)), gmt: toText(moment) })
  // A write asks for the same second several times.
  let second = Number.NaN
  let current: SiteMoment = at(0)
  const isExact = (moment: number): boolean => {
    const wall = moment + offsetAt(moment)
    return Math.min(wall, moment) >= YEAR_ONE && Math.max(wall, moment) < LATEST + 1000
  }

  return {
    toGmt: (local) => toText(toMoment(toMilliseconds(local))),
    toLocal: (gmt) => {
      const moment = toMilliseconds(gmt)
      return toText(moment + offsetAt(moment))
    },
    offsetHours: (moment) => Math.round((offsetAt(moment) / HOUR) * 100) / 100,
    parseDate: (text, options) => {
      const date = readDate(text)
      if (date === undefined) return undefined
      const { wall, offset } = date
      const moment = offset !== undefined ? wall - offset : options?.isGmt === true ? wall : toMoment(wall)
      return options?.isExact === true && !isExact(moment) ? undefined : at(moment)
    },
    now: (clock) => {
      const moment = Number(clock())
      if (Math.floor(moment / 1000) === second) return current
      second = Math.floor(moment / 1000)
      current = at(moment)
      return current
    },
  }
}

function fixedOffset(hours: number): (moment: number) => number {
  const minutes = Math.trunc(Math.round(hours * 6000) / 100)
  return () => minutes * 60_000
}

interface ZoneDay {
  readonly before: number
  readonly after: number
  /** The first time with the offset `after`; on most days nothing changes. */
  readonly change: number
}

/** Offsets are computed once per day: the zone rules cost a thousand times more than the cache. */
function zoneOffset(timeZone: string): (moment: number) => number {
  const ask = (moment: number) =>
    offsetNanoseconds(toZonedDateTimeISO(fromEpochMilliseconds(moment), timeZone)) / 1_000_000
  const days = new Map<number, ZoneDay>()
  ask(0)

  return (moment) => {
    const number = Math.floor(moment / DAY)
    let day = days.get(number)
    if (day === undefined) {
      if (days.size >= MAX_DAYS) days.clear()
      day = zoneDay(ask, number * DAY)
      days.set(number, day)
    }
    return moment < day.change ? day.before : day.after
  }
}

/** Finds the second of the change by bisection; no zone changes twice within a day. */
function zoneDay(ask: (moment: number) => number, start: number): ZoneDay {
  const before = ask(start)
  const after = ask(start + DAY)
  let from = start
  let change = before === after ? start : start + DAY
  while (change - from > 1000) {
    const middle = from + Math.floor((change - from) / 2000) * 1000
    if (ask(middle) === before) from = middle
    else change = middle
  }
  return { before, after, change }
}

/** Years have four digits; times outside are clamped to the first or last second. */
function toText(moment: number): string {
  return new Date(Math.min(Math.max(moment, EARLIEST), LATEST)).toISOString().slice(0, 19)
}

/** For text in our own form; other text is a programming error. */
function toMilliseconds(text: string): number {
  const wall = text.length === 19 ? Date.parse(`${text}Z`) : Number.NaN
  if (Number.isNaN(wall)) throw new RangeError(`not a time in the form YYYY-MM-DDTHH:MM:SS: ${text.slice(0, 40)}`)
  return wall
}

/**
 * Interface: month 0, day 0, hour 24, second 60 and days beyond the end of a month run over; other values are invalid.
 */
const DAY_PART = '(\\d{4})-(0\\d|1[0-2])-([0-2]\\d|3[01])'
const TIME_PART = '([01]\\d|2[0-4]):([0-5]\\d):([0-5]\\d|60)'
const ZONE_PART = '(?:(Z)|([+-])([01]\\d|2[0-4])(?::([0-5]\\d))?)?'
export const dateTimePattern = `^${DAY_PART}[Tt ]${TIME_PART}(?:\\.\\d+)?${ZONE_PART}$`
export const datePattern = `^${DAY_PART}(?:[T ]${TIME_PART}${ZONE_PART})?$`
const WRITTEN = new RegExp(dateTimePattern)

function readDate(text: string): { wall: number; offset: number | undefined } | undefined {
  const parts = WRITTEN.exec(text)
  if (parts === null) return undefined
  const wall = wallTime(parts)
  if (parts[7] !== undefined) return { wall, offset: 0 }
  if (parts[8] === undefined) return { wall, offset: undefined }
  const ahead = Number(parts[9]) * HOUR + Number(parts[10] ?? 0) * 60_000
  return { wall, offset: parts[8] === '-' ? -ahead : ahead }
}

/** `Date.UTC` maps years below 100 to the 1900s; the calendar repeats after 400 years. */
function wallTime(parts: readonly string[]): number {
  const [, year, month, day, hours, minutes, seconds] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year + 400, month - 1, day, hours, minutes, seconds) - 146_097 * DAY
}
