/** Blocks that show the site itself: its name, logo, search form, and the link to sign in. */

import { linkAddress } from '../document/addresses.ts'
import { limits } from '../document/limits.ts'
import { type Child, h } from '../html/nodes.ts'
import { accountLink } from '../lists/account.ts'
import type { Block, BlockCall, BlockTable } from '../pass/pass.ts'
import { requestValue } from '../template-context/page.ts'
import { choice, integer, isOn, object, text } from './attributes.ts'
import { pictureOf, uniqueId } from './pieces.ts'
import { wrapper } from './wrapper.ts'

/** Returns the tag of a heading of the level; `p` for level 0. */
export const headingTag = (call: BlockCall, byDefault: number): string => {
  const level = integer(call, 'level', byDefault, [0, 6])
  return level === 0 ? 'p' : `h${level}`
}

/** The attributes of a link whose block may open it in a new window. */
export function linkAttributes(call: BlockCall, href: string): { readonly [name: string]: string | undefined } {
  const target = text(call, 'linkTarget', '_self')
  const rel = text(call, 'rel')
  return {
    href,
    target: target === '_blank' ? target : undefined,
    rel: rel === '' ? (target === '_blank' ? 'noopener' : undefined) : rel,
  }
}

const siteTitle: Block = (call) => {
  const { site } = call.pass
  call.pass.depend('option:name')
  if (site.name === '') return undefined
  const isLink = isOn(call, 'isLink', true)
  const name = isLink ? h('a', { ...linkAttributes(call, homeOf(call)), rel: 'home' }, site.name) : site.name
  return wrapper(call, { tag: headingTag(call, 1) }, name)
}

const siteTagline: Block = (call) => {
  const { site } = call.pass
  call.pass.depend('option:description')
  if (site.description === '') return undefined
  return wrapper(call, { tag: headingTag(call, 0) }, site.description)
}

const siteLogo: Block = (call) => {
  const { pass } = call
  pass.depend('option:site_logo')
  const { siteLogo: id, name } = pass.site
  const width = integer(call, 'width', 0, [0, 2000])
  const medium = id > 0 ? pass.medium(id) : undefined
  const ratio = medium?.width && medium.height ? medium.height / medium.width : undefined
  const size = width > 0 ? { width, height: ratio === undefined ? undefined : Math.round(width * ratio) } : {}
  const image = pictureOf(id, 'full', pass, {
    class: ['custom-logo'],
    alt: medium?.alternative || name,
    ...size,
    ...(width > 0 ? { sizes: `${width}px` } : {}),
  })
  if (!image) return undefined
  const isLink = isOn(call, 'isLink', true)
  const shown = isLink
    ? h('a', { ...linkAttributes(call, homeOf(call)), class: ['custom-logo-link'], rel: 'home' }, image)
    : image
  return wrapper(call, { classes: [width === 0 && 'is-default-size'] }, shown)
}

const homeOf = ({ pass }: BlockCall): string => {
  pass.depend('option:url')
  return `${pass.site.home}/`
}

// ---------------------------------------------------------------- search

const POSITIONS = ['button-outside', 'button-inside', 'no-button', 'button-only'] as const

const search: Block = (call) => {
  const { pass } = call
  const position = choice(call, 'buttonPosition', POSITIONS, 'button-outside')
  const [label, placeholder] = [text(call, 'label', 'Search'), text(call, 'placeholder')]
  const buttonText = text(call, 'buttonText', 'Search')
  const isShown = isOn(call, 'showLabel', true) && label !== ''
  const usesIcon = isOn(call, 'buttonUseIcon')
  const id = uniqueId('cms-block-search__input', call)
  const width = integer(call, 'width', 0, [0, 5000])
  const unit = text(call, 'widthUnit') === '%' ? '%' : 'px'
  const hasButton = position !== 'no-button'
  const button = h(
    'button',
    {
      'aria-label': usesIcon || position === 'button-only' ? buttonText || 'Search' : undefined,
      class: ['cms-block-search__button', usesIcon && 'has-icon', 'cms-element-button'],
      type: 'submit',
    },
    usesIcon ? searchIcon : buttonText || 'Search',
  )
  return wrapper(
    call,
    {
      tag: 'form',
      classes: [
        `cms-block-search__${position}`,
        hasButton && (usesIcon ? 'cms-block-search__icon-button' : 'cms-block-search__text-button'),
      ],
      attributes: { role: 'search', method: 'get', action: homeOf(call) },
    },
    h('label', { class: ['cms-block-search__label', !isShown && 'screen-reader-text'], for: id }, label || 'Search'),
    h(
      'div',
      { class: ['cms-block-search__inside-wrapper'], style: width > 0 ? `width: ${width}${unit}` : undefined },
      h('input', {
        class: ['cms-block-search__input'],
        id,
        placeholder,
        value: pass.context.url === undefined ? '' : requestValue('s', pass),
        type: 'search',
        name: 's',
        required: true,
      }),
      Object.entries(object(call, 'query'))
        .slice(0, limits.tags)
        .map(([name, value]) => typeof value === 'string' && h('input', { type: 'hidden', name, value })),
      hasButton && button,
    ),
  )
}

const searchIcon: Child = h(
  'svg',
  { class: ['search-icon'], viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': 'true' },
  h('circle', { cx: 11, cy: 11, r: 6.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }),
  h('path', { d: 'M16 16l5 5', fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }),
)

// ---------------------------------------------------------------- account

const loginout: Block = (call) => {
  const { pass } = call
  const current = isOn(call, 'redirectToCurrent', true)
  if (current) pass.depend('vary:request')
  const { isSignedIn, address, label } = accountLink(current ? linkAddress(pass.context.url ?? '') : '', pass)
  return wrapper(
    call,
    { classes: [isSignedIn ? 'logged-in' : 'logged-out'] },
    h('a', { rel: 'nofollow', href: address }, label),
  )
}

export const siteBlocks: BlockTable = {
  loginout,
  search,
  'site-logo': siteLogo,
  'site-tagline': siteTagline,
  'site-title': siteTitle,
}
