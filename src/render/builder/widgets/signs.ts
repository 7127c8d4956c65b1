/**
 * The builder's own arrows and signs: icons that its widgets use by default, and that pages have without a package. Each is one
 * path on a square of 24 units.
 */
import { lookupTable } from '../../../contract/lookup-table.ts'

const ring = (radius: number, at = 12): string =>
  `M${at - radius} ${at}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0z`
/** The opposite direction cuts the inside out. */
const hole = (radius: number, at = 12): string =>
  `M${at - radius} ${at}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1-${2 * radius} 0z`

/** Stands for an icon that no set has. */
export const MISSING = ring(4)

const STAR = 'M12 1.5l3.2 6.9 7.3.8-5.4 5.1 1.5 7.4L12 18l-6.6 3.7 1.5-7.4-5.4-5.1 7.3-.8z'
const CALENDAR =
  'M7 1.5h2.5V4h5V1.5H17V4h3a1.5 1.5 0 0 1 1.5 1.5V21a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 21V5.5A1.5 1.5 0 0 1 4 4h3zM5 10v10h14V10z'
const PLAY = 'M5 2.5l16 9.5-16 9.5z'
const LINK =
  'M3 12a5 5 0 0 1 5-5h3v2H8a3 3 0 0 0 0 6h3v2H8a5 5 0 0 1-5-5zm10-5h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zM8 11h8v2H8z'

const SIGNS: { readonly [name: string]: string } = lookupTable({
  star: STAR,
  'star-o': `${STAR}M12 6.3l-1.7 3.8-4 .4 3 2.8-.8 4 3.5-2 3.5 2-.8-4 3-2.8-4-.4z`,
  plus: 'M10.5 3h3v7.5H21v3h-7.5V21h-3v-7.5H3v-3h7.5z',
  minus: 'M3 10.5h18v3H3z',
  times: 'M5.1 3l6.9 6.9L18.9 3 21 5.1 14.1 12l6.9 6.9-2.1 2.1-6.9-6.9L5.1 21 3 18.9 9.9 12 3 5.1z',
  bars: 'M2 4.5h20v2.8H2zM2 10.6h20v2.8H2zM2 16.7h20v2.8H2z',
  search:
    'M10 2a8 8 0 0 1 6.4 12.8l5.6 5.6-1.8 1.8-5.6-5.6A8 8 0 1 1 10 2zm0 2.6a5.4 5.4 0 1 0 0 10.8 5.4 5.4 0 0 0 0-10.8z',
  play: PLAY,
  pause: 'M5 3h5v18H5zM14 3h5v18h-5z',
  check: 'M9 19.6L1.9 12.5l2.1-2.1 5 5L20 4.3l2.1 2.1z',
  circle: ring(9),
  'circle-o': ring(10) + hole(7.5),
  dot: MISSING,
  'caret-right': 'M8 4l9 8-9 8z',
  'caret-left': 'M16 4l-9 8 9 8z',
  'caret-up': 'M4 16l8-9 8 9z',
  'caret-down': 'M4 8l8 9 8-9z',
  'chevron-right': 'M7.1 4.1L9.2 2l10 10-10 10-2.1-2.1 7.9-7.9z',
  'chevron-left': 'M16.9 4.1L14.8 2l-10 10 10 10 2.1-2.1L9 12z',
  'chevron-up': 'M4.1 16.9L2 14.8l10-10 10 10-2.1 2.1L12 9z',
  'chevron-down': 'M4.1 7.1L2 9.2l10 10 10-10-2.1-2.1L12 15z',
  'double-right': 'M3.1 4.1L5.2 2l10 10-10 10-2.1-2.1L11 12zM10.1 4.1L12.2 2l10 10-10 10-2.1-2.1L18 12z',
  'double-left': 'M20.9 4.1L18.8 2l-10 10 10 10 2.1-2.1L13 12zM13.9 4.1L11.8 2l-10 10 10 10 2.1-2.1L6 12z',
  'arrow-right': 'M2 10.6h14.6l-6-6L12.5 2.7 21.8 12l-9.3 9.3-1.9-1.9 6-6H2z',
  'arrow-left': 'M22 10.6H7.4l6-6-1.9-1.9L2.2 12l9.3 9.3 1.9-1.9-6-6H22z',
  'arrow-up': 'M10.6 22V7.4l-6 6-1.9-1.9L12 2.2l9.3 9.3-1.9 1.9-6-6V22z',
  'arrow-down': 'M10.6 2v14.6l-6-6-1.9 1.9 9.3 9.3 9.3-9.3-1.9-1.9-6 6V2z',
  user: `M7 7a5 5 0 1 0 10 0A5 5 0 1 0 7 7zM2.5 22a9.5 8.5 0 0 1 19 0z`,
  calendar: CALENDAR,
  clock: `${ring(10.5)}${hole(8)}M10.9 6h2.4v5.5l4 2.5-1.3 2-5.1-3.2z`,
  comment: 'M2 3h20v14H11l-5.5 5v-5H2z',
  tag: 'M2 2h9.5L22.5 13 13 22.5 2 11.5zM4.8 6.5a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z',
  folder: 'M2 4h7.5l2.5 3h10v13.5H2z',
  envelope: 'M1.5 4h21v1.6L12 12.8 1.5 5.6zM1.5 8.6V20h21V8.6L12 15.8z',
  phone:
    'M6.5 1.8l3.4 5.6-2.3 2.5c1.2 2.7 3.1 4.7 6 6l2.5-2.3 5.6 3.4c-.4 3-2 5-4.7 5C9 22 2 15 2 6.5c0-2.7 1.5-4.3 4.5-4.7z',
  home: 'M12 2.2L23 11.6l-1.6 1.9-1.4-1.2V21.5h-5.5v-6h-5v6H4v-9.2l-1.4 1.2L1 11.6z',
  link: LINK,
  quote:
    'M2 19V11.5C2 7.5 4.5 5 9 4.5V7c-2.3.5-3.5 1.7-3.7 4H9.5v8zM13 19V11.5c0-4 2.5-6.5 7-7V7c-2.3.5-3.5 1.7-3.7 4h4.2v8z',
  info: `${ring(10.5)}M10.6 10.2v8h2.8v-8zM10.6 5.8v2.8h2.8V5.8z`,
  warning: 'M12 2l11 19.5H1zM10.7 9v6.5h2.6V9zM10.7 17v2.5h2.6V17z',
  heart:
    'M12 21.5C5 16 1.5 12.5 1.5 8.2 1.5 5 4 2.7 6.9 2.7c2 0 4 1 5.1 2.9 1.1-1.9 3.1-2.9 5.1-2.9 2.9 0 5.4 2.3 5.4 5.5 0 4.3-3.5 7.8-10.5 13.3z',
  pin: 'M12 1.5a7.5 7.5 0 0 1 7.5 7.5c0 5-7.5 13.5-7.5 13.5S4.5 14 4.5 9A7.5 7.5 0 0 1 12 1.5zM9 9a3 3 0 1 0 6 0 3 3 0 1 0-6 0z',
  cart: 'M1 2.5h3.5L6 5h16.5l-2.7 10H7.5l-.7 2H20v2.2H3.7l1.7-4.7L3 4.8H1zM6 21.3a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0zM16 21.3a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z',
  bag: 'M7.5 8V6.5a4.5 4.5 0 0 1 9 0V8h4L22 22.5H2L3.5 8zM9.8 8h4.4V6.5a2.2 2.2 0 0 0-4.4 0z',
  eye: 'M12 4.5c5 0 9 3.5 11 7.5-2 4-6 7.5-11 7.5S3 16 1 12c2-4 6-7.5 11-7.5zM7.5 12a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0z',
  download: 'M10.6 2h2.8v10l4.2-4.2 1.9 1.9L12 17.2 4.5 9.7l1.9-1.9 4.2 4.2zM2 19.5h20V22H2z',
  share: 'M14 4l9 7.5-9 7.5v-4.5C8.5 14.5 4.5 16 1.5 20c.5-6.5 4.5-11 12.5-11.5z',
  image: 'M2 3.5h20v17H2zM4.5 6v11l5-5.5 3.5 4 2.5-2.5 4 4V6zM14.5 8.7a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z',
  external: 'M13 2h9v9h-2.6V6.5L11 14.9 9.1 13l8.4-8.4H13zM3 5h7v2.6H5.6v10.8h10.8V14H19v7H3z',
})

