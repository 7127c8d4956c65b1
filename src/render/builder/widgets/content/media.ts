/** Draws the image widget. */
import { border, boxShadow, cssFilters, radius } from '../../controls/border.ts'
import { choice, color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { fileAddress } from '../../document/addresses.ts'
import { ownValue, textOf } from '../../document/values.ts'
import { imageOf, mediumOf } from '../../elements/image.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { ALIGN } from './text.ts'

function captionOf(element: WidgetContext): Child {
  const source = element.settings.choice('caption_source', ['attachment', 'custom'], 'none')
  if (source === 'custom') return element.html('caption')
  const medium = source === 'attachment' ? mediumOf(element.settings.value('image'), element.pass) : undefined
  return medium && filtered(medium.caption)
}

function linked(element: WidgetContext, image: Child): Child {
  const target = element.settings.choice('link_to', ['file', 'custom'], 'none')
  if (target === 'custom') return element.link('link', image)
  if (target === 'none') return image
  const medium = mediumOf(element.settings.value('image'), element.pass)
  const href = fileAddress(medium?.address ?? textOf(ownValue(element.settings.object('image'), 'url')))
  return href === '' ? image : h('a', { href }, image)
}

const CAPTION = '& .widget-image-caption'

export const image = widget({
  html: (element) => {
    const { settings, pass } = element
    const picture = imageOf(settings.value('image'), { sizeName: 'image', settings, pass, byDefault: 'large' })
    if (isNothing(picture)) return undefined
    const caption = captionOf(element)
    const content = linked(element, picture)
    if (isNothing(caption)) return content
    return h(
      'figure',
      { class: ['cms-caption'] },
      content,
      h('figcaption', { class: ['widget-image-caption', 'cms-caption-text'] }, caption),
    )
  },
  controls: [
    choice('align', ALIGN, '&', 'text-align'),
    size('width', '& img', 'width', { unit: '%' }),
    size('space', '& img', 'max-width', { unit: '%' }),
    size('height', '& img', 'height'),
    choice('object-fit', ['fill', 'cover', 'contain', 'scale-down', 'none'], '& img', 'object-fit'),
    choice(
      'object-position',
      [
        'center center',
        'center left',
        'center right',
        'top center',
        'top left',
        'top right',
        'bottom center',
        'bottom left',
        'bottom right',
      ],
      '& img',
      'object-position',
    ),
    number('opacity', '& img', (value) => [['opacity', numberText(value)]]),
    cssFilters('css_filters', '& img'),
    ...border({ name: 'image_border', selector: '& img' }),
    radius('image_border_radius', '& img'),
    boxShadow('image_box_shadow', '& img'),
    number('opacity_hover', '&:hover img', (value) => [['opacity', numberText(value)]]),
    cssFilters('css_filters_hover', '&:hover img'),
    choice('caption_align', ALIGN, CAPTION, 'text-align'),
    color('text_color', CAPTION, 'color'),
    color('caption_background_color', CAPTION, 'background-color'),
    ...typography('caption_typography', CAPTION),
    size('caption_space', CAPTION, 'margin-block-start'),
  ],
  defaults: [{ selector: '.widget-image-caption', color: 'text', typography: 'text' }],
  rules: `.builder-widget-image{text-align:center}.builder-widget-image a{display:inline-block}
.builder-widget-image img{vertical-align:middle;display:inline-block}
.builder-widget-image .cms-caption{margin:0}`,
})

export const mediaWidgets: WidgetTable = { image }
