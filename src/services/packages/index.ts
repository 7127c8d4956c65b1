/**
 * Plugins and themes: the host declares a catalogue, storage has the state of each entry. Nothing is downloaded, and only
 * the hooks of the catalogue run.
 */

import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import type { HookContext } from '../../core/declare/context.ts'
import { isApiError } from '../../core/declare/errors.ts'
import { randomId } from '../../core/runtime/crypto.ts'
import { compareVersions } from '../versions.ts'
import type { PackageDeclaration, PackageName, PackageStatus } from './declaration.ts'
import { notInstalled, PackageError } from './errors.ts'
import { activeThemeOption, claim, keyOf, packageStates, readRow, type State, stateOf } from './states.ts'

export interface InstalledPackage extends PackageName {
  readonly name: string
  readonly status: PackageStatus
  readonly version: string
  readonly newVersion: string | null
  readonly isMigrated: boolean
  readonly usesAccount: boolean
  readonly isConnected: boolean
}

/** The parts of a request's context that a change uses. */
type PackageCall = Pick<HookContext, 'storage'> & { readonly app: Pick<AppContext, 'clock' | 'log'> }

/** The plugins and themes of a site and their state. */
export interface Packages {
  /** Whether the catalogue has the package. Other packages can not be installed or listed. */
  declares(name: PackageName): boolean
  /** Returns the installed packages in the order of the catalogue. */
  installed(storage: Storage): MaybePromise<readonly InstalledPackage[]>
  /** All changes reject with a PackageError. Repeating a completed change does nothing and runs no hook. */
  install(context: PackageCall, name: PackageName): Promise<PackageChange>
  activate(context: PackageCall, name: PackageName): Promise<PackageChange>
  deactivate(context: PackageCall, name: PackageName): Promise<PackageChange>
  upgrade(context: PackageCall, name: PackageName): Promise<PackageChange>
  migrate(context: PackageCall, name: PackageName, options: MigrationOptions): Promise<PackageChange>
  rollback(context: PackageCall, name: PackageName): Promise<PackageChange>
}

interface MigrationOptions {
  /** True: a connection of the package's own is ended. False: it rejects the migration. */
  readonly force: boolean
  /** True: `usesAccount` is ignored. */
  readonly anyVersion?: boolean
}

interface PackageChange {
  readonly package: InstalledPackage
  readonly changed: boolean
}

/** The packages of a site. */
export const packagesOf = ({ services }: Pick<AppContext, 'services'>): Packages => services['packages'] as Packages

// ---------------------------------------------------------------- the default

interface PackagesOptions {
  /** How long a hook may take. Default: 30 seconds; a package whose hook goes on is busy for five minutes. */
  readonly hookTimeoutMs?: number
}

/**
 * Creates the default of `services.packages`. Throws if the catalogue declares a package twice.
 *
 * ```ts
 * import { createPackages } from 'site-api'
 *
 * export const packages = createPackages([{ kind: 'theme', slug: 'plain', name: 'Plain', version: '1.0' }])
 * ```
 */
