/** The pages that the theme's header links: those at the top level, in their order. */

import { addressesOf } from '../../site/permalink.ts'
import type { Visit } from '../visit.ts'
import { plainOf } from './entries.ts'

export interface NavigationLink {
  readonly title: string
  readonly address: string
}

/** More would be no menu. */
const maxLinks = 8

export async function readNavigation(visit: Visit): Promise<readonly NavigationLink[]> {
  const { storage, settings, tags } = visit
  tags.add('query:page')
  const { heads } = await storage.posts.query({
    types: ['page'],
    statuses: [{ status: 'publish' }],
    parents: [0],
    withPassword: false,
    ...(settings.showOnFront === 'page' ? { notIds: [settings.pageOnFront] } : {}),
    order: { by: 'menuOrder', descending: false },
    offset: 0,
    limit: maxLinks,
  })
  const pages = await storage.posts.read(heads.map(({ id }) => id))
  const addresses = await addressesOf(pages, visit)
  for (const { id } of pages) tags.add(`post:${id}`)
  return pages.map((page, index) => ({ title: plainOf(page.title), address: addresses[index] ?? '' }))
}
