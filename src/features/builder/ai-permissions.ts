/** The permissions of the page builder's AI assistants. */

import { bool } from '../../core/declare/args.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'

export const aiPermissions = feature('ai-permissions', 'builder-ai/v1', [
  endpoint({
    path: '/permissions',
    methods: ['GET'],
    args: {},
    summary: 'Read the permissions of AI assistants on this site',
    permission: can('manage_options'),
    responses: { 200: fields({ success: exactly(true), data: fields({ SitePlannerConnect: bool() }) }) },
    // Interface: the response only confirms that the service is available.
    handler: () => ({ success: true, data: { SitePlannerConnect: true } }),
  }),
])
