/** What the product has to offer beside what the site has already: the same route in each theme namespace. */
import { endpoint, type Feature, feature } from '../core/declare.ts'
import { all, chain } from '../core/eventually.ts'
import { can } from '../core/permissions.ts'
import type { InstalledPackage } from '../services/packages/index.ts'
import { fromFeed } from './news/model.ts'
import { installedPackages } from './packages/model.ts'

/** What each kind of promotion asks people to get. */
const promoted: { readonly [type: string]: string } = {
  'go-pro': 'builder-pro',
  'go-image-optimizer': 'image-optimization',
  'go-send': 'site-mailer',
}

/** `endsWhen`: a promotion has done its work once its plugin is installed (D1), or only once it is active (D2). */
export const promotions = ({
  namespace,
  endsWhen,
}: {
  readonly namespace: string
  readonly endsWhen: 'installed' | 'active'
}): Feature =>
  feature('promotions', namespace, [
    endpoint({
      path: '/promotions',
      methods: ['GET'],
      args: {},
      summary: 'List what the product offers beside what the site has',
      permission: can('manage_options'),
      handler: (call) =>
        chain(all([fromFeed(call, (feeds) => feeds.promotions()), installedPackages(call)]), ([links, packages]) => {
          const has = (slug: string | undefined, when: 'installed' | 'active') => packages.some(isOne(slug, when))
          const isOpen = ({ type }: { readonly type: string }) => {
            if (type === 'go-pro' && !has('builder', 'active')) return false
            return !has(Object.hasOwn(promoted, type) ? promoted[type] : undefined, endsWhen)
          }
          return { links: links.filter(isOpen) }
        }),
    }),
  ])

const isOne = (slug: string | undefined, when: 'installed' | 'active') => (one: InstalledPackage) =>
  one.kind === 'plugin' && one.slug === slug && (when === 'installed' || one.status === 'active')
