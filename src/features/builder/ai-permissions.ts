/** What the assistants of the page builder may do here. */
import { exactly, fields } from '../core/answers.ts'
import { bool } from '../core/args.ts'
import { endpoint, feature } from '../core/declare.ts'
import { can } from '../core/permissions.ts'

export const aiPermissions = feature('ai-permissions', 'builder-ai/v1', [
  endpoint({
    path: '/permissions',
    methods: ['GET'],
    args: {},
    summary: 'Tell what assistants may do on this site',
    permission: can('manage_options'),
    answers: { 200: fields({ success: exactly(true), data: fields({ SitePlannerConnect: bool() }) }) },
    // Interface: it only shows that the service is there.
    handler: () => ({ success: true, data: { SitePlannerConnect: true } }),
  }),
])
