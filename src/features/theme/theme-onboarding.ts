/** The setup wizard of a theme: its texts, the starter websites, and whether one was imported. */

import { bool, list, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { fields, openFields, sometimes } from '../../core/declare/response-schema.ts'
import type { FeedKit } from '../../services/feeds.ts'
import { installedPackages } from '../add-ons/packages/model.ts'
import { fromFeed } from '../shared/news.ts'
import { type AdminContext, editorScreen, nonceOf, readAdminContext } from './admin-settings/model.ts'

const kitSchema = fields(
  {
    _id: str(),
    title: str(),
    taxonomies: sometimes(list(fields({ name: str(), type: str() }))),
    updated_at: str(),
    manifest: openFields({ name: str() }),
  },
  { title: 'Starter website' },
)

const onboardingSchema = fields({
  nonce: str({ description: 'Clients hand it back; nothing depends on it.' }),
  builderInstalled: bool(),
  builderActive: bool(),
  modalCloseRedirectUrl: str(),
  kits: list(kitSchema, { description: 'The last changed first.' }),
  applyKitBaseUrl: str(),
  wizardCompleted: bool({ description: 'Whether the site was made from one of the websites.' }),
  returnUrl: str(),
  getStartedText: fields({
    title: str(),
    description: str(),
    disclaimer: str(),
    termsUrl: str(),
    termsText: str(),
    buttonText: str(),
  }),
  readyToGoText: fields({ title: str(), description: str(), viewSite: str(), customizeSite: str() }),
  installKitText: fields({ title: str(), description: str() }),
})

export const themeOnboarding = <const N extends string>({ namespace }: { readonly namespace: N }) =>
  feature('theme-onboarding', namespace, [
    endpoint({
      path: '/onboarding-settings',
      methods: ['GET'],
      args: {},
      summary: 'Read the content of the theme wizard',
      permission: can('manage_options'),
      responses: { 200: fields({ settings: onboardingSchema }) },
      handler: onboardingSettings,
    }),
  ])

async function onboardingSettings(context: Context) {
  const [admin, packages] = await Promise.all([readAdminContext(context), installedPackages(context)])
  const theme = packages.find(({ kind, status }) => kind === 'theme' && status === 'active')?.slug ?? ''
  const kits = await fromFeed(context, (feeds) => feeds.kits({ theme }))
  return { settings: onboardingView(admin, kits) }
}

/** The addresses are those of the host's editor. */
function onboardingView(context: AdminContext, kits: readonly FeedKit[]) {
  const { settings, app, lastKit } = context
  return {
    nonce: nonceOf(context),
    [app.names.toPublic('builderInstalled')]: context.isInstalled('builder'),
    [app.names.toPublic('builderActive')]: context.isActive('builder'),
    modalCloseRedirectUrl: editorScreen(settings, 'themes'),
    kits: kits.toSorted(byLastUpdate),
    applyKitBaseUrl: editorScreen(settings, 'apply-kit'),
    wizardCompleted: kits.some(({ _id }) => _id === lastKit),
    returnUrl: editorScreen(settings, 'theme-onboarding'),
    getStartedText: {
      title: 'Welcome',
      description:
        'Set up your site in a few steps: choose a website that is near to what you want, and make it yours.',
      disclaimer: 'By going on you agree to the',
      termsUrl: `${settings.apiRoot}/docs`,
      termsText: 'terms',
      buttonText: 'Begin',
    },
    readyToGoText: {
      title: 'Your site is ready',
      description: 'Look at it, or go on with its parts.',
      viewSite: 'View the site',
      customizeSite: 'Edit the site',
    },
    installKitText: {
      title: 'Choose a website',
      description: 'Its pages, colors and fonts become those of your site.',
    },
  }
}

const updatedAtOf = ({ updated_at: at }: FeedKit) => Date.parse(at) || 0
const byLastUpdate = (a: FeedKit, b: FeedKit) => updatedAtOf(b) - updatedAtOf(a)
