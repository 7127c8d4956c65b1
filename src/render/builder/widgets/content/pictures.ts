/** Draws carousels and galleries of images. */
import { sha256Of } from '../../../../core/runtime/crypto.ts'
import { border, radius } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
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
import { arrowsOf, carouselRules, hasArrows, hasDots, slideLabel } from './slider.ts'
import { ALIGN } from './text.ts'

/** Returns the entries of a list of media values. */
function mediaItems({ settings }: WidgetContext, name: string): RawSettings[] {
  const list = settings.value(name)
  return Array.isArray(list) ? list.slice(0, limits.items).filter(isObject) : []
}

const CAPTIONS = ['title', 'caption', 'description'] as const

function captionOf({ settings, pass }: WidgetContext, value: RawSettings): Child {
  const medium = mediumOf(value, pass)
  const type = CAPTIONS.find((name) => name === settings.text('caption_type'))
  return type && medium ? filtered(medium[type]) : undefined
}

function slideLink(element: WidgetContext, value: RawSettings): Attributes | undefined {
  const target = element.settings.choice('link_to', ['file', 'custom'], 'none')
  if (target === 'custom') return element.linkAttributes('link')
  const href = target === 'file' ? mediaAddress(value, element.pass) : ''
  return href === '' ? undefined : { href }
}

function slide(element: WidgetContext, value: RawSettings): Child {
  const { settings, pass } = element
  const attributes = { class: ['swiper-slide-image'] }
  const picture = imageOf(value, { sizeName: 'thumbnail', settings, pass, byDefault: 'full', attributes })
  if (isNothing(picture)) return undefined
  const caption = filled('figcaption', { class: ['builder-image-carousel-caption'] }, captionOf(element, value))
  const figure = h('figure', { class: ['swiper-slide-inner'] }, picture, caption)
  const link = slideLink(element, value)
  return link ? h('a', link, figure) : figure
}

const imageCarousel = widget({
  html: (element) => {
    const { settings, pass } = element
    const slides = mediaItems(element, 'carousel')
      .map((value) => slide(element, value))
      .filter((one) => !isNothing(one))
    if (slides.length === 0) return undefined
    const isSingle = slides.length === 1
    if (!isSingle) pass.behaviours.add('carousel')
    const isStretched = settings.isOn('image_stretch', 'no')
    return h(
      'div',
      {
        class: ['builder-image-carousel-wrapper', 'swiper'],
        role: 'region',
        'aria-roledescription': 'carousel',
        'aria-label': settings.text('carousel_name', 'Image Carousel'),
        dir: settings.choice('direction', ['ltr', 'rtl'], 'ltr'),
      },
      h(
        'div',
        {
          class: ['builder-image-carousel', 'swiper-wrapper', isStretched && 'swiper-image-stretch'],
          'aria-live': settings.isOn('autoplay', 'yes') ? 'off' : 'polite',
        },
        slides.map((one, at) => h('div', { class: ['swiper-slide'], ...slideLabel(at, slides.length) }, one)),
      ),
      !isSingle && hasArrows(settings) && arrowsOf(element),
      !isSingle && hasDots(settings) && h('div', { class: ['swiper-pagination'] }),
    )
  },
  scriptSettings: (
    'slides_to_show slides_to_show_tablet slides_to_show_mobile slides_to_scroll navigation autoplay autoplay_speed ' +
    'pause_on_hover pause_on_interaction infinite speed effect direction lazyload image_spacing image_spacing_custom'
  ).split(' '),
  controls: [
    number('slides_to_show', '&', (value) => [['--e-slides', numberText(Math.max(1, Math.round(value)))]], {
      isResponsive: true,
      defaults: { desktop: '3', tablet: '2', mobile: '1' },
    }),
    size('image_spacing_custom', '&', '--e-slide-gap', { when: { image_spacing: 'custom' } }),
    choice('gallery_vertical_align', ['flex-start', 'center', 'flex-end'], '& .swiper-wrapper', 'align-items'),
    ...border({ name: 'image_border', selector: '& .swiper-slide-image' }),
    radius('image_border_radius', '& .swiper-slide-image'),
    color('arrows_color', '& .builder-swiper-button', ['color', 'fill']),
    size('arrows_size', '& .builder-swiper-button', 'font-size'),
    color('dots_color', '&', '--e-dot-color'),
    size('dots_size', '&', '--e-dot-size'),
    choice('caption_align', ALIGN, '& .builder-image-carousel-caption', 'text-align'),
    color('caption_text_color', '& .builder-image-carousel-caption', 'color'),
    ...typography('caption_typography', '& .builder-image-carousel-caption'),
    size('caption_space', '& .builder-image-carousel-caption', 'margin-block-start'),
  ],
  defaults: [{ selector: '.builder-image-carousel-caption', color: 'text', typography: 'text' }],
  rules: `${carouselRules}.builder-widget-image-carousel{width:var(--container-widget-width);
flex-grow:var(--container-widget-flex-grow);min-width:0}
.builder-image-carousel .swiper-slide{text-align:center}.swiper-slide-inner{margin:0}.swiper-slide a{text-decoration:none}
.swiper-image-stretch .swiper-slide-image{width:100%}`,
})

