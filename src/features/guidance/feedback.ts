/** Feedback about the page builder. The route is public, so feedback is limited in length, number and age. */

import type { Collection } from '../../contract/storage.ts'
import { anything, bool, int, str, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { defaultLimits } from '../../core/declare/limits.ts'
import { anyone } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { stripTags } from '../../html/strip-tags.ts'
import { keepNewest } from '../shared/keep-for.ts'

/** Events of this feature. */
export interface FeedbackEvents {
  'feedback.submitted': { readonly id: number; readonly description: string; readonly user: number }
}

export const feedbackCollection: Collection = {
  name: 'builder_feedback',
  fields: { description: 'text', user: 'integer', created_at: 'text' },
  indexed: ['created_at'],
}

const retention = { count: 1000, days: 365 }
const maxLength = 10_000

const feedbackSchema = fields({ success: bool(), code: int(), message: str() }, { title: 'Whether feedback was taken' })

/** Interface: the HTTP status is always 200; the result is in `code` of the body. */
const invalidView = (message: string) => ({ success: false, code: 400, message })

export const feedback = feature(
  'feedback',
  'builder/v1/feedback',
  [
    endpoint({
      path: '/submit',
      methods: ['POST'],
      args: { description: unlisted(anything()) },
      summary: 'Send feedback about the page builder',
      permission: anyone,
      responses: { 200: feedbackSchema },
      bodyLimitBytes: defaultLimits.smallBodyBytes,
      handler: async (context) => {
        const { description: input } = context.args
        const description = typeof input === 'string' ? stripTags(input).trim() : ''
        if (description === '') return invalidView('The feedback has no description.')
        if (description.length > maxLength) return invalidView(`Feedback has at most ${maxLength} characters.`)
        await storeFeedback(context, description)
        return { success: true, code: 200, message: 'Thank you.' }
      },
    }),
  ],
  { persisted: { collections: [{ collection: feedbackCollection, references: { user: 'user' } }] } },
)

/** Choice: feedback is stored on the site; the host can read and forward it. A visitor is user 0. */
async function storeFeedback({ storage, app, user, emit }: Context, description: string): Promise<void> {
  const row = { description, user: user.id, created_at: new Date(app.clock()).toISOString() }
  const [id = 0] = await storage.records.insert(feedbackCollection, [row])
  emit('feedback.submitted', { id, description, user: user.id })
  await keepNewest({ storage, app }, feedbackCollection, retention)
}
