/** Lists the routes of a full deployment as methods and paths; `{name}` matches digits, `{name*}` a word. */
import { type Args, int, required, str } from '../src/core/declare/args.ts'
import type { Method } from '../src/core/declare/endpoint.ts'
import { digits, parameter } from '../src/core/declare/pattern.ts'

const table = `
GET / | GET /oembed/1.0 | GET /builder-one/v1 | GET /builder-theme-plus/v1 | GET /builder-theme-biz/v1
GET /builder/v1/documents | GET /builder/v1 | GET /builder-pro/v1 | GET /builder-ai/v1 | GET /builder/v1/feedback
GET /a11y/v1 | GET /imgopt/v1 | GET /hub-connector/v1 | GET /crosssell/v1 | GET /cms/v2
GET /cms-site-health/v1 | GET /cms-block-editor/v1 | GET /cms-abilities/v1 | POST /batch/v1
GET /oembed/1.0/embed | GET /oembed/1.0/proxy
GET,POST /cms/v2/posts | GET,POST,PUT,PATCH,DELETE /cms/v2/posts/{id}
GET /cms/v2/posts/{parent}/revisions | GET,DELETE /cms/v2/posts/{parent}/revisions/{id}
GET,POST /cms/v2/posts/{id}/autosaves
POST /builder-one/v1/connect/authorize | POST /builder-one/v1/connect/disconnect
POST /builder-one/v1/connect/switch-domain | POST /builder-one/v1/connect/deactivate
GET /builder-one/v1/top-bar/notifications | POST /builder-one/v1/top-bar/feedback
POST /builder-one/v1/themes | POST /builder-one/v1/themes/{slug*}/activate | GET,POST /builder-one/v1/plugins
POST /builder-one/v1/plugins/{slug*}/activate | POST /builder-one/v1/plugins/{slug*}/deactivate
POST /builder-one/v1/plugins/{slug*}/upgrade | POST /builder-one/v1/plugins/{slug*}/migration/run
POST /builder-one/v1/plugins/{slug*}/migration/rollback | GET,POST,PUT,PATCH /builder-one/v1/settings
GET /builder-theme-plus/v1/onboarding-settings | GET /builder-theme-plus/v1/whats-new
GET /builder-theme-biz/v1/promotions | GET /builder-theme-biz/v1/admin-settings
GET /builder-theme-biz/v1/whats-new | GET,POST,PUT,PATCH /builder-theme-biz/v1/theme-settings
POST /builder-theme-biz/v1/install-confirmation/dismiss
POST /builder/v1/documents/{id}/media/import | DELETE /builder/v1/cache
GET /builder/v1/globals | GET /builder/v1/globals/colors | GET /builder/v1/globals/typography
GET,POST,DELETE /builder/v1/globals/colors/{id*} | GET,POST,DELETE /builder/v1/globals/typography/{id*}
GET,POST,PUT,PATCH /builder/v1/settings/{key*} | GET /builder/v1/post | GET /builder/v1/term | GET /builder/v1/user
GET /builder-ai/v1/permissions | GET /builder/v1/favorites | POST,DELETE /builder/v1/favorites/{id*}
GET /builder/v1/kit-elements-defaults | POST,PUT,PATCH,DELETE /builder/v1/kit-elements-defaults/{type*}
GET /builder/v1/site-navigation/recent-posts | POST /builder/v1/site-navigation/add-new-post
GET /builder/v1/checklist | GET /builder/v1/checklist/{id} | GET /builder/v1/checklist/steps | GET,POST,PUT,PATCH /builder/v1/checklist/steps/{id*}
GET,POST,PUT,PATCH /builder/v1/checklist/user-progress | GET,POST /builder/v1/template-library/templates
GET,PATCH /builder/v1/user-data/current-user | POST,DELETE /builder/v1/library/connect
GET,POST /builder/v1/send-event | POST /builder/v1/feedback/submit
GET,POST /builder/v1/components | GET /builder/v1/components/styles | POST /builder/v1/components/create-validate
GET /builder/v1/components/overridable-props | PUT /builder/v1/components/status
POST /builder/v1/components/lock | POST /builder/v1/components/unlock | GET /builder/v1/components/lock-status
POST /builder/v1/components/archive | POST /builder/v1/components/update-titles
GET /builder/v1/site-editor | GET /builder/v1/site-editor/conditions-config
GET /builder/v1/site-editor/templates-conditions-conflicts | GET,POST /builder/v1/site-editor/templates
DELETE,POST,PUT,PATCH /builder/v1/site-editor/templates/{id}
GET,POST,PUT,PATCH /builder/v1/site-editor/templates-conditions/{id}
GET /builder-pro/v1/license/tier-features | GET /builder-pro/v1/license/get-license-status
GET /builder-pro/v1/posts-widget | POST /builder-pro/v1/get-post-type-taxonomies
POST /builder-pro/v1/refresh-loop | POST /builder-pro/v1/refresh-search | GET /builder/v1/global-widget/templates
GET /builder/v1/forms | GET,DELETE,POST,PUT,PATCH /builder/v1/form-submissions
GET,DELETE,POST,PUT,PATCH /builder/v1/form-submissions/{id}
POST,PUT,PATCH /builder/v1/form-submissions/restore/{id} | POST,PUT,PATCH /builder/v1/form-submissions/restore
GET /builder/v1/form-submissions/export | GET /builder/v1/form-submissions/referer
GET,POST /builder/v1/notes | POST,DELETE /builder/v1/notes/read-status | GET /builder/v1/notes/summary
GET /builder/v1/notes/users | GET,POST,PUT,PATCH,DELETE /builder/v1/notes/{id}
GET /a11y/v1/settings/get-settings | GET /a11y/v1/analytics/statistic | POST /a11y/v1/connect/authorize
POST /a11y/v1/connect/disconnect | POST /a11y/v1/connect/switch-domain | POST /a11y/v1/connect/deactivate
POST /a11y/v1/settings/get-media | POST /a11y/v1/remediation/register | POST /a11y/v1/remediation/set-alt-text
POST /a11y/v1/remediation/trigger-save | POST /a11y/v1/remediation/heading-level
POST /a11y/v1/remediation/dismiss-heading-issue | POST /a11y/v1/reviews/review
GET,PATCH,DELETE /a11y/v1/remediation/items | POST,PUT,PATCH,DELETE /a11y/v1/remediation/item
POST,PUT,PATCH,DELETE /a11y/v1/remediation/global-item | PUT,PATCH,DELETE /a11y/v1/remediation/global-items
PUT,PATCH /a11y/v1/remediation/global-items-group | DELETE /a11y/v1/remediation/clear-cache
GET,POST /imgopt/v1/preset_configs | POST,PUT,PATCH /hub-connector/v1/sync | POST,PUT,PATCH /hub-connector/v1/logout
POST,PUT,PATCH /crosssell/v1/plugincrosssell/install_plugin | POST,PUT,PATCH /crosssell/v1/plugincrosssell/activate_plugin
`

