/** Builder documents as a browser shows them: computed styles and boxes at three widths. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { colored, sized, styled, tag, text, variant } from '../support/atomic.ts'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { browserTests, type ServedSite } from './harness.ts'

const { newContext, openSite } = browserTests()

let site: ServedSite
beforeAll(async () => {
  site = await openSite()
})

/** Writes a page with the sheets and the HTML of a document, and nothing else. */
async function show(elements: unknown, options: { readonly width?: number; readonly pageSettings?: object } = {}) {
  const id = await storeDocument(site, elements, options)
  const rendered = await site.api.render.document(id)
  if (!rendered) throw new Error('the document was not rendered')
  const page = await (await newContext({ viewport: { width: options.width ?? 1280, height: 900 } })).newPage()
  const styles = rendered.css.map(({ css }) => `<style>${css}</style>`).join('')
  const classes = rendered.bodyClasses.join(' ')
  await page.setContent(
    `<!doctype html><style>body{margin:0}</style>${styles}<body class="${classes}">${rendered.html}</body>`,
  )
  return page
}

const computed = (page: Page, selector: string, property: string): Promise<string> =>
  page.$eval(selector, (element, name) => getComputedStyle(element).getPropertyValue(name), property)

const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0 }

const px = (size: number) => ({ unit: 'px', size, sizes: [] })

test('a boxed container is centred, with its padding and gap inside', async () => {
  const page = await show([
    containerElement('box', { boxed_width: px(700), flex_gap: { unit: 'px', row: '12', column: '8' } }, [
      widgetElement('one', 'heading', { title: 'One' }),
      widgetElement('two', 'heading', { title: 'Two' }),
    ]),
  ])
  expect(await boxOf(page, '.e-con')).toMatchObject({ x: 0, width: 1280 })
  expect(await boxOf(page, '.e-con-inner')).toMatchObject({ x: 290, width: 700 })
  expect(await computed(page, '.e-con-inner', 'row-gap')).toBe('12px')
  expect(await computed(page, '.e-con', 'padding-top')).toBe('0px')
  expect(await computed(page, '.e-con-inner', 'padding-top')).toBe('10px')
})

test('a responsive size belongs to its breakpoint', async () => {
  const elements = [
    widgetElement('t', 'heading', {
      title: 'Tide',
      typography_typography: 'custom',
      typography_font_size: px(40),
      typography_font_size_tablet: px(30),
      typography_font_size_mobile: px(20),
    }),
  ]
  for (const [width, size] of [
    [1280, '40px'],
    [1000, '30px'],
    [500, '20px'],
  ] as const) {
    expect(await computed(await show(elements, { width }), 'h2', 'font-size')).toBe(size)
  }
})

test('the width of a container holds on wide screens, and mobile ones use all of theirs', async () => {
  const elements = [
    containerElement(
      'row',
      {
        content_width: 'full',
        flex_direction: 'row',
        padding: { unit: 'px', top: '0', right: '0', bottom: '0', left: '0' },
      },
      [containerElement('a', { content_width: 'full', width: { unit: '%', size: 25 } }, [])],
    ),
  ]
  expect(await boxOf(await show(elements), '[data-id="a"]')).toMatchObject({ width: 320 })
  expect(await boxOf(await show(elements, { width: 600 }), '[data-id="a"]')).toMatchObject({ width: 600 })
})

test('an element is hidden in the band of its device only', async () => {
  const elements = [
    containerElement('c', { hide_tablet: 'hidden-tablet' }, [widgetElement('h', 'heading', { title: 'x' })]),
  ]
  for (const [width, isShown] of [
    [1280, true],
    [900, false],
    [600, true],
  ] as const) {
    const page = await show(elements, { width })
    expect(await page.isVisible('h2')).toBe(isShown)
  }
})

test('a grid has one column on mobile screens unless the element says otherwise', async () => {
  const elements = [
    containerElement(
      'g',
      {
        container_type: 'grid',
        content_width: 'full',
        grid_columns_grid: { unit: 'fr', size: 4 },
        padding: { unit: 'px', top: '0', left: '0', right: '0', bottom: '0' },
        grid_gaps: { unit: 'px', row: '0', column: '0' },
      },
      [widgetElement('h', 'heading', { title: 'x' })],
    ),
  ]
  expect(await computed(await show(elements), '.e-grid', 'grid-template-columns')).toBe('320px 320px 320px 320px')
  expect(await computed(await show(elements, { width: 600 }), '.e-grid', 'grid-template-columns')).toBe('600px')
})

