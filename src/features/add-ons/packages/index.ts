/**
 * Routes that list, install, activate, deactivate, upgrade and migrate the plugins and themes that the host declares.
 */

import { fold } from '../../../contract/text-fold.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { bool, context, list, oneOf, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { createPackages } from '../../../services/packages/index.ts'
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

// ---------------------------------------------------------------- permissions

const unless = (may: boolean, user: Actor, code: string) => (may ? undefined : forbidden(user, code))

/** Interface: the routes that manage plugins respond with the codes `unauthorized` and `forbidden`. */
const checkManaging = (user: Actor) =>
  unless(user.can('manage_options'), user, user.isVisitor ? 'unauthorized' : 'forbidden')
const mayManage = permission('manage_options', ({ user }) => checkManaging(user))
const mayList = permission('activate_plugins', ({ user }) =>
  unless(user.can('activate_plugins'), user, 'rest_cannot_view_plugins'),
)

type StatusContext = Context<{ readonly status?: string | undefined }>

const mayInstall = permission('install_plugins, activate_plugins to activate', ({ user, args }: StatusContext) => {
  const denied = unless(user.can('install_plugins'), user, 'rest_cannot_install_plugin')
  if (denied || args.status !== 'active') return denied
  return unless(user.can('activate_plugins'), user, 'rest_cannot_activate_plugin')
})

const mayUpgrade = permission('activate_plugins, manage_options to activate', ({ user, args }: StatusContext) => {
  const denied = unless(user.can('activate_plugins'), user, 'rest_cannot_manage_plugins')
  if (denied || args.status !== 'active') return denied
  return checkManaging(user)
})

/** Interface: the theme routes respond with 403 to visitors too. */
const forbiddenForAll = () => new ApiError('forbidden', 'You may not do this.', 403)

const mayInstallTheme = permission('install_themes, switch_themes to activate', ({ user, args }: StatusContext) => {
  const may = user.can('install_themes') && (args.status !== 'active' || user.can('switch_themes'))
  return may ? undefined : forbiddenForAll()
})

const maySwitchTheme = permission('switch_themes', ({ user }) =>
  user.can('switch_themes') ? undefined : forbiddenForAll(),
)

// ---------------------------------------------------------------- plugins

/** Interface: a failed installation or upgrade is 400. */
const installErrors: PackageErrorMap = {
  undeclared: ['bad_request', 400],
  installed_already: ['bad_request', 400],
  hook_failed: ['bad_request', 400],
}
const upgradeErrors: PackageErrorMap = { hook_failed: ['bad_request', 400] }
const migrationErrors: PackageErrorMap = { hook_failed: ['migration_exception', 502] }

type SlugContext = Context<{ readonly slug: string; readonly status?: 'active' | 'inactive' | undefined }>

type ListContext = Context<{ readonly search?: string | undefined; readonly status?: readonly string[] | undefined }>

/** A search looks in the slug, which clients know by its public name, and in the name, whatever their letters' case. */
async function listPlugins(context: ListContext) {
  const { search = '', status = [] } = context.args
  const word = fold(search.trim())
  const installed = await installedPackages(context)
  return pluginSlugs
    .flatMap((slug) => installed.find((row) => row.kind === 'plugin' && row.slug === slug) ?? [])
    .filter((row) => status.length === 0 || status.includes(row.status))
    .map((row) => ({ row, view: pluginView(context, row) }))
    .filter(({ row, view }) => [view.slug, row.name].some((text) => fold(text).includes(word)))
    .map(({ view }) => view)
}

async function installOrUpgrade(context: SlugContext, action: 'install' | 'upgrade', errors: PackageErrorMap) {
  const name = plugin(context.args.slug)
  const changed = await mapPackageErrors(() => changePackage(context, action, name), errors)
  if (context.args.status !== 'active') return pluginView(context, changed)
  return apiErrorAsResult(async () =>
    pluginView(context, await mapPackageErrors(() => changePackage(context, 'activate', name))),
  )
}

async function switchPlugin(context: SlugContext, action: 'activate' | 'deactivate') {
  const name = plugin(context.args.slug)
  const installed = await findPackage(context, name)
  if (installed && !context.user.can('activate_plugins')) throw forbidden(context.user, 'rest_cannot_activate_plugin')
  return pluginView(context, await mapPackageErrors(() => changePackage(context, action, name)))
}

