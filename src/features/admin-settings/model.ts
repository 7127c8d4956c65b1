/** What the start page of a theme has to know about the site. */
import type { Call } from '../../core/declare.ts'
import { all, chain, type Eventually } from '../../core/eventually.ts'
import type { Post } from '../../storage/contract.ts'
import { installedPackages } from '../packages/model.ts'

export interface AdminFacts extends Pick<Call, 'settings' | 'site' | 'user'> {
  /** Published, newest first. */
  readonly pages: readonly Post[]
  isInstalled(slug: string): boolean
  isActive(slug: string): boolean
}

const shownPages = 5

export function adminFacts(call: Call): Eventually<AdminFacts> {
  const { storage, settings, site, user } = call
  const newest = storage.posts.query({
    types: ['page'],
    statuses: [{ status: 'publish' }],
    order: { by: 'date', descending: true },
    offset: 0,
    limit: shownPages,
  })
  const pages = chain(newest, ({ heads }) => storage.posts.read(heads.map(({ id }) => id)))
  return chain(all([pages, installedPackages(call)]), ([found, packages]) => {
    const plugins = packages.filter(({ kind }) => kind === 'plugin')
    return {
      settings,
      site,
      user,
      pages: found,
      isInstalled: (slug) => plugins.some((one) => one.slug === slug),
      isActive: (slug) => plugins.some((one) => one.slug === slug && one.status === 'active'),
    }
  })
}