export function createPackages(
  catalogue: readonly PackageDeclaration[] = [],
  { hookTimeoutMs = 30 * 1000 }: PackagesOptions = {},
): Packages {
  const declared = new Map(catalogue.map((entry) => [keyOf(entry), entry]))
  if (declared.size !== catalogue.length) throw new TypeError('a package is declared twice')
  const firstTheme = catalogue.find(({ kind, initially }) => kind === 'theme' && initially === 'active')?.slug ?? ''

  async function activeTheme(storage: Storage): Promise<string> {
    const options = await storage.options.read([activeThemeOption])
    return String(options[activeThemeOption] ?? firstTheme)
  }

  async function installed(storage: Storage): Promise<readonly InstalledPackage[]> {
    if (catalogue.length === 0) return []
    const slugs = catalogue.map(({ slug }) => slug)
    const [{ rows }, theme] = await Promise.all([
      storage.records.query(packageStates, { where: { field: 'slug', in: slugs } }),
      activeTheme(storage),
    ])
    const byKey = new Map(rows.map((row) => [`${row['kind']}:${row['slug']}`, row]))
    const entries = catalogue.flatMap((entry) => {
      const state = stateOf(entry, byKey.get(keyOf(entry)))
      return state.status === 'absent' ? [] : [{ entry, state }]
    })
    const connected = await Promise.all(entries.map(({ entry }) => entry.ownConnection?.isConnected() ?? false))
    return entries.map(({ entry, state }, index) =>
      viewOf(entry, state, { theme, isConnected: connected[index] === true }),
    )
  }

  /** Runs the hook under a claim, which excludes other changes of the package. */
  async function change(context: PackageCall, name: PackageName, steps: Steps): Promise<PackageChange> {
    const entry = declared.get(keyOf(name))
    if (!entry) throw new PackageError('undeclared', `This site does not offer the ${name.kind} ${name.slug}.`)
    const { storage, app } = context
    if (!(await steps.isNeeded(await currentState(storage, entry), entry))) {
      return { package: await installedEntry(storage, entry), changed: false }
    }
    const ownClaim = await claim(storage, app.clock, entry)
    let next = ownClaim.state
    let isAbandoned = false
    try {
      // Checked again under the claim: another process may have made the change.
      const state = await currentState(storage, entry)
      if (await steps.isNeeded(state, entry)) {
        await runHook(context, entry, steps.hook, state, hookTimeoutMs)
        next = { ...ownClaim.state, ...steps.next(entry) }
        if (steps === changes.activate && entry.kind === 'theme') {
          await storage.options.write({ [activeThemeOption]: entry.slug })
        }
      }
    } catch (error) {
      isAbandoned = isUnfinished(error)
      throw error
    } finally {
      // A hook that still runs keeps the claim until it expires.
      if (!isAbandoned) await ownClaim.end(next)
    }
    return { package: await installedEntry(storage, entry), changed: next !== ownClaim.state }
  }

  /** The stored state; the active theme is active. */
  async function currentState(storage: Storage, entry: PackageDeclaration): Promise<State> {
    const state = stateOf(entry, await readRow(storage, entry))
    const isActive = entry.kind === 'theme' && state.status !== 'absent' && (await activeTheme(storage)) === entry.slug
    return isActive ? { ...state, status: 'active' } : state
  }

  async function installedEntry(storage: Storage, entry: PackageDeclaration): Promise<InstalledPackage> {
    const view = (await installed(storage)).find((row) => keyOf(row) === keyOf(entry))
    if (!view) throw notInstalled(entry)
    return view
  }

  return {
    declares: (name) => declared.has(keyOf(name)),
    installed,
    install: (context, name) => change(context, name, changes.install),
    activate: (context, name) => change(context, name, changes.activate),
    deactivate: (context, name) => change(context, name, changes.deactivate),
    upgrade: (context, name) => change(context, name, changes.upgrade),
    migrate: (context, name, options) => change(context, name, migration(options)),
    rollback: (context, name) => change(context, name, changes.rollback),
  }
}

type HookName = 'install' | 'activate' | 'deactivate' | 'upgrade' | 'migrate' | 'rollback'

interface Steps {
  readonly hook: HookName
  /** False if the change is already made. Throws if the state does not allow it. */
  readonly isNeeded: (state: State, entry: PackageDeclaration) => MaybePromise<boolean>
  readonly next: (entry: PackageDeclaration) => Partial<State>
}

