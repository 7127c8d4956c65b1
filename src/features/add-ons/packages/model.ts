/** Changes of plugins and themes on behalf of a call: the events, the account that plugins take up, and the refusals. */
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { PackageName } from '../../../services/packages/declaration.ts'
import { PackageError, type PackageErrorCode } from '../../../services/packages/errors.ts'
import { type InstalledPackage, packagesOf } from '../../../services/packages/index.ts'
import type { Storage } from '../../../storage/contract.ts'
import { isConnected } from '../../account/connections/model.ts'

interface PackageEvent extends PackageName {
  readonly version: string
  readonly by: number
}

/** What it tells listeners. */
export interface PackagesEvents {
  'package.installed': PackageEvent
  'package.activated': PackageEvent
  'package.deactivated': PackageEvent
  'package.upgraded': PackageEvent
  'package.migrated': PackageEvent
  'package.rolled-back': PackageEvent
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends PackagesEvents {}
}

/** The plugins that can be managed. */
export const pluginSlugs = [
  'assistant',
  'manage',
  'builder',
  'builder-pro',
  'site-mailer',
  'image-optimization',
  'accessibility',
] as const

/** Those that can take up the account of the site. */
export const migratingSlugs = pluginSlugs.filter((slug) => slug !== 'assistant')

/** The connection that plugins take up. */
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

export type PackageAction = keyof typeof eventNames

// ---------------------------------------------------------------- reading

export const installedPackages = (context: {
  readonly storage: Storage
  readonly app: Context['app']
}): MaybePromise<readonly InstalledPackage[]> => packagesOf(context.app).installed(context.storage)

/** Undefined when it is not installed, or not declared any more. */
export const findPackage = (
  context: { readonly storage: Storage; readonly app: Context['app'] },
  { kind, slug }: PackageName,
): MaybePromise<InstalledPackage | undefined> =>
  andThen(installedPackages(context), (rows) => rows.find((row) => row.kind === kind && row.slug === slug))

// ---------------------------------------------------------------- changing

/** Rejects with a PackageError. An activated plugin takes up the account at once, if there is one. */
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
  const done =
    action === 'migrate' ? await packages.migrate(context, name, options) : await packages[action](context, name)
  if (!done.changed) return done.package
  const { kind, slug, version } = done.package
  context.emit(eventNames[action], { kind, slug, version, by: context.user.id })
  if (action !== 'activate' || !mayMigrate(name) || slug === 'builder') return done.package
  if (!(await isConnected(context, accountConnection))) return done.package
  return (await ignorePackageErrors(() => changePackage(context, 'migrate', name))) ?? done.package
}

const mayMigrate = ({ kind, slug }: PackageName) =>
  kind === 'plugin' && (migratingSlugs as readonly string[]).includes(slug)

/** What goes along with something else: it may not be possible, and is no reason to refuse that. */
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
  when: (one: InstalledPackage) => boolean,
) {
  for (const one of await installedPackages(context)) {
    if (when(one)) await ignorePackageErrors(() => changePackage(context, action, one, { force: true }))
  }
}

/** Plugins take up the account with the connection, and let go of it with its end. */
export const accountHooks: Hook<HookContext> = {
  'connection.made': async ({ connection }, context) => {
    if (connection !== accountConnection) return
    await changeEach(context, 'migrate', (one) => mayMigrate(one) && one.status === 'active' && !one.isMigrated)
  },
  'connection.ended': async ({ connection }, context) => {
    if (connection === accountConnection) await changeEach(context, 'rollback', ({ isMigrated }) => isMigrated)
  },
}

// ---------------------------------------------------------------- refusals

export type PackageErrorMap = { readonly [code in PackageErrorCode]?: readonly [code: string, status: number] }

/**
 * Choice: a hook that fails is a server behind this one, so 502, but for the routes whose status the interface names. What
 * the hook said is in the log, under the id that is answered.
 */
const defaultErrors: { readonly [code in PackageErrorCode]: readonly [code: string, status: number] } = {
  undeclared: ['not_found', 404],
  not_installed: ['not_found', 404],
  installed_already: ['conflict', 409],
  not_active: ['bad_request', 400],
  no_update: ['bad_request', 400],
  own_connection: ['migration_exception', 422],
  no_account_use: ['migration_exception', 409],
  busy: ['conflict', 409],
  hook_failed: ['internal_server_error', 502],
}

/** Runs the change, and throws its failure as the route answers it. */
export async function mapPackageErrors<T>(work: () => Promise<T>, refusals: PackageErrorMap = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PackageError)) throw error
    const [code, status] = refusals[error.code] ?? defaultErrors[error.code]
    throw new ApiError(code, error.message, status, error.id === undefined ? {} : { id: error.id })
  }
}
