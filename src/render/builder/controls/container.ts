/** Writes the settings of containers: flex and grid layout, size, box, background, border. */
import type { Declaration, Declarations } from '../css/rules.ts'
import { numberText } from '../css/values.ts'
import { isObject, numberOf, ownValue } from '../document/values.ts'
import { background } from './background.ts'
import { boxShadow, containerBorder, radius } from './border.ts'
import { type Control, type ControlOptions, choice, compound, number, sides, size } from './control.ts'
import { flexItem, gridSpan, layer, offsets } from './placement.ts'
import { shapeDividerControls } from './shape-divider.ts'

/** A row gap and a column gap; older data have one size for both. */
const gaps = (
  setting: string,
  selector: string,
  css: (row: string, column: string) => Declarations,
  options: ControlOptions = {},
): Control =>
  compound(
    [setting],
    (values) => {
      const value = values.raw(setting)
      if (!isObject(value)) return undefined
      const unit = ownValue(value, 'unit')
      const part = (name: string) => values.sizeOf({ unit, size: ownValue(value, name) ?? ownValue(value, 'size') })
      const [row, column] = [part('row'), part('column')]
      if (row === undefined && column === undefined) return undefined
      return [[selector, css(row ?? '0px', column ?? '0px')]]
    },
    { isResponsive: true, ...options },
  )

const CONTENT = [
  'flex-start',
  'center',
  'flex-end',
  'space-between',
  'space-around',
  'space-evenly',
  'start',
  'end',
  'stretch',
]
const ITEMS = ['flex-start', 'center', 'flex-end', 'stretch', 'baseline', 'start', 'end']

const isFlex = { container_type: ['', 'flex'] }
const isGrid = { container_type: 'grid' }

/** Children in a row are as wide as their content; children in a column fill it. */
const inRow: Declarations = [
  ['--container-widget-width', 'initial'],
  ['--container-widget-height', '100%'],
  ['--container-widget-flex-grow', '1'],
  ['--container-widget-align-self', 'stretch'],
  ['--flex-wrap-mobile', 'wrap'],
]
const inColumn: Declarations = [
  ['--container-widget-width', '100%'],
  ['--container-widget-height', 'initial'],
  ['--container-widget-flex-grow', '0'],
  ['--container-widget-align-self', 'initial'],
  ['--flex-wrap-mobile', 'wrap'],
]

const gapDeclarations = (row: string, column: string): Declarations => [
  ['--gap', `${row} ${column}`],
  ['--row-gap', row],
  ['--column-gap', column],
]

const flex: readonly Control[] = [
  choice(
    'flex_direction',
    ['row', 'column', 'row-reverse', 'column-reverse'],
    '&',
    (value) => [['--flex-direction', value], ...(value.startsWith('row') ? inRow : inColumn)],
    { when: isFlex },
  ),
  choice('flex_justify_content', CONTENT, '&', '--justify-content', { when: isFlex }),
  choice(
    'flex_align_items',
    ITEMS,
    '&',
    (value) => [
      ['--align-items', value],
      ['--container-widget-width', 'calc( ( 1 - var( --container-widget-flex-grow ) ) * 100% )'],
    ],
    { when: isFlex },
  ),
  gaps('flex_gap', '&', gapDeclarations, { when: isFlex }),
  choice('flex_wrap', ['nowrap', 'wrap', 'wrap-reverse'], '&', '--flex-wrap', { when: isFlex }),
  choice('flex_align_content', CONTENT, '&', '--align-content', { when: { ...isFlex, flex_wrap: 'wrap' } }),
]

const tracks = (setting: string, property: string, defaults?: { readonly [breakpoint: string]: unknown }): Control =>
  compound(
    [setting],
    (values) => {
      const value = values.raw(setting)
      const isCustom = isObject(value) && ownValue(value, 'unit') === 'custom'
      const count = numberOf(isObject(value) ? ownValue(value, 'size') : value)
      const text =
        isCustom || count === undefined
          ? values.size(setting)
          : `repeat(${Math.min(Math.max(Math.round(count), 1), 100)}, 1fr)`
      return text === undefined ? undefined : [['&', [[property, text]]]]
    },
    { isResponsive: true, when: isGrid, ...(defaults ? { defaults } : {}) },
  )

const grid: readonly Control[] = [
  tracks('grid_columns_grid', '--e-con-grid-template-columns', {
    desktop: { unit: 'fr', size: 3 },
    mobile: { unit: 'fr', size: 1 },
  }),
  tracks('grid_rows_grid', '--e-con-grid-template-rows', { desktop: { unit: 'fr', size: 2 } }),
  gaps('grid_gaps', '&', gapDeclarations, { when: isGrid }),
  choice('grid_auto_flow', ['row', 'column'], '&', '--grid-auto-flow', { when: isGrid }),
  choice('grid_justify_items', ITEMS, '&', '--justify-items', { when: isGrid }),
  choice('grid_align_items', ITEMS, '&', '--align-items', { when: isGrid }),
  choice('grid_justify_content', CONTENT, '&', '--grid-justify-content', { when: isGrid }),
  choice('grid_align_content', CONTENT, '&', '--grid-align-content', { when: isGrid }),
]

/** The overlay is a pseudo-element: browsers draw it once it has content. */
const overlay: Declaration = ['--background-overlay', "''"]
const OVERLAYS = ['classic', 'gradient', 'video', 'slideshow']

export const containerControls: readonly Control[] = [
  choice('container_type', { flex: 'flex', grid: 'grid' }, '&', '--display', { isResponsive: false }),
  size('width', '&', '--width', { unit: '%', isAboveMobile: true, when: { content_width: 'full' } }),
  size('boxed_width', '&', '--content-width', { when: { content_width: ['', 'boxed'] } }),
  size('min_height', '&', '--min-height'),
  choice('overflow', ['hidden', 'auto', 'visible'], '&', '--overflow', { isResponsive: false }),
  ...flex,
  ...grid,
  sides('padding', '&', '--padding'),
  sides('margin', '&', '--margin'),
  layer('z_index', '--z-index'),
  choice('position', ['absolute', 'fixed'], '&', '--position', { isResponsive: false }),
  ...offsets('position'),
  ...flexItem('_'),
  gridSpan('grid_column', 'grid-column'),
  gridSpan('grid_row', 'grid-row'),
  ...background('background', '&'),
  ...background('background_hover', '&:hover'),
  compound(['background_overlay_background'], () => [['&::before', [overlay]]], {
    when: { background_overlay_background: OVERLAYS },
  }),
  ...background('background_overlay', '&::before'),
  number('background_overlay_opacity', '&', (value) => [['--overlay-opacity', numberText(value)]], {
    isResponsive: true,
    when: { background_overlay_background: OVERLAYS },
  }),
  ...containerBorder({ name: 'border', selector: '&' }),
  ...containerBorder({ name: 'border_hover', selector: '&:hover' }),
  radius('border_radius', '&', '--border-radius'),
  radius('border_radius_hover', '&:hover', '--border-radius'),
  boxShadow('box_shadow', '&'),
  boxShadow('box_shadow_hover', '&:hover'),
  ...shapeDividerControls,
]
