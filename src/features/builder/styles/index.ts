/** Clears the cache of generated style sheets, on request and when their sources change. */

import type { HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { exactly } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { clearStyleSheets, forgetStyleSheets } from './model.ts'

/** Events of this feature. */
export interface StylesEvents {
  'cache.cleared': { readonly by: number }
}

const forgetOnChange = (_: unknown, { storage }: HookContext) => forgetStyleSheets(storage)

/** Hooks run in the transaction of the change, so no sheet outlives its sources. */
const hooks: Hook<HookContext> = {
  'globals.changed': forgetOnChange,
  'site.imported': forgetOnChange,
  'variable.created': forgetOnChange,
  'variable.updated': forgetOnChange,
  'variable.deleted': forgetOnChange,
  'variable.restored': forgetOnChange,
}

export const styles = feature(
  'styles',
  'builder/v1',
  [
    endpoint({
      path: '/cache',
      methods: ['DELETE'],
      args: {},
      summary: 'Delete all generated style files',
      permission: can('manage_options'),
      responses: { 200: exactly(null) },
      atomic: false,
      handler: async (context) => {
        await clearStyleSheets(context)
        context.emit('cache.cleared', { by: context.user.id })
        return result(null)
      },
    }),
  ],
  { hooks },
)
