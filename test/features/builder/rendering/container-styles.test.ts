/** The settings of style of containers, as rules of their sheet. `&` stands for the selector of the element. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { containerElement, cssOfElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

test.each<[what: string, settings: object, css: string]>([
  [
    'a row, a column on mobile screens',
    {
      flex_direction: 'row',
      flex_direction_mobile: 'column',
      flex_justify_content: 'center',
      flex_align_items: 'stretch',
      flex_wrap: 'wrap',
      flex_align_content: 'end',
    },
    '&{--flex-direction:row;--container-widget-height:100%;--container-widget-flex-grow:1;--container-widget-align-self:stretch;--flex-wrap-mobile:wrap;--justify-content:center;--align-items:stretch;--container-widget-width:calc( ( 1 - var( --container-widget-flex-grow ) ) * 100% );--flex-wrap:wrap;--align-content:end}@media(max-width:767px){&{--flex-direction:column;--container-widget-width:100%;--container-widget-height:initial;--container-widget-flex-grow:0;--container-widget-align-self:initial;--flex-wrap-mobile:wrap}}',
  ],
  ['no lines to align where nothing wraps', { flex_align_content: 'end' }, ''],
  [
    'gaps by row and column, and in the older form',
    {
      flex_gap: { unit: 'px', row: '1', column: '2' },
      flex_gap_tablet: { unit: 'px', size: 9 },
      flex_gap_mobile: { unit: 'px', row: '4' },
    },
    '&{--gap:1px 2px;--row-gap:1px;--column-gap:2px}@media(max-width:1024px){&{--gap:9px 9px;--row-gap:9px;--column-gap:9px}}@media(max-width:767px){&{--gap:4px 0px;--row-gap:4px;--column-gap:0px}}',
  ],
  ['a gap that is no object', { flex_gap: 5 }, ''],
  [
    'a gap of columns only',
    { flex_gap: { unit: 'px', row: '', column: '3' }, flex_gap_mobile: { unit: 'px' } },
    '&{--gap:0px 3px;--row-gap:0px;--column-gap:3px}',
  ],
  [
    'a grid with tracks of its own',
    {
      container_type: 'grid',
      grid_columns_grid: { unit: 'fr', size: 4 },
      grid_rows_grid: { unit: 'custom', size: '1fr 200px' },
      grid_columns_grid_tablet: 2,
      grid_gaps: { unit: 'px', row: '1', column: '2' },
      grid_auto_flow: 'column',
      grid_justify_items: 'center',
    },
    '&{--display:grid;--e-con-grid-template-columns:repeat(4, 1fr);--e-con-grid-template-rows:1fr 200px;--gap:1px 2px;--row-gap:1px;--column-gap:2px;--grid-auto-flow:column;--justify-items:center}@media(max-width:1024px){&{--e-con-grid-template-columns:repeat(2, 1fr)}}@media(max-width:767px){&{--e-con-grid-template-columns:repeat(1, 1fr)}}',
  ],
  [
    'a grid with too many tracks, and default rows',
    { container_type: 'grid', grid_columns_grid: { unit: 'fr', size: 400 }, grid_rows_grid: { unit: 'fr', size: '' } },
    '&{--display:grid;--e-con-grid-template-columns:repeat(100, 1fr);--e-con-grid-template-rows:repeat(2, 1fr)}@media(max-width:767px){&{--e-con-grid-template-columns:repeat(1, 1fr)}}',
  ],
  [
    'a full width, which mobile screens have their own of',
    {
      content_width: 'full',
      width: { unit: '%', size: 50, sizes: [] },
      width_mobile: { unit: '%', size: 100, sizes: [] },
      min_height: { unit: 'vh', size: 30, sizes: [] },
      overflow: 'hidden',
    },
    '&{--min-height:30vh;--overflow:hidden}@media(min-width:768px){&{--width:50%}}@media(max-width:767px){&{--width:100%}}',
  ],
  [
    'a boxed width',
    { boxed_width: { unit: 'px', size: 900, sizes: [] }, width: { unit: '%', size: 50, sizes: [] } },
    '&{--content-width:900px}',
  ],
  [
    'a border, by side too',
    {
      border_border: 'solid',
      border_width: { unit: 'px', top: '1', right: '2', bottom: '3', left: '4', isLinked: false },
      border_color: 'red',
      border_radius: { unit: 'px', top: '5', right: '5', bottom: '5', left: '5', isLinked: false },
    },
    '&{--border-style:solid;border-width:1px 2px 3px 4px;--border-top-width:1px;--border-right-width:2px;--border-bottom-width:3px;--border-left-width:4px;--border-color:red;--border-radius:5px 5px 5px 5px}',
  ],
  [
    'an overlay',
    {
      background_overlay_background: 'classic',
      background_overlay_color: '#000000',
      background_overlay_opacity: { unit: 'px', size: 0.4, sizes: [] },
    },
    "&::before{--background-overlay:'';background-color:#000000}&{--overlay-opacity:0.4}",
  ],
  ['no overlay without its switch', { background_overlay_opacity: { unit: 'px', size: 0.4, sizes: [] } }, ''],
  [
    'a divider of a shape',
    {
      shape_divider_top: 'waves',
      shape_divider_top_color: '#ffffff',
      shape_divider_top_height: { unit: 'px', size: 50, sizes: [] },
      shape_divider_top_width: { unit: '%', size: 120, sizes: [] },
      shape_divider_top_flip: 'yes',
      shape_divider_top_negative: 'yes',
    },
    '& > .builder-shape-top .builder-shape-fill{fill:#ffffff}& > .builder-shape-top svg{height:50px;width:calc(120% + 1.3px);transform:translateX(-50%) rotateY(180deg)}',
  ],
  [
    'a fixed place, a layer and spaces',
    {
      position: 'fixed',
      _offset_orientation_h: 'end',
      _offset_x_end: { unit: 'px', size: 2, sizes: [] },
      z_index: 5,
      grid_column: '3',
      padding: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1', isLinked: false },
      margin: { unit: 'px', top: '2' },
    },
    '&{--padding-top:1px;--padding-right:1px;--padding-bottom:1px;--padding-left:1px;--margin-top:2px;--z-index:5;--position:fixed;right:2px;grid-column:span 3}',
  ],
])('%s', async (_, settings, css) => {
  expect(await cssOfElement(site, containerElement('e1', settings, []))).toBe(css)
})
