/** The bar above the administration: product notifications and product feedback. */

import type { Collection } from '../../contract/storage.ts'
import { type Args, required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { defaultLimits } from '../../core/declare/limits.ts'
import { can } from '../../core/declare/permissions.ts'
import { noBody } from '../../core/declare/response-schema.ts'
import { result } from '../../core/declare/result.ts'
import { stripTags } from '../../html/strip-tags.ts'
import { keepNewest } from '../shared/keep-for.ts'
import { notificationsFor } from '../shared/news.ts'
import { notificationsSchema } from '../shared/news-view.ts'

interface ProductFeedback {
  readonly product: string
  readonly subject: string
  readonly title: string
  readonly description: string
  readonly countryCode: string
}

/** Events of this feature. */
export interface TopBarEvents {
  'product-feedback.submitted': ProductFeedback & { readonly id: number; readonly user: number }
}

const productFeedback: Collection = {
  name: 'product_feedback',
  fields: {
    product: 'text',
    subject: 'text',
    title: 'text',
    description: 'text',
    country_code: 'text',
    user: 'integer',
    created_at: 'text',
  },
  indexed: ['created_at'],
}

const retention = { count: 1000, days: 365 }
const maxLength = 10_000

const text = (description: string) => str({ description, check: checkLength })

const checkLength = (input: string) => (input.length > maxLength ? `At most ${maxLength} characters.` : undefined)

/** `withCountry`: D1 accepts a country with the feedback. */
export function topBar({ withCountry }: { readonly withCountry: boolean }) {
  const country: Args = withCountry ? { countryCode: text('The country code of the user.') } : {}
  return feature(
    'top-bar',
    'builder-one/v1',
    [
      endpoint({
        path: '/top-bar/notifications',
        methods: ['GET'],
        args: {
          app_name: required(str({ description: 'The name of the app that asks.' })),
          app_version: required(str({ description: 'The version of the app that asks.' })),
        },
        summary: 'List product notifications for this site',
        permission: can('manage_options'),
        responses: { 200: notificationsSchema },
        handler: (context) => {
          const { app_name: appName, app_version: appVersion } = context.args
          return notificationsFor(context, (feeds) => feeds.notifications({ appName, appVersion }))
        },
      }),
      endpoint({
        path: '/top-bar/feedback',
        methods: ['POST'],
        args: {
          product: required(text('The name of the product.')),
          subject: required(text('The subject of the feedback.')),
          title: required(text('The title of the feedback.')),
          description: required(text('The feedback itself.')),
          ...country,
        },
        summary: 'Send feedback about the product',
        permission: can('manage_options'),
        responses: { 204: noBody() },
        bodyLimitBytes: defaultLimits.smallBodyBytes,
        handler: async (context) => {
          await storeFeedback(context)
          return result(null, { status: 204 })
        },
      }),
    ],
    { persisted: { collections: [{ collection: productFeedback, references: { user: 'user' } }] } },
  )
}

/** Choice: feedback is stored on the site; the host can read and forward it. */
async function storeFeedback({ args, storage, app, user, emit }: Context): Promise<void> {
  // The cast: checked by the schema of the endpoint.
  const input = args as Partial<ProductFeedback>
  const clean = (name: keyof ProductFeedback) => stripTags(input[name] ?? '').trim()
  const feedback: ProductFeedback = {
    product: clean('product'),
    subject: clean('subject'),
    title: clean('title'),
    description: clean('description'),
    countryCode: clean('countryCode'),
  }
  const { countryCode, ...texts } = feedback
  const row = { ...texts, country_code: countryCode, user: user.id, created_at: new Date(app.clock()).toISOString() }
  const [id = 0] = await storage.records.insert(productFeedback, [row])
  emit('product-feedback.submitted', { ...feedback, id, user: user.id })
  await keepNewest({ storage, app }, productFeedback, retention)
}
