/**
 * Controls: how settings become CSS. A control names the settings it reads and writes rules for one breakpoint; `&` in a selector
 * is the element's own selector. Tables of controls are plain lists; controls/write.ts runs them.
 */
import type { Declarations } from '../css/rules.ts'

/** What a control may read. All answers are of the breakpoint at hand, checked, and undefined when absent or unsafe. */
export interface ControlValues {
  /** `desktop`, `tablet`, … */
  readonly breakpoint: string
  /** As stored or dynamic, unchecked. */
  raw(setting: string): unknown
  /** The unresponsive value, for settings that belong together. */
  rawDesktop(setting: string): unknown
  color(setting: string): string | undefined
  size(setting: string, defaultUnit?: string): string | undefined
  sizeOf(value: unknown, defaultUnit?: string): string | undefined
  colorOf(value: unknown): string | undefined
  number(setting: string): number | undefined
  keyword(setting: string, keywords: ReadonlySet<string>): string | undefined
  /** Free text as a safe value. */
  text(setting: string): string | undefined
  font(setting: string): string | undefined
  /** The generic family behind every font. */
  readonly genericFont: string
  /** `top`, `right`, `bottom`, `left`; a side without value is absent. */
  sides(setting: string): Sides | undefined
  /** The entries of a repeater, each with its own values. */
  items(setting: string): readonly ControlItem[]
  /** `url("…")` of a media value. */
  image(setting: string): string | undefined
  /** The properties that a typography of the kit sets, when the setting refers to one; `missing` when there is none. */
  globalTypography(group: string): Declarations | 'missing' | undefined
}

interface ControlItem {
  /** The class name of the entry's element, as a selector. */
  readonly selector: string
  readonly values: ControlValues
}

export interface Sides {
  readonly top?: string
  readonly right?: string
  readonly bottom?: string
  readonly left?: string
}

export type RuleParts = readonly [selector: string, declarations: Declarations]

/** Settings that become CSS declarations. */
export interface Control {
  /** The names of the settings that it reads. One of them has to be present for the control to run. */
  readonly settings: readonly string[]
  /** Whether settings may end in `_tablet` and so on. */
  readonly isResponsive: boolean
  /** Settings of the same element and the values that they must have; `''` is an absent one. */
  readonly when?: When
  /** Values by breakpoint that count when the element has none. */
  readonly defaults?: { readonly [breakpoint: string]: unknown }
  /** True: what is written for desktop and tablet does not reach mobile screens. */
  readonly isAboveMobile?: boolean
  readonly write: (values: ControlValues) => readonly RuleParts[] | undefined
}

/** The values of other settings for which a control counts. */
export interface When {
  readonly [setting: string]: string | readonly string[]
}

/** What all controls take. */
export type ControlOptions = Partial<Pick<Control, 'isResponsive' | 'when' | 'defaults' | 'isAboveMobile'>>

/** One property, several with the same value, or a function. */
export type Css<T> = string | readonly string[] | ((value: T, values: ControlValues) => Declarations)

function declarationsOf<T>(css: Css<T>, value: T, values: ControlValues): Declarations {
  if (typeof css === 'function') return css(value, values)
  const text = String(value)
  return typeof css === 'string' ? [[css, text]] : css.map((property) => [property, text])
}

function single<T>(
  setting: string,
  selector: string,
  css: Css<T>,
  read: (values: ControlValues) => T | undefined,
  options: ControlOptions,
): Control {
  return {
    settings: [setting],
    isResponsive: false,
    ...options,
    write: (values) => {
      const value = read(values)
      return value === undefined ? undefined : [[selector, declarationsOf(css, value, values)]]
    },
  }
}

/**
 * A colour. `color('title_color', '& .builder-heading-title', 'color')`
 *
 * ```ts
 * import { h, color, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [color('box_color', '& .box', 'color')] })
 * ```
 */
export const color = (setting: string, selector: string, css: Css<string>, options: ControlOptions = {}): Control =>
  single(setting, selector, css, (values) => values.color(setting), options)

/**
 * A slider, responsive unless the options say otherwise.
 *
 * ```ts
 * import { h, size, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [size('width', '&', 'width')] })
 * ```
 */
export const size = (
  setting: string,
  selector: string,
  css: Css<string>,
  { unit, ...options }: ControlOptions & { readonly unit?: string } = {},
): Control => single(setting, selector, css, (values) => values.size(setting, unit), { isResponsive: true, ...options })

/**
 * A number without unit, from a number or a slider.
 *
 * ```ts
 * import { h, number, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [number('order', '&', 'order')] })
 * ```
 */
export const number = (setting: string, selector: string, css: Css<number>, options: ControlOptions = {}): Control =>
  single(setting, selector, css, (values) => values.number(setting), options)

/**
 * One of a closed list, or a map from the stored value to that of CSS.
 *
 * ```ts
 * import { h, choice, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [choice('align', ['left', 'right'], '&', 'text-align')] })
 * ```
 */
export function choice(
  setting: string,
  listed: readonly string[] | { readonly [value: string]: string },
  selector: string,
  css: Css<string>,
  options: ControlOptions = {},
): Control {
  const map = new Map(Array.isArray(listed) ? listed.map((one: string) => [one, one]) : Object.entries(listed))
  const keywords: ReadonlySet<string> = new Set(map.keys())
  const read = (values: ControlValues) => map.get(values.keyword(setting, keywords) ?? '')
  return single(setting, selector, css, read, { isResponsive: true, ...options })
}

/**
 * Four sides as declarations with a common start: `sides('padding', '&', 'padding')`; absent sides are left out.
 *
 * ```ts
 * import { h, sides, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [sides('padding', '&', 'padding')] })
 * ```
 */
export const sides = (
  setting: string,
  selector: string,
  css: string | ((sides: Sides) => Declarations),
  options: ControlOptions = {},
): Control =>
  single<Sides>(
    setting,
    selector,
    typeof css === 'function' ? css : (value) => sideDeclarations(value, (side) => `${css}-${side}`),
    (values) => values.sides(setting),
    { isResponsive: true, ...options },
  )

const SIDES = ['top', 'right', 'bottom', 'left'] as const

export const sideDeclarations = (value: Sides, property: (side: string) => string): Declarations =>
  SIDES.flatMap((side) => {
    const text = value[side]
    return text === undefined ? [] : [[property(side), text] as const]
  })

/** All four sides as one value, absent ones as 0; for properties without a part for each. */
export const sidesText = ({ top = '0', right = '0', bottom = '0', left = '0' }: Sides): string =>
  `${top} ${right} ${bottom} ${left}`

/**
 * A value made of several settings.
 *
 * ```ts
 * import { compound, h, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}), controls: [compound(['width'], () => [])] })
 * ```
 */
export const compound = (
  settings: readonly string[],
  write: Control['write'],
  options: ControlOptions = {},
): Control => ({ settings, isResponsive: false, ...options, write })

/**
 * Rules for each entry of a repeater; `selector` is that of the entry.
 *
 * ```ts
 * import { h, perItem, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}), controls: [perItem('items', () => [])] })
 * ```
 */
export const perItem = (
  setting: string,
  write: (values: ControlValues, selector: string) => readonly RuleParts[],
): Control =>
  compound([setting], (values) => values.items(setting).flatMap((item) => write(item.values, item.selector)))
