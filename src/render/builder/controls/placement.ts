/** Writes the settings that position any element: offsets, layer, and its share of a flex or grid container. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Declaration, Declarations } from '../css/rules.ts'
import { numberText } from '../css/values.ts'
import { type Control, choice, compound, number, size } from './control.ts'

/**
 * Offsets apply to `absolute` and `fixed` elements. `position` names the switch: `_position` of widgets, `position` of
 * containers.
 */
export function offsets(position: string): readonly Control[] {
  const when = { [position]: ['absolute', 'fixed'] }
  const start = ['', 'start']
  return [
    size('_offset_x', '&', 'left', { when: { ...when, _offset_orientation_h: start } }),
    size('_offset_x_end', '&', 'right', { when: { ...when, _offset_orientation_h: 'end' } }),
    size('_offset_y', '&', 'top', { when: { ...when, _offset_orientation_v: start } }),
    size('_offset_y_end', '&', 'bottom', { when: { ...when, _offset_orientation_v: 'end' } }),
  ]
}

const ALIGNMENTS = ['auto', 'flex-start', 'center', 'flex-end', 'stretch', 'baseline', 'start', 'end']

/** Creates controls for `<start>flex_align_self`, `<start>flex_order`, `<start>flex_size` and their custom values. */
export const flexItem = (start: string): readonly Control[] => [
  choice(`${start}flex_align_self`, ALIGNMENTS, '&', '--align-self'),
  order(`${start}flex_order`, `${start}flex_order_custom`),
  flexSize(`${start}flex_size`, `${start}flex_grow`, `${start}flex_shrink`),
]

const ORDERS: { readonly [keyword: string]: string } = lookupTable({ start: '-99999', end: '99999' })
const ORDER_KEYWORDS: ReadonlySet<string> = new Set(['start', 'end', 'custom'])

const order = (setting: string, custom: string): Control =>
  compound(
    [setting, custom],
    (values) => {
      const keyword = values.keyword(setting, ORDER_KEYWORDS) ?? values.rawDesktop(setting)
      const value = keyword === 'custom' ? values.number(custom)?.toString() : ORDERS[String(keyword)]
      return value === undefined ? undefined : [['&', [['--order', value]]]]
    },
    { isResponsive: true },
  )

const SIZES: { readonly [keyword: string]: readonly [grow: string, shrink: string] } = lookupTable({
  grow: ['1', '0'],
  shrink: ['0', '1'],
  none: ['0', '0'],
})
const SIZE_KEYWORDS: ReadonlySet<string> = new Set(['grow', 'shrink', 'none', 'custom'])

const flexSize = (setting: string, grow: string, shrink: string): Control =>
  compound(
    [setting, grow, shrink],
    (values) => {
      const keyword = values.keyword(setting, SIZE_KEYWORDS) ?? values.rawDesktop(setting)
      if (keyword === 'custom') {
        const declarations: Declarations = [
          ...numbered('--flex-grow', values.number(grow)),
          ...numbered('--flex-shrink', values.number(shrink)),
        ]
        return [['&', declarations]]
      }
      const [growth, shrinkage] = (typeof keyword === 'string' && Object.hasOwn(SIZES, keyword) && SIZES[keyword]) || []
      if (growth === undefined || shrinkage === undefined) return undefined
      return [
        [
          '&',
          [
            ['--flex-grow', growth],
            ['--flex-shrink', shrinkage],
          ],
        ],
      ]
    },
    { isResponsive: true },
  )

const numbered = (property: string, value: number | undefined): Declaration[] =>
  value === undefined ? [] : [[property, numberText(value)]]

/** Reads a number of tracks, or any text that the property allows. */
export const gridSpan = (setting: string, property: 'grid-column' | 'grid-row'): Control =>
  compound(
    [setting, `${setting}_custom`],
    (values) => {
      const stored = values.raw(setting)
      const isCustom = (stored === undefined ? values.rawDesktop(setting) : stored) === 'custom'
      const text = values.text(isCustom ? `${setting}_custom` : setting)
      if (text === undefined) return undefined
      return [['&', [[property, /^\d{1,4}$/.test(text) ? `span ${text}` : text]]]]
    },
    { isResponsive: true },
  )

export const layer = (setting: string, property = 'z-index'): Control =>
  number(setting, '&', (value) => [[property, numberText(Math.round(value))]], { isResponsive: true })
