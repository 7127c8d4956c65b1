/**
 * Installs and activates plugins that another plugin offers. Interface: the response is `{ success, message, data }`,
 * with 200 on success and 400 on every failure.
 */

import { identifiers, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { isApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields, type ResponseSchema } from '../../core/declare/response-schema.ts'
import { result } from '../../core/declare/result.ts'
import type { PackageName } from '../../services/packages/declaration.ts'
import { PackageError } from '../../services/packages/errors.ts'
import { changePackage, plugin, pluginSlugs } from './packages/model.ts'

const args = {
  plugin_slug: required(identifiers(str({ description: 'The plugin that is asked for.' }), 'package')),
  current_slug: identifiers(str({ description: 'The plugin that shows the offer.' }), 'package'),
}

type CrossSellContext = Context<{ readonly plugin_slug: string; readonly current_slug?: string | undefined }>

const description = 'Whether it worked, and what to tell people.'

const installSchema = <T extends boolean>(success: ResponseSchema<T>) =>
  fields({ success, message: str(), data: fields({ message: str(), success }) }, { description })

const activateSchema = <T extends boolean>(success: ResponseSchema<T>) =>
  fields({ success, message: str(), data: fields({ message: str() }) }, { description })

export const crossSell = feature('cross-sell', 'crosssell/v1', [
  endpoint({
    path: '/plugincrosssell/install_plugin',
    methods: EDITABLE,
    args,
    summary: 'Install a plugin that another one offers',
    permission: can('install_plugins'),
    atomic: false,
    responses: { 200: installSchema(exactly(true)), 400: installSchema(exactly(false)) },
    handler: (context) => errorsAsResults(() => install(context), { success: false }),
  }),
  endpoint({
    path: '/plugincrosssell/activate_plugin',
    methods: EDITABLE,
    args,
    summary: 'Activate a plugin that another one offers',
    permission: can('activate_plugins'),
    atomic: false,
    responses: { 200: activateSchema(exactly(true)), 400: activateSchema(exactly(false)) },
    handler: (context) => errorsAsResults(() => activate(context)),
  }),
])

async function install(context: CrossSellContext) {
  const { plugin_slug: slug, current_slug: current } = context.args
  if (slug === current) return failureResult('A plugin does not install itself.', { success: false })
  const isNew = await installUnlessInstalled(context, toManageable(slug))
  const message = isNew ? 'The plugin is installed.' : 'The plugin is installed already.'
  return { success: true, message, data: { message, success: true } }
}

/** False when the plugin was installed before. */
async function installUnlessInstalled(context: CrossSellContext, name: PackageName): Promise<boolean> {
  try {
    await changePackage(context, 'install', name)
    return true
  } catch (error) {
    if (error instanceof PackageError && error.code === 'installed_already') return false
    throw error
  }
}

async function activate(context: CrossSellContext) {
  await changePackage(context, 'activate', toManageable(context.args.plugin_slug))
  return { success: true, message: 'The plugin is active.', data: { message: '' } }
}

/** Only plugins that the packages routes manage too. */
function toManageable(slug: string): PackageName {
  if ((pluginSlugs as readonly string[]).includes(slug)) return plugin(slug)
  throw new PackageError('undeclared', 'There is no such plugin to be had.')
}

/** Turns errors into the 400 response. Errors of hooks reach the client only when they are ApiErrors. */
async function errorsAsResults(work: () => Promise<unknown>, more: object = {}): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PackageError) && !isApiError(error)) throw error
    return failureResult(error.message, more)
  }
}

const failureResult = (message: string, more: object) =>
  result({ success: false, message, data: { message, ...more } }, { status: 400 })
