/** Site state for the administration of the account, and the hints that were dismissed. */

import { bool, str, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { accountConnection, installedPackages } from '../add-ons/packages/model.ts'
import { changeKit, type KitPart, readKit, storedPartOf } from '../shared/kit.ts'
import { isRightToLeft, localeOf } from '../shared/locale.ts'
import { isMismatched, isValidConnection, renewedConnection } from './connections/model.ts'

/** Events of this feature. */
export interface AccountSettingsEvents {
  'account-settings.changed': { readonly keys: readonly string[] }
}

interface Hints {
  readonly welcomeScreenCompleted: boolean
  readonly dismissConnectAlert: boolean
  readonly editorUpdateNotificationDismissed: boolean
}

const hints: KitPart<Hints> = {
  option: 'account_settings',
  start: { welcomeScreenCompleted: false, dismissConnectAlert: false, editorUpdateNotificationDismissed: false },
}

const settingsSchema = fields(
  {
    siteName: str(),
    activeTheme: str({ description: 'Its name; empty: none that the host has declared.' }),
    isConnected: bool(),
    isUrlMismatch: bool({ description: 'Whether the site was connected under another address.' }),
    isDevelopment: bool({ description: 'Whether its address is none of a public site.' }),
    siteUrl: str({ format: 'uri' }),
    welcomeScreenCompleted: bool(),
    dismissConnectAlert: bool(),
    editorUpdateNotificationDismissed: bool(),
    userLocale: str(),
    isRTL: bool(),
  },
  { title: 'What the account knows about the site' },
)

const optionalFlag = () => unlisted(bool())

export const accountSettings = feature('account-settings', 'builder-one/v1', [
  endpoint({
    path: '/settings',
    methods: ['GET'],
    args: {},
    summary: 'Read the account data of the site',
    permission: can('manage_options'),
    responses: { 200: settingsSchema },
    stored: storedPartOf(hints),
    handler: async (context) => settingsView(context, await readKit(context.storage, hints)),
  }),
  endpoint({
    path: '/settings',
    methods: EDITABLE,
    // Interface: hints are accepted in camelCase and in snake_case.
    args: {
      welcomeScreenCompleted: optionalFlag(),
      welcome_screen_completed: optionalFlag(),
      dismissConnectAlert: optionalFlag(),
      dismiss_connect_alert: optionalFlag(),
      editorUpdateNotificationDismissed: optionalFlag(),
      editor_update_notification_dismissed: optionalFlag(),
    },
    summary: 'Dismiss or restore hints',
    permission: can('manage_options'),
    responses: { 200: settingsSchema },
    stored: storedPartOf(hints),
    handler: updateHints,
  }),
])

type HintArgs = {
  readonly welcomeScreenCompleted?: boolean | undefined
  readonly welcome_screen_completed?: boolean | undefined
  readonly dismissConnectAlert?: boolean | undefined
  readonly dismiss_connect_alert?: boolean | undefined
  readonly editorUpdateNotificationDismissed?: boolean | undefined
  readonly editor_update_notification_dismissed?: boolean | undefined
}

async function updateHints(context: Context<HintArgs>): Promise<unknown> {
  const { args, storage, emit } = context
  const input: Partial<Hints> = {
    welcomeScreenCompleted: args.welcomeScreenCompleted ?? args.welcome_screen_completed,
    dismissConnectAlert: args.dismissConnectAlert ?? args.dismiss_connect_alert,
    editorUpdateNotificationDismissed:
      args.editorUpdateNotificationDismissed ?? args.editor_update_notification_dismissed,
  }
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const keys = Object.keys(changes)
  const hintsAfter = await changeKit(storage, hints, (stored) => {
    const next = { ...stored, ...changes }
    return keys.length === 0 ? { answer: stored } : { next, answer: next }
  })
  if (keys.length > 0) emit('account-settings.changed', { keys })
  return settingsView(context, hintsAfter)
}

async function settingsView(context: Context, stored: Hints) {
  const { settings } = context
  const [packages, connection, locale] = await Promise.all([
    installedPackages(context),
    renewedConnection(context, accountConnection),
    localeOf(context),
  ])
  return {
    siteName: settings.name,
    activeTheme: packages.find(({ kind, status }) => kind === 'theme' && status === 'active')?.name ?? '',
    isConnected: isValidConnection(connection, context),
    isUrlMismatch: isMismatched(connection, settings),
    isDevelopment: isDevelopment(new URL(settings.url)),
    siteUrl: settings.url,
    ...hints.start,
    ...stored,
    userLocale: locale,
    isRTL: isRightToLeft(locale),
  }
}

/** Loopback addresses and host names that are reserved for local or test use. */
const isDevelopment = ({ hostname }: URL) =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.(?:localhost|local|test|internal)$/.test(hostname)
