/** Reviews of the product by administrators. Choice: reviews are stored on this site, where the host can read them. */

import type { Collection } from '../../../contract/storage.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { invalidArguments } from '../../../core/declare/errors.ts'
import { defaultLimits } from '../../../core/declare/limits.ts'
import { can } from '../../../core/declare/permissions.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { keepNewest } from '../../shared/keep-for.ts'
import { integerOf, optionalText, undeclaredArgs } from './args.ts'
import { message, messageSchema } from './view.ts'

export const reviews: Collection = {
  name: 'a11y_reviews',
  fields: { rating: 'integer', feedback: 'text', user: 'integer', created_at: 'text' },
  indexed: ['created_at'],
}

const retention = { count: 1000, days: 365 }
const maxFeedback = 10_000

export const reviewEndpoints = [
  endpoint({
    path: '/reviews/review',
    methods: ['POST'],
    args: undeclaredArgs('rating', 'feedback'),
    summary: 'Review the product',
    permission: can('manage_options'),
    bodyLimitBytes: defaultLimits.smallBodyBytes,
    responses: { 200: messageSchema },
    handler: async (context) => {
      const { args, storage, app, user, emit } = context
      const rating = integerOf(args, 'rating')
      if (rating < 1 || rating > 5) throw invalidArguments(new Map([['rating', 'rating is not from 1 to 5.']]))
      const feedback = stripTags(optionalText(args, 'feedback', maxFeedback) ?? '').trim()
      const row = { rating, feedback, user: user.id, created_at: new Date(app.clock()).toISOString() }
      const [id = 0] = await storage.records.insert(reviews, [row])
      emit('accessibility.reviewed', { id, rating, feedback, user: user.id })
      await keepNewest({ storage, app }, reviews, retention)
      return message('ok')
    },
  }),
] as const
