/** Switches a site to the new generation of elements. The interface has no route to switch back. */

import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { changeKit, type KitPart } from '../shared/kit/model.ts'

/** Events of this feature. */
export interface OptInEvents {
  'builder.opted-in': { readonly features: readonly string[] }
}

/** The names of the page builder features that are enabled. */
const enabledFeatures: KitPart<readonly string[]> = { option: 'builder_switched_on', start: [] }

const newGeneration: readonly string[] = [
  'e_opt_in_v4',
  'container',
  'nested-elements',
  'e_atomic_elements',
  'e_classes',
  'e_variables',
  'e_components',
]

export const optIn = feature('opt-in', 'builder/v1', [
  endpoint({
    path: '/operations/opt-in-v4',
    methods: ['POST'],
    args: {},
    summary: 'Enable the new generation of elements',
    permission: can('manage_options'),
    responses: { 200: fields({ success: exactly(true) }) },
    handler: async ({ storage, emit }) => {
      const features = await changeKit(storage, enabledFeatures, (before) => {
        const missing = newGeneration.filter((name) => !before.includes(name))
        return missing.length === 0 ? { answer: missing } : { next: [...before, ...missing], answer: missing }
      })
      if (features.length > 0) emit('builder.opted-in', { features })
      return { success: true }
    },
  }),
])
