/** What the start page of a theme shows: the same route in each theme namespace. */
import { endpoint, type Feature, feature } from '../../core/declare.ts'
import { chain } from '../../core/eventually.ts'
import { can } from '../../core/permissions.ts'
import { ensureFirstPage } from './first-page.ts'
import { type AdminFacts, adminFacts } from './model.ts'

/** `view`: what the theme's own start page is made of, see view.ts. */
export const adminSettings = ({
  namespace,
  view,
  makesFirstPage = false,
}: {
  readonly namespace: string
  readonly view: (facts: AdminFacts) => object
  /** Whether a page for the page builder is made where there is none. */
  readonly makesFirstPage?: boolean
}): Feature =>
  feature('admin-settings', namespace, [
    endpoint({
      path: '/admin-settings',
      methods: ['GET'],
      args: {},
      summary: 'Read what the start page of the theme shows',
      permission: can('manage_options'),
      handler: (call) =>
        chain(makesFirstPage ? ensureFirstPage(call) : undefined, () =>
          chain(adminFacts(call), (facts) => ({ config: view(facts) })),
        ),
    }),
  ])
