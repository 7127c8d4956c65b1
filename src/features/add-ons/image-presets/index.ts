/** Presets of the image optimization: one list, read and replaced as a whole. */
import { endpoint, feature } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can } from '../../../core/declare/permissions.ts'
import { chain } from '../../../core/runtime/maybe-promise.ts'
import { cleanPresets, readPresets, writePresets } from './model.ts'
import { presetsForm, presetsView } from './view.ts'

export const imagePresets = feature('image-presets', 'imgopt/v1', [
  endpoint({
    path: '/preset_configs',
    methods: ['GET'],
    summary: 'List the presets of the image optimization',
    args: {},
    permission: can('manage_options'),
    answers: { 200: presetsForm },
    handler: ({ storage, site }) => chain(readPresets(storage), (presets) => presetsView(presets, site.names)),
  }),
  endpoint({
    path: '/preset_configs',
    methods: ['POST'],
    summary: 'Replace the list of presets',
    args: {},
    takesAnyBody: true,
    permission: can('manage_options'),
    answers: { 200: presetsForm },
    handler: ({ body, storage, site }) => {
      if (typeof body !== 'object' || body === null) throw notAList()
      const presets = cleanPresets(Object.values(body), site.names)
      return chain(writePresets(storage, presets), () => presetsView(presets, site.names))
    },
  }),
])

/** Interface: the code is the status as a text. */
const notAList = () => new ApiError('400', 'Missing configs data: send the whole list.', 400)
