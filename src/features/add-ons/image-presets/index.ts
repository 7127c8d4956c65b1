/** Presets of the image optimization: one list, which is read and replaced as a whole. */

import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { cleanPresets, presetsIn, readPresets, writePresets } from './model.ts'
import { presetsSchema, presetsView } from './view.ts'

export const imagePresets = feature('image-presets', 'imgopt/v1', [
  endpoint({
    path: '/preset_configs',
    methods: ['GET'],
    summary: 'List image optimization presets',
    args: {},
    permission: can('manage_options'),
    responses: { 200: presetsSchema },
    stored: async ({ storage }) => storedState(await readPresets(storage)),
    handler: async ({ storage, app }) => presetsView(await readPresets(storage), app.names),
  }),
  endpoint({
    path: '/preset_configs',
    methods: ['POST'],
    summary: 'Replace the list of presets',
    args: {},
    takesAnyBody: true,
    permission: can('manage_options'),
    responses: { 200: presetsSchema },
    stored: async ({ storage }) => storedState(await readPresets(storage)),
    handler: async ({ body, storage, app }) => {
      const sent = presetsIn(body)
      if (!sent) throw missingList()
      const presets = cleanPresets(sent, app.names)
      await writePresets(storage, presets)
      return presetsView(presets, app.names)
    },
  }),
])

/** Interface: the error code for a missing list is the status as a string. */
const missingList = () =>
  new ApiError('400', 'The configs are missing: send the whole list of presets, each an object with a name.', 400)
