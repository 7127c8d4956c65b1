/** Changes of plugins and themes by a request emit events, migrate plugins to the account, and fail with API errors. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import type { PackageName } from '../../../services/packages/declaration.ts'
import { PackageError, type PackageErrorCode } from '../../../services/packages/errors.ts'
import { type InstalledPackage, packagesOf } from '../../../services/packages/index.ts'
import { isConnected } from '../../account/connections/model.ts'

interface PackageEvent extends PackageName {
  readonly version: string
  readonly by: number
}

/** Events of this feature. */
export interface PackagesEvents {
  'package.installed': PackageEvent
  'package.activated': PackageEvent
  'package.deactivated': PackageEvent
  'package.upgraded': PackageEvent
  'package.migrated': PackageEvent
  'package.rolled-back': PackageEvent
}

/** The plugins that these routes manage. */
export const pluginSlugs = [
  'assistant',
  'manage',
  'builder',
  'builder-pro',
  'site-mailer',
  'image-optimization',
  'accessibility',
] as const

/** The plugins that can be migrated to the account of the site. */
export const migratingSlugs = pluginSlugs.filter((slug) => slug !== 'assistant')

/** The connection that migrated plugins use. */
export const accountConnection = 'account'

const alwaysMigrate = ['builder', 'manage']
const needNoAccountPackage = [...alwaysMigrate, 'builder-pro']

export const plugin = (slug: string): PackageName => ({ kind: 'plugin', slug })
export const theme = (slug: string): PackageName => ({ kind: 'theme', slug })

type WriteContext = HookContext & Pick<Context, 'user'>

const eventNames = {
  install: 'package.installed',
  activate: 'package.activated',
  deactivate: 'package.deactivated',
  upgrade: 'package.upgraded',
  migrate: 'package.migrated',
  rollback: 'package.rolled-back',
} as const

type PackageAction = keyof typeof eventNames

// ---------------------------------------------------------------- reading

type ReadContext = Pick<HookContext, 'storage' | 'app'>

export const installedPackages = async ({ app, storage }: ReadContext): Promise<readonly InstalledPackage[]> =>
  packagesOf(app).installed(storage)

/** Undefined when the package is not installed or no longer declared by the host. */
export async function findPackage(
  context: ReadContext,
  { kind, slug }: PackageName,
): Promise<InstalledPackage | undefined> {
  const installed = await installedPackages(context)
  return installed.find((row) => row.kind === kind && row.slug === slug)
}

// ---------------------------------------------------------------- changing

/**
 * Rejects with a PackageError. A plugin that is activated is migrated to the account if the site is connected to one.
 */
export async function changePackage(
  context: WriteContext,
  action: PackageAction,
  name: PackageName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<InstalledPackage> {
  const packages = packagesOf(context.app)
  const options = {
    force: force || alwaysMigrate.includes(name.slug),
    anyVersion: needNoAccountPackage.includes(name.slug),
  }
  const outcome =
    action === 'migrate' ? await packages.migrate(context, name, options) : await packages[action](context, name)
  if (!outcome.changed) return outcome.package
  const { kind, slug, version } = outcome.package
  context.emit(eventNames[action], { kind, slug, version, by: context.user.id })
  if (action !== 'activate' || !mayMigrate(name) || slug === 'builder') return outcome.package
  if (!(await isConnected(context, accountConnection))) return outcome.package
  return (await ignorePackageErrors(() => changePackage(context, 'migrate', name))) ?? outcome.package
}

const mayMigrate = ({ kind, slug }: PackageName) =>
  kind === 'plugin' && (migratingSlugs as readonly string[]).includes(slug)

/** For changes that follow another change, which must not fail with them. */
async function ignorePackageErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PackageError) return undefined
    throw error
  }
}

async function changeEach(
  context: WriteContext,
  action: 'migrate' | 'rollback',
  when: (row: InstalledPackage) => boolean,
) {
  for (const row of await installedPackages(context)) {
    if (when(row)) await ignorePackageErrors(() => changePackage(context, action, row, { force: true }))
  }
}

/** Plugins are migrated when the account is connected and rolled back when the connection ends. */
export const accountHooks: Hook<HookContext> = {
  'connection.made': async ({ connection }, context) => {
    if (connection !== accountConnection) return
    await changeEach(context, 'migrate', (row) => mayMigrate(row) && row.status === 'active' && !row.isMigrated)
  },
  'connection.ended': async ({ connection }, context) => {
    if (connection === accountConnection) await changeEach(context, 'rollback', ({ isMigrated }) => isMigrated)
  },
}

// ---------------------------------------------------------------- errors

export type PackageErrorMap = { readonly [code in PackageErrorCode]?: readonly [code: string, status: number] }

/**
 * Choice: a failed hook of the host is 502, except on routes whose status the interface names. The error of the hook is
 * logged under the id in the response.
 */
const defaultErrors: { readonly [code in PackageErrorCode]: readonly [code: string, status: number] } = lookupTable({
  undeclared: ['not_found', 404],
  not_installed: ['not_found', 404],
  installed_already: ['conflict', 409],
  not_active: ['bad_request', 400],
  no_update: ['bad_request', 400],
  own_connection: ['migration_exception', 422],
  no_account_use: ['migration_exception', 409],
  busy: ['conflict', 409],
  hook_failed: ['internal_server_error', 502],
})

/** Runs a change and turns its PackageError into an ApiError. */
export async function mapPackageErrors<T>(work: () => Promise<T>, errors: PackageErrorMap = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PackageError)) throw error
    const [code, status] = errors[error.code] ?? defaultErrors[error.code]
    throw new ApiError(code, error.message, status, error.id === undefined ? {} : { id: error.id })
  }
}
