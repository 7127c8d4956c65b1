/** Settings that every classic widget has: box, width, position, background, border. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { numberText } from '../css/values.ts'
import { background } from './background.ts'
import { border, boxShadow, radius } from './border.ts'
import { type ClassControl, prefixClass } from './classes.ts'
import { type Control, compound, sides } from './control.ts'
import { flexItem, gridSpan, layer, offsets } from './placement.ts'

const WIDTHS: { readonly [value: string]: string } = lookupTable({ inherit: '100%', auto: 'auto' })
const WIDTH_KEYWORDS: ReadonlySet<string> = new Set(['inherit', 'auto', 'initial'])

const elementWidth: Control = compound(
  ['_element_width'],
  (values) => {
    const width = WIDTHS[values.keyword('_element_width', WIDTH_KEYWORDS) ?? '']
    if (width === undefined) return undefined
    return [
      [
        '&',
        [
          ['width', width],
          ['max-width', width],
        ],
      ],
    ]
  },
  { isResponsive: true },
)

const customWidth: Control = compound(
  ['_element_custom_width'],
  (values) => {
    const width = values.size('_element_custom_width', '%')
    if (width === undefined) return undefined
    const declarations = [
      ['--container-widget-width', width],
      ['--container-widget-flex-grow', '0'],
      ['width', `var( --container-widget-width, ${width} )`],
      ['max-width', width],
    ] as const
    return [['&', declarations]]
  },
  { isResponsive: true, when: { _element_width: 'initial' } },
)

/** The bottom margin also contains the space to the next widget. */
const margin: Control = sides('_margin', '&', ({ top = '0px', right = '0px', bottom = '0px', left = '0px' }) => {
  const below = bottom === 'auto' ? 'auto' : `calc(var(--kit-widget-spacing, 0px) + ${bottom})`
  return [['margin', `${top} ${right} ${below} ${left}`]]
})

export const widgetControls: readonly Control[] = [
  margin,
  sides('_padding', '&', 'padding'),
  elementWidth,
  customWidth,
  gridSpan('_grid_column', 'grid-column'),
  gridSpan('_grid_row', 'grid-row'),
  ...flexItem('_'),
  ...offsets('_position'),
  layer('_z_index'),
  ...background('_background', '&'),
  ...background('_background_hover', '&:hover'),
  ...border({ name: '_border', selector: '&' }),
  ...border({ name: '_border_hover', selector: '&:hover' }),
  radius('_border_radius', '&'),
  radius('_border_radius_hover', '&:hover'),
  boxShadow('_box_shadow', '&'),
  boxShadow('_box_shadow_hover', '&:hover'),
  compound(['_opacity'], (values) => {
    const opacity = values.number('_opacity')
    return opacity === undefined ? undefined : [['&', [['opacity', numberText(opacity)]]]]
  }),
]

const POSITIONS: ReadonlySet<string> = new Set(['absolute', 'fixed'])

export const widgetClasses: readonly ClassControl[] = [
  prefixClass('_position', 'builder-', { map: (value) => (POSITIONS.has(value) ? value : undefined) }),
  prefixClass('_element_width', 'builder-widget%s__width-', {
    isResponsive: true,
    map: (value) => (WIDTH_KEYWORDS.has(value) ? value : undefined),
  }),
]
