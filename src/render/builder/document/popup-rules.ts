/**
 * Reads when a popup opens and closes, from the settings of its document. Clients store the rules among the settings, or in the
 * groups `triggers` and `timing`; a switch is on with `yes`, and its details have its name as their start.
 */
import { numberOf, objectOf, ownValue, type RawSettings, textOf } from './values.ts'

/** When a popup opens and closes by itself. Times are in seconds. */
export interface PopupRules {
  /** Opens so many seconds after the page has loaded. */
  readonly load?: number
  /** Opens when so much of the page is scrolled past, or with the first scroll back. */
  readonly scroll?: { readonly direction: 'down' | 'up'; readonly percent: number }
  /** Opens when the first element of this selector is scrolled to. */
  readonly scrollTo?: string
  /** Opens with the click of this number. */
  readonly clicks?: number
  /** Opens after so many seconds without a movement of the reader. */
  readonly idle?: number
  /** Opens when the pointer leaves the page at its top. */
  readonly exit?: true
  /** Opens by itself at most so many times in a period: for ever, in a visit, a day, a week or a month. */
  readonly times?: { readonly most: number; readonly counts: 'opened' | 'closed'; readonly period: PopupPeriod }
  /** It opens by itself only from the page of a visit with this number on. */
  readonly views?: number
  /** Opens by itself only on these devices. */
  readonly devices?: readonly string[]
  /** A click on an element of this selector opens it. */
  readonly opener?: string
  /** Opens by itself only while no other popup is open. */
  readonly alone?: true
  /** Closes after so many seconds. */
  readonly closeAfter?: number
  /** Shows its button after so many seconds. */
  readonly buttonAfter?: number
  readonly keptOnEscape?: true
  readonly keptOnOverlay?: true
  /** The page behind can be used meanwhile. */
  readonly isBeside?: true
  /** The page behind does not scroll meanwhile. */
  readonly holdsPage?: true
}

type PopupPeriod = 'ever' | 'visit' | 'day' | 'week' | 'month'

const PERIODS: ReadonlyMap<string, PopupPeriod> = new Map([
  ['session', 'visit'],
  ['day', 'day'],
  ['week', 'week'],
  ['month', 'month'],
])

/** Rules of clients that a page can not keep: they need what the site does not know, or the page of the reader before. */
const UNKEPT = ['sessions', 'url', 'sources', 'logged_in', 'browsers', 'schedule']

type Reader = (name: string) => unknown

const isOn = (value: unknown): boolean => value === 'yes' || value === true || value === 'on'

const amountOf = (value: unknown, byDefault: number, most: number): number => {
  const amount = numberOf(typeof value === 'object' && value !== null ? ownValue(objectOf(value), 'size') : value)
  return Math.min(most, Math.max(0, amount ?? byDefault))
}

function readerOf(settings: RawSettings): Reader {
  const groups = [objectOf(ownValue(settings, 'triggers')), objectOf(ownValue(settings, 'timing')), settings]
  return (name) => groups.map((group) => ownValue(group, name)).find((value) => value !== undefined)
}

/** Longer waits are as good as none. */
const maxSeconds = 86_400
const maxCount = 1000

/** Returns undefined for a switch that is off; `read` receives its details. */
const whenOn = <T>(read: Reader, name: string, detail: (name: string) => T): T | undefined =>
  isOn(read(name)) ? detail(name) : undefined

/** `selector` is written by an author; the script of the page ignores one that is none. */
const selectorOf = (value: unknown): string | undefined => textOf(value).trim().slice(0, 500) || undefined

export const popupRules = (settings: RawSettings): PopupRules => rulesOf(readerOf(settings))

function rulesOf(read: Reader): PopupRules {
  const seconds = (name: string, byDefault = 0) => amountOf(read(name), byDefault, maxSeconds)
  const count = (name: string) => Math.max(1, Math.floor(amountOf(read(name), 1, maxCount)))
  const closing = seconds('close_automatically')
  const button = seconds('close_button_delay')
  return withoutAbsent({
    load: whenOn(read, 'page_load', () => seconds('page_load_delay')),
    scroll: whenOn(read, 'scrolling', () => ({
      direction: read('scrolling_direction') === 'up' ? ('up' as const) : ('down' as const),
      percent: amountOf(read('scrolling_offset'), 50, 100),
    })),
    scrollTo: whenOn(read, 'scrolling_to', () => selectorOf(read('scrolling_to_selector'))),
    clicks: whenOn(read, 'click', () => count('click_times')),
    idle: whenOn(read, 'inactivity', () => seconds('inactivity_time', 30)),
    exit: whenOn(read, 'exit_intent', () => true as const),
    times: whenOn(read, 'times', () => ({
      most: count('times_times'),
      counts: read('times_count') === 'close' ? ('closed' as const) : ('opened' as const),
      period: PERIODS.get(textOf(read('times_period'))) ?? 'ever',
    })),
    views: whenOn(read, 'page_views', () => count('page_views_views')),
    devices: whenOn(read, 'devices', () => devicesOf(read('devices_devices'))),
    opener: selectorOf(read('open_selector')),
    alone: whenOn(read, 'avoid_multiple_popups', () => true as const),
    closeAfter: closing > 0 ? closing : undefined,
    buttonAfter: button > 0 ? button : undefined,
    keptOnEscape: whenOn(read, 'prevent_close_on_esc_key', () => true as const),
    keptOnOverlay: whenOn(read, 'prevent_close_on_background_click', () => true as const),
    isBeside: isOn(read('overlay') ?? 'yes') ? undefined : true,
    holdsPage: whenOn(read, 'prevent_scroll', () => true as const),
  })
}

const DEVICES = ['desktop', 'tablet', 'mobile']

const devicesOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? DEVICES.filter((device) => value.includes(device)) : undefined

/** Returns the stored rules that a page does not keep. */
export function unkeptRules(settings: RawSettings): string[] {
  const read = readerOf(settings)
  return UNKEPT.filter((name) => isOn(read(name)))
}

/** The caller has built every member; those without a value are left out. */
function withoutAbsent(rules: { readonly [Name in keyof PopupRules]: PopupRules[Name] | undefined }): PopupRules {
  // The cast: only members with a value are kept.
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as PopupRules
}

/** With all switches on, the details of each are read. */
function namesOf(read: (reader: Reader) => unknown): string[] {
  const names = new Set<string>()
  read((name) => {
    names.add(name)
    return 'yes'
  })
  return [...names]
}

/** The names of the settings that the rules are read from. */
export const popupRuleSettings: readonly string[] = namesOf(rulesOf)