/** The checks run in this order: installed, active, connected to an account. */
async function migratePlugin(
  context: Context<{ readonly slug: string; readonly force?: boolean }>,
  action: 'migrate' | 'rollback',
) {
  const name = plugin(context.args.slug)
  const installed = await findPackage(context, name)
  if (!installed) throw new ApiError('not_found', `The plugin ${name.slug} is not installed.`, 404)
  if (installed.status !== 'active') throw new ApiError('bad_request', `The plugin ${name.slug} is not active.`, 400)
  if (!(await isConnected(context, accountConnection))) {
    throw new ApiError('rest_forbidden', 'This site is not connected to an account.', 403)
  }
  const force = context.args.force === true
  return pluginView(
    context,
    await mapPackageErrors(() => changePackage(context, action, name, { force }), migrationErrors),
  )
}

// ---------------------------------------------------------------- themes

async function installTheme(context: SlugContext) {
  const name = theme(context.args.slug)
  await mapPackageErrors(() => changePackage(context, 'install', name))
  if (context.args.status !== 'active') return themeView('The theme is installed.')
  return apiErrorAsResult(async () => {
    await mapPackageErrors(() => changePackage(context, 'activate', name))
    return themeView('The theme is installed and active.')
  })
}

async function activateTheme(context: SlugContext) {
  const name = theme(context.args.slug)
  const installed = await findPackage(context, name)
  if (installed?.status === 'active') {
    throw new ApiError('bad_request', `The theme ${name.slug} is active already.`, 400)
  }
  await mapPackageErrors(() => changePackage(context, 'activate', name))
  return themeView('The theme is active.')
}

// ---------------------------------------------------------------- routes

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
      handler: installTheme,
    }),
    endpoint({
      path: `${oneTheme}/activate`,
      methods: ['POST'],
      args: { slug: themeSlug },
      summary: 'Switch to a theme',
      permission: maySwitchTheme,
      responses: { 200: themeSchema },
      atomic: false,
      handler: activateTheme,
    }),
    endpoint({
      path: '/plugins',
      methods: ['GET'],
      args: {
        context: context(),
        search: search(),
        status: list(oneOf(['inactive', 'active']), {
          description: 'Lists only plugins with this status.',
        }),
      },
      summary: 'List installed plugins',
      permission: mayList,
      responses: { 200: list(pluginSchema) },
      handler: listPlugins,
    }),
    endpoint({
      path: '/plugins',
      methods: ['POST'],
      args: { slug: newPluginSlug, status: startStatus },
      summary: 'Install a plugin that the host offers',
      permission: mayInstall,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => installOrUpgrade(context, 'install', installErrors),
    }),
    endpoint({
      path: `${onePlugin}/activate`,
      methods: ['POST'],
      args: { slug: pluginSlug },
      summary: 'Activate a plugin',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => switchPlugin(context, 'activate'),
    }),
    endpoint({
      path: `${onePlugin}/deactivate`,
      methods: ['POST'],
      args: { slug: pluginSlug },
      summary: 'Deactivate a plugin',
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
        status: oneOf(['active'], { description: 'Also switches the plugin on once it is upgraded.' }),
      },
      summary: 'Upgrade a plugin to the version that the host offers',
      permission: mayUpgrade,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => installOrUpgrade(context, 'upgrade', upgradeErrors),
    }),
    endpoint({
      path: `${onePlugin}/migration/run`,
      methods: ['POST'],
      args: {
        slug: migratingSlug,
        force: bool({
          default: true,
          description: 'Whether a plugin with a connection of its own takes up the account too.',
        }),
      },
      summary: 'Connect a plugin to the account of the site',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => migratePlugin(context, 'migrate'),
    }),
    endpoint({
      path: `${onePlugin}/migration/rollback`,
      methods: ['POST'],
      args: { slug: migratingSlug },
      summary: 'Disconnect a plugin from the account of the site',
      permission: mayManage,
      responses: { 200: pluginSchema },
      atomic: false,
      handler: (context) => migratePlugin(context, 'rollback'),
    }),
  ],
  {
    persisted: { collections: [{ collection: packageStates }] },
    hooks: accountHooks,
    services: { packages: createPackages },
    contributes: {
      installedThemes: [async (context) => (await installedPackages(context)).filter(({ kind }) => kind === 'theme')],
    },
  },
)
