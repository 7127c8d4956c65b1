/** Settings of the page builder, read and written by key. Options of the site are not accessible here. */

import type { Json } from '../../../contract/storage.ts'
import { anything, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import { warn } from '../../../core/declare/result.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { readSetting, writeSetting } from './model.ts'
import { isUsedSetting } from './uses.ts'

/** Events of this feature. */
export interface SettingsEvents {
  'setting.changed': { readonly key: string }
}

const path = `/settings/${parameter('key', '[\\w_-]+')}` as const
const key = str({ description: 'The name of the setting.' })

/** Interface: plural, unlike the code for arguments that fail their schema. */
const invalidParams = (message: string) => new ApiError('rest_invalid_params', message, 400)

const settingSchema = fields(
  { success: exactly(true), data: fields({ value: anything({ description: 'false if nothing was ever written.' }) }) },
  { title: 'Setting' },
)

const writeResultSchema = fields(
  {
    success: exactly(true),
    data: sometimes(fields({ message: str() }, { description: 'Only if the value was another one.' })),
  },
  { title: 'Setting that was written' },
)

const prefix = 'builder'
const maxKeyLength = 150

type SettingContext = Pick<Context<{ readonly key?: string }>, 'args' | 'app' | 'storage'>

/** The key with public names replaced by neutral ones. */
function keyOf({ args, app }: Pick<SettingContext, 'args' | 'app'>): string {
  const key = app.names.toNeutral(args.key ?? '')
  if (key.startsWith(prefix) && key.length <= maxKeyLength) return key
  throw invalidParams(`The key of a setting begins with ${app.names.toPublic(prefix)}.`)
}

/** Clients read false for a setting that was never written: that has a tag too. */
async function storedSetting(context: SettingContext) {
  const value = await readSetting(context.storage, keyOf(context))
  return storedState(value ?? null, { exists: value !== undefined })
}

export const settings = feature(
  'settings',
  'builder/v1',
  [
    endpoint({
      path,
      methods: ['GET'],
      args: { key },
      summary: 'Read a setting of the page builder',
      permission: can('manage_options'),
      responses: { 200: settingSchema },
      stored: storedSetting,
      handler: async (context) => {
        const value = await readSetting(context.storage, keyOf(context))
        return { success: true, data: { value: value === undefined ? false : value } }
      },
    }),
    endpoint({
      path,
      methods: EDITABLE,
      args: { key, value: unlisted(anything()) },
      merges: { values: async (context) => ({ value: await readSetting(context.storage, keyOf(context)) }) },
      summary: 'Write a setting of the page builder',
      permission: can('manage_options'),
      responses: { 200: writeResultSchema },
      stored: storedSetting,
      handler: async (context) => {
        const key = keyOf(context)
        const { value } = context.args
        if (value === undefined) throw invalidParams('The value of the setting is missing.')
        // The cast: parsed from JSON.
        const isChanged = await writeSetting(context.storage, key, value as Json)
        if (!isChanged) return { success: true }
        context.emit('setting.changed', { key })
        if (!isUsedSetting(key)) {
          const message = `${context.args.key} is kept for clients: no page and no other route of this site changes with it.`
          warn(context, { code: 'unused_setting', param: 'key', message })
        }
        return { success: true, data: { message: 'The setting is written.' } }
      },
    }),
  ],
  { isHistorical: true },
)
