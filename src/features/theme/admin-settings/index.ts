/** What the start page of a theme shows: the same route in each theme namespace. */

import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields, type ResponseSchema } from '../../../core/declare/response-schema.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { ensureFirstPage } from './first-page.ts'
import { type AdminFacts, readAdminFacts } from './model.ts'

/** `view`: what the theme's own start page is made of, see view.ts; `form`: the form of that. */
export const adminSettings = <const N extends string, T>({
  namespace,
  view,
  form: schema,
  makesFirstPage: createsFirstPage = false,
}: {
  readonly namespace: N
  readonly view: (facts: AdminFacts) => object
  readonly form: ResponseSchema<T>
  /** Whether a page for the page builder is made where there is none. */
  readonly makesFirstPage?: boolean
}) =>
  feature('admin-settings', namespace, [
    endpoint({
      path: '/admin-settings',
      methods: ['GET'],
      args: {},
      summary: 'Read what the start page of the theme shows',
      permission: can('manage_options'),
      responses: { 200: fields({ config: schema }) },
      handler: (context) =>
        andThen(createsFirstPage ? ensureFirstPage(context) : undefined, () =>
          andThen(readAdminFacts(context), (facts) => ({ config: view(facts) })),
        ),
    }),
  ])
