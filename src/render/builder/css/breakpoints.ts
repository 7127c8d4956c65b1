/** The breakpoints of a site: which ones are active, their media queries, and their order in style sheets. */
import { ownValue, type RawSettings } from '../document/values.ts'

export interface Breakpoint {
  readonly key: string
  /** The media query; empty for desktop. */
  readonly query: string
  /** The position in a style sheet: later rules win. */
  readonly order: number
}

export interface Breakpoints {
  /** Active breakpoints in the order of style sheets, desktop first. */
  readonly active: readonly Breakpoint[]
  /** Returns undefined for an inactive or unknown breakpoint. */
  find(key: string): Breakpoint | undefined
  /** Returns the same breakpoint for screens wider than mobile ones, where the base sheet has the rule for mobile screens. */
  aboveMobile(breakpoint: Breakpoint): Breakpoint
  /** Media queries of the ranges in which `hide_<device>` applies. */
  readonly bands: readonly { readonly device: string; readonly query: string }[]
  readonly mobile: number
  readonly tablet: number
}

interface Known {
  readonly key: string
  readonly width: number
  readonly isOn: boolean
}

/** Known breakpoints, from wide to narrow. */
const KNOWN: readonly Known[] = [
  { key: 'widescreen', width: 2400, isOn: false },
  { key: 'laptop', width: 1366, isOn: false },
  { key: 'tablet_extra', width: 1200, isOn: false },
  { key: 'tablet', width: 1024, isOn: true },
  { key: 'mobile_extra', width: 880, isOn: false },
  { key: 'mobile', width: 767, isOn: true },
]

/** The suffixes of responsive settings. */
export const breakpointKeys: readonly string[] = KNOWN.map(({ key }) => key)

export const desktop: Breakpoint = { key: 'desktop', query: '', order: 0 }

export function createBreakpoints(kit: RawSettings): Breakpoints {
  const listed = ownValue(kit, 'active_breakpoints')
  const isOn = ({ key, isOn: byDefault }: Known) =>
    Array.isArray(listed) ? listed.includes(`viewport_${key}`) : byDefault
  const width = ({ key, width: byDefault }: Known) => widthOf(ownValue(kit, `viewport_${key}`)) ?? byDefault
  const on = KNOWN.filter(isOn).map((known) => ({ key: known.key, width: width(known) }))
  const wide = on.filter(({ key }) => key === 'widescreen')
  const narrow = on.filter(({ key }) => key !== 'widescreen').sort((a, b) => b.width - a.width)
  const widthBy = (name: string) => width(KNOWN.find(({ key }) => key === name) as Known)
  const mobile = widthBy('mobile')
  const active: readonly Breakpoint[] = [
    desktop,
    ...wide.map(({ key, width: pixels }) => ({ key, query: `(min-width:${pixels}px)`, order: 2 })),
    ...narrow.map(({ key, width: pixels }, at) => ({ key, query: `(max-width:${pixels}px)`, order: 4 + at * 2 })),
  ]
  const byKey = new Map(active.map((one) => [one.key, one]))
  const above = new Map(active.map((one) => [one.key, withoutMobile(one, mobile)]))
  return {
    active,
    find: (key) => byKey.get(key),
    aboveMobile: (one) => above.get(one.key) ?? one,
    bands: bandsOf(narrow, wide),
    mobile,
    tablet: widthBy('tablet'),
  }
}

const withoutMobile = ({ key, query, order }: Breakpoint, mobile: number): Breakpoint => {
  if (key === 'mobile' || key === 'widescreen') return { key, query, order }
  const above = `(min-width:${mobile + 1}px)`
  return { key, query: query === '' ? above : `${query} and ${above}`, order: order + 1 }
}

interface Width {
  readonly key: string
  readonly width: number
}

function bandsOf(narrow: readonly Width[], [wide]: readonly Width[]): Breakpoints['bands'] {
  const below = narrow.map(({ key, width }, at) => {
    const next = narrow[at + 1]
    return {
      device: key,
      query: next ? `(min-width:${next.width + 1}px) and (max-width:${width}px)` : `(max-width:${width}px)`,
    }
  })
  const from = `(min-width:${(narrow[0]?.width ?? 0) + 1}px)`
  const upTo = wide ? ` and (width<${wide.width}px)` : ''
  const widest = wide ? [{ device: wide.key, query: `(min-width:${wide.width}px)` }] : []
  return [...widest, { device: 'desktop', query: from + upTo }, ...below]
}

/** Accepts widths in pixels that a screen can have. */
function widthOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 10_000
    ? number
    : undefined
}