interface TableRoute {
  readonly methods: readonly Method[]
  /** The path with `{name}` and `{name*}`. */
  readonly path: string
  readonly parameters: number
}

export const tableRoutes: readonly TableRoute[] = table
  .split(/[|\n]/)
  .map((entry) => entry.trim())
  .filter((entry) => entry !== '')
  .map((entry) => {
    const [methods = '', path = ''] = entry.split(' ')
    return { methods: methods.split(',') as Method[], path, parameters: path.split('{').length - 1 }
  })

/** The routes as endpoints declare them: GET separate from the methods that write. */
export const endpointRoutes: readonly TableRoute[] = tableRoutes.flatMap((route) => {
  const writes = route.methods.filter((method) => method !== 'GET')
  const reads = route.methods.filter((method) => method === 'GET')
  return [reads, writes].flatMap((methods) => (methods.length > 0 ? [{ ...route, methods }] : []))
})

const placeholders = /\{(\w+)(\*?)\}/g

/** The path of an endpoint declaration. */
export const declaredPath = (path: string): string =>
  path.replace(placeholders, (_, name: string, word: string) => (word ? parameter(name, '[\\w-]+') : digits(name)))

/** The arguments that an endpoint must declare for its path parameters. */
export const pathArgs = (path: string): Args =>
  Object.fromEntries(
    [...path.matchAll(placeholders)].map(([, name = '', word]) => [name, word ? required(str()) : required(int())]),
  )

/** `:id` with a pattern in parentheses, for find-my-way. */
export const findMyWayPath = (path: string): string =>
  path.replace(placeholders, (_, name: string, word: string) => `:${name}(${word ? '^[\\w-]+$' : '^[\\d]+$'})`)

/** `:id` with a pattern in braces, for Hono. */
export const honoPath = (path: string): string =>
  path.replace(placeholders, (_, name: string, word: string) => `:${name}{${word ? '[\\w-]+' : '[\\d]+'}}`)

/** Plain `:id`, for routers that check parameters elsewhere. */
export const plainPath = (path: string): string => path.replace(placeholders, ':$1')

/** The pattern for an ordered list of patterns. */
export const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replace(placeholders, (_, name: string, word: string) => `(?<${name}>${word ? '[\\w-]+' : '\\d+'})`)}$`,
  )

/** A path that matches the route; `seed` varies it. */
export const examplePath = (path: string, seed: number): string =>
  path.replace(placeholders, (_, __, word: string) => (word ? `word-${seed % 9973}` : String(1 + (seed % 99991))))
