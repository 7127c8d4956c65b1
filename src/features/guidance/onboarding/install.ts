/** Installs the paid add-on or a theme during the onboarding. Only packages that the host declares are installed. */
import { anything, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can } from '../../../core/declare/permissions.ts'
import { oauthOf } from '../../../services/oauth/index.ts'
import { packagesOf } from '../../../services/packages/index.ts'
import { isConnected, libraryConnection } from '../../account/connections/model.ts'
import {
  changePackage,
  findPackage,
  installedPackages,
  mapPackageErrors,
  type PackageErrorMap,
  plugin,
  theme,
} from '../../add-ons/packages/model.ts'
import { apiErrorAsResult } from '../../add-ons/packages/view.ts'
import { doneSchema, doneView, installedSchema, installedView } from './view.ts'

const administrators = can('manage_options')

const addOn = plugin('builder-pro')
const themes = ['builder-theme', 'builder-theme-biz']

const installError = (code: string, message: string, status: number) => new ApiError(code, message, status)

/** True when the host declares the add-on, it is not installed, and the library is connected. */
export async function isAddOnInstallable(context: Context): Promise<boolean> {
  if (!packagesOf(context.app).declares(addOn)) return false
  if (await findPackage(context, addOn)) return false
  return isConnected(context, libraryConnection)
}

const addOnErrors: PackageErrorMap = { busy: ['install_failed', 409], hook_failed: ['install_failed', 502] }

const themeErrors: PackageErrorMap = {
  undeclared: ['theme_install_failed', 404],
  busy: ['theme_install_failed', 409],
  hook_failed: ['theme_install_failed', 502],
}

/** Throws unless the add-on may be installed. Interface: these codes, in the order of the checks. */
async function requireAddOnAccess(context: Context): Promise<void> {
  const { app } = context
  if (!oauthOf(app).isConfigured) throw installError('connect_unavailable', 'No library is set up for this site.', 409)
  if (!(await isConnected(context, libraryConnection))) {
    throw installError('not_connected', 'This site is not connected to the library.', 400)
  }
  // Choice: an add-on that the host does not declare is reported as a missing subscription.
  if (!packagesOf(app).declares(addOn))
    throw installError('no_subscription', 'This site does not offer the add-on.', 400)
}

const insufficientPermissions = () => installError('insufficient_permissions', 'You may not install this.', 403)

export const installEndpoints = [
  endpoint({
    path: '/onboarding/install-pro',
    methods: ['GET'],
    args: {},
    summary: 'Read whether the add-on is installed',
    permission: administrators,
    responses: { 200: installedSchema },
    handler: async (context) => {
      const installed = await findPackage(context, addOn)
      return installedView(installed ? [installed] : [])
    },
  }),
  endpoint({
    path: '/onboarding/install-pro',
    methods: ['POST'],
    args: {},
    summary: 'Install the add-on that the host offers',
    permission: administrators,
    atomic: false,
    responses: { 200: doneSchema('installed', 'already_installed') },
    handler: async (context) => {
      if (!context.user.can('install_plugins')) throw insufficientPermissions()
      if (await findPackage(context, addOn)) return doneView('already_installed')
      await requireAddOnAccess(context)
      await mapPackageErrors(() => changePackage(context, 'install', addOn), addOnErrors)
      return doneView('installed')
    },
  }),
  endpoint({
    path: '/onboarding/install-theme',
    methods: ['GET'],
    args: {},
    summary: 'Read whether a theme of the page builder is installed',
    permission: administrators,
    responses: { 200: installedSchema },
    handler: async (context) => {
      const packages = await installedPackages(context)
      return installedView(packages.filter(({ kind, slug }) => kind === 'theme' && themes.includes(slug)))
    },
  }),
  endpoint({
    path: '/onboarding/install-theme',
    methods: ['POST'],
    args: { theme_slug: unlisted(anything()) },
    summary: 'Install a theme of the page builder that the host offers, and switch to it',
    permission: administrators,
    atomic: false,
    responses: { 200: doneSchema('theme_installed') },
    handler: async (context) => {
      const { user, args, app } = context
      const { theme_slug: input } = args
      const slug = typeof input === 'string' ? app.names.toNeutral(input, 'package') : ''
      if (!themes.includes(slug)) throw installError('invalid_theme', 'There is no such theme to begin with.', 400)
      if (!user.can('install_themes') || !user.can('switch_themes')) throw insufficientPermissions()
      const name = theme(slug)
      if (!(await findPackage(context, name))) {
        await mapPackageErrors(() => changePackage(context, 'install', name), themeErrors)
      }
      return apiErrorAsResult(async () => {
        await mapPackageErrors(() => changePackage(context, 'activate', name), themeErrors)
        return doneView('theme_installed')
      })
    },
  }),
] as const
