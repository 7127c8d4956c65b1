/** The declaration that the host's catalogue has of a plugin or theme. */
import type { MaybePromise } from '../../contract/storage.ts'

type PackageKind = 'plugin' | 'theme'

export type PackageStatus = 'inactive' | 'active'

export interface PackageName {
  readonly kind: PackageKind
  readonly slug: string
}

interface PackageStep extends PackageName {
  /** The version that was installed before; null for none. */
  readonly from: string | null
  readonly to: string
}

/**
 * Runs before the new state is stored; if it fails, the old state stays. A thrown ApiError is the response to the client;
 * other errors are logged. Hooks of one package never run concurrently, in any process. After the time limit of `createPackages` the
 * change fails and `signal` aborts; the package stays busy until five minutes have passed, in case the hook goes on.
 */
export type PackageHook = (step: PackageStep, options: { readonly signal: AbortSignal }) => MaybePromise<unknown>

/** A plugin or theme that the host offers. */
export interface PackageDeclaration extends PackageName {
  readonly name: string
  /** The version that an installation or upgrade installs. */
  readonly version: string
  /** The state on a new site. Default: absent. */
  readonly initially?: 'absent' | PackageStatus
  /** False: it does not support the account of the site and is never migrated to it. */
  readonly usesAccount?: boolean
  /** A connection that the package had before the account of the site. */
  readonly ownConnection?: {
    readonly isConnected: () => MaybePromise<boolean>
    readonly end: () => MaybePromise<unknown>
  }
  readonly install?: PackageHook
  readonly activate?: PackageHook
  /** Only plugins have it; a theme is replaced by activating another one. */
  readonly deactivate?: PackageHook
  readonly upgrade?: PackageHook
  /** Switches to the account of the site. */
  readonly migrate?: PackageHook
  readonly rollback?: PackageHook
}
