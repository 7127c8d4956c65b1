/** Draws quotations with their author, and a link that shares them. */
import { border, radius } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { color, sides, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, filled, h, isNothing, unread } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type Icon, iconOf } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { networkOf, sharedBy } from './share-address.ts'

const CLASS = 'builder-blockquote'

const NETWORK: Icon = { value: 'fab fa-x-twitter', library: 'fa-brands' }

function postButton(element: WidgetContext): Child {
  const { settings } = element
  if (!settings.isOn('tweet_button', 'yes')) return undefined
  const shared = sharedBy(element)
  const network = networkOf('x-twitter')
  if (!shared || !network) return undefined
  const label = element.label('tweet_button_label', 'Post')
  const title = [element.label('blockquote_content'), element.label('author_name')].filter((text) => text !== '')
  const href = network.to({ ...shared, title: title.join(' — ') })
  return unread(
    h(
      'a',
      { class: [`${CLASS}__tweet-button`], href, target: '_blank', rel: 'noopener noreferrer' },
      settings.choice('tweet_button_view', ['icon', 'text'], 'icon-text') !== 'text' &&
        iconOf(NETWORK, element.pass, ''),
      label === '' || settings.text('tweet_button_view') === 'icon'
        ? h('span', { class: ['builder-screen-only'] }, label || 'Share this quotation')
        : label,
    ),
  )
}

const CONTENT = `& .${CLASS}__content`
const AUTHOR = `& .${CLASS}__author`
const BUTTON = `& .${CLASS}__tweet-button`

const blockquote = widget({
  html: (element) => {
    const content = filled('p', { class: [`${CLASS}__content`] }, element.html('blockquote_content'))
    if (isNothing(content)) return undefined
    const author = filled('cite', { class: [`${CLASS}__author`] }, element.html('author_name'))
    const button = postButton(element)
    return h('blockquote', { class: [CLASS] }, content, filled('footer', { class: ['e-q-footer'] }, author, button))
  },
  classes: [
    prefixClass('blockquote_skin', 'builder-blockquote--skin-', { byDefault: 'border' }),
    prefixClass('alignment', 'builder-blockquote--align-'),
  ],
  controls: [
    color('content_text_color', CONTENT, 'color'),
    ...typography('content_typography', CONTENT),
    size('content_gap', `${CONTENT} + .e-q-footer`, 'margin-block-start'),
    color('author_text_color', AUTHOR, 'color'),
    ...typography('author_typography', AUTHOR),
    color('border_color', `& .${CLASS}`, 'border-color'),
    size('border_width', `& .${CLASS}`, 'border-inline-start-width'),
    size('border_gap', `& .${CLASS}`, 'padding-inline-start'),
    sides('box_padding', `& .${CLASS}`, 'padding'),
    color('box_background_color', `& .${CLASS}`, 'background-color'),
    ...border({ name: 'box_border', selector: `& .${CLASS}` }),
    radius('box_border_radius', `& .${CLASS}`),
    color('quote_text_color', `& .${CLASS}::before`, 'color'),
    color('button_text_color', BUTTON, 'color'),
    ...typography('button_typography', BUTTON),
  ],
  rules: `.builder-widget-blockquote{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.${CLASS}{margin:0;padding:0;border:0 solid #d5d8dc}.${CLASS}__content{margin:0;font-style:italic;font-size:1.15em}
.${CLASS} .e-q-footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:12px;margin-block-start:12px}
.${CLASS}__author{font-style:normal;font-weight:700}
.${CLASS}__tweet-button{display:inline-flex;align-items:center;gap:.4em}
.builder-blockquote--skin-border .${CLASS}{border-inline-start-width:7px;padding-inline-start:20px}
.builder-blockquote--skin-boxed .${CLASS}{background-color:#f1f2f3;padding:30px;color:#1f2124}
.builder-blockquote--skin-quotation .${CLASS}::before{content:'“';display:block;font:900 100px/1 Georgia,serif;height:.6em;color:#54595f}
${['left', 'center', 'right'].map((side) => `.builder-blockquote--align-${side} .${CLASS}{text-align:${side}}`).join('')}
.builder-blockquote--align-center .e-q-footer{justify-content:center}`,
})

export const quoteWidgets: WidgetTable = { blockquote }
