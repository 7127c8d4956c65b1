/** Pages of a list: reads the current page and writes links to the others, which work without a script. */

import { linkAddress } from '../document/addresses.ts'
import type { Settings } from '../document/settings.ts'
import { filtered } from '../html/markup.ts'
import { type Child, h } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { PagedList, Scope } from '../pass/scope.ts'
import { archiveAddress, archiveOf, requestValue } from '../template-context/page.ts'
import { listsOf } from './lists-of-document.ts'

const TYPES = ['numbers', 'prev_next', 'numbers_and_prev_next', 'load_more_on_click', 'load_more_infinite_scroll']

export interface Paging {
  /** The type of the links; empty for a list with one page. */
  readonly type: string
  readonly page: number
  /** Returns the address of another page. */
  readonly address: (page: number) => string
  readonly limit: number
  /** True: the address of the page stays, and a parameter of the list has the number. */
  readonly isOwn: boolean
  /** Notes that a script may change the list in place. */
  readonly note: () => void
  /** Receives the links of a refreshed list, which the response contains separately. */
  readonly keep?: (links: Child) => void
}

interface PagingContext {
  readonly settings: Settings
  readonly element: string
  readonly scope: Scope
  readonly pass: Pass
  /** True: the list shows the posts of the current archive, and follows the page of the archive. */
  readonly isCurrentQuery: boolean
}

const maxPage = 100_000

export function readPaging(context: PagingContext): Paging {
  const { settings, element, pass, isCurrentQuery } = context
  const type = settings.choice('pagination_type', TYPES, '')
  const limit = Math.max(1, Math.floor(settings.number('pagination_page_limit', 5)))
  const isOwn = hasOwnPages(context)
  const name = isOwn ? `e-page-${element}` : 'page'
  const refreshed = pass.refresh?.element === element ? pass.refresh.page : undefined
  if (type === '' && !isCurrentQuery && refreshed === undefined)
    return { type, page: 1, limit: 1, isOwn, address: () => '', note: () => {} }
  const page = refreshed ?? (isOwn ? requestedPage(name, pass) : archivePage(pass))
  const hasPath = !isOwn && archiveOf(pass) !== undefined
  return {
    type,
    page,
    limit,
    isOwn,
    note: () => pass.behaviours.add('list'),
    ...(refreshed === undefined
      ? {}
      : {
          keep: (links: Child) => {
            pass.refreshedLinks = links
          },
        }),
    address: (wanted) => (hasPath ? pathAddress(wanted, pass) : queryAddress(name, wanted, pass)),
  }
}

/** Documents around a page: their lists share no page number with those of the page. */
const AROUND: ReadonlySet<string> = new Set('header footer plus-header plus-footer popup floating-buttons'.split(' '))

/** Two lists of a page do not share its number: only the one list of a document, and that of an archive, take `page`. */
function hasOwnPages({ settings, scope, pass, isCurrentQuery }: PagingContext): boolean {
  if (settings.isOn('pagination_individual_handle')) return true
  if (isCurrentQuery) return false
  const { document, stack } = scope
  const isNested = stack.length > 1 || AROUND.has(document.type)
  return isNested || archiveOf(pass) !== undefined || listsOf(document).paged > 1
}

/** Returns the page that the query of the request names. */
export function requestedPage(name: string, pass: Pass): number {
  return validPage(Number(requestValue(name, pass)))
}

/** Returns the page of the archive, which its path or its query names. */
export const archivePage = (pass: Pass): number =>
  pass.context.page === undefined ? requestedPage('page', pass) : validPage(pass.context.page)

const validPage = (page: number): number => (Number.isSafeInteger(page) && page >= 1 ? Math.min(page, maxPage) : 1)

interface QueryAddressOptions {
  /** Default: the address of the request. */
  readonly url?: string
  /** The page that the address without the parameter shows. Default: the first. */
  readonly unnamed?: number
}

/** Returns the address with another page in its query. */
export const queryAddress = (
  name: string,
  page: number,
  pass: Pass,
  { url, unnamed = 1 }: QueryAddressOptions = {},
): string => changedAddress({ [name]: page === unnamed ? '' : String(page) }, pass, url)

interface FilteredList {
  /** The name of the parameter. */
  readonly name: string
  /** Empty: the list is not filtered. */
  readonly value: string
  readonly list: string
}

