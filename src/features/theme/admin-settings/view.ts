/** The start page of a theme, as its namespace shows it. Addresses are of the host's own editor. */

import { list, str } from '../../../core/declare/args.ts'
import { either, emptyList, exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import type { Settings } from '../../../site/settings.ts'
import { editAddress } from '../../content/content-types/model.ts'
import { type AdminFacts, editPlace, nonceOf } from './model.ts'

export interface Link {
  readonly title: string
  readonly link: string
  readonly icon?: string
}

/** Without a paid add-on people are told what it brings. */
export function themeAdmin(facts: AdminFacts) {
  const { settings, app } = facts
  return {
    welcome: facts.isActive('builder-pro') ? [] : welcome(facts),
    siteParts: siteParts(facts),
    quickLinks: quickLinks(facts),
    resourcesData: resources(settings),
    config: { nonceInstall: nonceOf(facts), slug: app.names.toPublic('builder', 'package') },
  }
}

function welcome({ settings, isActive }: AdminFacts) {
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
        link: hasBuilder ? homePage(settings) : editPlace(settings, 'plugins'),
        color: 'primary',
      },
    ],
  }
}

export const homePage = (settings: Settings) =>
  settings.pageOnFront > 0 ? editAddress(settings, settings.pageOnFront) : editPlace(settings, 'pages')

// ---------------------------------------------------------------- parts that every theme has

export function siteParts({ settings, pages, isActive }: AdminFacts) {
  const part = (id: string, title: string) => ({
    id,
    title,
    link: editPlace(settings, id),
    icon: `${title}Icon`,
    sublinks: [] as readonly Link[],
  })
  const builderPart = { title: 'Theme builder', link: editPlace(settings, 'theme-builder'), icon: 'ThemeBuilderIcon' }
  return {
    siteParts: [part('header', 'Header'), part('footer', 'Footer'), ...(isActive('builder') ? [builderPart] : [])],
    sitePages: pages.map(({ id, title }): Link => ({ title, link: editAddress(settings, id), icon: 'PagesIcon' })),
    general: [
      { title: 'Add a page', link: editPlace(settings, 'new-page'), icon: 'PageTypeIcon' },
      { title: 'Settings', link: editPlace(settings, 'settings') },
    ] satisfies readonly Link[],
  }
}

export function quickLinks({ settings, isActive }: AdminFacts): { readonly [name: string]: Link } {
  const link = (title: string, place: string, icon: string): Link => ({ title, link: editPlace(settings, place), icon })
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

/** Choice: what helps with this service; the product's own community is nobody's here. */
export const resources = ({ apiRoot }: Settings) => ({
  community: [] as readonly Link[],
  resources: [{ title: 'All endpoints', link: `${apiRoot}/docs`, icon: 'FileIcon', target: '_blank' }],
})

// ---------------------------------------------------------------- forms

const link = { title: str(), link: str() }
const linkForm = fields({ ...link, icon: sometimes(str()) }, { title: 'Start page link' })
const listedLinks = list(linkForm)

export const partMembers = { ...link, icon: str(), sublinks: sometimes(list(linkForm)) }

export const moreParts = { sitePages: listedLinks, general: listedLinks }

export const quickLinksForm = fields(
  {
    site_name: linkForm,
    site_logo: linkForm,
    site_favicon: linkForm,
    site_colors: sometimes(linkForm),
    site_fonts: sometimes(linkForm),
  },
  { description: 'Colors and fonts are there while the page builder is active.' },
)

export const resourcesForm = fields({
  community: listedLinks,
  resources: list(fields({ ...link, icon: sometimes(str()), target: exactly('_blank') })),
})

const welcomeForm = fields({
  title: str(),
  text: str(),
  buttons: list(fields({ linkText: str(), variant: exactly('contained'), link: str(), color: exactly('primary') })),
})

export const themeForm = fields({
  welcome: either(welcomeForm, emptyList()),
  siteParts: fields({ siteParts: list(fields({ ...partMembers, id: sometimes(str()) })), ...moreParts }),
  quickLinks: quickLinksForm,
  resourcesData: resourcesForm,
  config: fields({ nonceInstall: str({ description: 'Clients hand it back; nothing depends on it.' }), slug: str() }),
})
