/** Draws pages of links: a picture, a few words about a person, signs of networks, and links. */
import { color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { linkName } from '../../elements/link.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { storedContact } from './contact-address.ts'

function signLink(item: WidgetContext): Child {
  const sign = item.icon('icon_icon', { value: `fab fa-${platformOf(item, 'icon_platform')}`, library: 'fa-brands' })
  const href = storedContact(item, 'icon')
  if (href === '' || isNothing(sign)) return undefined
  return h('a', { class: ['e-link-in-bio__icon'], href, ...linkName({ href }) }, sign)
}

const platformOf = ({ settings }: WidgetContext, name: string): string =>
  nameOf(settings.text(name).toLowerCase()) || 'link'

function callLink(item: WidgetContext): Child {
  const href = storedContact(item, 'cta_link')
  const text = item.html('cta_link_text')
  const image = filled('span', { class: ['e-link-in-bio__cta-image'] }, item.image('cta_link_image', 'cta_link_image'))
  if (href === '' || isNothing([text, image])) return undefined
  return h('a', { class: ['e-link-in-bio__cta'], href }, image, h('span', {}, text))
}

const linkPage = widget({
  html: (element) => {
    const image = element.image('identity_image', 'identity_image')
    const cover = element.image('identity_image_cover', 'identity_image_cover')
    const parts: Child[] = [
      filled('div', { class: ['e-link-in-bio__cover'] }, cover),
      filled('div', { class: ['e-link-in-bio__identity'] }, image),
      filled(element.tag('bio_heading_tag', 'h2'), { class: ['e-link-in-bio__heading'] }, element.html('bio_heading')),
      filled(element.tag('bio_title_tag', 'h3'), { class: ['e-link-in-bio__title'] }, element.html('bio_title')),
      filled('p', { class: ['e-link-in-bio__about'] }, element.html('bio_about')),
      filled('p', { class: ['e-link-in-bio__description'] }, element.html('bio_description')),
      filled('div', { class: ['e-link-in-bio__icons'] }, element.items('icon').map(signLink)),
      filled('div', { class: ['e-link-in-bio__ctas'] }, element.items('cta_link').map(callLink)),
    ]
    return filled('div', { class: ['e-link-in-bio'] }, isNothing(parts) ? undefined : parts)
  },
  controls: [
    color('background_color', '& .e-link-in-bio', 'background-color'),
    color('bio_heading_text_color', '& .e-link-in-bio__heading', 'color'),
    ...typography('bio_heading_typography', '& .e-link-in-bio__heading'),
    color('bio_title_text_color', '& .e-link-in-bio__title', 'color'),
    ...typography('bio_title_typography', '& .e-link-in-bio__title'),
    color('bio_description_text_color', '& .e-link-in-bio__description', 'color'),
    color('icons_color', '& .e-link-in-bio__icon', ['color', 'fill']),
    color('cta_links_text_color', '& .e-link-in-bio__cta', 'color'),
    color('cta_links_background_color', '& .e-link-in-bio__cta', 'background-color'),
    ...typography('cta_links_typography', '& .e-link-in-bio__cta'),
  ],
  defaults: [
    { selector: '.e-link-in-bio__heading', color: 'primary', typography: 'primary' },
    { selector: '.e-link-in-bio__title', typography: 'secondary' },
    { selector: '.e-link-in-bio__description', typography: 'text' },
  ],
  rules: `.e-link-in-bio{display:flex;flex-direction:column;align-items:center;gap:15px;max-width:480px;margin-inline:auto;padding:30px 20px;text-align:center}
.e-link-in-bio__cover{width:100%}.e-link-in-bio__cover img{display:block;width:100%}
.builder .e-link-in-bio__identity img{display:block;width:120px;height:120px;border-radius:50%;object-fit:cover}
.e-link-in-bio__heading,.e-link-in-bio__title,.e-link-in-bio p{margin:0}.e-link-in-bio__title{font-size:1em}
.e-link-in-bio__icons{display:flex;flex-wrap:wrap;gap:15px;justify-content:center;font-size:20px}.e-link-in-bio__icon{display:flex;padding:6px}
.e-link-in-bio__ctas{display:flex;flex-direction:column;gap:12px;width:100%}
.e-link-in-bio__cta{display:flex;align-items:center;justify-content:center;gap:12px;padding:12px 20px;border-radius:20px;
background-color:#0c0d0e;color:#fff;text-decoration:none}`,
})

const variants = (type: string, count: number): readonly string[] => [
  type,
  ...Array.from({ length: count }, (_, index) => `${type}-var-${index + 2}`),
]

export const linkPageWidgets: WidgetTable = Object.fromEntries(
  variants('link-in-bio', 6).map((type) => [type, linkPage]),
)
