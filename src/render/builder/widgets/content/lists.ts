/** Draws lists of icons with texts, and of icons of social networks. */

import { borders } from '../../controls/border.ts'
import { prefixClass } from '../../controls/classes.ts'
import { type ControlValues, choice, color, compound, perItem, type RuleParts, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { isObject, nameOf, ownValue, textOf } from '../../document/values.ts'
import { linkName } from '../../elements/link.ts'
import { type Child, filled, h, isNothing, unread } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

const ITEM = '& .builder-icon-list-item'
const TEXT = '& .builder-icon-list-text'
const SIGN = '& .builder-icon-list-icon'
const BORDERS: ReadonlySet<string> = new Set(['solid', 'double', 'dotted', 'dashed'])

function listItem(item: WidgetContext, isInline: boolean): Child {
  const text = filled('span', { class: ['builder-icon-list-text'] }, item.html('text', ''))
  const sign = filled('span', { class: ['builder-icon-list-icon'] }, item.icon('selected_icon', undefined, 'icon'))
  const content = [sign, text]
  if (isNothing(content)) return undefined
  return h(
    'li',
    { class: ['builder-icon-list-item', isInline && 'builder-inline-item'] },
    item.link('link', content, isNothing(text) ? linkName(item.linkAttributes('link') ?? {}) : {}),
  )
}

const dividers = compound(
  ['divider', 'divider_style', 'divider_weight', 'divider_color'],
  (values): readonly RuleParts[] => {
    const style = values.keyword('divider_style', BORDERS) ?? 'solid'
    const line = `${values.size('divider_weight') ?? '1px'} ${style} ${values.color('divider_color') ?? '#ddd'}`
    return [
      [`${ITEM}:not(:last-child):after`, [['content', '""']]],
      [
        `& .builder-icon-list-items:not(.builder-inline-items) ${ITEM.slice(2)}:not(:last-child):after`,
        [['border-top', line]],
      ],
      [`& .builder-inline-items ${ITEM.slice(2)}:not(:last-child):after`, [['border-left', line]]],
    ]
  },
  { when: { divider: 'yes' } },
)

const iconList = widget({
  html: (element) => {
    const isInline = element.settings.text('view') === 'inline'
    const entries = element.items('icon_list').map((item) => listItem(item, isInline))
    const classes = ['builder-icon-list-items', isInline && 'builder-inline-items']
    return filled('ul', { class: classes }, entries)
  },
  classes: [
    prefixClass('view', 'builder-icon-list--layout-', { byDefault: 'traditional' }),
    prefixClass('link_click', 'builder-list-item-link-', { byDefault: 'full_width' }),
    prefixClass('icon_align', 'builder%s-align-', { isResponsive: true }),
  ],
  controls: [
    size('space_between', '& .builder-icon-list-items', 'gap'),
    dividers,
    color('icon_color', `${SIGN} i`, 'color'),
    color('icon_color', `${SIGN} svg`, 'fill'),
    color('icon_color_hover', `${ITEM}:hover .builder-icon-list-icon i`, 'color'),
    color('icon_color_hover', `${ITEM}:hover .builder-icon-list-icon svg`, 'fill'),
    size('icon_size', '&', '--e-icon-list-icon-size'),
    size('text_indent', `${SIGN} + .builder-icon-list-text`, 'padding-inline-start'),
    color('text_color', TEXT, 'color'),
    color('text_color_hover', `${ITEM}:hover .builder-icon-list-text`, 'color'),
    ...typography('icon_typography', `${ITEM} > .builder-icon-list-text, ${ITEM} > a`),
    choice('icon_self_align', { left: 'start', center: 'center', right: 'end' }, SIGN, 'justify-content'),
  ],
  defaults: [
    { selector: '.builder-icon-list-icon i', color: 'primary' },
    { selector: '.builder-icon-list-icon svg', color: 'primary', properties: ['fill'] },
    { selector: '.builder-icon-list-text', color: 'secondary' },
    { selector: '.builder-icon-list-item', typography: 'text' },
  ],
  rules: `.builder-widget-icon-list{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow);
--e-icon-list-icon-size:14px}
.builder-icon-list-items{display:flex;flex-direction:column;list-style:none;margin:0;padding:0}
.builder-icon-list-items.builder-inline-items{flex-direction:row;flex-wrap:wrap;column-gap:16px}
.builder-icon-list-item{display:flex;flex-wrap:wrap;align-items:center;margin:0;padding:0}
.builder-icon-list-item>a{display:inline-flex;align-items:center;text-decoration:none;color:inherit}
.builder-list-item-link-full_width .builder-icon-list-item>a{flex:1 1 auto}
.builder-inline-items .builder-icon-list-item{flex-wrap:nowrap}
.builder-icon-list-item::after{flex-basis:100%}.builder-inline-items .builder-icon-list-item::after{flex-basis:auto;height:1em;
margin-inline-start:8px}
.builder-icon-list-icon{display:flex;font-size:var(--e-icon-list-icon-size)}
.builder-icon-list-icon svg{width:1em;height:1em}.builder-icon-list-icon i{width:1.25em;font-size:1em}
.builder-icon-list-icon+.builder-icon-list-text{padding-inline-start:5px}
.builder-widget-icon-list.builder-align-center .builder-icon-list-item{justify-content:center}
.builder-widget-icon-list.builder-align-right .builder-icon-list-item,
.builder-widget-icon-list.builder-align-end .builder-icon-list-item{justify-content:end}`,
})

/** Returns the name of the network: `fab fa-git-alt` becomes `git-alt`. */
function networkOf(item: WidgetContext): string {
  const stored = item.iconValue('social_icon', 'social')
  const name = isObject(stored) ? textOf(ownValue(stored, 'value')) : textOf(stored)
  return nameOf((name.split(' ')[1] ?? '').replace(/^fa-/, ''))
}

const titleOf = (network: string): string =>
  network
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
    .trim()

function socialIcon(item: WidgetContext): Child {
  const sign = item.icon('social_icon', undefined, 'social')
  if (isNothing(sign)) return undefined
  const network = networkOf(item)
  const { rel, ...link } = item.linkAttributes('link') ?? {}
  const isLinked = link['href'] !== undefined
  const target = isLinked
    ? { target: '_blank', rel: rel === 'nofollow' ? 'nofollow noopener' : (rel ?? 'noopener') }
    : {}
  return h(
    'span',
    { class: ['builder-grid-item'], role: 'listitem' },
    h(
      isLinked ? 'a' : 'span',
      {
        class: [
          'builder-icon',
          'builder-social-icon',
          network !== '' && `builder-social-icon-${network}`,
          `builder-repeater-item-${nameOf(item.settings.raw['_id'])}`,
        ],
        ...link,
        ...target,
      },
      unread(h('span', { class: ['builder-screen-only'] }, titleOf(network) || hostOf(link['href']))),
      sign,
    ),
  )
}

/** Returns the host of the address, which names a link without a network. */
const hostOf = (address: unknown): string =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).hostname : 'Link'

