/** Presets of the image optimization: one list, read and replaced as a whole. */

import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { cleanPresets, readPresets, writePresets } from './model.ts'
import { presetsSchema, presetsView } from './view.ts'

export const imagePresets = feature('image-presets', 'imgopt/v1', [
  endpoint({
    path: '/preset_configs',
    methods: ['GET'],
    summary: 'List the presets of the image optimization',
    args: {},
    permission: can('manage_options'),
    responses: { 200: presetsSchema },
    handler: ({ storage, app }) => andThen(readPresets(storage), (presets) => presetsView(presets, app.names)),
  }),
  endpoint({
    path: '/preset_configs',
    methods: ['POST'],
    summary: 'Replace the list of presets',
    args: {},
    takesAnyBody: true,
    permission: can('manage_options'),
    responses: { 200: presetsSchema },
    handler: ({ body, storage, app }) => {
      if (typeof body !== 'object' || body === null) throw missingList()
      const presets = cleanPresets(Object.values(body), app.names)
      return andThen(writePresets(storage, presets), () => presetsView(presets, app.names))
    },
  }),
])

/** Interface: the code is the status as a text. */
const missingList = () => new ApiError('400', 'Missing configs data: send the whole list.', 400)
