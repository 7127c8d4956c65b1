/**
 * Blocks of menus. They work without a script: a submenu is a `details` element, and on small screens a button opens the menu
 * as a popover.
 */

import type { Post } from '../../../contract/storage.ts'
import { safeStyle } from '../../filter/styles.ts'
import { linkAddress } from '../document/addresses.ts'
import { idOf, ownValue, textOf } from '../document/values.ts'
import { drawPieces } from '../elements/content-blocks.ts'
import { filtered } from '../html/markup.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import { listPages, type PageNode } from '../lists/pages.ts'
import { publishedPosts, shownTitle } from '../lists/posts.ts'
import type { Block, BlockCall, BlockTable, DrawnPiece, Pass } from '../pass/pass.ts'
import type { BlockNavigation } from '../pass/scope.ts'
import type { MenuItem } from '../records/host-services.ts'
import { postMeta } from '../records/kinds.ts'
import { menus } from '../records/service-answers.ts'
import { plainOf, titleOf } from '../template-context/current-post.ts'
import { isShownAt } from '../template-context/page.ts'
import { choice, isOn, text } from './attributes.ts'
import { uniqueId } from './pieces.ts'
import { presetOf, wrapper } from './wrapper.ts'

// ---------------------------------------------------------------- the menu

/** Deeper submenus are left out. */
const maxDepth = 5

/** A menu in a menu would be a landmark in a list. */
const navigation: Block = (call) => {
  const { scope } = call
  if (scope.around?.navigation) return undefined
  const id = uniqueId('cms-navigation', call)
  const around = { name: id, opensOnLabel: isOn(call, 'openSubmenusOnClick'), depth: 0 }
  const { items, label } = menuOf({ ...call, scope: { ...scope, around: { navigation: around } } }, around)
  if (isNothing(items)) return undefined
  const list = h('ul', { class: ['cms-block-navigation__container'] }, items)
  const overlay = choice(call, 'overlayMenu', ['mobile', 'always', 'never'], 'mobile')
  const classes = overlay === 'never' ? [] : ['is-responsive', overlay === 'always' && 'is-always-overlay']
  const attributes = { 'aria-label': text(call, 'ariaLabel') || label || 'Menu' }
  return wrapper(call, { tag: 'nav', classes, attributes }, overlay === 'never' ? list : popover(id, list, call))
}

function popover(id: string, list: Child, call: BlockCall): Child {
  const shown = isOn(call, 'hasIcon', true) ? sign('M4 7h16M4 12h16M4 17h16') : 'Menu'
  const label = (words: string) => (isOn(call, 'hasIcon', true) ? words : undefined)
  return [
    h(
      'button',
      {
        ...{ type: 'button', class: ['cms-block-navigation__open'], popovertarget: id },
        'aria-label': label('Open the menu'),
      },
      shown,
    ),
    h(
      'div',
      { id, popover: 'auto', class: ['cms-block-navigation__panel'], style: overlayStyle(call) },
      h(
        'button',
        {
          ...{ type: 'button', class: ['cms-block-navigation__close'], popovertarget: id, popovertargetaction: 'hide' },
          'aria-label': 'Close the menu',
        },
        sign('M6 6l12 12M18 6L6 18'),
      ),
      list,
    ),
  ]
}

