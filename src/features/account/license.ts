/** The features that the license of the page builder's add-on allows. No license server is contacted. */

import type { Json, Storage } from '../../contract/storage.ts'
import { bool, list, str } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { signedIn } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'

/**
 * The option with which a host sets the license: `{ "error": "expired" }`, `{ "features": ["popup"] }`. Null or
 * missing: all features of the profile; `{}`: no license.
 */
const licenseOption = 'builder_license'

interface License {
  readonly features: readonly string[]
  readonly isExpired: boolean
}

export function license({ features }: { readonly features: readonly string[] }) {
  const defaultLicense: License = { features, isExpired: false }
  const readLicense = async ({ options }: Storage): Promise<License> =>
    toLicense((await options.read([licenseOption]))[licenseOption], defaultLicense)
  return feature('license', 'builder-pro/v1', [
    endpoint({
      path: '/license/tier-features',
      methods: ['GET'],
      args: {},
      summary: 'List the licensed features',
      permission: signedIn,
      responses: { 200: fields({ features: list(str()) }) },
      handler: async ({ storage }) => ({ features: (await readLicense(storage)).features }),
    }),
    endpoint({
      path: '/license/get-license-status',
      methods: ['GET'],
      args: {},
      summary: 'Read whether the license has expired',
      permission: signedIn,
      responses: { 200: fields({ isExpired: bool() }) },
      handler: async ({ storage }) => ({ isExpired: (await readLicense(storage)).isExpired }),
    }),
  ])
}

function toLicense(stored: Json | undefined, usual: License): License {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return usual
  // The cast: lists were excluded above, which `Array.isArray` does not narrow for readonly arrays.
  const { features, error } = stored as { readonly [name: string]: Json }
  const isText = (value: Json): value is string => typeof value === 'string'
  return { features: Array.isArray(features) ? features.filter(isText) : [], isExpired: error === 'expired' }
}