const isPortrait = (element: WidgetContext, value: RawSettings): boolean => {
  const { width = 0, height = 0 } = mediumOf(value, element.pass) ?? {}
  return height > width
}

function galleryLink({ settings, pass }: WidgetContext, value: RawSettings): Attributes | undefined {
  const target = settings.choice('gallery_link', ['attachment', 'none'], 'file')
  if (target === 'none') return undefined
  const medium = mediumOf(value, pass)
  const href = target === 'attachment' && medium ? pass.addressOf(medium.id) : mediaAddress(value, pass)
  return href === '' ? undefined : { href }
}

/** Shuffles by the date, so that all readers see the same order for a day. */
function shuffled<T>(values: readonly T[], { pass, id }: WidgetContext): T[] {
  pass.depend('vary:time')
  const day = Math.floor(pass.now / 86_400_000)
  return values
    .map((value, at) => ({ value, key: sha256Of(`${day} ${id} ${at}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ value }) => value)
}

const imageGallery = widget({
  html: (element) => {
    const { settings, pass } = element
    const stored = mediaItems(element, 'wp_gallery')
    const values = settings.text('gallery_rand') === 'rand' ? shuffled(stored, element) : stored
    const hasCaptions = settings.text('gallery_display_caption') !== 'none'
    const figures = values.map((value) => {
      const picture = imageOf(value, { sizeName: 'thumbnail', settings, pass, byDefault: 'thumbnail' })
      if (isNothing(picture)) return undefined
      const link = galleryLink(element, value)
      const caption = hasCaptions ? filtered(mediumOf(value, pass)?.caption ?? '') : undefined
      const shape = isPortrait(element, value) ? 'portrait' : 'landscape'
      return h(
        'figure',
        { class: ['gallery-item'] },
        h('div', { class: ['gallery-icon', shape] }, link ? h('a', link, picture) : picture),
        filled('figcaption', { class: ['gallery-caption'] }, caption),
      )
    })
    if (isNothing(figures)) return undefined
    const columns = Math.min(Math.max(Math.round(settings.number('gallery_columns', 4)), 1), 10)
    const named = (settings.text('thumbnail_size') || 'thumbnail').replace(/[^\w-]+/g, '')
    return h(
      'div',
      { class: ['builder-image-gallery'] },
      h('div', { class: ['gallery', `gallery-columns-${columns}`, `gallery-size-${named}`] }, figures),
    )
  },
  classes: [prefixClass('image_spacing', 'gallery-spacing-')],
  controls: [
    size('image_spacing_custom', '& .gallery', 'gap', { when: { image_spacing: 'custom' } }),
    ...border({ name: 'image_border', selector: '& .gallery-item img' }),
    radius('image_border_radius', '& .gallery-item img'),
    choice('align', ALIGN, '& .gallery-item .gallery-caption', 'text-align'),
    color('text_color', '& .gallery-item .gallery-caption', 'color'),
    ...typography('typography', '& .gallery-item .gallery-caption'),
  ],
  defaults: [{ selector: '.gallery-caption', color: 'text', typography: 'text' }],
  rules: `.builder-widget-image-gallery{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.gallery{display:grid;grid-template-columns:repeat(var(--gallery-columns,4),minmax(0,1fr));gap:15px}
.gallery-item{margin:0;text-align:center}.gallery-item img{vertical-align:middle}
${Array.from({ length: 10 }, (_, at) => `.gallery-columns-${at + 1}{--gallery-columns:${at + 1}}`).join('')}`,
})

export const pictureWidgets: WidgetTable = { 'image-carousel': imageCarousel, 'image-gallery': imageGallery }