test('columns share a section, and stack on mobile screens', async () => {
  const column = (id: string, size: number) => ({
    ...{
      id,
      elType: 'column',
      settings: { _column_size: size },
      elements: [widgetElement(`${id}h`, 'heading', { title: id })],
    },
  })
  const elements = [{ id: 's', elType: 'section', settings: {}, elements: [column('l', 66), column('r', 33)] }]
  const wide = await show(elements)
  expect((await boxOf(wide, '[data-id="l"]')).width).toBeCloseTo(760, 0)
  expect(await boxOf(wide, '.builder-container')).toMatchObject({ x: 70, width: 1140 })
  expect(await boxOf(await show(elements, { width: 500 }), '[data-id="r"]')).toMatchObject({ x: 0, width: 500 })
})

test('a button, a divider and a spacer look as their defaults and settings say', async () => {
  const page = await show([
    widgetElement('b', 'button', { text: 'Go', size: 'xl', button_text_color: '#010203' }),
    widgetElement('d', 'divider', { color: '#040506', weight: px(3), style: 'dashed' }),
    widgetElement('s', 'spacer', { space: px(33) }),
  ])
  expect(await computed(page, '.builder-button', 'padding-left')).toBe('50px')
  expect(await computed(page, '.builder-button', 'color')).toBe('rgb(1, 2, 3)')
  const line = await page.$eval('.builder-divider-separator', (element) => {
    const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(element, '::before')
    return [borderTopWidth, borderTopStyle, borderTopColor]
  })
  expect(line).toEqual(['3px', 'dashed', 'rgb(4, 5, 6)'])
  expect(await computed(page, '.builder-spacer-inner', 'height')).toBe('33px')
})

test('content widgets have their own looks, and settings change them', async () => {
  const star = { value: 'fas fa-star', library: 'fa-solid' }
  const page = await show([
    containerElement('c', { content_width: 'full' }, [
      widgetElement('map', 'google_maps', { height: px(120) }),
      widgetElement('vid', 'video', { youtube_url: 'https://youtu.be/AbC123_xyz9', aspect_ratio: '43' }),
      widgetElement('bar', 'progress', { percent: { unit: '%', size: 25 }, bar_color: '#ff0000' }),
      widgetElement('ico', 'icon', { view: 'stacked', primary_color: '#00ff00', selected_icon: star }),
      widgetElement('lst', 'icon-list', {
        icon_list: [{ text: 'a' }, { text: 'b' }],
        space_between: px(40),
        divider: 'yes',
      }),
      widgetElement('soc', 'social-icons', {
        social_icon_list: [{ _id: 'one', social_icon: star, item_icon_primary_color: '#0000ff', link: { url: '/x' } }],
        icon_size: px(30),
        icon_padding: px(10),
      }),
    ]),
  ])
  expect(await computed(page, '[data-id="map"] iframe', 'height')).toBe('120px')
  const video = await page.locator('[data-id="vid"] .builder-wrapper').boundingBox()
  expect((video?.width ?? 0) / (video?.height ?? 1)).toBeCloseTo(4 / 3, 2)
  const bar = await boxOf(page, '[data-id="bar"] .builder-progress-bar')
  expect(bar.width).toBeCloseTo((await boxOf(page, '[data-id="bar"] .builder-progress-wrapper')).width / 4, 0)
  expect(await computed(page, '[data-id="bar"] .builder-progress-bar', 'background-color')).toBe('rgb(255, 0, 0)')
  expect(await computed(page, '[data-id="ico"] .builder-icon', 'background-color')).toBe('rgb(0, 255, 0)')
  expect(await computed(page, '[data-id="lst"] ul', 'row-gap')).toBe('40px')
  expect(await computed(page, '[data-id="soc"] .builder-social-icon', 'background-color')).toBe('rgb(0, 0, 255)')
  expect((await boxOf(page, '[data-id="soc"] .builder-social-icon')).width).toBe(50)
})

