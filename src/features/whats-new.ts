/** What is new in the product: the same route in each theme namespace. */
import { endpoint, type Feature, feature } from '../core/declare.ts'
import { can } from '../core/permissions.ts'
import { notificationsFor } from './news/model.ts'

export const whatsNew = ({ namespace }: { readonly namespace: string }): Feature =>
  feature('whats-new', namespace, [
    endpoint({
      path: '/whats-new',
      methods: ['GET'],
      args: {},
      summary: 'List the news of the product that concern this site',
      permission: can('manage_options'),
      handler: (call) => notificationsFor(call, (feeds) => feeds.news()),
    }),
  ])
