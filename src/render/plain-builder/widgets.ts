/** How each widget of the page builder reads as HTML. Classic widgets keep bare values, those of the new generation tagged ones. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { filterContent } from '../filter/filter.ts'
import { attributes, harmlessAddress } from '../text/attributes.ts'

export interface BuilderNode {
  readonly [name: string]: unknown
}

export const isNode = (value: unknown): value is BuilderNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value without its tags: `{ $$type, value }` within `{ $$type, value }`. */
function bare(value: unknown): unknown {
  let inner = value
  for (let level = 0; level < 8 && isNode(inner) && '$$type' in inner; level++) inner = inner['value']
  return inner
}

/** A text, a number, or the content of rich text; empty for anything else. */
export function text(value: unknown): string {
  const inner = bare(value)
  if (typeof inner === 'string') return inner
  if (typeof inner === 'number' && Number.isFinite(inner)) return String(inner)
  return isNode(inner) && 'content' in inner ? text(inner['content']) : ''
}

type Draw = (settings: BuilderNode, inner: () => string) => string

// ---------------------------------------------------------------- pieces

const plain = (value: unknown) => escapeHtml(text(value))
const rich = (value: unknown) => filterContent(text(value))

const element = (tag: string, content: string, values: { readonly [name: string]: string } = {}) =>
  content === '' ? '' : `<${tag}${attributes(values)}>${content}</${tag}>`

/** `{ url }`, `{ destination }`, an address alone. */
function addressIn(value: unknown): string {
  const inner = bare(value)
  if (!isNode(inner)) return harmlessAddress(text(inner).trim())
  return addressIn(inner['url'] ?? inner['destination'] ?? inner['href'])
}

function linked(content: string, link: unknown): string {
  const address = addressIn(link)
  return content === '' || address === '' ? content : `<a${attributes({ href: address })}>${content}</a>`
}

function image(value: unknown, alternative = ''): string {
  const inner = bare(value)
  const source = isNode(inner) ? (bare(inner['src']) ?? inner) : inner
  const address = addressIn(source)
  if (address === '') return ''
  const alt = alternative || (isNode(inner) ? text(inner['alt']) : '')
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}" loading="lazy">`
}

const items = (value: unknown): readonly BuilderNode[] => {
  const inner = bare(value)
  return Array.isArray(inner) ? inner.map(bare).filter(isNode) : []
}

const itemList = (lines: readonly string[]): string => {
  const filled = lines.filter((line) => line !== '')
  return filled.length === 0 ? '' : `<ul>${filled.map((line) => `<li>${line}</li>`).join('')}</ul>`
}

const headingTags = /^(?:h[1-6]|div|span|p)$/
const headingTag = (value: unknown, usual: string) => {
  const tag = text(value)
  return headingTags.test(tag) ? tag : usual
}

const figure = (picture: string, caption: unknown): string => {
  if (picture === '') return ''
  const line = plain(caption)
  return line === '' ? picture : `<figure>${picture}<figcaption>${line}</figcaption></figure>`
}

const link = (address: string): string => (address === '' ? '' : linked(escapeHtml(address), address))

// ---------------------------------------------------------------- the table

const heading: Draw = ({ title, header_size, tag, link }) =>
  element(headingTag(header_size ?? tag, 'h2'), linked(filterContent(text(title)), link))

const box: Draw = ({ image: picture, title_text, description_text, title_size, link }) =>
  image(picture) +
  element(headingTag(title_size, 'h3'), linked(plain(title_text), link)) +
  element('p', rich(description_text))

const button: Draw = ({ text: label, link }) => element('p', linked(plain(label), link))

const disclosures: Draw = ({ tabs }) =>
  items(tabs)
    .map(({ tab_title, tab_content }) => {
      const summary = element('summary', plain(tab_title))
      return summary === '' ? rich(tab_content) : `<details open>${summary}${rich(tab_content)}</details>`
    })
    .join('')

const gallery =
  (name: string): Draw =>
  (settings) =>
    itemList(items(settings[name]).map((one) => image(one)))

const nothing: Draw = () => ''

/** By the name of the widget. */
export const widgets: { readonly [widget: string]: Draw } = {
  heading,
  'theme-site-title': heading,
  'text-editor': ({ editor }) => rich(editor),
  image: ({ image: picture, caption, link }) => figure(linked(image(picture), link), caption),
  button,
  'image-box': box,
  'icon-box': box,
  'icon-list': ({ icon_list }) => itemList(items(icon_list).map((one) => linked(plain(one['text']), one['link']))),
  'social-icons': ({ social_icon_list }) =>
    itemList(items(social_icon_list).map((one) => link(addressIn(one['link'])))),
  'image-gallery': gallery('wp_gallery'),
  'image-carousel': gallery('carousel'),
  video: ({ youtube_url, vimeo_url, dailymotion_url, external_url, hosted_url }) =>
    element(
      'p',
      link(
        [youtube_url, vimeo_url, dailymotion_url, external_url, hosted_url].map(addressIn).find((one) => one !== '') ??
          '',
      ),
    ),
  audio: ({ link: address }) => element('p', link(addressIn(address))),
  google_maps: ({ address }) => element('address', plain(address)),
  testimonial: ({ testimonial_content, testimonial_name, testimonial_job, testimonial_image }) => {
    const by = [plain(testimonial_name), plain(testimonial_job)].filter((one) => one !== '').join(', ')
    return element(
      'blockquote',
      image(testimonial_image) + element('p', rich(testimonial_content)) + element('footer', by),
    )
  },
  alert: ({ alert_title, alert_description }) =>
    element('div', element('strong', plain(alert_title)) + element('p', rich(alert_description)), { role: 'note' }),
  counter: ({ prefix, ending_number, suffix, title }) =>
    element('p', `${plain(prefix)}${plain(ending_number)}${plain(suffix)}`) + element('p', plain(title)),
  progress: ({ title, percent }) => {
    const share = Number(text(isNode(percent) ? percent['size'] : percent))
    if (!Number.isFinite(share)) return element('p', plain(title))
    return element('p', `${plain(title)} <progress max="100" value="${Math.min(100, Math.max(0, share))}"></progress>`)
  },
  'star-rating': ({ rating, rating_scale, title }) =>
    element(
      'p',
      [plain(title), [plain(rating), plain(rating_scale)].filter(Boolean).join(' / ')].filter(Boolean).join(' '),
    ),
  tabs: disclosures,
  accordion: disclosures,
  toggle: disclosures,
  html: ({ html }) => rich(html),
  divider: () => '<hr>',
  'menu-anchor': ({ anchor }) =>
    /^[\w-]+$/.test(text(anchor)) ? `<span${attributes({ id: text(anchor) })}></span>` : '',
  spacer: nothing,
  icon: nothing,
  shortcode: nothing,
  sidebar: nothing,
  'read-more': nothing,
  // The new generation.
  'e-heading': ({ title, tag, link }) => element(headingTag(tag, 'h2'), linked(rich(title), link)),
  'e-paragraph': ({ paragraph, link }) => element('p', linked(rich(paragraph), link)),
  'e-button': ({ text: label, link }) => element('p', linked(rich(label), link)),
  'e-image': ({ image: picture, link }) => linked(image(picture), link),
  'e-youtube': ({ source }) => element('p', link(addressIn(source))),
  'e-divider': () => '<hr>',
  'e-svg': nothing,
  'e-component': nothing,
}
