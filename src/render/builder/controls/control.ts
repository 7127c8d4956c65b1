/**
 * Controls map settings to CSS. A control names the settings that it reads and returns rules for one breakpoint; `&` in a
 * selector is the selector of the element. Tables of controls are plain lists, which controls/write.ts runs.
 */
import type { Declarations } from '../css/rules.ts'

/**
 * Reads settings for a control. Each result is checked and belongs to one breakpoint; it is undefined when the value is absent
 * or unsafe.
 */
export interface ControlValues {
  /** `desktop`, `tablet`, … */
  readonly breakpoint: string
  /** Returns the stored or dynamic value unchecked. */
  raw(setting: string): unknown
  /** Returns the desktop value, for settings that depend on each other. */
  rawDesktop(setting: string): unknown
  color(setting: string): string | undefined
  size(setting: string, defaultUnit?: string): string | undefined
  sizeOf(value: unknown, defaultUnit?: string): string | undefined
  colorOf(value: unknown): string | undefined
  number(setting: string): number | undefined
  keyword(setting: string, keywords: ReadonlySet<string>): string | undefined
  /** Returns free text that is safe as a CSS value. */
  text(setting: string): string | undefined
  font(setting: string): string | undefined
  /** The generic family that ends every font list. */
  readonly genericFont: string
  /** Returns `top`, `right`, `bottom` and `left`; sides without a value are absent. */
  sides(setting: string): Sides | undefined
  /** Returns the entries of a repeater, each with a reader for its values. */
  items(setting: string): readonly ControlItem[]
  /** Returns `url("…")` of a media value. */
  image(setting: string): string | undefined
  /**
   * Returns the properties of the kit's typography that the setting refers to; `missing` when the kit has no such typography.
   */
  globalTypography(group: string): Declarations | 'missing' | undefined
}

interface ControlItem {
  /** The class selector of the entry's element. */
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

/** Maps settings to CSS declarations. */
export interface Control {
  /** The names of the settings that it reads. The control runs when the element has one of them. */
  readonly settings: readonly string[]
  /** Whether settings may end in `_tablet` and so on. */
  readonly isResponsive: boolean
  /** Values that other settings of the element must have; `''` is an absent one. */
  readonly when?: When
  /** Values by breakpoint that apply when the element has none. */
  readonly defaults?: { readonly [breakpoint: string]: unknown }
  /** True: rules for desktop and tablet do not apply on mobile screens. */
  readonly isAboveMobile?: boolean
  readonly write: (values: ControlValues) => readonly RuleParts[] | undefined
}

/** Required values of other settings. */
export interface When {
  readonly [setting: string]: string | readonly string[]
}

/** The options that every control accepts. */
export type ControlOptions = Partial<Pick<Control, 'isResponsive' | 'when' | 'defaults' | 'isAboveMobile'>>

/** One property, several with the same value, or a function that returns declarations. */
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
 * Creates a control for a colour.
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
 * Creates a control for a slider, responsive by default.
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
 * Creates a control for a number without a unit, from a number or a slider.
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
 * Creates a control for one of a closed list, or of a map from stored values to CSS values.
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
 * Creates a control for four sides whose properties share a start: `sides('padding', '&', 'padding')`. Absent sides are left
 * out.
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

/** Writes four sides as one value, with 0 for absent ones, for properties without a form per side. */
export const sidesText = ({ top = '0', right = '0', bottom = '0', left = '0' }: Sides): string =>
  `${top} ${right} ${bottom} ${left}`

/**
 * Creates a control that combines several settings.
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
 * Creates a control that writes rules for each entry of a repeater; `selector` selects the entry.
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
