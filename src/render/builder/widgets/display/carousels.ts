/** Draws carousels of pictures and videos, and of containers. Without a script the slides scroll. */
import { border, radius } from '../../controls/border.ts'
import { type Control, choice, color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { linkAddress } from '../../document/addresses.ts'
import { nameOf, textOf } from '../../document/values.ts'
import { imageOf, mediaAddress } from '../../elements/image.ts'
import { type Attributes, type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { carouselOf } from '../content/slider.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const slidesPerView = (setting: string, perView: string): Control =>
  number(setting, '&', (count) => [['--e-slides', numberText(Math.min(Math.max(Math.round(count), 1), 10))]], {
    isResponsive: true,
    defaults: { desktop: perView, tablet: perView === '1' ? '1' : '2', mobile: '1' },
  })

const arrows: readonly Control[] = [
  color('arrows_color', '& .builder-swiper-button', ['color', 'fill']),
  size('arrows_size', '& .builder-swiper-button', 'font-size'),
]

// ---------------------------------------------------------------- pictures and videos

/** A video opens at its provider: the player would need a script. */
function slideLink(item: WidgetContext): Attributes | undefined {
  const { settings, pass } = item
  if (settings.text('type', 'image') === 'video') {
    return item.linkAttributes('video')
  }
  const target = settings.choice('image_link_to_type', ['file', 'custom'], 'none')
  if (target === 'custom') return item.linkAttributes('image_link_to')
  const href = target === 'file' ? linkAddress(mediaAddress(settings.value('image'), pass)) : ''
  return href === '' ? undefined : { href }
}

function mediaSlide(item: WidgetContext, element: WidgetContext): Child {
  const { settings, pass } = item
  const picture = imageOf(settings.value('image'), {
    ...{ sizeName: 'image_size', settings: element.settings, pass, byDefault: 'full' },
    attributes: { class: ['builder-carousel-image'] },
  })
  const isVideo = settings.text('type', 'image') === 'video'
  const link = slideLink(item)
  if (isNothing(picture) && !(isVideo && link)) return undefined
  const play = isVideo && h('span', { class: ['builder-carousel-play'] }, element.icon('play_icon', PLAY))
  const shown = [picture, play]
  const label = isVideo ? { 'aria-label': 'Play video' } : {}
  return h(
    'div',
    { class: ['builder-carousel-slide', `builder-repeater-item-${nameOf(settings.raw['_id'])}`] },
    link ? h('a', { ...label, ...link }, shown) : shown,
  )
}

const PLAY = { value: 'eicon-play', library: 'eicons' }
const SLIDE = '& .builder-carousel-slide'

const mediaCarousel = widget({
  html: (element) => {
    const slides = element
      .items('slides')
      .map((item) => mediaSlide(item, element))
      .filter((one) => !isNothing(one))
    return carouselOf(element, slides, element.label('carousel_name') || 'Media carousel')
  },
  scriptSettings: 'skin effect slides_per_view autoplay autoplay_speed pause_on_hover loop speed'.split(' '),
  controls: [
    slidesPerView('slides_per_view', '3'),
    size('space_between', '&', '--e-slide-gap'),
    size('height', '&', '--e-slide-height'),
    choice('image_fit', ['cover', 'contain', 'auto'], '& .builder-carousel-image', 'object-fit', {
      isResponsive: false,
    }),
    color('slide_background_color', SLIDE, 'background-color'),
    ...border({ name: 'slide_border', selector: SLIDE }),
    radius('slide_border_radius', SLIDE),
    color('play_icon_color', '& .builder-carousel-play', ['color', 'fill']),
    size('play_icon_size', '& .builder-carousel-play', 'font-size'),
    ...arrows,
  ],
  rules: `.builder-widget-media-carousel,.builder-widget-nested-carousel{width:var(--container-widget-width);
flex-grow:var(--container-widget-flex-grow);min-width:0}
.builder-carousel-slide{position:relative;height:var(--e-slide-height,300px);overflow:hidden}
.builder-carousel-slide>a{display:block;height:100%}
.builder .builder-carousel-image{display:block;width:100%;height:100%;object-fit:cover}
.builder-carousel-play{position:absolute;inset:0;display:flex;align-items:center;justify-content:center;font-size:50px;color:#fff}`,
})

// ---------------------------------------------------------------- containers

const nestedCarousel = widget({
  html: (element) => {
    const slides = element.element.children.map((_, index) => element.child(index)).filter((one) => !isNothing(one))
    return carouselOf(element, slides, element.label('carousel_name') || 'Carousel')
  },
  scriptSettings: 'slides_to_show slides_to_scroll autoplay autoplay_speed pause_on_hover infinite speed'.split(' '),
  controls: [
    slidesPerView('slides_to_show', '3'),
    size('image_spacing_custom', '&', '--e-slide-gap'),
    color('arrow_normal_color', '& .builder-swiper-button', ['color', 'fill']),
    ...arrows,
  ],
  rules: '.builder-widget-nested-carousel .swiper-slide>.builder-element{height:100%}',
})

// ---------------------------------------------------------------- a list of videos

/** Draws each video as a link to its provider, with picture, length and notes. */
function playlistItem(item: WidgetContext): Child {
  const { settings, pass } = item
  if (settings.text('type') === 'section') return filled('li', { class: ['e-playlist__section'] }, item.html('title'))
  const own = mediaAddress(settings.value('hosted_url'), pass)
  const provider = settings.choice('type', ['youtube', 'vimeo', 'hosted'], 'youtube')
  const href = linkAddress(provider === 'hosted' ? own : textOf(settings.value(`${provider}_url`)))
  const title = item.html('title')
  const notes = [item.html('inner_tab_content_1'), item.html('inner_tab_content_2')]
  const head = [
    filled('span', { class: ['e-playlist__picture'] }, imageOf(settings.value('thumbnail'), PICTURE(item))),
    filled('span', { class: ['e-playlist__title'] }, title),
    filled('span', { class: ['e-playlist__length'] }, item.html('duration')),
  ]
  if (isNothing(head)) return undefined
  return h(
    'li',
    { class: ['e-playlist__item'] },
    href === ''
      ? h('span', { class: ['e-playlist__video'] }, head)
      : h('a', { class: ['e-playlist__video'], href }, head),
    filled('div', { class: ['e-playlist__notes'] }, notes),
  )
}

const PICTURE = ({ settings, pass }: WidgetContext) => ({ sizeName: 'thumbnail', settings, pass, byDefault: 'medium' })

const videoPlaylist = widget({
  html: (element) => {
    const list = filled('ol', { class: ['e-playlist__list'] }, element.items('tabs').map(playlistItem))
    if (isNothing(list)) return undefined
    const title = filled(
      element.tag('playlist_title_tag', 'h2'),
      { class: ['e-playlist__name'] },
      element.html('playlist_title'),
    )
    return h('div', { class: ['e-playlist'] }, title, list)
  },
  controls: [
    color('heading_color', '& .e-playlist__name', 'color'),
    ...typography('heading_typography', '& .e-playlist__name'),
    color('items_color', '& .e-playlist__title', 'color'),
    ...typography('items_typography', '& .e-playlist__title'),
    color('items_background_color', '& .e-playlist__item', 'background-color'),
  ],
  defaults: [{ selector: '.e-playlist__name', color: 'primary', typography: 'primary' }],
  rules: `.e-playlist{border:1px solid #d5d8dc}.e-playlist__name{margin:0;padding:15px;font-size:1.2em}
.e-playlist__list{list-style:none;margin:0;padding:0}.e-playlist__list>li{border-block-start:1px solid #d5d8dc;padding:10px 15px}
.e-playlist__section{font-weight:700}.e-playlist__video{display:flex;align-items:center;gap:15px;text-decoration:none}
.e-playlist__picture{flex:0 0 100px}.e-playlist__picture img{display:block;width:100%}.e-playlist__title{flex:1;min-width:0}
.e-playlist__notes{margin-block-start:10px}`,
})

export const carouselWidgets: WidgetTable = {
  'media-carousel': mediaCarousel,
  'nested-carousel': nestedCarousel,
  'video-playlist': videoPlaylist,
}
