/** Offers for products that the site does not have yet: the same route in each theme namespace. */

import { lookupTable } from '../../contract/lookup-table.ts'
import { bool, list, num, str } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { either, exactly, fields, sometimes } from '../../core/declare/response-schema.ts'
import type { InstalledPackage } from '../../services/packages/index.ts'
import { installedPackages } from '../add-ons/packages/model.ts'
import { fromFeed } from '../shared/news.ts'

/** The plugin that each type of promotion offers. */
const promotedPlugins: { readonly [type: string]: string } = lookupTable({
  'go-pro': 'builder-pro',
  'go-image-optimizer': 'image-optimization',
  'go-send': 'site-mailer',
})

const length = sometimes(either(num(), exactly('auto')))

const promotionSchema = fields(
  {
    type: str({ description: 'What it is for, such as `go-pro`.' }),
    image: str(),
    url: str(),
    alt: str(),
    title: str(),
    messages: list(str()),
    button: str(),
    upgrade: sometimes(bool()),
    features: sometimes(list(str())),
    width: length,
    height: length,
    target: sometimes(str()),
    backgroundImage: sometimes(str()),
    backgroundColor: sometimes(str()),
    buttonBgColor: sometimes(str()),
  },
  { title: 'Promotion' },
)

/** `endsWhen`: a promotion ends when its plugin is installed (D1) or active (D2). */
export const promotions = <const N extends string>({
  namespace,
  endsWhen,
}: {
  readonly namespace: N
  readonly endsWhen: 'installed' | 'active'
}) =>
  feature('promotions', namespace, [
    endpoint({
      path: '/promotions',
      methods: ['GET'],
      args: {},
      summary: 'List recommended add-ons',
      permission: can('manage_options'),
      responses: { 200: fields({ links: list(promotionSchema) }) },
      handler: async (context) => {
        const [links, packages] = await Promise.all([
          fromFeed(context, (feeds) => feeds.promotions()),
          installedPackages(context),
        ])
        const has = (slug: string | undefined, state: 'installed' | 'active') => packages.some(isPlugin(slug, state))
        const isOpen = ({ type }: { readonly type: string }) => {
          if (type === 'go-pro' && !has('builder', 'active')) return false
          return !has(Object.hasOwn(promotedPlugins, type) ? promotedPlugins[type] : undefined, endsWhen)
        }
        return { links: links.filter(isOpen) }
      },
    }),
  ])

const isPlugin = (slug: string | undefined, state: 'installed' | 'active') => (installed: InstalledPackage) =>
  installed.kind === 'plugin' && installed.slug === slug && (state === 'installed' || installed.status === 'active')
