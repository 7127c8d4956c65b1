/** Draws galleries in a grid, in columns or in justified rows; a widget may contain several, each with a title. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { border, radius } from '../../controls/border.ts'
import { choice, color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { limits } from '../../document/limits.ts'
import { isObject, type RawSettings } from '../../document/values.ts'
import { imageOf, mediaAddress, mediumOf } from '../../elements/image.ts'
import { filtered } from '../../html/markup.ts'
import { type Attributes, type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const CLASS = 'e-gallery'
const TEXTS = ['title', 'caption', 'description', 'alt'] as const

const pictures = (value: unknown): readonly RawSettings[] =>
  Array.isArray(value) ? value.slice(0, limits.items).filter(isObject) : []

function textOf({ settings, pass }: WidgetContext, name: string, value: RawSettings): Child {
  const wanted = TEXTS.find((text) => text === settings.text(name))
  const medium = wanted && mediumOf(value, pass)
  return medium ? filtered(wanted === 'alt' ? medium.alternative : medium[wanted]) : undefined
}

function linkOf(element: WidgetContext, value: RawSettings): Attributes | undefined {
  const target = element.settings.choice('link_to', ['custom', 'none'], 'file')
  if (target === 'custom') return element.linkAttributes('url')
  const href = target === 'file' ? mediaAddress(value, element.pass) : ''
  return href === '' ? undefined : { href }
}

function picture(element: WidgetContext, value: RawSettings): Child {
  const { settings, pass } = element
  const attributes = { class: [`${CLASS}-image`] }
  const image = imageOf(value, { sizeName: 'thumbnail_image', settings, pass, byDefault: 'medium', attributes })
  if (isNothing(image)) return undefined
  const text = [
    filled('span', { class: ['builder-gallery-item__title'] }, textOf(element, 'overlay_title', value)),
    filled('span', { class: ['builder-gallery-item__description'] }, textOf(element, 'overlay_description', value)),
  ]
  const link = linkOf(element, value)
  const { width = 0, height = 0 } = mediumOf(value, pass) ?? {}
  const ratio =
    width > 0 && height > 0 ? `--e-ratio:${numberText(Math.round((width / height) * 1000) / 1000)}` : undefined
  return h(
    'li',
    { class: [`${CLASS}-item`], style: ratio },
    h('figure', {}, link ? h('a', link, image) : image, filled('figcaption', {}, text)),
  )
}

function group(element: WidgetContext, values: readonly RawSettings[]): Child {
  const layout = element.settings.choice('gallery_layout', ['masonry', 'justified'], 'grid')
  return filled(
    'ul',
    { class: [`${CLASS}-container`, `${CLASS}-${layout}`] },
    values.map((value) => picture(element, value)),
  )
}

function groups(element: WidgetContext): Child {
  const { settings } = element
  if (settings.text('gallery_type', 'single') !== 'multiple') return group(element, pictures(settings.value('gallery')))
  return element.items('galleries').map((item) => {
    const list = group(element, pictures(item.settings.value('multiple_gallery')))
    const title = filled('h3', { class: ['builder-gallery-title'] }, item.html('gallery_title'))
    return isNothing(list) ? undefined : h('section', { class: ['builder-gallery__group'] }, title, list)
  })
}

const RATIO: { readonly [stored: string]: string } = lookupTable({
  ...{ '1:1': '1', '3:2': '3/2', '4:3': '4/3', '9:16': '9/16', '16:9': '16/9', '21:9': '21/9' },
})
const BOX = `& .${CLASS}-container`

const gallery = widget({
  html: groups,
  controls: [
    number('columns', '&', (count) => [['--e-columns', numberText(Math.min(Math.max(Math.round(count), 1), 24))]], {
      isResponsive: true,
      defaults: { desktop: '4', tablet: '2', mobile: '1' },
    }),
    size('gap', '&', '--e-gap'),
    size('ideal_row_height', '&', '--e-row'),
    choice('aspect_ratio', RATIO, '&', '--e-shape', { isResponsive: false }),
    ...border({ name: 'image_border', selector: `${BOX} .${CLASS}-image` }),
    radius('image_border_radius', `${BOX} .${CLASS}-image`),
    color('overlay_title_color', '& .builder-gallery-item__title', 'color'),
    ...typography('title_typography', '& .builder-gallery-item__title'),
    ...typography('description_typography', '& .builder-gallery-item__description'),
    color('galleries_title_color', '& .builder-gallery-title', 'color'),
    ...typography('galleries_titles_typography', '& .builder-gallery-title'),
  ],
  defaults: [
    { selector: '.builder-gallery-title', color: 'secondary', typography: 'primary' },
    { selector: 'figcaption', color: 'text', typography: 'text' },
  ],
  rules: `.builder-widget-gallery{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.${CLASS}-container{list-style:none;margin:0;padding:0;gap:var(--e-gap,10px)}.${CLASS}-item{margin:0;min-width:0}
.${CLASS}-item figure{margin:0}.${CLASS}-image{display:block;width:100%;height:auto;object-fit:cover}
.${CLASS}-item figcaption>span{display:block}.builder-gallery-title{margin:0 0 10px}.builder-gallery__group+.builder-gallery__group{margin-block-start:30px}
.${CLASS}-grid{display:grid;grid-template-columns:repeat(var(--e-columns,4),minmax(0,1fr))}
.${CLASS}-grid .${CLASS}-image{aspect-ratio:var(--e-shape,3/2)}
.${CLASS}-masonry{columns:var(--e-columns,4);column-gap:var(--e-gap,10px)}
.${CLASS}-masonry .${CLASS}-item{break-inside:avoid;margin-block-end:var(--e-gap,10px)}
.${CLASS}-justified{display:flex;flex-wrap:wrap}
.${CLASS}-justified .${CLASS}-item{flex:var(--e-ratio,1) 1 calc(var(--e-row,200px)*var(--e-ratio,1))}
.${CLASS}-justified .${CLASS}-image{height:var(--e-row,200px)}`,
})

export const galleryWidgets: WidgetTable = { gallery }
