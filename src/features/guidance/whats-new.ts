/** Product news: the same route in each theme namespace. */

import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { notificationsFor } from '../shared/news.ts'
import { notificationsSchema } from '../shared/news-view.ts'

export const whatsNew = <const N extends string>({ namespace }: { readonly namespace: N }) =>
  feature('whats-new', namespace, [
    endpoint({
      path: '/whats-new',
      methods: ['GET'],
      args: {},
      summary: 'List product news for this site',
      permission: can('manage_options'),
      responses: { 200: notificationsSchema },
      handler: (context) => notificationsFor(context, (feeds) => feeds.news()),
    }),
  ])