/** Other names of the same signs: those of the builder's font, and of icons that its widgets use by default. */
const ALIASES: { readonly [name: string]: string } = lookupTable({
  ...{ close: 'times', xmark: 'times', 'menu-bar': 'bars', 'menu-toggle': 'bars', navicon: 'bars', reorder: 'bars' },
  ...{
    add: 'plus',
    remove: 'times',
    'plus-sign': 'plus',
    'angle-right': 'chevron-right',
    'angle-left': 'chevron-left',
  },
  ...{ 'angle-up': 'chevron-up', 'angle-down': 'chevron-down', 'angle-double-right': 'double-right' },
  ...{
    'angle-double-left': 'double-left',
    'chevron-double-right': 'double-right',
    'chevron-double-left': 'double-left',
  },
  ...{ 'angles-right': 'double-right', 'angles-left': 'double-left', tick: 'check', checkbox: 'check', person: 'user' },
  ...{ 'user-circle': 'user', 'calendar-days': 'calendar', comments: 'comment', tags: 'tag', mail: 'envelope' },
  ...{ house: 'home', chain: 'link', blockquote: 'quote', 'quote-left': 'quote', alert: 'warning' },
  ...{ 'triangle-exclamation': 'warning', 'exclamation-triangle': 'warning', 'map-pin': 'pin', 'google-maps': 'pin' },
  ...{ 'map-marker': 'pin', 'location-dot': 'pin', basket: 'bag', 'shopping-cart': 'cart', 'cart-shopping': 'cart' },
  ...{ preview: 'eye', 'download-button': 'download', 'external-link': 'external', 'dot-circle': 'circle-o' },
  ...{ 'magnifying-glass': 'search', 'editor-link': 'link', 'image-bold': 'image', 'file-download': 'download' },
})

const VARIANT = /^long-|-(?:o|alt|bold|solid|medium|light|thin|regular|circle|square|stroke)(?=-|$)/g

/** Returns the path of a sign by its classes, such as `eicon-close` or `fas fa-plus`. */
export function signOf(classes: string): string | undefined {
  const last = classes.split(/\s+/).findLast((name) => /^(?:e-?icon|fa)-/.test(name))
  if (last === undefined) return undefined
  const name = last.replace(/^(?:e-?icon|fa)-/, '')
  for (const each of [name, name.replace(VARIANT, '')]) {
    const sign = SIGNS[each] ?? SIGNS[ALIASES[each] ?? '']
    if (sign !== undefined) return sign
  }
  return undefined
}