/** The precondition and result of each change. */
const changes: { readonly [hook in Exclude<HookName, 'migrate'>]: Steps } = {
  install: {
    hook: 'install',
    isNeeded: ({ status }, { kind, slug }) => {
      if (status === 'absent') return true
      throw new PackageError('installed_already', `The ${kind} ${slug} is installed already.`)
    },
    next: ({ version }) => ({ status: 'inactive', version, isMigrated: false }),
  },
  activate: {
    hook: 'activate',
    isNeeded: (state, entry) => present(state, entry).status !== 'active',
    next: ({ kind }) => ({ status: kind === 'theme' ? 'inactive' : 'active' }),
  },
  deactivate: {
    hook: 'deactivate',
    isNeeded: (state, entry) => present(state, entry).status === 'active',
    next: () => ({ status: 'inactive' }),
  },
  upgrade: {
    hook: 'upgrade',
    isNeeded: (state, entry) => {
      if (compareVersions(entry.version, present(state, entry).version) > 0) return true
      throw new PackageError('no_update', `There is no update for the ${entry.kind} ${entry.slug}.`)
    },
    next: ({ version }) => ({ version }),
  },
  rollback: {
    hook: 'rollback',
    isNeeded: (state, entry) => present(state, entry).isMigrated,
    next: () => ({ isMigrated: false }),
  },
}

const migration = ({ force, anyVersion = false }: MigrationOptions): Steps => ({
  hook: 'migrate',
  isNeeded: async (state, entry) => {
    const { kind, slug, ownConnection, usesAccount = true } = entry
    if (present(state, entry).status !== 'active') {
      throw new PackageError('not_active', `The ${kind} ${slug} is not active.`)
    }
    if (state.isMigrated) return false
    if (!force && (await ownConnection?.isConnected())) {
      throw new PackageError('own_connection', `The ${kind} ${slug} has a connection of its own.`)
    }
    if (usesAccount || anyVersion) return true
    throw new PackageError('no_account_use', `This version of ${slug} cannot use the account of the site.`)
  },
  next: () => ({ isMigrated: true }),
})

function present(state: State, name: PackageName): State {
  if (state.status === 'absent') throw notInstalled(name)
  return state
}

async function runHook(
  context: PackageCall,
  entry: PackageDeclaration,
  hook: HookName,
  state: State,
  timeoutMs: number,
): Promise<void> {
  const from = state.status === 'absent' ? null : state.version
  const to = hook === 'install' || hook === 'upgrade' ? entry.version : state.version
  const controller = new AbortController()
  const run = async () => {
    if (hook === 'migrate' && (await entry.ownConnection?.isConnected())) await entry.ownConnection?.end()
    await entry[hook]?.({ kind: entry.kind, slug: entry.slug, from, to }, { signal: controller.signal })
  }
  try {
    await within(run(), timeoutMs)
  } catch (error) {
    if (isApiError(error)) throw error
    const id = randomId()
    const isLate = error instanceof HookTimeout
    if (isLate) controller.abort(error)
    context.app.log.error(`the hook ${hook} of the ${entry.kind} ${entry.slug} failed`, { id, error })
    const why = isLate ? 'took too long' : 'failed'
    const message = `The ${entry.kind} ${entry.slug} could not be changed: ${hook} ${why}.`
    throw new PackageError('hook_failed', message, id, isLate)
  }
}

class HookTimeout extends Error {}

const isUnfinished = (error: unknown) => error instanceof PackageError && error.isUnfinished

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HookTimeout(`it took longer than ${timeoutMs} ms`)), timeoutMs)
  })
  // After the time limit its result is ignored.
  work.catch(() => undefined)
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

function viewOf(
  entry: PackageDeclaration,
  { status, version, isMigrated }: State,
  { theme, isConnected }: { readonly theme: string; readonly isConnected: boolean },
): InstalledPackage {
  const { kind, slug, name, usesAccount = true } = entry
  const isActive = kind === 'theme' ? slug === theme : status === 'active'
  return {
    kind,
    slug,
    name,
    status: isActive ? 'active' : 'inactive',
    version,
    newVersion: compareVersions(entry.version, version) > 0 ? entry.version : null,
    isMigrated,
    usesAccount,
    isConnected,
  }
}
