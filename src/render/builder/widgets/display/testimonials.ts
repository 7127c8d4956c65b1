/** Draws carousels of testimonials and reviews. Without a script the slides scroll. */
import { border, radius } from '../../controls/border.ts'
import { color, number, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { carouselOf } from '../content/slider.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const CLASS = 'builder-testimonial'

function stars({ settings }: WidgetContext): Child {
  if (!settings.has('rating')) return undefined
  const value = Math.min(Math.max(settings.number('rating', 0), 0), 5)
  if (value === 0) return undefined
  const full = Math.round(value)
  const label = `Rated ${numberText(value)} out of 5`
  return h('span', { class: ['e-stars'], role: 'img', 'aria-label': label }, '★'.repeat(full) + '☆'.repeat(5 - full))
}

function person(item: WidgetContext): Child {
  return filled(
    'figcaption',
    { class: [`${CLASS}__footer`] },
    filled('span', { class: [`${CLASS}__image`] }, item.image('image', 'image')),
    filled(
      'cite',
      { class: [`${CLASS}__cite`] },
      filled('span', { class: [`${CLASS}__name`] }, item.html('name')),
      filled('span', { class: [`${CLASS}__title`] }, item.html('title')),
      stars(item),
    ),
    filled('span', { class: [`${CLASS}__network`] }, item.icon('selected_social_icon', undefined, 'social_icon')),
  )
}

function testimonial(item: WidgetContext): Child {
  const text = filled('blockquote', { class: [`${CLASS}__text`] }, item.html('content'))
  const about = item.link('link', person(item))
  if (isNothing([text, about])) return undefined
  const shape = [CLASS, `builder-repeater-item-${nameOf(item.settings.raw['_id'])}`]
  return h('figure', { class: shape }, text, about)
}

const P = `& .${CLASS}`

const testimonials = (label: string, perView: string) =>
  widget({
    html: (element) => {
      const slides = element
        .items('slides')
        .map(testimonial)
        .filter((one) => !isNothing(one))
      return carouselOf(element, slides, element.label('carousel_name') || label)
    },
    scriptSettings: 'slides_per_view autoplay autoplay_speed pause_on_hover loop speed'.split(' '),
    controls: [
      number(
        'slides_per_view',
        '&',
        (count) => [['--e-slides', numberText(Math.min(Math.max(Math.round(count), 1), 10))]],
        {
          isResponsive: true,
          defaults: { desktop: perView, tablet: perView === '1' ? '1' : '2', mobile: '1' },
        },
      ),
      size('space_between', '&', '--e-slide-gap'),
      color('slide_background_color', P, 'background-color'),
      sides('slide_padding', P, 'padding'),
      ...border({ name: 'slide_border', selector: P }),
      radius('slide_border_radius', P),
      size('content_gap', `${P}__footer`, 'margin-block-start'),
      color('content_color', `${P}__text`, 'color'),
      ...typography('content_typography', `${P}__text`),
      color('name_color', `${P}__name`, 'color'),
      ...typography('name_typography', `${P}__name`),
      color('title_color', `${P}__title`, 'color'),
      ...typography('title_typography', `${P}__title`),
      color('star_color', '& .e-stars', 'color'),
      size('image_size', `${P}__image img`, ['width', 'height']),
      radius('image_border_radius', `${P}__image img`),
      color('arrows_color', '& .builder-swiper-button', ['color', 'fill']),
      size('arrows_size', '& .builder-swiper-button', 'font-size'),
    ],
    defaults: [
      { selector: `.${CLASS}__text`, color: 'text', typography: 'text' },
      { selector: `.${CLASS}__name`, color: 'text', typography: 'primary' },
      { selector: `.${CLASS}__title`, color: 'primary', typography: 'secondary' },
    ],
    rules: `.builder-widget-testimonial-carousel,.builder-widget-reviews{width:var(--container-widget-width);
flex-grow:var(--container-widget-flex-grow);min-width:0}
.${CLASS}{margin:0;padding:20px}.${CLASS}__text{margin:0;font-size:1.2em;font-style:italic}
.${CLASS}__footer{display:flex;align-items:center;gap:15px;margin-block-start:20px}.${CLASS}__cite{font-style:normal}
.${CLASS}__name,.${CLASS}__title{display:block}.${CLASS}__title{font-size:.85em}
.${CLASS}__image img{display:block;width:50px;height:50px;border-radius:50%;object-fit:cover}.${CLASS}__network{margin-inline-start:auto;font-size:1.3em;line-height:0}.e-stars{color:#8a5a00;letter-spacing:.1em}`,
  })

export const testimonialWidgets: WidgetTable = {
  'testimonial-carousel': testimonials('Testimonials', '1'),
  reviews: testimonials('Reviews', '3'),
}
