/** Switches a site to the new generation of elements. The interface has no route to switch back. */

import type { Storage } from '../../contract/storage.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { settingOption } from './settings/model.ts'

/** Events of this feature. */
export interface OptInEvents {
  'builder.opted-in': { readonly features: readonly string[] }
}

const newGeneration: readonly string[] = [
  'e_opt_in_v4',
  'container',
  'nested-elements',
  'e_atomic_elements',
  'e_classes',
  'e_variables',
  'e_components',
]

/** Clients read by key which features are enabled: `builder_experiment-container` is `active`. */
const featureOption = (name: string) => settingOption(`builder_experiment-${name}`)
const enabled = 'active'

/** Earlier versions stored the names of the enabled features here. */
const formerOption = 'builder_switched_on'

/** Returns the features that were not enabled before. */
async function enableFeatures(storage: Storage): Promise<readonly string[]> {
  const options = await storage.options.read([formerOption, ...newGeneration.map(featureOption)])
  const former = options[formerOption]
  const missing = newGeneration.filter((name) => options[featureOption(name)] !== enabled)
  if (missing.length > 0) {
    await storage.options.write(Object.fromEntries(missing.map((name) => [featureOption(name), enabled])))
  }
  return missing.filter((name) => !Array.isArray(former) || !former.includes(name))
}

export const optIn = feature('opt-in', 'builder/v1', [
  endpoint({
    path: '/operations/opt-in-v4',
    methods: ['POST'],
    args: {},
    summary: 'Enable the new generation of elements',
    permission: can('manage_options'),
    responses: { 200: fields({ success: exactly(true) }) },
    handler: async ({ storage, emit }) => {
      const features = await enableFeatures(storage)
      if (features.length > 0) emit('builder.opted-in', { features })
      return { success: true }
    },
  }),
])
