/** Dismissing the message after an installation, per user. */

import { str } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'

const metaKey = '_builder_theme_install_confirmed'

export const installConfirmation = <const N extends string>({ namespace }: { readonly namespace: N }) =>
  feature('install-confirmation', namespace, [
    endpoint({
      path: '/install-confirmation/dismiss',
      methods: ['POST'],
      args: {},
      summary: 'Dismiss the message after the installation',
      permission: can('manage_options'),
      responses: { 200: fields({ success: exactly(true), message: str() }) },
      handler: async ({ user, storage }) => {
        // In-process calls as the system pass the permission check but have no user to store the flag for.
        if (!user.user) throw new ApiError('no_user', 'Nobody is signed in.', 401)
        await storage.meta.write('user', [{ id: user.id, key: metaKey, value: true }])
        return { success: true, message: 'The message is dismissed.' }
      },
    }),
  ])
