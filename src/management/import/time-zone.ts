/** Infers the time zone of a site from dates that a file has both in site time and in GMT. */

import type { Json } from '../../contract/storage.ts'

/** More months than a site is old; one date of each month and offset is compared. */
const maxMonths = 1200

interface Observed {
  readonly at: number
  readonly minutes: number
}

/** Zones whose rules stand for those of their part of the world, where the language names no country. */
const commonZones = [
  ...['Europe/London', 'Europe/Berlin', 'Europe/Athens', 'Europe/Moscow'],
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Sao_Paulo'],
  ...['Australia/Sydney', 'Pacific/Auckland'],
]

export class ZoneObserver {
  readonly #months = new Map<string, Observed>()

  add(local: string, gmt: string): void {
    const [here, there] = [timeOf(local), timeOf(gmt)]
    if (here === undefined || there === undefined) return
    const minutes = Math.round((here - there) / 60_000)
    // Zones are at most 14 hours from GMT, in steps of a quarter.
    if (Math.abs(minutes) > 14 * 60 || minutes % 15 !== 0) return
    const key = `${gmt.slice(0, 7)} ${minutes}`
    if (this.#months.size < maxMonths) this.#months.set(key, { at: there, minutes })
  }

  /**
   * The options that name the zone: one of the language's country that agrees with all dates; else a fixed offset where all dates have
   * it, or a common zone with the same change of the clocks; none where the dates agree with no zone.
   */
  found(language: string | undefined): { readonly [option: string]: Json } {
    const observed = [...this.#months.values()]
    const [first] = observed
    if (!first) return {}
    const zones = zonesOf(language)
    const byUse = [...commonZones.filter((each) => zones.includes(each)), ...zones]
    const zone = byUse.find((each) => agrees(each, observed))
    if (zone !== undefined) return { timezone_string: zone }
    if (observed.every(({ minutes }) => minutes === first.minutes)) return { gmt_offset: first.minutes / 60 }
    const common = commonZones.find((each) => agrees(each, observed))
    return common === undefined ? {} : { timezone_string: common }
  }
}

function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/.test(text.trim()) || text.trim().startsWith('0000')) return undefined
  const time = Date.parse(`${text.trim().replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** Lists the zones of the country that a language tag such as `de-CH` names. */
function zonesOf(language: string | undefined): readonly string[] {
  try {
    const locale = new Intl.Locale((language ?? '').replaceAll('_', '-')) as Intl.Locale & {
      getTimeZones?(): readonly string[] | undefined
    }
    return locale.getTimeZones?.() ?? []
  } catch {
    return []
  }
}

function agrees(zone: string, observed: readonly Observed[]): boolean {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return observed.every(({ at, minutes }) => offsetIn(format, at) === minutes)
}

function offsetIn(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', rest = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest))
}
