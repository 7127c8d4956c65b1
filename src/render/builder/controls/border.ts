/** The groups of borders, radii, shadows, strokes and filters. */

import type { Declaration, Declarations } from '../css/rules.ts'
import { numberText } from '../css/values.ts'
import { numberOf, objectOf, ownValue } from '../document/values.ts'
import {
  type Control,
  type ControlOptions,
  type ControlValues,
  choice,
  color,
  compound,
  sideDeclarations,
  sides,
  sidesText,
} from './control.ts'

const STYLES = ['solid', 'double', 'dotted', 'dashed', 'groove', 'none']

interface Group {
  /** The prefix of the settings `<name>_border`, `<name>_width` and `<name>_color`. */
  readonly name: string
  readonly selector: string
}

/**
 * Creates controls that set border properties.
 *
 * ```ts
 * import { h, border, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: border({ name: 'box', selector: '& .box' }) })
 * ```
 */
export function border({ name, selector }: Group): readonly Control[] {
  const when = { [`${name}_border`]: STYLES }
  return [
    choice(`${name}_border`, STYLES, selector, 'border-style'),
    sides(`${name}_width`, selector, (value) => [['border-width', sidesText(value)]], { when }),
    color(`${name}_color`, selector, 'border-color', { when }),
  ]
}

/** Creates controls that set the border variables of containers. */
export function containerBorder({ name, selector }: Group): readonly Control[] {
  const when = { [`${name}_border`]: STYLES }
  return [
    choice(`${name}_border`, STYLES, selector, '--border-style'),
    sides(
      `${name}_width`,
      selector,
      (value) => [['border-width', sidesText(value)], ...sideDeclarations(value, (side) => `--border-${side}-width`)],
      { when },
    ),
    color(`${name}_color`, selector, '--border-color', { when }),
  ]
}

/**
 * Creates a control for the radius of the four corners.
 *
 * ```ts
 * import { h, radius, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [radius('box_radius', '& .box')] })
 * ```
 */
export const radius = (setting: string, selector: string, property = 'border-radius'): Control =>
  sides(setting, selector, (value) => [[property, sidesText(value)]])

/** Creates controls for a border, a radius and a shadow: `<name>_border_…`, `<name>_border_radius`, `<name>_box_shadow_…`. */
export const borders = (name: string, selector: string): readonly Control[] => [
  ...border({ name: `${name}_border`, selector }),
  radius(`${name}_border_radius`, selector),
  boxShadow(`${name}_box_shadow`, selector),
]

/**
 * Creates a control for `<name>_box_shadow_type`, `<name>_box_shadow` and `<name>_box_shadow_position`.
 *
 * ```ts
 * import { h, boxShadow, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [boxShadow('box_shadow', '& .box')] })
 * ```
 */
export const boxShadow = (name: string, selector: string, options: ControlOptions = {}): Control =>
  compound(
    [`${name}_box_shadow`, `${name}_box_shadow_position`],
    (values) => {
      const shadow = shadowText(values, `${name}_box_shadow`, ['horizontal', 'vertical', 'blur', 'spread'])
      const inset = values.raw(`${name}_box_shadow_position`) === 'inset' ? ' inset' : ''
      return shadow === undefined ? undefined : [[selector, [['box-shadow', shadow + inset]]]]
    },
    { when: { [`${name}_box_shadow_type`]: 'yes' }, ...options },
  )

/**
 * Creates a control for `<name>_text_shadow_type` and `<name>_text_shadow`.
 *
 * ```ts
 * import { h, textShadow, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: [textShadow('text_shadow', '& .box')] })
 * ```
 */
export const textShadow = (name: string, selector: string): Control =>
  compound(
    [`${name}_text_shadow`],
    (values) => {
      const shadow = shadowText(values, `${name}_text_shadow`, ['horizontal', 'vertical', 'blur'])
      return shadow === undefined ? undefined : [[selector, [['text-shadow', shadow]]]]
    },
    { when: { [`${name}_text_shadow_type`]: 'yes' } },
  )

function shadowText(values: ControlValues, setting: string, lengths: readonly string[]): string | undefined {
  const shadow = objectOf(values.raw(setting))
  const hue = values.colorOf(ownValue(shadow, 'color'))
  if (hue === undefined) return undefined
  const parts = lengths.map((name) => `${numberText(numberOf(ownValue(shadow, name)) ?? 0)}px`)
  return [...parts, hue].join(' ')
}

/** Creates controls for `<name>_text_stroke_type`, `<name>_text_stroke` and `<name>_stroke_color`. */
export function textStroke(name: string, selector: string): readonly Control[] {
  const when = { [`${name}_text_stroke_type`]: ['yes', 'stroke'] }
  const width = (value: string): Declarations => [
    ['-webkit-text-stroke-width', value],
    ['stroke-width', value],
  ]
  const hue = (value: string): Declarations => [
    ['-webkit-text-stroke-color', value],
    ['stroke', value],
  ]
  return [
    compound(
      [`${name}_text_stroke`],
      (values) => {
        const value = values.size(`${name}_text_stroke`)
        return value === undefined ? undefined : [[selector, width(value)]]
      },
      { when, isResponsive: true },
    ),
    color(`${name}_stroke_color`, selector, hue, { when }),
  ]
}

const FILTERS: readonly (readonly [setting: string, name: string, unit: string, byDefault: number])[] = [
  ['brightness', 'brightness', '%', 100],
  ['contrast', 'contrast', '%', 100],
  ['saturate', 'saturate', '%', 100],
  ['blur', 'blur', 'px', 0],
  ['hue', 'hue-rotate', 'deg', 0],
]

/** Creates a control for `<name>_css_filter`, `<name>_brightness` and so on. */
export const cssFilters = (name: string, selector: string): Control =>
  compound(
    [`${name}_css_filter`, ...FILTERS.map(([setting]) => `${name}_${setting}`)],
    (values) => {
      const text = FILTERS.map(([setting, css, unit, byDefault]) => {
        const value = values.number(`${name}_${setting}`) ?? byDefault
        return `${css}( ${numberText(value)}${unit} )`
      }).join(' ')
      const declaration: Declaration = ['filter', text]
      return [[selector, [declaration]]]
    },
    { when: { [`${name}_css_filter`]: 'custom' } },
  )
