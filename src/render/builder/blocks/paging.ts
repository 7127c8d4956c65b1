/** Blocks that link the other pages of a list of posts or comments. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import type { Block, BlockCall, BlockTable } from '../pass/pass.ts'
import type { BlocksAround, PagedList } from '../pass/scope.ts'
import { numberLinks } from '../queries/pagination.ts'
import { choice, integer, isOn, text } from './attributes.ts'
import { wrapper } from './wrapper.ts'

const pagination =
  (listOf: (around: BlocksAround) => PagedList | undefined, label: string): Block =>
  (call) => {
    const { scope } = call
    const list = scope.around && listOf(scope.around)
    if (!list || list.pages < 2) return undefined
    const arrow = choice(call, 'paginationArrow', ['none', 'arrow', 'chevron'], 'none')
    const hasLabels = arrow === 'none' || isOn(call, 'showLabel', true)
    const links = call.inner({ ...scope, around: { ...scope.around, paging: { ...list, arrow, hasLabels } } })
    return isNothing(links) ? undefined : wrapper(call, { tag: 'nav', attributes: { 'aria-label': label } }, links)
  }

const ARROWS: { readonly [arrow: string]: { readonly previous: string; readonly next: string } } = lookupTable({
  arrow: { previous: '←', next: '→' },
  chevron: { previous: '«', next: '»' },
})

const step =
  (direction: 'previous' | 'next', byDefault: string): Block =>
  (call) => {
    const list = call.scope.around?.paging
    if (!list) return undefined
    const page = direction === 'previous' ? list.page - 1 : list.page + 1
    if (page < 1 || page > list.pages) return undefined
    const label = text(call, 'label') || byDefault
    const sign = ARROWS[list.arrow]?.[direction]
    const arrow = sign !== undefined && h('span', { class: [`is-arrow-${list.arrow}`], 'aria-hidden': 'true' }, sign)
    const shown = list.hasLabels && h('span', {}, label)
    const attributes = { href: list.address(page), 'aria-label': list.hasLabels ? undefined : label }
    return wrapper(call, { tag: 'a', attributes }, direction === 'previous' ? [arrow, ' ', shown] : [shown, ' ', arrow])
  }

const numbers: Block = (call: BlockCall): Child => {
  const list = call.scope.around?.paging
  if (!list) return undefined
  const label = (number: number): Child => [h('span', { class: ['screen-reader-text'] }, 'Page '), String(number)]
  return wrapper(call, {}, numberLinks(list, integer(call, 'midSize', 2, [0, 5]), label))
}

export const pagingBlocks: BlockTable = {
  'comments-pagination': pagination(({ comments }) => comments, 'Pages of comments'),
  'comments-pagination-previous': step('previous', 'Older comments'),
  'comments-pagination-next': step('next', 'Newer comments'),
  'comments-pagination-numbers': numbers,
  'query-pagination': pagination(({ query }) => query, 'Pagination'),
  'query-pagination-previous': step('previous', 'Previous page'),
  'query-pagination-next': step('next', 'Next page'),
  'query-pagination-numbers': numbers,
}
