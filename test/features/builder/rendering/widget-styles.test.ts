/** The settings of style that every classic widget has, as rules of its sheet. `&` stands for the selector of the element. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cssOfElement, storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

test.each<[what: string, settings: object, css: string]>([
  [
    'a margin keeps the space to the next widget',
    { _margin: { unit: 'px', top: '1', right: '2', bottom: '3', left: '4', isLinked: false } },
    '&{margin:1px 2px calc(var(--kit-widget-spacing, 0px) + 3px) 4px}',
  ],
  ['an automatic margin has no space added', { _margin: { unit: 'px', bottom: 'auto' } }, '&{margin:0px 0px auto 0px}'],
  [
    'a margin of one side',
    { _margin: { unit: 'px', top: '5' } },
    '&{margin:5px 0px calc(var(--kit-widget-spacing, 0px) + 0px) 0px}',
  ],
  [
    'a padding on tablets only',
    { _padding_tablet: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1', isLinked: false } },
    '@media(max-width:1024px){&{padding-top:1px;padding-right:1px;padding-bottom:1px;padding-left:1px}}',
  ],
  [
    'the whole width, its own on mobile screens',
    { _element_width: 'inherit', _element_width_mobile: 'auto' },
    '&{width:100%;max-width:100%}@media(max-width:767px){&{width:auto;max-width:auto}}',
  ],
  [
    'a width of its own, empty on mobile screens',
    {
      _element_width: 'initial',
      _element_custom_width: { unit: '%', size: 40, sizes: [] },
      _element_custom_width_mobile: { unit: 'px', size: '', sizes: [] },
    },
    '&{--container-widget-width:40%;--container-widget-flex-grow:0;width:var( --container-widget-width, 40% );max-width:40%}',
  ],
  ['a width of no known kind', { _element_width: 'wide' }, ''],
  [
    'a part in a flex container',
    {
      _flex_align_self: 'center',
      _flex_order: 'start',
      _flex_order_mobile: 'end',
      _flex_size: 'grow',
      _flex_size_tablet: 'none',
    },
    '&{--align-self:center;--order:-99999;--flex-grow:1;--flex-shrink:0}@media(max-width:1024px){&{--flex-grow:0;--flex-shrink:0}}@media(max-width:767px){&{--order:99999}}',
  ],
  [
    'an order and sizes as numbers',
    {
      _flex_order: 'custom',
      _flex_order_custom: 3,
      _flex_order_custom_mobile: 7,
      _flex_size: 'custom',
      _flex_grow: 2,
      _flex_shrink_mobile: 3,
    },
    '&{--order:3;--flex-grow:2}@media(max-width:767px){&{--order:7;--flex-shrink:3}}',
  ],
  ['an order without a number, a size of an inherited name', { _flex_order: 'custom', _flex_size: 'toString' }, ''],
  ['an order and a size of no known kind', { _flex_order: 'first', _flex_size: 7 }, ''],
  [
    'tracks of a grid, as a text and as a number',
    { _grid_column: 'custom', _grid_column_custom: '1 / 3', _grid_row: '2' },
    '&{grid-column:1 / 3;grid-row:span 2}',
  ],
  [
    'tracks that tablets count in their own way',
    { _grid_column: 'custom', _grid_column_custom: '1 / 3', _grid_column_custom_tablet: '4', _grid_row_mobile: '' },
    '&{grid-column:1 / 3}@media(max-width:1024px){&{grid-column:span 4}}',
  ],
  [
    'offsets of what lies outside of the flow',
    {
      _position: 'absolute',
      _offset_x: { unit: 'px', size: 3, sizes: [] },
      _offset_orientation_v: 'end',
      _offset_y: { unit: 'px', size: 9, sizes: [] },
      _offset_y_end: { unit: 'px', size: 4, sizes: [] },
    },
    '&{left:3px;bottom:4px}',
  ],
  ['no offsets for what stays in the flow', { _offset_x: { unit: 'px', size: 3, sizes: [] }, _position: 'sticky' }, ''],
  [
    'a layer and an opacity',
    { _z_index: 4.4, _opacity: { unit: 'px', size: 0.5, sizes: [] } },
    '&{z-index:4;opacity:0.5}',
  ],
  ['an opacity that is no number', { _opacity: 'thick' }, ''],
  [
    'a background, which is attached above mobile screens',
    {
      _background_background: 'classic',
      _background_color: '#112233',
      _background_image: { url: 'https://quay.example/a b.png', id: '' },
      _background_position: 'top left',
      _background_repeat: 'no-repeat',
      _background_size: 'cover',
      _background_attachment: 'fixed',
    },
    '&{background-color:#112233;background-image:url("https://quay.example/a%20b.png");background-position:top left;background-repeat:no-repeat;background-size:cover}@media(min-width:768px){&{background-attachment:fixed}}',
  ],
  [
    'a background placed by numbers',
    {
      _background_background: 'classic',
      _background_position: 'initial',
      _background_xpos: { unit: 'px', size: 10, sizes: [] },
      _background_ypos_mobile: { unit: 'px', size: 5, sizes: [] },
      _background_size: 'initial',
      _background_bg_width: { unit: '%', size: 50, sizes: [] },
      _background_bg_width_mobile: { unit: 'px', size: '', sizes: [] },
    },
    '&{background-position:10px 0px;background-size:50% auto}@media(max-width:767px){&{background-position:0px 5px}}',
  ],
  [
    'a background placed by numbers that are missing',
    { _background_background: 'classic', _background_position: 'initial', _background_size: 'initial' },
    '',
  ],
  ['no background without its switch', { _background_color: '#112233' }, ''],
  [
    'a gradient, turned on mobile screens',
    {
      _background_background: 'gradient',
      _background_color: '#111111',
      _background_color_b: '#222222',
      _background_color_stop: { unit: '%', size: 10, sizes: [] },
      _background_gradient_angle: { unit: 'deg', size: 90, sizes: [] },
      _background_gradient_angle_mobile: { unit: 'deg', size: 45, sizes: [] },
    },
    '&{background-color:transparent;background-image:linear-gradient(90deg, #111111 10%, #222222 100%)}@media(max-width:767px){&{background-color:transparent;background-image:linear-gradient(45deg, #111111 10%, #222222 100%)}}',
  ],
  [
    'a gradient around a point',
    {
      _background_background: 'gradient',
      _background_color: '#111111',
      _background_gradient_type: 'radial',
      _background_gradient_position: 'top left',
      _background_color_b_stop: { unit: '%', size: '', sizes: [] },
    },
    '&{background-color:transparent;background-image:radial-gradient(at top left, #111111 0%, #f2295b 100%)}',
  ],
  [
    'a gradient of one colour',
    { _background_background: 'gradient', _background_color: '#111111' },
    '&{background-color:transparent;background-image:linear-gradient(180deg, #111111 0%, #f2295b 100%)}',
  ],
  ['no gradient without its first colour', { _background_background: 'gradient', _background_color_b: '#222222' }, ''],
  [
    'a border, none under the pointer',
    {
      _border_border: 'dashed',
      _border_width: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1', isLinked: false },
      _border_color: 'red',
      _border_radius: { unit: 'px', top: '2', right: '2', bottom: '2', left: '2', isLinked: false },
      _border_hover_border: 'none',
    },
    '&{border-style:dashed;border-width:1px 1px 1px 1px;border-color:red;border-radius:2px 2px 2px 2px}&:hover{border-style:none}',
  ],
  [
    'a radius of some corners',
    {
      _border_radius: { unit: 'px', top: '2' },
      _border_radius_mobile: { unit: 'px', bottom: '3', left: '4', right: '5' },
    },
    '&{border-radius:2px 0 0 0}@media(max-width:767px){&{border-radius:0 5px 3px 4px}}',
  ],
  [
    'no border without its style',
    { _border_width: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1', isLinked: false } },
    '',
  ],
  [
    'a shadow inside',
    {
      _box_shadow_box_shadow_type: 'yes',
      _box_shadow_box_shadow: { horizontal: 1, vertical: '2', blur: 'x', spread: 4, color: '#00000080' },
      _box_shadow_box_shadow_position: 'inset',
    },
    '&{box-shadow:1px 2px 0px 4px #00000080 inset}',
  ],
  ['no shadow without a colour', { _box_shadow_box_shadow_type: 'yes', _box_shadow_box_shadow: { horizontal: 1 } }, ''],
  [
    'a shadow under the pointer',
    { _box_shadow_hover_box_shadow_type: 'yes', _box_shadow_hover_box_shadow: { color: 'red' } },
    '&:hover{box-shadow:0px 0px 0px 0px red}',
  ],
])('every widget: %s', async (_, settings, css) => {
  expect(await cssOfElement(site, widgetElement('e1', 'heading', { title: 'x', ...settings }))).toBe(css)
})

test('a place in the page and a width are class names too', async () => {
  const settings = { title: 'x', _position: 'absolute', _element_width: 'inherit', _element_width_mobile: 'auto' }
  const odd = { title: 'x', _position: 'sticky', _element_width: 'wide' }
  const id = await storeDocument(site, [widgetElement('e1', 'heading', settings), widgetElement('e2', 'heading', odd)])
  const html = (await site.api.render.document(id))?.html
  expect(html).toContain(
    'builder-widget-heading builder-absolute builder-widget__width-inherit builder-widget-mobile__width-auto"',
  )
  expect(html).toMatch(/builder-element-e2 builder-widget builder-widget-heading"/)
})

test.each<[what: string, settings: object, css: string]>([
  [
    'typography, smaller on mobile screens',
    {
      typography_typography: 'custom',
      typography_font_family: 'Sea Sans',
      typography_font_size: { unit: 'rem', size: 2, sizes: [] },
      typography_font_size_mobile: { unit: 'rem', size: 1, sizes: [] },
      typography_font_weight: '700',
      typography_text_transform: 'uppercase',
      typography_line_height: { unit: 'em', size: 1.4, sizes: [] },
      typography_letter_spacing: { unit: 'px', size: 1, sizes: [] },
      typography_font_style: 'slanted',
    },
    '& .builder-heading-title{font-family:"Sea Sans", Sans-serif;font-size:2rem;font-weight:700;text-transform:uppercase;line-height:1.4em;letter-spacing:1px}@media(max-width:767px){& .builder-heading-title{font-size:1rem}}',
  ],
  ['no typography without its switch', { typography_font_size: { unit: 'rem', size: 2, sizes: [] } }, ''],
  [
    'typography and colour of the kit',
    {
      __globals__: { typography_typography: 'globals/typography?id=primary', title_color: 'globals/colors?id=accent' },
      typography_font_size_mobile: { unit: 'px', size: 3, sizes: [] },
    },
    '& .builder-heading-title{color:var( --e-global-color-accent );font-family:var( --e-global-typography-primary-font-family ), Sans-serif;font-weight:var( --e-global-typography-primary-font-weight )}',
  ],
  [
    'typography and colour that the kit does not have',
    { __globals__: { typography_typography: 'globals/typography?id=nosuch', title_color: 'globals/colors?id=nosuch' } },
    '',
  ],
  [
    'colour, shadow, stroke and alignment',
    {
      title_color: '#abcdef',
      text_shadow_text_shadow_type: 'yes',
      text_shadow_text_shadow: { horizontal: 1, vertical: 1, blur: 2, color: 'black' },
      text_stroke_text_stroke_type: 'yes',
      text_stroke_text_stroke: { unit: 'px', size: 2, sizes: [] },
      text_stroke_stroke_color: 'blue',
      blend_mode: 'multiply',
      align: 'center',
      align_mobile: 'left',
    },
    '&{text-align:center}& .builder-heading-title{color:#abcdef;text-shadow:1px 1px 2px black;-webkit-text-stroke-width:2px;stroke-width:2px;-webkit-text-stroke-color:blue;stroke:blue;mix-blend-mode:multiply}@media(max-width:767px){&{text-align:start}}',
  ],
  [
    'a stroke and a shadow without values',
    {
      text_stroke_text_stroke_type: 'yes',
      text_stroke_text_stroke: { unit: 'px', size: '', sizes: [] },
      text_shadow_text_shadow_type: 'yes',
      text_shadow_text_shadow: {},
    },
    '',
  ],
])('a heading: %s', async (_, settings, css) => {
  expect(await cssOfElement(site, widgetElement('e1', 'heading', { title: 'x', ...settings }))).toBe(css)
})

test.each<[what: string, settings: object, css: string]>([
  [
    'filters',
    {
      css_filters_css_filter: 'custom',
      css_filters_blur: { unit: 'px', size: 2, sizes: [] },
      css_filters_brightness: { unit: 'px', size: 110, sizes: [] },
      width: { unit: '%', size: 50, sizes: [] },
      opacity: { unit: 'px', size: 0.5, sizes: [] },
      image_border_border: 'solid',
    },
    '& img{width:50%;opacity:0.5;filter:brightness( 110% ) contrast( 100% ) saturate( 100% ) blur( 2px ) hue-rotate( 0deg );border-style:solid}',
  ],
])('a picture: %s', async (_, settings, css) => {
  const image = { url: 'https://quay.example/a.png', id: '' }
  expect(await cssOfElement(site, widgetElement('e1', 'image', { image, ...settings }))).toBe(css)
})
