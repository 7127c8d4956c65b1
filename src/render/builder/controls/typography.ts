/** Writes the settings of a typography: a switch with nine properties, or a reference to a typography of the kit. */
import type { Declaration, Declarations } from '../css/rules.ts'
import { type Control, type ControlValues, compound } from './control.ts'

interface Property {
  /** The setting, without the prefix of the group. */
  readonly setting: string
  readonly css: string
  readonly read: (values: ControlValues, setting: string) => string | undefined
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const keyword = (list: string) => {
  const keywords = words(list)
  return (values: ControlValues, setting: string) => values.keyword(setting, keywords)
}
const size = (unit: string) => (values: ControlValues, setting: string) => values.size(setting, unit)

export const typographyProperties: readonly Property[] = [
  { setting: 'font_family', css: 'font-family', read: (values, setting) => values.font(setting) },
  { setting: 'font_size', css: 'font-size', read: size('px') },
  {
    setting: 'font_weight',
    css: 'font-weight',
    read: keyword('100 200 300 400 500 600 700 800 900 normal bold lighter bolder'),
  },
  { setting: 'text_transform', css: 'text-transform', read: keyword('uppercase lowercase capitalize none') },
  { setting: 'font_style', css: 'font-style', read: keyword('normal italic oblique') },
  { setting: 'text_decoration', css: 'text-decoration', read: keyword('underline overline line-through none') },
  { setting: 'line_height', css: 'line-height', read: size('em') },
  { setting: 'letter_spacing', css: 'letter-spacing', read: size('px') },
  { setting: 'word_spacing', css: 'word-spacing', read: size('em') },
]

/**
 * Creates controls for the settings `<name>_typography`, `<name>_font_size` and so on.
 *
 * ```ts
 * import { h, typography, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: typography('box_typography', '& .box') })
 * ```
 */
export function typography(name: string, selector: string): readonly Control[] {
  const settings = ['typography', ...typographyProperties.map(({ setting }) => setting)].map((one) => `${name}_${one}`)
  return [
    compound(
      settings,
      (values) => {
        const declarations = typographyOf(values, name)
        return declarations.length === 0 ? undefined : [[selector, declarations]]
      },
      { isResponsive: true },
    ),
  ]
}

function typographyOf(values: ControlValues, name: string): Declarations {
  const global = values.globalTypography(name)
  if (global === 'missing') return []
  if (global !== undefined) return values.breakpoint === 'desktop' ? global : []
  if (values.rawDesktop(`${name}_typography`) !== 'custom') return []
  return typographyProperties.flatMap(({ setting, css, read }): Declaration[] => {
    const value = read(values, `${name}_${setting}`)
    return value === undefined ? [] : [[css, css === 'font-family' ? `${value}, ${values.genericFont}` : value]]
  })
}
