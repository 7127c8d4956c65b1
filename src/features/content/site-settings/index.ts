/** The settings of the site, for administrators. */
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { settingArgs, settingNames, settingsSchema } from './args.ts'
import { readSettings, type SentSettings, writeSettings } from './model.ts'

export const siteSettings = feature(
  'site-settings',
  'cms/v2',
  [
    endpoint({
      path: '/settings',
      methods: ['GET'],
      args: {},
      summary: 'Read the settings of the site',
      permission: can('manage_options'),
      responses: { 200: settingsSchema },
      stored: async (context) => storedState(await readSettings(context)),
      handler: (context) => readSettings(context),
    }),
    endpoint({
      path: '/settings',
      methods: EDITABLE,
      args: settingArgs,
      summary: 'Change settings of the site',
      permission: can('manage_options'),
      merges: { keepsAbsent: true },
      responses: { 200: settingsSchema },
      stored: async (context) => storedState(await readSettings(context)),
      handler: (context) => {
        const { args, sent = {} } = context
        // Interface: null resets a setting, where it counts as not sent elsewhere.
        const reset = settingNames.filter((name) => Object.hasOwn(sent, name) && sent[name] === null)
        return writeSettings(context, {
          ...(args as SentSettings),
          ...Object.fromEntries(reset.map((name) => [name, null])),
        })
      },
    }),
  ],
  { isHistorical: true },
)
