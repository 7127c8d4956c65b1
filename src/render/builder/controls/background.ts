/** Writes the settings of a background: a colour and an image, or a gradient. */
import type { Declaration } from '../css/rules.ts'
import { isObject, ownValue } from '../document/values.ts'
import { type Control, type ControlOptions, type ControlValues, color, compound, type When } from './control.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const POSITIONS: ReadonlySet<string> = new Set(
  ['top', 'center', 'bottom']
    .flatMap((row) => ['left', 'center', 'right'].map((column) => `${row} ${column}`))
    .concat(
      ['left', 'center', 'right'].flatMap((column) => ['top', 'center', 'bottom'].map((row) => `${column} ${row}`)),
      'initial',
    ),
)
const REPEATS = words('repeat no-repeat repeat-x repeat-y')
const SIZES = words('auto cover contain initial')
const ATTACHMENTS = words('scroll fixed')

interface BackgroundOptions {
  /** Values of the switch that select the classic background. */
  readonly classic?: readonly string[]
  readonly when?: When
}

/**
 * Creates controls for the settings `<name>_background`, `<name>_color`, `<name>_image` and so on.
 *
 * ```ts
 * import { h, background, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}, 'Hi'), controls: background('box_background', '& .box') })
 * ```
 */
export function background(
  name: string,
  selector: string,
  { classic: listed = ['classic', 'video', 'slideshow'], when: outer = {} }: BackgroundOptions = {},
): readonly Control[] {
  const setting = (part: string) => `${name}_${part}`
  const classic: When = { ...outer, [setting('background')]: listed }
  const image: ControlOptions = { when: classic, isResponsive: true }
  const one = (
    parts: readonly string[],
    property: string,
    read: (values: ControlValues) => string | undefined,
    options = image,
  ) =>
    compound(
      parts.map(setting),
      (values) => {
        const text = read(values)
        return text === undefined ? undefined : [[selector, [[property, text]]]]
      },
      options,
    )
  return [
    color(setting('color'), selector, 'background-color', { when: classic }),
    one(['image'], 'background-image', (values) => values.image(setting('image'))),
    one(['position', 'xpos', 'ypos'], 'background-position', (values) => positionOf(values, setting)),
    one(['attachment'], 'background-attachment', (values) => values.keyword(setting('attachment'), ATTACHMENTS), {
      when: classic,
      isResponsive: false,
      isAboveMobile: true,
    }),
    one(['repeat'], 'background-repeat', (values) => values.keyword(setting('repeat'), REPEATS)),
    one(['size', 'bg_width'], 'background-size', (values) => sizeOf(values, setting)),
    gradient(name, selector, outer),
  ]
}

type SettingName = (part: string) => string

function positionOf(values: ControlValues, setting: SettingName): string | undefined {
  const position = values.keyword(setting('position'), POSITIONS) ?? values.rawDesktop(setting('position'))
  if (position !== 'initial') return values.keyword(setting('position'), POSITIONS)
  const [x, y] = [values.size(setting('xpos')), values.size(setting('ypos'))]
  return x === undefined && y === undefined ? undefined : `${x ?? '0px'} ${y ?? '0px'}`
}

function sizeOf(values: ControlValues, setting: SettingName): string | undefined {
  const keyword = values.keyword(setting('size'), SIZES)
  if ((keyword ?? values.rawDesktop(setting('size'))) !== 'initial') return keyword
  const width = values.size(setting('bg_width'), '%')
  return width === undefined ? undefined : `${width} auto`
}

/** A gradient without its first colour is not written. */
const gradient = (name: string, selector: string, outer: When): Control => {
  const setting = (part: string) => `${name}_${part}`
  const parts = [
    'color',
    'color_stop',
    'color_b',
    'color_b_stop',
    'gradient_type',
    'gradient_angle',
    'gradient_position',
  ]
  return compound(
    parts.map(setting),
    (values) => {
      // The other parts of a responsive gradient are inherited from desktop.
      const first = values.color(setting('color')) ?? inherited(values, setting('color'))
      if (first === undefined) return undefined
      const stops = [
        `${first} ${stopOf(values, setting('color_stop'), '0%')}`,
        `${values.color(setting('color_b')) ?? inherited(values, setting('color_b')) ?? '#f2295b'} ${stopOf(values, setting('color_b_stop'), '100%')}`,
      ]
      const isRadial = values.rawDesktop(setting('gradient_type')) === 'radial'
      const position = values.keyword(setting('gradient_position'), POSITIONS) ?? 'center center'
      const shape = isRadial
        ? `radial-gradient(at ${position}`
        : `linear-gradient(${sizeAt(values, setting('gradient_angle'), 'deg') ?? '180deg'}`
      const declarations: Declaration[] = [
        ['background-color', 'transparent'],
        ['background-image', `${shape}, ${stops.join(', ')})`],
      ]
      return [[selector, declarations]]
    },
    { when: { ...outer, [setting('background')]: 'gradient' }, isResponsive: true },
  )
}

const inherited = (values: ControlValues, name: string): string | undefined => values.colorOf(values.rawDesktop(name))

const sizeAt = (values: ControlValues, name: string, unit: string): string | undefined =>
  values.size(name, unit) ?? values.sizeOf(values.rawDesktop(name), unit)

function stopOf(values: ControlValues, name: string, byDefault: string): string {
  const value = values.raw(name) ?? values.rawDesktop(name)
  return (isObject(value) && ownValue(value, 'size') !== '' ? values.sizeOf(value, '%') : undefined) ?? byDefault
}