const sign = (path: string): Child =>
  h(
    'svg',
    { viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': 'true' },
    h('path', { d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round' }),
  )

function overlayStyle(call: BlockCall): string | undefined {
  const declarations = [
    ['--cms-overlay-text', 'overlayTextColor', 'customOverlayTextColor'],
    ['--cms-overlay-back', 'overlayBackgroundColor', 'customOverlayBackgroundColor'],
  ].flatMap(([property = '', preset = '', custom = '']) => {
    const value = text(call, preset) === '' ? text(call, custom) : presetOf('color', text(call, preset))
    return value === '' || value.includes(';') ? [] : [safeStyle(`${property}:${value}`)]
  })
  const style = declarations.filter((one) => one !== '').join(';')
  return style === '' ? undefined : style
}

interface Menu {
  readonly items: Child
  readonly label?: string
}

/** The blocks in it, else the stored menu that it refers to, else the newest one, else the pages. */
function menuOf(call: BlockCall, around: BlockNavigation): Menu {
  const { pass, scope } = call
  const own = itemsOf(call.pieces(scope))
  if (!isNothing(own)) return { items: own }
  const ref = idOf(ownValue(call.attributes, 'ref'))
  if (ref !== undefined) {
    const stored = storedMenu(ref, pass)
    if (stored) return postMenu(stored, call)
    pass.depend(`menu:${ref}`)
    pass.depend('query:nav_menu_item')
    return { items: linkItems(pass.get(menus, String(ref)) ?? [], around, pass) }
  }
  const [newest] = publishedPosts(
    { types: menuTypes, order: { by: 'date', descending: true }, offset: 0, limit: 1 },
    pass,
  ).posts
  if (newest) return postMenu(newest, call)
  return { items: menuPages(listPages({}, pass), around, pass) }
}

/** Names of the type of stored menus, which a host declares, or an import keeps. */
const menuTypes = ['navigation', 'cms_navigation', 'wp_navigation']

/** A kept record is private until the host declares its type; its meta has the status that it had. */
function storedMenu(id: number, pass: Pass): Post | undefined {
  const post = pass.post(id)
  if (!post || !menuTypes.includes(post.type) || post.password !== '') return undefined
  if (post.status === 'publish') return post
  return post.status === 'private' && textOf(pass.get(postMeta, `${id} _import_status`)) === 'publish'
    ? post
    : undefined
}

const postMenu = (post: Post, { scope, pass }: BlockCall): Menu => ({
  items: itemsOf(drawPieces(post.content, scope, pass)),
  label: plainOf(titleOf(post, pass)),
})

// ---------------------------------------------------------------- items

const ITEMS: ReadonlySet<string> = new Set(['home-link', 'navigation-link', 'navigation-submenu', 'page-list'])

/** Other blocks, such as a search, are items too: a list has no other children. */
const itemsOf = (pieces: readonly DrawnPiece[]): Child =>
  pieces.map(({ name, drawn }) =>
    ITEMS.has(name) || isNothing(drawn) ? drawn : h('li', { class: ['cms-block-navigation-item'] }, drawn),
  )

interface Link {
  readonly label: Child
  /** The label without markup. */
  readonly text: string
  readonly href: string
  readonly attributes?: { readonly [name: string]: string | undefined }
}

/** `below`: the items of its submenu. */
function item(
  { label, text: words, href, attributes = {} }: Link,
  below: Child,
  around: BlockNavigation,
  pass: Pass,
): Child {
  const isCurrent = href !== '' && !href.includes('#') && isShownAt(href, pass)
  const hasBelow = !isNothing(below)
  const shown = h('span', { class: ['cms-block-navigation-item__label'] }, label)
  const link =
    href === ''
      ? h('span', { class: ['cms-block-navigation-item__content'] }, shown)
      : h(
          'a',
          {
            class: ['cms-block-navigation-item__content'],
            href,
            'aria-current': isCurrent ? 'page' : undefined,
            ...attributes,
          },
          shown,
        )
  const isLabelOpening = hasBelow && (around.opensOnLabel || href === '')
  return h(
    'li',
    { class: ['cms-block-navigation-item', hasBelow && 'has-child', isCurrent && 'current-menu-item'] },
    !isLabelOpening && link,
    hasBelow &&
      h(
        'details',
        // Submenus of the first level close each other; a deeper one leaves those around it open.
        { class: ['cms-block-navigation-submenu'], name: around.depth === 0 ? around.name : undefined },
        h(
          'summary',
          { 'aria-label': isLabelOpening ? undefined : `Submenu of ${words}` },
          isLabelOpening && shown,
          caret,
        ),
        h('ul', { class: ['cms-block-navigation__submenu-container'] }, below),
      ),
  )
}

const caret: Child = h(
  'svg',
  { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
  h('path', { d: 'M2 4l4 4 4-4', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5 }),
)

const inside = (around: BlockNavigation): BlockNavigation => ({ ...around, depth: around.depth + 1 })

const linkItems = (links: readonly MenuItem[], around: BlockNavigation, pass: Pass): Child =>
  around.depth >= maxDepth
    ? undefined
    : links
        .filter(() => pass.admit())
        .map(({ title, url, children = [] }) =>
          item(
            { label: title, text: title, href: linkAddress(url) },
            linkItems(children, inside(around), pass),
            around,
            pass,
          ),
        )

/** Returns pages as the items of a menu. */
export const menuPages = (nodes: readonly PageNode[], around: BlockNavigation, pass: Pass): Child =>
  around.depth >= maxDepth
    ? undefined
    : nodes.map(({ page, below }) =>
        item(
          { label: shownTitle(page, pass), text: plainOf(titleOf(page, pass)), href: pass.addressOf(page.id) },
          menuPages(below, inside(around), pass),
          around,
          pass,
        ),
      )

/** Links are items of lists, so they are drawn in menus only. */
const link: Block = (call) => {
  const { scope, pass } = call
  const around = scope.around?.navigation
  const stored = text(call, 'label')
  const href = hrefOf(call)
  if (!around || stored.trim() === '' || href === undefined || around.depth >= maxDepth) return undefined
  const below = itemsOf(call.pieces({ ...scope, around: { ...scope.around, navigation: inside(around) } }))
  const isNewTab = isOn(call, 'opensInNewTab')
  const rel = text(call, 'rel')
  return item(
    {
      ...{ label: filtered(stored), text: plainOf(stored), href },
      attributes: {
        title: text(call, 'title') || undefined,
        target: isNewTab ? '_blank' : undefined,
        rel: rel || (isNewTab ? 'noopener' : undefined),
      },
    },
    below,
    around,
    pass,
  )
}

/** Returns undefined for a link to a post that visitors do not see. Ids of another site may name other posts, so the slug decides. */
function hrefOf(call: BlockCall): string | undefined {
  const { pass } = call
  const href = linkAddress(text(call, 'url'))
  const id = idOf(ownValue(call.attributes, 'id'))
  if (id === undefined || text(call, 'kind') !== 'post-type') return href
  const post = pass.post(id)
  const slug = /([^/?#]+)\/*(?:[?#].*)?$/.exec(href)?.[1]
  const isSame =
    post?.type === text(call, 'type') && (post.slug === slug || new RegExp(`[?&]p(?:age_id)?=${id}$`).test(href))
  if (!post || !isSame) return href
  return post.status === 'publish' ? pass.addressOf(id) : undefined
}

const homeLink: Block = (call) => {
  const { scope, pass } = call
  const around = scope.around?.navigation
  if (!around) return undefined
  pass.depend('option:url')
  const label = text(call, 'label') || 'Home'
  const shown: Link = { label: filtered(label), text: plainOf(label), href: `${pass.site.home}/` }
  return item({ ...shown, attributes: { rel: 'home' } }, undefined, around, pass)
}

export const navigationBlocks: BlockTable = {
  'home-link': homeLink,
  navigation,
  'navigation-link': link,
  'navigation-submenu': link,
}
