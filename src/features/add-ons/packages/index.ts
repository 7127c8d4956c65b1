/** Plugins and themes that the host declares: listed, installed, switched on and off, upgraded, moved to the account. */

import type { Actor } from '../../../core/declare/actor.ts'
import { bool, context, list, oneOf, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { packageStates } from '../../../services/packages/states.ts'
import { isConnected } from '../../account/connections/model.ts'
import { migratingSlug, newPluginSlug, newThemeSlug, pluginSlug, startStatus, themeSlug } from './args.ts'
import {
  accountConnection,
  accountHooks,
  changePackage,
  findPackage,
  installedPackages,
  mapPackageErrors,
  type PackageErrorMap,
  plugin,
  pluginSlugs,
  theme,
} from './model.ts'
import { apiErrorAsResult, pluginSchema, pluginView, themeSchema, themeView } from './view.ts'

const onePlugin = `/plugins/${parameter('slug', '[\\w-]+')}` as const
const oneTheme = `/themes/${parameter('slug', '[\\w-]+')}` as const

// ---------------------------------------------------------------- who may

const unless = (may: boolean, user: Actor, code: string) => (may ? undefined : forbidden(user, code))

/** Interface: codes of this namespace say the status in words. */
const checkManaging = (user: Actor) =>
  unless(user.can('manage_options'), user, user.isVisitor ? 'unauthorized' : 'forbidden')
const mayManage = permission('manage_options', ({ user }) => checkManaging(user))
const mayList = permission('activate_plugins', ({ user }) =>
  unless(user.can('activate_plugins'), user, 'rest_cannot_view_plugins'),
)

type StatusContext = Context<{ readonly status?: string | undefined }>

const mayInstall = permission('install_plugins, activate_plugins to activate', ({ user, args }: StatusContext) => {
  const refused = unless(user.can('install_plugins'), user, 'rest_cannot_install_plugin')
  if (refused || args.status !== 'active') return refused
  return unless(user.can('activate_plugins'), user, 'rest_cannot_activate_plugin')
})

const mayUpgrade = permission('activate_plugins, manage_options to activate', ({ user, args }: StatusContext) => {
  const refused = unless(user.can('activate_plugins'), user, 'rest_cannot_manage_plugins')
  if (refused || args.status !== 'active') return refused
  return checkManaging(user)
})

/** Interface: 403 for a visitor too. */
const refused = () => new ApiError('forbidden', 'Sorry, you are not allowed to do that.', 403)

const mayInstallTheme = permission('install_themes, switch_themes to activate', ({ user, args }: StatusContext) => {
  const may = user.can('install_themes') && (args.status !== 'active' || user.can('switch_themes'))
  return may ? undefined : refused()
})

const maySwitchTheme = permission('switch_themes', ({ user }) => (user.can('switch_themes') ? undefined : refused()))

// ---------------------------------------------------------------- plugins

/** Interface: whatever keeps an installation or an upgrade from succeeding is 400. */
const installErrors: PackageErrorMap = {
  undeclared: ['bad_request', 400],
  installed_already: ['bad_request', 400],
  hook_failed: ['bad_request', 400],
}
const upgradeErrors: PackageErrorMap = { hook_failed: ['bad_request', 400] }
const migrationErrors: PackageErrorMap = { hook_failed: ['migration_exception', 502] }

async function switchPlugin(context: Context<{ readonly slug: string }>, action: 'activate' | 'deactivate') {
  const name = plugin(context.args.slug)
  const found = await findPackage(context, name)
  if (found && !context.user.can('activate_plugins')) throw forbidden(context.user, 'rest_cannot_activate_plugin')
  return pluginView(context, await mapPackageErrors(() => changePackage(context, action, name)))
}

/** In this order: installed, active, an account to take up. */
async function migratePlugin(
  context: Context<{ readonly slug: string; readonly force?: boolean }>,
  action: 'migrate' | 'rollback',
) {
  const name = plugin(context.args.slug)
  const found = await findPackage(context, name)
  if (!found) throw new ApiError('not_found', `The plugin ${name.slug} is not installed.`, 404)
  if (found.status !== 'active') throw new ApiError('bad_request', `The plugin ${name.slug} is not active.`, 400)
  if (!(await isConnected(context, accountConnection))) {
    throw new ApiError('rest_forbidden', 'This site is not connected to an account.', 403)
  }
  const force = context.args.force === true
  return pluginView(
    context,
    await mapPackageErrors(() => changePackage(context, action, name, { force }), migrationErrors),
  )
}

export const packages = feature(
  'packages',
  'builder-one/v1',
  [
    endpoint({
      path: '/themes',
      methods: ['POST'],
      args: { slug: newThemeSlug, status: startStatus },
      summary: 'Install a theme that the host offers',
      permission: mayInstallTheme,
      responses: { 200: themeSchema },
      atomic: false,
      handler: async (context) => {
        const name = theme(context.args.slug)
        await mapPackageErrors(() => changePackage(context, 'install', name))
        if (context.args.status !== 'active') return themeView('The theme is installed.')
        return apiErrorAsResult(async () => {
          await mapPackageErrors(() => changePackage(context, 'activate', name))
          return themeView('The theme is installed and active.')
        })
      },
    }),
    endpoint({
      path: `${oneTheme}/activate`,
      methods: ['POST'],
      args: { slug: themeSlug },
      summary: 'Switch to a theme',
      permission: maySwitchTheme,
      responses: { 200: themeSchema },
      atomic: false,
      handler: async (context) => {
        const name = theme(context.args.slug)
        const found = await findPackage(context, name)
        if (found?.status === 'active')
          throw new ApiError('bad_request', `The theme ${name.slug} is active already.`, 400)
        await mapPackageErrors(() => changePackage(context, 'activate', name))
        return themeView('The theme is active.')
      },
    }),
    endpoint({
      path: '/plugins',
      methods: ['GET'],
      // Interface: search and status are taken, and every plugin is listed all the same.
      args: {
        context: context(),
        search: search(),
        status: list(oneOf(['inactive', 'active']), {
          description: 'Limits results to plugins with the given status.',
        }),
      },
      summary: 'List the plugins that are installed',
      permission: mayList,
      responses: { 200: list(pluginSchema) },
      handler: (context) =>
        andThen(installedPackages(context), (rows) =>
          pluginSlugs.flatMap((slug) => {
            const found = rows.find((row) => row.kind === 'plugin' && row.slug === slug)
            return found ? pluginView(context, found) : []
          }),
        ),
    }),
    endpoint({
      path: '/plugins',
      methods: ['POST'],
      args: { slug: newPluginSlug, status: startStatus },
      summary: 'Install a plugin that the host offers',
      permission: mayInstall,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: async (context) => {
        const name = plugin(context.args.slug)
        const installed = await mapPackageErrors(() => changePackage(context, 'install', name), installErrors)
        if (context.args.status !== 'active') return pluginView(context, installed)
        return apiErrorAsResult(async () =>
          pluginView(context, await mapPackageErrors(() => changePackage(context, 'activate', name))),
        )
      },
    }),
    endpoint({
      path: `${onePlugin}/activate`,
      methods: ['POST'],
      args: { slug: pluginSlug },
      summary: 'Switch a plugin on',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => switchPlugin(context, 'activate'),
    }),
    endpoint({
      path: `${onePlugin}/deactivate`,
      methods: ['POST'],
      args: { slug: pluginSlug },
      summary: 'Switch a plugin off',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => switchPlugin(context, 'deactivate'),
    }),
    endpoint({
      path: `${onePlugin}/upgrade`,
      methods: ['POST'],
      args: {
        slug: pluginSlug,
        status: oneOf(['active'], { description: 'The activation status after the upgrade.' }),
      },
      summary: 'Upgrade a plugin to the version that the host offers',
      permission: mayUpgrade,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: async (context) => {
        const name = plugin(context.args.slug)
        const upgraded = await mapPackageErrors(() => changePackage(context, 'upgrade', name), upgradeErrors)
        if (context.args.status !== 'active') return pluginView(context, upgraded)
        return apiErrorAsResult(async () =>
          pluginView(context, await mapPackageErrors(() => changePackage(context, 'activate', name))),
        )
      },
    }),
    endpoint({
      path: `${onePlugin}/migration/run`,
      methods: ['POST'],
      args: {
        slug: migratingSlug,
        force: bool({ default: true, description: 'Whether to migrate even if the plugin is already connected.' }),
      },
      summary: 'Have a plugin take up the account of the site',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => migratePlugin(context, 'migrate'),
    }),
    endpoint({
      path: `${onePlugin}/migration/rollback`,
      methods: ['POST'],
      args: { slug: migratingSlug },
      summary: 'Have a plugin let go of the account of the site',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => migratePlugin(context, 'rollback'),
    }),
  ],
  { persisted: { collections: [{ collection: packageStates }] }, hooks: accountHooks },
)
