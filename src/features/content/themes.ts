/** The active theme: what it supports, for editors that ask. The option `theme_supports` of the site says so. */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import { bool, context, list, oneOf, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { forbidden, permission } from '../../core/declare/permissions.ts'
import { exactly, fields, links, openFields } from '../../core/declare/response-schema.ts'
import { postFormats } from '../../site/post-keys.ts'

const supportsOption = 'theme_supports'

/** Choice: what the editors of most sites need. Members of the option replace those of the same name. */
const defaultSupports: { readonly [name: string]: Json } = lookupTable({
  'post-thumbnails': true,
  formats: postFormats,
  'align-wide': true,
  'responsive-embeds': true,
  'editor-styles': false,
  'automatic-feed-links': true,
  'title-tag': true,
  html5: ['comment-form', 'comment-list', 'search-form', 'gallery', 'caption', 'style', 'script'],
})

const name = 'site-theme'

const themeSchema = fields(
  {
    stylesheet: str(),
    template: str(),
    status: exactly('active'),
    name: fields({ raw: str(), rendered: str() }),
    is_block_theme: bool(),
    theme_supports: openFields({}, { description: 'What the theme shows, by name: featured images, formats.' }),
    _links: fields({ self: links(), collection: links() }),
  },
  { title: 'Theme' },
)

async function activeTheme({ storage, settings, app }: Pick<Context, 'storage' | 'settings' | 'app'>) {
  const { [supportsOption]: stored } = await storage.options.read([supportsOption])
  const own = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
  const collection = `${settings.apiRoot}/${app.names.toPublic('cms/v2')}/themes`
  return {
    ...{ stylesheet: name, template: name, status: 'active' },
    name: { raw: settings.name, rendered: settings.name },
    is_block_theme: false,
    theme_supports: { ...defaultSupports, ...own },
    _links: { self: [{ href: `${collection}?status=active` }], collection: [{ href: collection }] },
  }
}

export const themes = feature('themes', 'cms/v2', [
  endpoint({
    path: '/themes',
    methods: ['GET'],
    args: {
      context: context(),
      status: list(oneOf(['active', 'inactive']), { description: 'Lists only themes with one of these statuses.' }),
    },
    summary: 'Read the active theme',
    permission: permission<unknown, unknown>('edit_posts', ({ user }) =>
      user.can('edit_posts')
        ? undefined
        : forbidden(user, 'rest_cannot_view_active_theme', 'You may not see the theme of the site.'),
    ),
    responses: { 200: list(themeSchema) },
    handler: async (context) => {
      const { status = [] } = context.args
      return status.length > 0 && !status.includes('active') ? [] : [await activeTheme(context)]
    },
  }),
])