const itemColors = (values: ControlValues, selector: string): readonly RuleParts[] => {
  if (values.raw('item_icon_color') !== 'custom' && values.raw('item_icon_color') !== undefined) return []
  const [area, sign] = [values.color('item_icon_primary_color'), values.color('item_icon_secondary_color')]
  const own = `${selector}.builder-social-icon`
  return [
    ...(area === undefined ? [] : [[own, [['background-color', area]]] as const]),
    ...(sign === undefined
      ? []
      : [
          [
            own,
            [
              ['color', sign],
              ['fill', sign],
            ],
          ] as const,
        ]),
  ]
}

/** The colours of networks on their own sites, which the widget shows until it stores others. */
const NETWORK_COLORS = Object.entries({
  ...{
    '#1877f2': 'facebook facebook-f facebook-square square-facebook',
    '#000': 'x-twitter square-x-twitter threads tiktok',
  },
  ...{ '#1da1f2': 'twitter twitter-square square-twitter', '#0a66c2': 'linkedin linkedin-in', '#262626': 'instagram' },
  ...{ '#cd201f': 'youtube youtube-square square-youtube', '#bd081c': 'pinterest pinterest-p', '#25d366': 'whatsapp' },
  ...{ '#26a5e4': 'telegram telegram-plane', '#333': 'github github-alt', '#e24329': 'gitlab', '#ff4500': 'reddit' },
  ...{
    '#35465c': 'tumblr',
    '#1ab7ea': 'vimeo vimeo-v',
    '#ff5500': 'soundcloud',
    '#1db954': 'spotify',
    '#00aff0': 'skype',
  },
  ...{ '#6441a5': 'twitch', '#0077ff': 'vk', '#ea4c89': 'dribbble', '#1769ff': 'behance', '#563acc': 'mastodon' },
  ...{ '#dd4b39': 'google-plus google-plus-g', '#5865f2': 'discord', '#d32323': 'yelp', '#34e0a1': 'tripadvisor' },
  ...{ '#f26522': 'rss', '#ea4335': 'envelope', '#07c160': 'weixin', '#ff0084': 'flickr', '#4a154b': 'slack' },
})
  .map(
    ([color, names]) =>
      `${names.replaceAll(/\S+/g, '.builder-social-icon-$&').replaceAll(' ', ',')}{background-color:${color}}`,
  )
  .join('')

