/** What the administration of the account knows about the site, and which of its hints were dismissed. */

import { bool, str, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { all, andThen, type MaybePromise } from '../../core/runtime/maybe-promise.ts'
import { accountConnection, installedPackages } from '../add-ons/packages/model.ts'
import { changeKit, type KitPart, readKit } from '../shared/kit/model.ts'
import { isRightToLeft, localeOf } from '../shared/locale/model.ts'
import { isValidConnection, readConnection } from './connections/model.ts'

/** What it tells listeners. */
export interface AccountSettingsEvents {
  'account-settings.changed': { readonly keys: readonly string[] }
}

declare module '../../core/declare/events.ts' {
  interface EventPayloads extends AccountSettingsEvents {}
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
    summary: 'Read what the account knows about the site',
    permission: can('manage_options'),
    responses: { 200: settingsSchema },
    handler: (context) => andThen(readKit(context.storage, hints), (stored) => settingsView(context, stored)),
  }),
  endpoint({
    path: '/settings',
    methods: EDITABLE,
    // Interface: both spellings are taken.
    args: {
      welcomeScreenCompleted: optionalFlag(),
      welcome_screen_completed: optionalFlag(),
      dismissConnectAlert: optionalFlag(),
      dismiss_connect_alert: optionalFlag(),
      editorUpdateNotificationDismissed: optionalFlag(),
      editor_update_notification_dismissed: optionalFlag(),
    },
    summary: 'Dismiss hints, or bring them back',
    permission: can('manage_options'),
    responses: { 200: settingsSchema },
    handler: (context) => {
      const { args, storage, emit } = context
      const sent = {
        welcomeScreenCompleted: args.welcomeScreenCompleted ?? args.welcome_screen_completed,
        dismissConnectAlert: args.dismissConnectAlert ?? args.dismiss_connect_alert,
        editorUpdateNotificationDismissed:
          args.editorUpdateNotificationDismissed ?? args.editor_update_notification_dismissed,
      }
      const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
      const keys = Object.keys(changes)
      const change = changeKit(storage, hints, (stored) => {
        const next = { ...stored, ...changes }
        return keys.length === 0 ? { answer: stored } : { next, answer: next }
      })
      return andThen(change, (stored) => {
        if (keys.length > 0) emit('account-settings.changed', { keys })
        return settingsView(context, stored)
      })
    },
  }),
])

function settingsView(context: Context, stored: Hints): MaybePromise<unknown> {
  const { storage, settings } = context
  const read = all([installedPackages(context), readConnection(storage, accountConnection), localeOf(context)])
  return andThen(read, ([packages, connection, locale]) => ({
    siteName: settings.name,
    activeTheme: packages.find(({ kind, status }) => kind === 'theme' && status === 'active')?.name ?? '',
    isConnected: isValidConnection(connection, settings),
    isUrlMismatch: connection.home !== '' && connection.home !== settings.home,
    isDevelopment: isDevelopment(new URL(settings.url)),
    siteUrl: settings.url,
    ...hints.start,
    ...stored,
    userLocale: locale,
    isRTL: isRightToLeft(locale),
  }))
}

/** Names that no public site can have. */
const isDevelopment = ({ hostname }: URL) =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.(?:localhost|local|test|internal)$/.test(hostname)
