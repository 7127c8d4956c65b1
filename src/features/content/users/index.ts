/** The signed-in user. Users are created and changed through `api.site.users`. */
import { context } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { permission } from '../../../core/declare/permissions.ts'
import type { User } from '../../../storage/contract.ts'
import { localeOf } from '../../shared/locale/model.ts'
import { nameKeys, ownUserSchema, ownUserView } from './view.ts'

/** 401 also for the host's own calls: they have all capabilities, but no user. */
const isSignedIn = permission('signed in', ({ user }) =>
  user.user ? undefined : new ApiError('rest_not_logged_in', 'Nobody is signed in.', 401),
)

export const users = feature('users', 'cms/v2', [
  endpoint({
    path: '/users/me',
    methods: ['GET'],
    args: { context: context() },
    summary: 'Read the current user',
    permission: isSignedIn,
    responses: { 200: ownUserSchema },
    handler: async (context) => {
      // The cast: the permission requires a user.
      const user = context.user.user as User
      const [locale, entries] = await Promise.all([
        localeOf(context),
        context.storage.meta.read('user', [user.id], nameKeys),
      ])
      const meta = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
      return ownUserView(context, { user, locale, meta }, context.args.context)
    },
  }),
])