const SOCIAL = '& .builder-social-icon'

const socialIcons = widget({
  html: (element) =>
    filled(
      'div',
      { class: ['builder-social-icons-wrapper', 'builder-grid'], role: 'list' },
      element.items('social_icon_list').map(socialIcon),
    ),
  classes: [
    prefixClass('shape', 'builder-shape-', { byDefault: 'rounded' }),
    prefixClass('columns', 'builder-grid%s-', { byDefault: '0', isResponsive: true }),
    prefixClass('align', 'e-grid-align%s-', { isResponsive: true }),
  ],
  controls: [
    choice(
      'align',
      { left: 'start', center: 'center', right: 'end', start: 'start', end: 'end' },
      '&',
      '--justify-content',
    ),
    size('icon_size', '&', '--icon-size'),
    size('icon_padding', '&', '--icon-padding', { unit: 'em' }),
    size('icon_spacing', '&', '--grid-column-gap'),
    size('row_gap', '&', '--grid-row-gap'),
    color('icon_primary_color', SOCIAL, 'background-color'),
    color('icon_secondary_color', SOCIAL, ['color', 'fill']),
    color('hover_primary_color', `${SOCIAL}:hover`, 'background-color'),
    color('hover_secondary_color', `${SOCIAL}:hover`, ['color', 'fill']),
    perItem('social_icon_list', itemColors),
    ...borders('image', SOCIAL),
    ...borders('icon', SOCIAL),
  ],
  // The name of a link is shown in the place of an icon that no set has.
  rules: `.builder-widget-social-icons{--grid-column-gap:5px;--grid-row-gap:5px;text-align:var(--justify-content,center)}
.builder-grid-0>.builder-social-icons-wrapper{display:inline-flex;flex-wrap:wrap}
.builder-social-icons-wrapper{font-size:0;justify-content:var(--justify-content,center)}
.builder-grid-item{min-width:0}.builder-social-icons-wrapper>.builder-grid-item{display:inline-flex}
.builder-social-icon{display:inline-flex;align-items:center;justify-content:center;background-color:#69727d;color:#fff;fill:#fff;
font-size:var(--icon-size,25px);line-height:var(--icon-size,25px);
width:calc(var(--icon-size,25px) + 2*var(--icon-padding,.5em));height:calc(var(--icon-size,25px) + 2*var(--icon-padding,.5em))}
.builder-social-icon:has(>.builder-icon-missing){width:auto;padding:var(--icon-padding,.5em);font-size:calc(var(--icon-size,25px)*.64);text-decoration:none}
.builder-social-icon:has(>.builder-icon-missing)>.builder-screen-only{position:static;width:auto;height:auto;margin:0;clip-path:none;line-height:1}
.builder-social-icon>.builder-icon-missing{display:none}
${NETWORK_COLORS}
.builder-shape-rounded .builder-social-icon{border-radius:10%}.builder-shape-circle .builder-social-icon{border-radius:50%}`,
})

export const listWidgets: WidgetTable = { 'icon-list': iconList, 'social-icons': socialIcons }
