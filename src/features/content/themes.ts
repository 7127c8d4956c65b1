/** The themes of the site, and what they support, for editors that ask. The option `theme_supports` of the site says so. */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import { bool, context, list, oneOf, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { forbidden, permission } from '../../core/declare/permissions.ts'
import { fields, links, openFields } from '../../core/declare/response-schema.ts'
import { postFormats } from '../../site/post-keys.ts'
import { type InstalledTheme, installedThemes } from '../theme/model.ts'

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

/** The slug of the theme of a site whose host declares none. */
const namelessTheme = 'site-theme'

const themeSchema = fields(
  {
    stylesheet: str(),
    template: str(),
    status: oneOf(['active', 'inactive']),
    name: fields({ raw: str(), rendered: str() }),
    is_block_theme: bool(),
    theme_supports: openFields({}, { description: 'What the theme shows, by name: featured images, formats.' }),
    _links: fields({ self: links(), collection: links() }),
  },
  { title: 'Theme' },
)

type Status = InstalledTheme['status']

/** Returns the themes of the host; without any, one that has the name of the site. */
async function listThemes(context: Context<{ readonly status?: readonly Status[] | undefined }>) {
  const { storage, settings, app, user, args } = context
  const { status = user.can('switch_themes') ? [] : ['active'] } = args
  const [{ [supportsOption]: stored }, declared] = await Promise.all([
    storage.options.read([supportsOption]),
    installedThemes(context),
  ])
  const own = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {}
  const collection = `${settings.apiRoot}/${app.names.toPublic('cms/v2')}/themes`
  const themes: readonly InstalledTheme[] =
    declared.length > 0 ? declared : [{ slug: namelessTheme, name: settings.name, status: 'active' }]
  return themes
    .filter((theme) => status.length === 0 || status.includes(theme.status))
    .map((theme) => {
      const slug = app.names.toPublic(theme.slug, 'package')
      return {
        ...{ stylesheet: slug, template: slug, status: theme.status },
        name: { raw: theme.name, rendered: theme.name },
        is_block_theme: false,
        theme_supports: { ...defaultSupports, ...own },
        _links: { self: [{ href: `${collection}?status=${theme.status}` }], collection: [{ href: collection }] },
      }
    })
}

/** An editor sees the theme that it writes for; the others are for who may switch to them. */
const mayList = permission<{ readonly status?: readonly Status[] | undefined }, unknown>(
  'edit_posts, switch_themes for inactive ones',
  ({ user, args }) => {
    if (!user.can('edit_posts')) {
      return forbidden(user, 'rest_cannot_view_active_theme', 'You may not see the theme of the site.')
    }
    return args.status?.includes('inactive') && !user.can('switch_themes')
      ? forbidden(user, 'rest_cannot_view_themes', 'You may not see the themes that are not active.')
      : undefined
  },
)

export const themes = feature('themes', 'cms/v2', [
  endpoint({
    path: '/themes',
    methods: ['GET'],
    args: {
      context: context(),
      status: list(oneOf(['active', 'inactive']), { description: 'Lists only themes with one of these statuses.' }),
    },
    summary: 'List the themes of the site',
    permission: mayList,
    responses: { 200: list(themeSchema) },
    handler: listThemes,
  }),
])
