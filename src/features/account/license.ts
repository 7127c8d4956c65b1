/** What the license of the page builder's add-on allows. A site of its own has all of it; nobody elsewhere is asked. */

import { bool, list, str } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { signedIn } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { andThen, type MaybePromise } from '../../core/runtime/maybe-promise.ts'
import type { Json, Storage } from '../../storage/contract.ts'

/**
 * An option by which a host changes that: `{ "error": "expired" }`, `{ "features": ["popup"] }`. Null or nothing: the
 * usual; `{}`: there is no license.
 */
export const licenseOption = 'builder_license'

interface License {
  readonly features: readonly string[]
  readonly isExpired: boolean
}

export function license({ features }: { readonly features: readonly string[] }) {
  const defaultLicense: License = { features, isExpired: false }
  const readLicense = (storage: Storage): MaybePromise<License> =>
    andThen(storage.options.read([licenseOption]), (options) => toLicense(options[licenseOption], defaultLicense))
  return feature('license', 'builder-pro/v1', [
    endpoint({
      path: '/license/tier-features',
      methods: ['GET'],
      args: {},
      summary: 'List what the license allows',
      permission: signedIn,
      responses: { 200: fields({ features: list(str()) }) },
      handler: ({ storage }) => andThen(readLicense(storage), (found) => ({ features: found.features })),
    }),
    endpoint({
      path: '/license/get-license-status',
      methods: ['GET'],
      args: {},
      summary: 'Tell whether the license has expired',
      permission: signedIn,
      responses: { 200: fields({ isExpired: bool() }) },
      handler: ({ storage }) => andThen(readLicense(storage), ({ isExpired }) => ({ isExpired })),
    }),
  ])
}

function toLicense(stored: Json | undefined, usual: License): License {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return usual
  // The cast: a list is no map of names.
  const { features, error } = stored as { readonly [name: string]: Json }
  const isNamed = (one: Json): one is string => typeof one === 'string'
  return { features: Array.isArray(features) ? features.filter(isNamed) : [], isExpired: error === 'expired' }
}
