/**
 * The start page of the plain theme, and the parts that all start pages share. Addresses are those of the host's
 * editor.
 */

import { list, str } from '../../../core/declare/args.ts'
import { either, emptyList, exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import { editAddress } from '../../../site/document-links.ts'
import type { Settings } from '../../../site/settings.ts'
import { type AdminContext, editorScreen, nonceOf } from './model.ts'

export interface Link {
  readonly title: string
  readonly link: string
  readonly icon?: string
}

/** `welcome` is empty on sites with the paid add-on. */
export function themeAdmin(context: AdminContext) {
  const { settings, app } = context
  return {
    welcome: context.isActive('builder-pro') ? [] : welcome(context),
    siteParts: siteParts(context),
    quickLinks: quickLinks(context),
    resourcesData: resources(settings),
    config: { nonceInstall: nonceOf(context), slug: app.names.toPublic('builder', 'package') },
  }
}

function welcome({ settings, isActive }: AdminContext) {
  const hasBuilder = isActive('builder')
  return {
    title: 'Welcome',
    text: hasBuilder
      ? 'Your theme and the page builder are ready. Begin with a page.'
      : 'Your theme is ready. Install the page builder to design pages with it.',
    buttons: [
      {
        linkText: hasBuilder ? 'Edit the home page' : 'Set up the page builder',
        variant: 'contained',
        link: hasBuilder ? homePage(settings) : editorScreen(settings, 'plugins'),
        color: 'primary',
      },
    ],
  }
}

export const homePage = (settings: Settings) =>
  settings.pageOnFront > 0 ? editAddress(settings, settings.pageOnFront) : editorScreen(settings, 'pages')

// ---------------------------------------------------------------- parts of every theme

export function siteParts({ settings, pages, isActive }: AdminContext) {
  const part = (id: string, title: string) => ({
    id,
    title,
    link: editorScreen(settings, id),
    icon: `${title}Icon`,
    sublinks: [] as readonly Link[],
  })
  const builderPart = {
    title: 'Theme builder',
    link: editorScreen(settings, 'theme-builder'),
    icon: 'ThemeBuilderIcon',
  }
  return {
    siteParts: [part('header', 'Header'), part('footer', 'Footer'), ...(isActive('builder') ? [builderPart] : [])],
    sitePages: pages.map(({ id, title }): Link => ({ title, link: editAddress(settings, id), icon: 'PagesIcon' })),
    general: [
      { title: 'Add a page', link: editorScreen(settings, 'new-page'), icon: 'PageTypeIcon' },
      { title: 'Settings', link: editorScreen(settings, 'settings') },
    ] satisfies readonly Link[],
  }
}

export function quickLinks({ settings, isActive }: AdminContext): { readonly [name: string]: Link } {
  const link = (title: string, screen: string, icon: string): Link => ({
    title,
    link: editorScreen(settings, screen),
    icon,
  })
  return {
    site_name: link('Site name', 'site-name', 'TextIcon'),
    site_logo: link('Site logo', 'site-logo', 'PhotoIcon'),
    site_favicon: link('Site icon', 'site-icon', 'AppsIcon'),
    ...(isActive('builder')
      ? {
          site_colors: link('Site colors', 'site-colors', 'BrushIcon'),
          site_fonts: link('Site fonts', 'site-fonts', 'UnderlineIcon'),
        }
      : {}),
  }
}

/** Choice: links to the documentation of this service; the community list of the product is empty. */
export const resources = ({ apiRoot }: Settings) => ({
  community: [] as readonly Link[],
  resources: [{ title: 'All endpoints', link: `${apiRoot}/docs`, icon: 'FileIcon', target: '_blank' }],
})

// ---------------------------------------------------------------- schemas

const link = { title: str(), link: str() }
const linkSchema = fields({ ...link, icon: sometimes(str()) }, { title: 'Start page link' })
const linkListSchema = list(linkSchema)

export const partMembers = { ...link, icon: str(), sublinks: sometimes(list(linkSchema)) }

export const sitePartsMembers = { sitePages: linkListSchema, general: linkListSchema }

export const quickLinksSchema = fields(
  {
    site_name: linkSchema,
    site_logo: linkSchema,
    site_favicon: linkSchema,
    site_colors: sometimes(linkSchema),
    site_fonts: sometimes(linkSchema),
  },
  { description: 'Colors and fonts are there while the page builder is active.' },
)

export const resourcesSchema = fields({
  community: linkListSchema,
  resources: list(fields({ ...link, icon: sometimes(str()), target: exactly('_blank') })),
})

const welcomeSchema = fields({
  title: str(),
  text: str(),
  buttons: list(fields({ linkText: str(), variant: exactly('contained'), link: str(), color: exactly('primary') })),
})

export const themeSchema = fields({
  welcome: either(welcomeSchema, emptyList()),
  siteParts: fields({ siteParts: list(fields({ ...partMembers, id: sometimes(str()) })), ...sitePartsMembers }),
  quickLinks: quickLinksSchema,
  resourcesData: resourcesSchema,
  config: fields({ nonceInstall: str({ description: 'Clients hand it back; nothing depends on it.' }), slug: str() }),
})
