/** Writes the settings of sections and columns, the layout elements of older documents. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { numberText } from '../css/values.ts'
import { background } from './background.ts'
import { border, boxShadow, radius } from './border.ts'
import { type ClassControl, prefixClass } from './classes.ts'
import { type Control, choice, color, number, sideDeclarations, sides, size } from './control.ts'
import { layer } from './placement.ts'
import { shapeDividerControls } from './shape-divider.ts'
import { typography } from './typography.ts'

const OVERLAYS = ['classic', 'gradient']
const ALIGN: { readonly [value: string]: string } = lookupTable({
  top: 'flex-start',
  middle: 'center',
  bottom: 'flex-end',
  center: 'center',
  'space-between': 'space-between',
  'space-around': 'space-around',
  'space-evenly': 'space-evenly',
})

const overlayOf = (selector: string): readonly Control[] => [
  ...background('background_overlay', selector),
  number('background_overlay_opacity', selector, (value) => [['opacity', numberText(value)]], {
    isResponsive: true,
    when: { background_overlay_background: OVERLAYS },
  }),
]

const colorsOf: readonly Control[] = [
  color('heading_color', '& .builder-heading-title', 'color'),
  color('color_text', '&', 'color'),
  color('color_link', '& a', 'color'),
  color('color_link_hover', '& a:hover', 'color'),
  choice('text_align', ['left', 'center', 'right', 'justify', 'start', 'end'], '& > .builder-container', 'text-align'),
]

const alignContent = (value: string) =>
  [
    ['align-content', value],
    ['align-items', value],
  ] as const

export const sectionControls: readonly Control[] = [
  size('content_width', '& > .builder-container', 'max-width', { when: { layout: ['', 'boxed'] } }),
  size('custom_height', '& > .builder-container', 'min-height', { when: { height: 'min-height' } }),
  size('custom_height_inner', '& > .builder-container', 'min-height', { when: { height_inner: 'min-height' } }),
  choice('content_position', ALIGN, '& > .builder-container > .builder-column > .builder-widget-wrap', alignContent),
  ...background('background', '&'),
  ...background('background_hover', '&:hover'),
  ...overlayOf('& > .builder-background-overlay'),
  ...border({ name: 'border', selector: '&' }),
  radius('border_radius', '&'),
  boxShadow('box_shadow', '&'),
  sides('margin', '&', (value) =>
    sideDeclarations({ top: value.top, bottom: value.bottom }, (side) => `margin-${side}`),
  ),
  sides('padding', '&', 'padding'),
  layer('z_index'),
  ...colorsOf,
  ...shapeDividerControls,
]

export const sectionClasses: readonly ClassControl[] = [prefixClass('content_position', 'builder-section-content-')]

const POPULATED = '& > .builder-element-populated'

export const columnControls: readonly Control[] = [
  number('_inline_size', '&', (value) => [['width', `${numberText(value)}%`]], {
    isResponsive: true,
    isAboveMobile: true,
  }),
  choice('content_position', ALIGN, '&.builder-column > .builder-widget-wrap', alignContent),
  choice(
    'align',
    ['flex-start', 'center', 'flex-end', 'space-between', 'space-around', 'space-evenly'],
    '&.builder-column > .builder-widget-wrap',
    'justify-content',
  ),
  size('space_between_widgets', '& > .builder-widget-wrap > .builder-widget:not(:last-child)', '--kit-widget-spacing'),
  ...background('background', POPULATED),
  ...background('background_hover', '&:hover > .builder-element-populated'),
  ...overlayOf('& > .builder-element-populated > .builder-background-overlay'),
  ...border({ name: 'border', selector: POPULATED }),
  radius('border_radius', POPULATED),
  boxShadow('box_shadow', POPULATED),
  sides('margin', POPULATED, 'margin'),
  sides('padding', POPULATED, 'padding'),
  layer('z_index'),
  color('heading_color', '& .builder-heading-title', 'color'),
  color('color_text', POPULATED, 'color'),
  color('color_link', '& a', 'color'),
  color('color_link_hover', '& a:hover', 'color'),
  choice('text_align', ['left', 'center', 'right', 'justify', 'start', 'end'], POPULATED, 'text-align'),
  ...typography('column_typography', POPULATED),
]
