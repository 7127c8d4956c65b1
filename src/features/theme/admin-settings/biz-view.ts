/** The start page of the business theme, which depends on the state of the setup. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import { bool, list, oneOf, str } from '../../../core/declare/args.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'
import { type AdminContext, editorScreen, nonceOf } from './model.ts'
import {
  homePage,
  type Link,
  partMembers,
  quickLinks,
  quickLinksSchema,
  resources,
  resourcesSchema,
  siteParts,
  sitePartsMembers,
} from './view.ts'

export function bizThemeAdmin(context: AdminContext) {
  const { settings, isInstalled } = context
  return {
    welcome: welcomes[stateOf(context)](context),
    siteParts: partsWithIds(context),
    quickLinks: quickLinks(context),
    resourcesData: resources(settings),
    config: {
      showText: !isInstalled('builder-theme-plus'),
      nonceInstall: nonceOf(context),
      createNewHeader: editorScreen(settings, 'new-header'),
    },
  }
}

type SetupState = 'not_installed' | 'not_setup' | 'one_kit_installed' | 'setup_complete'

function stateOf({ isActive, isSetUp, lastKit }: AdminContext): SetupState {
  if (!isActive('builder')) return 'not_installed'
  if (isSetUp) return 'setup_complete'
  return lastKit === '' ? 'not_setup' : 'one_kit_installed'
}

interface Welcome {
  readonly title: string
  readonly text: string
  readonly image: { readonly src: string; readonly alt: string }
  readonly video: string
  readonly buttons: readonly {
    readonly title: string
    readonly variant: 'contained' | 'outlined'
    readonly link: string
    readonly color: 'primary' | 'secondary'
  }[]
  readonly agreementText?: string
}

const primaryButton = (title: string, link: string) =>
  ({ title, variant: 'contained', link, color: 'primary' }) as const
const secondaryButton = (title: string, link: string) =>
  ({ title, variant: 'outlined', link, color: 'secondary' }) as const
const illustration = ({ settings }: AdminContext, name: string, alt: string) => ({
  image: { src: `${settings.url}/img/${name}.svg`, alt },
  video: '',
})

const welcomes: { readonly [state in SetupState]: (context: AdminContext) => Welcome } = lookupTable({
  not_installed: (context) => ({
    title: 'Welcome',
    text: 'Your theme is ready. Install the page builder to design pages with it.',
    ...illustration(context, 'theme-install', 'A page that is being designed'),
    buttons: [primaryButton('Begin', editorScreen(context.settings, 'theme-onboarding'))],
    agreementText: 'By going on you agree to the terms of the page builder.',
  }),
  not_setup: (context) => ({
    title: 'Welcome',
    text: 'The page builder is ready. Choose a website to begin from.',
    ...illustration(context, 'theme-setup', 'Websites to choose from'),
    buttons: [primaryButton('Set up the site', editorScreen(context.settings, 'theme-onboarding'))],
  }),
  one_kit_installed: (context) => ({
    title: 'Your website is there',
    text: 'Make it yours: change its words, pictures and colors.',
    ...illustration(context, 'theme-kit', 'A website'),
    buttons: [primaryButton('Edit the home page', homePage(context.settings))],
  }),
  setup_complete: ({ settings }) => ({
    title: 'Your site is set up',
    text: 'See how it is done, or go on with your pages.',
    image: { src: '', alt: '' },
    video: `${settings.url}/img/theme-tour.mp4`,
    buttons: [primaryButton('Edit the home page', homePage(settings)), secondaryButton('View the site', settings.home)],
  }),
})

function partsWithIds(context: AdminContext) {
  const { siteParts: parts, ...others } = siteParts(context)
  return { siteParts: parts.map(withId), ...others }
}

/** Interface: on this start page the part of the page builder has an id too. */
const withId = (part: Link & { readonly id?: string }) => ({ id: 'theme-builder', ...part })

const welcomeSchema = fields({
  title: str(),
  text: str(),
  image: fields({ src: str(), alt: str() }),
  video: str({ description: 'Empty while there is none to show.' }),
  buttons: list(
    fields({
      title: str(),
      variant: oneOf(['contained', 'outlined']),
      link: str(),
      color: oneOf(['primary', 'secondary']),
    }),
  ),
  agreementText: sometimes(str()),
})

export const bizThemeSchema = fields({
  welcome: welcomeSchema,
  siteParts: fields({ siteParts: list(fields({ id: str(), ...partMembers })), ...sitePartsMembers }),
  quickLinks: quickLinksSchema,
  resourcesData: resourcesSchema,
  config: fields({
    showText: bool({ description: 'Whether the add-on of the theme is still to be had.' }),
    nonceInstall: str({ description: 'Clients hand it back; nothing depends on it.' }),
    createNewHeader: str(),
  }),
})
