/** What a host declares about a plugin or theme of its catalogue. */
import type { MaybePromise } from '../../storage/contract.ts'

export type PackageKind = 'plugin' | 'theme'

export type PackageStatus = 'inactive' | 'active'

export interface PackageName {
  readonly kind: PackageKind
  readonly slug: string
}

export interface PackageStep extends PackageName {
  /** The version that was installed before; null for none. */
  readonly from: string | null
  readonly to: string
}

/**
 * Runs before the new state is kept; when it fails, the state of before stays. A thrown ApiError is what the client is
 * answered; anything else is logged. It is never run twice at once for one package, by any process.
 */
export type PackageHook = (step: PackageStep) => MaybePromise<unknown>

export interface PackageDeclaration extends PackageName {
  readonly name: string
  /** What an installation or an upgrade brings. */
  readonly version: string
  /** What a new site begins with. Default: absent. */
  readonly initially?: 'absent' | PackageStatus
  /** False: it cannot work with the account of the site, so it is never migrated to it. */
  readonly usesAccount?: boolean
  /** A connection that it had before the account of the site. */
  readonly ownConnection?: {
    readonly isConnected: () => MaybePromise<boolean>
    readonly end: () => MaybePromise<unknown>
  }
  readonly install?: PackageHook
  readonly activate?: PackageHook
  /** For plugins: in the place of a theme comes another one. */
  readonly deactivate?: PackageHook
  readonly upgrade?: PackageHook
  /** Takes up the account of the site. */
  readonly migrate?: PackageHook
  readonly rollback?: PackageHook
}
