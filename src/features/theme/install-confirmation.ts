/** The message after an installation, which each user dismisses for themselves. */

import { str } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { andThen } from '../../core/runtime/maybe-promise.ts'

const metaKey = '_builder_theme_install_confirmed'

export const installConfirmation = <const N extends string>({ namespace }: { readonly namespace: N }) =>
  feature('install-confirmation', namespace, [
    endpoint({
      path: '/install-confirmation/dismiss',
      methods: ['POST'],
      args: {},
      summary: 'Show the message after the installation no more',
      permission: can('manage_options'),
      responses: { 200: fields({ success: exactly(true), message: str() }) },
      handler: ({ user, storage }) => {
        // The host's own calls have all rights, but there is nobody to keep anything with.
        if (!user.user) throw new ApiError('no_user', 'Nobody is signed in.', 401)
        const entry = { id: user.id, key: metaKey, value: true }
        return andThen(storage.meta.write('user', [entry]), () => ({
          success: true,
          message: 'The message is dismissed.',
        }))
      },
    }),
  ])
