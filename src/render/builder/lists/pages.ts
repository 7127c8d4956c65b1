/** Lists published pages as a tree, for blocks and classic widgets. */

import type { Post } from '../../../contract/storage.ts'
import { limits } from '../document/limits.ts'
import { type Child, h } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { publishedPosts, shownTitle } from './posts.ts'

interface PageListOptions {
  /** Lists only the pages below this one. */
  readonly below?: number
  readonly order?: 'menuOrder' | 'title' | 'id'
  readonly notIds?: readonly number[]
}

/** A page with those below it. */
export interface PageNode {
  readonly page: Post
  readonly below: readonly PageNode[]
}

/** Returns the pages by their order, then by title. */
export function listPages({ below: root = 0, order = 'menuOrder', notIds = [] }: PageListOptions, pass: Pass) {
  const { posts } = publishedPosts(
    {
      types: ['page'],
      ...(notIds.length > 0 ? { notIds } : {}),
      order: { by: order, descending: false },
      offset: 0,
      limit: limits.listed,
    },
    pass,
  )
  const sorted = order === 'menuOrder' ? posts.toSorted(byOrderAndTitle) : posts
  const ids = new Set(sorted.map(({ id }) => id))
  // A page whose parent is not in the list is at the top.
  const byParent = Map.groupBy(sorted, ({ parent, id }) => (ids.has(parent) && parent !== id ? parent : 0))
  const seen = new Set<number>()
  const nodesBelow = (parent: number): readonly PageNode[] =>
    (byParent.get(parent) ?? []).flatMap((page) => {
      if (seen.has(page.id)) return []
      seen.add(page.id)
      return [{ page, below: nodesBelow(page.id) }]
    })
  return nodesBelow(root)
}

const byOrderAndTitle = (a: Post, b: Post): number =>
  a.menuOrder - b.menuOrder || (a.title < b.title ? -1 : a.title > b.title ? 1 : a.id - b.id)

/** Class names of the items, links and nested lists. */
interface PageItemNames {
  readonly item: string
  readonly hasBelow: string
  readonly link?: string
  readonly list: string
}

/** Returns the items of the list. The page that shows the list is marked. */
export function pageItems(nodes: readonly PageNode[], names: PageItemNames, current: number, pass: Pass): Child {
  return nodes.map(({ page, below }) =>
    h(
      'li',
      {
        class: [
          names.item,
          below.length > 0 && names.hasBelow,
          `page-item-${page.id}`,
          page.id === current && 'current-menu-item',
        ],
      },
      h(
        'a',
        {
          class: names.link === undefined ? undefined : [names.link],
          href: pass.addressOf(page.id),
          'aria-current': page.id === current ? 'page' : undefined,
        },
        shownTitle(page, pass),
      ),
      below.length > 0 && h('ul', { class: [names.list] }, pageItems(below, names, current, pass)),
    ),
  )
}
