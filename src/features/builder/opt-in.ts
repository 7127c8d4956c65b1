/** Switches a site over to the new generation of elements. The interface offers no way back. */

import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { andThen } from '../../core/runtime/maybe-promise.ts'
import { changeKit, type KitPart } from '../shared/kit/model.ts'

/** What it tells listeners. */
export interface OptInEvents {
  'builder.opted-in': { readonly features: readonly string[] }
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends OptInEvents {}
}

/** The parts of the page builder that are on. */
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
    summary: 'Switch on the new generation of elements',
    permission: can('manage_options'),
    responses: { 200: fields({ success: exactly(true) }) },
    handler: ({ storage, emit }) => {
      const change = changeKit(storage, enabledFeatures, (before) => {
        const missing = newGeneration.filter((name) => !before.includes(name))
        return missing.length === 0 ? { answer: missing } : { next: [...before, ...missing], answer: missing }
      })
      return andThen(change, (features) => {
        if (features.length > 0) emit('builder.opted-in', { features })
        return { success: true }
      })
    },
  }),
])
