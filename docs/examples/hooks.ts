/** Hooks and a limit of the host. */
import { ApiError, createSiteApi, d1, type Storage, tokenBuckets } from 'site-api'

export function createApi(storage: Storage, clock = Date.now) {
  const visitors = tokenBuckets({ capacity: 100, perMinute: 60, clock })
  return createSiteApi({
    storage,
    profile: d1,
    unknownArguments: 'refuse',
    hooks: {
      'post.saving': (change, { user }) => {
        const { values } = change
        if (/casino/i.test(values.content)) throw new ApiError('spam', 'No advertisements, please.', 422)
        // Only those who may edit the posts of others publish; everybody else hands in.
        if (values.status !== 'publish' || user.can('edit_others_posts')) return change
        return { ...change, values: { ...values, status: 'pending' } }
      },
      'post.created': async ({ post }, { storage: transaction }) => {
        await transaction.options.write({ last_post: post.id })
      },
    },
    limit: ({ kind, user, header }) =>
      kind === 'request' && user === null ? visitors.take(header('x-real-ip') ?? '') : 0,
  })
}
