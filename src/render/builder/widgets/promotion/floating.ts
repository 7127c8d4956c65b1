/** Draws contact buttons and bars that stay at the edge of the screen. They open and close without a script. */
import { color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { nameOf } from '../../document/values.ts'
import { linkName } from '../../elements/link.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { storedContact } from './contact-address.ts'

const CHAT = { value: 'eicon-comment', library: 'eicons' }

function contact(item: WidgetContext, start: string): Child {
  const href = storedContact(item, start)
  if (href === '') return undefined
  const platform = nameOf(item.settings.text(`${start}_platform`).toLowerCase())
  const text = item.html('contact_tooltip')
  const label = isNothing(text) ? (platform === '' ? linkName({ href })['aria-label'] : platform) : text
  return h(
    'a',
    { class: ['e-contact-buttons__contact'], href, rel: 'noopener' },
    item.icon(`${start}_icon`),
    h('span', {}, label as Child),
  )
}

const contactButtons = widget({
  html: (element) => {
    const single = contact(element, 'chat_button')
    const links = [element.items('contact_repeater').map((item) => contact(item, 'contact_icon')), single]
    const head = [
      filled('p', { class: ['e-contact-buttons__name'] }, element.html('top_bar_title')),
      filled('p', { class: ['e-contact-buttons__about'] }, element.html('top_bar_subtitle')),
      filled('p', { class: ['e-contact-buttons__name'] }, element.html('message_bubble_name')),
      filled('p', { class: ['e-contact-buttons__message'] }, element.html('message_bubble_body')),
    ]
    if (isNothing([head, links])) return undefined
    return h(
      'details',
      { class: ['e-contact-buttons'] },
      h(
        'summary',
        { class: ['e-contact-buttons__toggle'], 'aria-label': element.label('chat_aria_label') || 'Contact' },
        element.icon('chat_button_icon', CHAT),
      ),
      h('div', { class: ['e-contact-buttons__panel'] }, head, links),
    )
  },
  controls: [
    color('style_button_color_icon', '& .e-contact-buttons__toggle', ['color', 'fill']),
    color('style_button_color_background', '& .e-contact-buttons__toggle', 'background-color'),
    color('style_chat_box_bg_color', '& .e-contact-buttons__panel', 'background-color'),
  ],
  defaults: [{ selector: '.e-contact-buttons__toggle', color: 'accent', properties: ['background-color'] }],
  rules: `.e-contact-buttons{position:fixed;inset-block-end:20px;inset-inline-end:20px;z-index:9998;text-align:end}
.e-contact-buttons__toggle{display:inline-flex;align-items:center;justify-content:center;width:60px;height:60px;border-radius:50%;
background-color:#467ff7;color:#fff;font-size:26px;list-style:none;cursor:pointer}.e-contact-buttons__toggle::-webkit-details-marker{display:none}
.e-contact-buttons__panel{position:absolute;inset-block-end:70px;inset-inline-end:0;width:280px;max-width:80vw;padding:20px;border-radius:12px;background-color:#fff;
color:#1f2124;box-shadow:0 4px 24px rgba(0,0,0,.2);text-align:start}.e-contact-buttons__panel p{margin:0 0 10px}
.e-contact-buttons__name{font-weight:700}.e-contact-buttons__contact{display:flex;align-items:center;gap:10px;padding-block:8px}
.e-contact-buttons__contact>span{text-transform:capitalize}`,
  isUnread: true,
})

const CLOSE = { value: 'eicon-close', library: 'eicons' }

/** A checkbox remembers that the bar is closed, until the page is left. */
const floatingBar = widget({
  html: (element) => {
    const { settings, id } = element
    const text = filled(
      'p',
      { class: ['e-floating-bars__text'] },
      element.html('announcement_text'),
      element.html('title_text'),
      element.html('floating_bar_text'),
    )
    const link = element.linkAttributes('cta_link')
    const button = element.html('cta_text')
    const call =
      link && !isNothing(button)
        ? h('a', { class: ['e-floating-bars__cta'], ...link }, element.icon('cta_icon'), button)
        : undefined
    if (isNothing([text, call])) return undefined
    const switchId = `e-floating-bar-${id}`
    const hasClose = settings.isOn('has_close_button', 'yes')
    return [
      hasClose &&
        h('input', { type: 'checkbox', id: switchId, class: ['e-floating-bars__switch', 'builder-screen-only'] }),
      h(
        'aside',
        { class: ['e-floating-bars'], 'aria-label': element.label('accessible_name') || 'Announcement' },
        element.icon('announcement_icon'),
        text,
        call,
        hasClose &&
          h(
            'label',
            { class: ['e-floating-bars__close'], for: switchId },
            element.icon('close_icon', CLOSE),
            h('span', { class: ['builder-screen-only'] }, 'Close'),
          ),
      ),
    ]
  },
  controls: [
    color('style_announcement_text_color', '& .e-floating-bars__text', 'color'),
    ...typography('style_announcement_text_typography', '& .e-floating-bars__text'),
    color('style_cta_text_color', '& .e-floating-bars__cta', 'color'),
    color('style_cta_background_color', '& .e-floating-bars__cta', 'background-color'),
    color('background_color', '& .e-floating-bars', 'background-color'),
  ],
  rules: `.e-floating-bars{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:12px;padding:10px 50px 10px 20px;position:relative;
background-color:#0c0d0e;color:#fff}.e-floating-bars__text{margin:0}.e-floating-bars__cta{display:inline-flex;gap:8px;padding:6px 16px;border-radius:16px;
background-color:#fff;color:#0c0d0e;text-decoration:none}.e-floating-bars__close{position:absolute;inset-inline-end:15px;inset-block:0;display:flex;align-items:center;cursor:pointer}
.e-floating-bars__switch:checked~.e-floating-bars{display:none}
.e-floating-bars__switch:focus-visible~.e-floating-bars .e-floating-bars__close{box-shadow:0 0 0 2px currentColor}`,
})

const variants = (type: string, count: number): readonly string[] => [
  type,
  ...Array.from({ length: count }, (_, index) => `${type}-var-${index + 1}`),
]

export const floatingWidgets: WidgetTable = {
  ...Object.fromEntries(variants('contact-buttons', 10).map((type) => [type, contactButtons])),
  ...Object.fromEntries(variants('floating-bars', 3).map((type) => [type, floatingBar])),
}