test('without script every panel of tabs is visible, and a carousel scrolls inside its box', async () => {
  const image = (name: string) => ({ url: `data:image/gif;base64,${name}` })
  const page = await show(
    [
      widgetElement('tab', 'tabs', {
        tabs: [
          { tab_title: 'One', tab_content: 'First' },
          { tab_title: 'Two', tab_content: 'Second' },
        ],
      }),
      widgetElement('car', 'image-carousel', { carousel: ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE'].map(image) }),
      widgetElement('eur', 'icon-box', { title_text: '<div>Open', description_text: 'x</div></div>' }),
      widgetElement('end', 'heading', { title: 'End' }),
    ],
    { width: 500 },
  )
  for (const name of ['First', 'Second']) expect(await page.getByText(name).isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(500)
  // One slide at a time on a mobile screen.
  expect((await boxOf(page, '.swiper-slide')).width).toBe(500)
  expect(await page.$eval('[data-id="end"]', (element) => element.parentElement?.className)).toMatch(
    /^builder builder-\d+$/,
  )
})

test('elements of the new generation have their base, then global classes, then their own styles', async () => {
  const label = {
    id: 'g-1',
    type: 'class',
    label: 'lead',
    variants: [variant({ color: colored('#010203'), width: sized(300) })],
  }
  await site.api.site.options.write({
    builder_kit_global_classes: {
      live: { items: JSON.parse(JSON.stringify({ 'g-1': label })), order: ['g-1'] },
      preview: null,
    },
    builder_kit_variables: {
      watermark: 1,
      list: [{ id: 'v', type: 'global-size-variable', label: 'wide', value: '80px', order: 1, changedAt: 1 }],
    },
  })
  const own = styled(
    'own',
    'e-button',
    [
      variant({ width: tag('global-size-variable', 'v') }, { css: '& b{color:rgb(7,8,9)}' }),
      variant({ width: sized(200) }, { breakpoint: 'mobile' }),
    ],
    { text: text('a<b>b</b>'), classes: tag('classes', ['g-1', 'e-own-1']) },
  )
  const elements = [
    { ...containerElement('row', {}, [own]), elType: 'e-flexbox' },
    widgetElement('v', 'e-youtube', { source: text('https://youtu.be/AbC123_xyz9') }),
  ]
  const page = await show(elements)
  expect(await computed(page, '[data-id="row"]', 'display')).toBe('flex')
  expect(await computed(page, '[data-id="row"]', 'flex-direction')).toBe('row')
  expect(await computed(page, '.e-button-base', 'background-color')).toBe('rgb(55, 94, 251)')
  expect(await computed(page, '.e-button-base', 'color')).toBe('rgb(1, 2, 3)')
  expect(await computed(page, '.e-button-base', 'width')).toBe('80px')
  expect(await computed(page, '.e-button-base b', 'color')).toBe('rgb(7, 8, 9)')
  expect(await boxOf(page, 'iframe')).toMatchObject({ width: 1280, height: 720 })
  expect(await computed(await show(elements, { width: 500 }), '.e-button-base', 'width')).toBe('200px')
})

test('a margin adds to the space between widgets, in columns and in containers', async () => {
  const none = { unit: 'px', top: '0', right: '0', bottom: '0', left: '0', isLinked: true }
  const spaced = { ...none, bottom: '7' }
  const widgets = (name: string) => [
    widgetElement(`${name}1`, 'heading', { title: 'One', _margin: none }),
    widgetElement(`${name}2`, 'heading', { title: 'Two', _margin: spaced }),
    widgetElement(`${name}3`, 'heading', { title: 'Three', _margin: spaced }),
  ]
  const column = { id: 'col', elType: 'column', settings: { _column_size: 100 }, elements: widgets('a') }
  const page = await show([
    { id: 'sec', elType: 'section', settings: {}, elements: [column] },
    containerElement('con', {}, widgets('b')),
  ])
  const below = (id: string) => computed(page, `.builder-element-${id}`, 'margin-bottom')
  expect(await Promise.all(['a1', 'a2', 'a3'].map(below))).toEqual(['20px', '27px', '7px'])
  expect(await Promise.all(['b1', 'b2', 'b3'].map(below))).toEqual(['0px', '7px', '7px'])
})
