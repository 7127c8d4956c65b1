/** Blocks that list posts with a template, and show titles and links around the list. */

import { limits } from '../document/limits.ts'
import { trusted } from '../html/markup.ts'
import { h } from '../html/nodes.ts'
import type { Block, BlockTable } from '../pass/pass.ts'
import { postClasses } from '../template-context/current-post.ts'
import { archiveOf, archiveTitle, searchText } from '../template-context/page.ts'
import { choice, isOn } from './attributes.ts'
import { pagingBlocks } from './paging.ts'
import { readQuery } from './query-list.ts'
import { headingTag } from './site.ts'
import { wrapper } from './wrapper.ts'

const query: Block = (call) => {
  const { scope, pass } = call
  if (scope.loops >= limits.loops) {
    pass.warnings.add('too_deep')
    return undefined
  }
  return call.stored({ ...scope, around: { query: readQuery(call) } })
}

const postTemplate: Block = (call) => {
  const { scope, pass } = call
  const around = scope.around?.query
  if (!around || around.ids.length === 0) return undefined
  const { columns } = around
  const layout =
    columns === undefined || !pass.hasLayout
      ? {}
      : { layout: { classNames: ['is-layout-grid', 'has-column-count'], style: `--cms-columns:${columns}` } }
  const items = around.ids.map((id) => {
    // A template does not see the query around it, so it can not draw the same list in itself.
    const inItem = { ...scope, around: {}, post: id, loopItem: id, loops: scope.loops + 1 }
    return h('li', { class: ['cms-block-post', ...postClasses(id, pass)] }, call.inner(inItem))
  })
  return wrapper({ ...call, ...layout }, { tag: 'ul', classes: [columns !== undefined && `columns-${columns}`] }, items)
}

const noResults: Block = (call) => {
  const { around } = call.scope
  return around?.query && around.query.ids.length === 0 ? wrapper(call, {}, call.inner()) : undefined
}

const queryTitle: Block = (call) => {
  const { pass } = call
  const archive = archiveOf(pass)?.archive
  const isSearch = choice(call, 'type', ['archive', 'search'], 'archive') === 'search'
  if (archive === undefined || isSearch !== (archive === 'search')) return undefined
  const found = isSearch && isOn(call, 'showSearchTerm', true)
  const title = isSearch
    ? found
      ? ['Results for “', searchText(pass), '”']
      : 'Results'
    : trusted(archiveTitle(pass, isOn(call, 'showPrefix', true)))
  return wrapper(call, { tag: headingTag(call, 1) }, title)
}

export const queryBlocks: BlockTable = {
  query,
  'post-template': postTemplate,
  'query-no-results': noResults,
  'query-title': queryTitle,
  ...pagingBlocks,
}
