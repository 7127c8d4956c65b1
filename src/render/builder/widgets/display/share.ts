/** Draws buttons that share the page. */
import { prefixClass } from '../../controls/classes.ts'
import { choice, color, number, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { type Child, filled, h, unread } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type Icon, iconOf } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { networkOf, sharedBy, urlOf } from './share-address.ts'

const CLASS = 'builder-share-btn'

const ENVELOPE: Icon = { value: 'fas fa-envelope', library: 'fa-solid' }

/** Draws the sign of a network; without a set of icons, its first letter. */
const shareSign = (item: WidgetContext, name: string, label: string): Child => {
  const brand = { value: `fab fa-${name}`, library: 'fa-brands' }
  const value = item.iconValue('icon') ?? (name === 'email' ? ENVELOPE : brand)
  return iconOf(value, item.pass, h('span', {}, label.charAt(0)))
}

function button(item: WidgetContext, element: WidgetContext): Child {
  const name = item.settings.text('button', 'facebook')
  const network = networkOf(name)
  const { settings } = element
  const own =
    settings.text('share_url_type', 'current_page') === 'custom' ? urlOf(settings.value('share_url')) : undefined
  const shared = network && sharedBy(element, own)
  if (!network || !shared) return undefined
  const view = settings.choice('view', ['icon', 'text'], 'icon-text')
  const text = item.html('text', network.label) || network.label
  const isLabelled = view !== 'icon' && (view === 'text' || settings.isOn('show_label', 'yes'))
  const sign = view === 'text' ? undefined : shareSign(item, name, network.label)
  return h(
    'li',
    { class: ['builder-grid-item'] },
    h(
      'a',
      {
        class: [CLASS, `${CLASS}_${name}`],
        href: network.to(shared),
        target: '_blank',
        rel: 'noopener noreferrer',
      },
      filled('span', { class: [`${CLASS}__icon`], 'aria-hidden': 'true' }, sign),
      h('span', { class: ['builder-screen-only'] }, isLabelled ? 'Share on ' : `Share on ${network.label}`),
      isLabelled && h('span', { class: [`${CLASS}__text`] }, text),
    ),
  )
}

const COLORS = {
  ...{ facebook: '#0866ff', twitter: '#0c7abf', 'x-twitter': '#000', threads: '#000', linkedin: '#0a66c2' },
  ...{ pinterest: '#bd081c', reddit: '#b93a00', tumblr: '#35465c', vk: '#0060c7', whatsapp: '#0d7a3c' },
  ...{ telegram: '#1b6f9f', mastodon: '#563acc', email: '#8a2d2d' },
}

const BUTTON = `& .${CLASS}`

const shareButtons = widget({
  html: (element) => {
    const list = filled(
      'ul',
      { class: ['builder-grid', 'builder-share-buttons'] },
      element.items('share_buttons').map((item) => button(item, element)),
    )
    return list && unread(list)
  },
  classes: [
    prefixClass('skin', 'builder-share-buttons--skin-', { byDefault: 'gradient' }),
    prefixClass('shape', 'builder-share-buttons--shape-', { byDefault: 'square' }),
  ],
  controls: [
    number('columns', '& .builder-share-buttons', (count) => [
      ['grid-template-columns', count > 0 ? `repeat(${numberText(Math.min(count, 12))},minmax(0,1fr))` : 'none'],
      ['grid-auto-flow', count > 0 ? 'row' : 'column'],
    ]),
    choice('alignment', ['left', 'center', 'right'], '& .builder-share-buttons', 'justify-content'),
    size('column_gap', '& .builder-share-buttons', 'column-gap'),
    size('row_gap', '& .builder-share-buttons', 'row-gap'),
    size('button_size', BUTTON, 'font-size', { unit: 'em' }),
    size('icon_size', `${BUTTON}__icon`, 'font-size', { unit: 'em' }),
    size('button_height', BUTTON, 'min-height', { unit: 'em' }),
    color('primary_color', BUTTON, '--e-share-color', { when: { color_source: 'custom' } }),
    color('secondary_color', BUTTON, '--e-share-text', { when: { color_source: 'custom' } }),
    ...typography('typography', `${BUTTON}__text`),
  ],
  rules: `.builder-share-buttons{display:flex;flex-wrap:wrap;gap:10px;list-style:none;margin:0;padding:0}
.builder-share-buttons[class]>li{margin:0}
.${CLASS}{position:relative;display:inline-flex;align-items:center;gap:.6em;min-height:2.75em;padding-inline:.9em;background-color:var(--e-share-color,#54595f);
color:var(--e-share-text,#fff);border:2px solid var(--e-share-color,transparent);text-decoration:none;line-height:1}
.${CLASS}:hover{filter:brightness(.9)}.${CLASS}__icon{display:inline-flex;font-weight:700}.${CLASS}__icon svg{width:1em;height:1em;fill:currentColor}
.builder-share-buttons--skin-framed .${CLASS},.builder-share-buttons--skin-minimal .${CLASS}{background-color:transparent;color:var(--e-share-color,#54595f)}
.builder-share-buttons--skin-minimal .${CLASS}{border-color:transparent}
.builder-share-buttons--shape-rounded .${CLASS}{border-radius:.5em}.builder-share-buttons--shape-circle .${CLASS}{border-radius:2em}
${Object.entries(COLORS)
  .map(([name, value]) => `.${CLASS}_${name}{--e-share-color:${value}}`)
  .join('')}`,
})

export const shareWidgets: WidgetTable = { 'share-buttons': shareButtons }
