/** The contents of a theme's start page: the same route in each theme namespace. */

import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields, type ResponseSchema } from '../../../core/declare/response-schema.ts'
import { counterOption, ensureFirstPage } from './first-page.ts'
import { type AdminContext, readAdminContext } from './model.ts'

/** `view` builds the start page of the theme, see view.ts; `schema` describes it. */
export const adminSettings = <const N extends string, T>({
  namespace,
  view,
  schema,
  createsFirstPage = false,
}: {
  readonly namespace: N
  readonly view: (context: AdminContext) => object
  readonly schema: ResponseSchema<T>
  /** Whether a read creates a draft page for the page builder when the site has none. */
  readonly createsFirstPage?: boolean
}) =>
  feature(
    'admin-settings',
    namespace,
    [
      endpoint({
        path: '/admin-settings',
        methods: ['GET'],
        args: {},
        summary: 'Read the content of the start page of the theme',
        permission: can('manage_options'),
        responses: { 200: fields({ config: schema }) },
        handler: async (context) => {
          if (createsFirstPage) await ensureFirstPage(context)
          return { config: view(await readAdminContext(context)) }
        },
      }),
    ],
    { persisted: { options: [{ name: counterOption }] } },
  )
