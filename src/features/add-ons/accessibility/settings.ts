/** The site state that the administration of accessibility shows. */

import type { Json } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { isMismatched, isValidConnection, renewedConnection } from '../../account/connections/model.ts'
import { settingOption } from '../../builder/settings/model.ts'
import { isRightToLeft, localeOf } from '../../shared/locale.ts'
import { success } from '../../shared/success.ts'
import { findPackage, plugin } from '../packages/model.ts'
import { settingsSchema } from './view.ts'

/** The connection of this namespace. */
const connectionName = 'accessibility'

/** Clients also read and write these options through the settings routes of the page builder. */
const options = {
  connectClosed: settingOption('a11y_close_post_connect_modal'),
  onboardingClosed: settingOption('a11y_close_onboarding_modal'),
  startClosed: settingOption('a11y_close_get_started_modal'),
  widget: settingOption('a11y_widget_activation_settings'),
  uploads: settingOption('builder_unfiltered_files_upload'),
}

export const settingEndpoints = [
  endpoint({
    path: '/settings/get-settings',
    methods: ['GET'],
    args: {},
    summary: 'Read the accessibility data of the site',
    permission: can('manage_options'),
    responses: { 200: settingsSchema },
    handler: async (context) => success(await settingsView(context)),
  }),
] as const

async function settingsView(context: Context) {
  const { storage, settings, app } = context
  const connection = await renewedConnection(context, connectionName)
  const stored = await storage.options.read(Object.values(options))
  const addOn = await findPackage(context, plugin('accessibility'))
  return {
    isConnected: isValidConnection(connection, context),
    closePostConnectModal: closedView(stored[options.connectClosed]),
    closeOnboardingModal: closedView(stored[options.onboardingClosed]),
    closeGetStartedModal: closedView(stored[options.startClosed]),
    isRTL: isRightToLeft(await localeOf(context)),
    isUrlMismatch: isMismatched(connection, settings),
    unfilteredUploads: isOn(stored[options.uploads]),
    homeUrl: settings.home,
    [app.names.toPublic('isBuilderOne')]: addOn?.isMigrated === true,
    widgetActivationSettings: stored[options.widget] ?? { enabled: true },
  }
}

const isOn = (value: Json | undefined): boolean => Boolean(value) && value !== '0' && value !== 'no'

/** Interface: the flags of closed dialogs are '1' or false. */
const closedView = (value: Json | undefined) => (isOn(value) ? '1' : false)