/** Returns the address of the first page of a list with another filter. */
export function filteredAddress({ name, value, list }: FilteredList, pass: Pass): string {
  const { url = '' } = pass.context
  const first = archiveOf(pass) ? url.replace(/^([^?#]*)page\/\d+\/?(?=[?#]|$)/, '$1') : url
  return changedAddress({ page: '', [`e-page-${list}`]: '', [name]: value }, pass, first)
}

/** Returns the address with these values in its query; an empty value is left out. */
function changedAddress(
  values: { readonly [name: string]: string },
  pass: Pass,
  url: string = pass.context.url ?? '',
): string {
  pass.depend('vary:request')
  const [address = '', hash] = url.split('#', 2)
  const start = address.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : address.slice(start + 1))
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const path = start === -1 ? address : address.slice(0, start)
  const text = query.toString()
  const whole = linkAddress(text === '' ? path : `${path}?${text}`) + (hash === undefined ? '' : `#${hash}`)
  return whole === '' ? '?' : whole
}

/** Returns the path of a page of an archive. */
export function pathAddress(page: number, pass: Pass): string {
  const start = archiveAddress(pass)
  const path = page === 1 ? start : `${start}page/${page}/`
  if (archiveOf(pass)?.archive !== 'search') return path
  return `${path}?${new URLSearchParams({ s: requestValue('s', pass) }).toString()}`
}

// ---------------------------------------------------------------- HTML

export function drawPaging(paging: Paging, pages: number, settings: Settings): Child {
  const links = linksOf(paging, pages, settings)
  paging.keep?.(links)
  return links
}

function linksOf(paging: Paging, pages: number, settings: Settings): Child {
  const { type, page, limit, isOwn, address } = paging
  const last = Math.min(pages, limit)
  if (type === '' || last < 2) return undefined
  paging.note()
  const anchor = h('div', {
    class: 'e-load-more-anchor',
    'data-page': page,
    'data-max-page': last,
    'data-next-page': page < last ? address(page + 1) : '',
    'data-own': isOwn,
    'data-endless': type === 'load_more_infinite_scroll',
  })
  if (type.startsWith('load_more')) return [anchor, loadMore(paging, last, settings)]
  const parts: Child[] = []
  if (type !== 'numbers') parts.push(step('prev', page > 1 ? address(page - 1) : '', settings))
  if (type !== 'prev_next') parts.push(numbers(paging, last, settings.isOn('pagination_numbers_shorten')))
  if (type !== 'numbers') parts.push(step('next', page < last ? address(page + 1) : '', settings))
  return [anchor, h('nav', { class: ['builder-pagination'], 'aria-label': 'Pagination' }, parts)]
}

const LABELS = { prev: '« Previous', next: 'Next »' }

function step(direction: 'prev' | 'next', href: string, settings: Settings): Child {
  const label = filtered(settings.text(`pagination_${direction}_label`, LABELS[direction]))
  const name = `page-numbers ${direction}`
  return href === '' ? h('span', { class: name }, label) : h('a', { class: name, href }, label)
}

const around = 2

function numbers({ page, address }: Paging, last: number, isShort: boolean): Child[] {
  const label = (number: number) => [h('span', { class: ['builder-screen-only'] }, 'Page'), String(number)]
  return numberLinks({ page, pages: last, address }, isShort ? around : last, label)
}

/** Links the first and the last page, and those around the current one. */
export function numberLinks(
  { page, pages, address }: PagedList,
  around: number,
  label: (number: number) => Child,
): Child[] {
  const [from, to] = [Math.max(2, page - around), Math.min(pages - 1, page + around)]
  const dots = h('span', { class: 'page-numbers dots' }, '…')
  const link = (number: number) =>
    number === page
      ? h('span', { 'aria-current': 'page', class: 'page-numbers current' }, label(number))
      : h('a', { class: 'page-numbers', href: address(number) }, label(number))
  const between = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => link(from + index))
  return [
    link(1),
    ...(from > 2 ? [dots] : []),
    ...between,
    ...(to < pages - 1 ? [dots] : []),
    ...(pages > 1 ? [link(pages)] : []),
  ]
}

/** A click loads more by a button. On scrolling, a script observes the anchor; without a script readers use the link. */
function loadMore({ page, address }: Paging, last: number, settings: Settings): Child {
  if (page >= last)
    return h('div', { class: 'e-load-more-message' }, filtered(settings.text('load_more_no_posts_custom_message')))
  const text = filtered(settings.text('text', 'Load More'))
  return [
    h(
      'div',
      { class: ['builder-button-wrapper'] },
      h(
        'a',
        {
          href: address(page + 1),
          class: ['builder-button-link', 'builder-button', 'builder-size-sm'],
          role: 'button',
        },
        h('span', { class: ['builder-button-content-wrapper'] }, h('span', { class: ['builder-button-text'] }, text)),
      ),
    ),
    h('div', { class: 'e-load-more-message' }),
  ]
}
