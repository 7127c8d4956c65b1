/** Components of the page builder: made once, used in many documents. */
import { int, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { result } from '../../../core/declare/result.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import type { UserQuery } from '../../../storage/contract.ts'
import { sheetHeaders } from '../../shared/atomic-styles/model.ts'
import { readKit } from '../../shared/kit/model.ts'
import { forgetStyleSheets } from '../styles/model.ts'
import { valuesOf, variablesPart } from '../variables/model.ts'
import { componentId, ids, items, status, titles } from './args.ts'
import { clearExpired, holderOf, lockComponent, locksOption, unlockComponent } from './locks.ts'
import { componentType, enveloped, failure, findComponent, propsKey } from './model.ts'
import { type SentComponent, validated } from './validation.ts'
import {
  createdForm,
  listForm,
  listView,
  lockedForm,
  lockStatusForm,
  mapView,
  nothingForm,
  outcomeForm,
  overridablePropsForm,
  publishedForm,
  readStyles,
  styleRules,
  stylesByComponentForm,
  unlockedForm,
} from './view.ts'
import {
  archiveComponents,
  createComponents,
  type Outcome,
  publishComponents,
  renameComponents,
  turnOption,
} from './write.ts'

const forget = (_: unknown, { storage }: HookContext) => forgetStyleSheets(storage)
const withTheirStyles: Hook<HookContext> = { 'component.created': forget, 'component.published': forget }

const mayRead = can('edit_posts')
const mayWrite = can('manage_options')

export const components = feature(
  'components',
  'builder/v1',
  [
    endpoint({
      path: '/components',
      methods: ['GET'],
      args: {},
      summary: 'List the newest components, archived ones too',
      permission: mayRead,
      responses: { 200: listForm },
      handler: (context) => andThen(listView(context), enveloped),
    }),
    endpoint({
      path: '/components/styles',
      methods: ['GET'],
      args: {},
      summary: 'Read the styles of all components',
      permission: mayRead,
      responses: { 200: stylesByComponentForm },
      handler: async (context) => {
        const styles = await readStyles(context)
        const variable = valuesOf(await readKit(context.storage, variablesPart))
        const headers = await sheetHeaders(context, 'components', (css) => styleRules(css, styles, variable))
        return result(enveloped(mapView(styles.map(([id, one]) => [id, mapView(Object.entries(one))]))), { headers })
      },
    }),
    endpoint({
      path: '/components',
      methods: ['POST'],
      args: { status: status(), items: items() },
      summary: 'Create components, all or none',
      permission: mayWrite,
      responses: { 201: createdForm },
      handler: (context) =>
        andThen(createComponents(context, toItems(context.args.items), context.args.status), (created) =>
          result(enveloped(mapView(created)), { status: 201 }),
        ),
    }),
    endpoint({
      path: '/components/create-validate',
      methods: ['POST'],
      args: { items: items() },
      summary: 'Check components without creating them',
      permission: mayWrite,
      responses: { 200: nothingForm },
      handler: ({ args, storage }) => andThen(validated(storage, toItems(args.items)), () => enveloped(null)),
    }),
    endpoint({
      path: '/components/overridable-props',
      methods: ['GET'],
      args: { componentId: required(int({ description: 'The id of the component.' })) },
      summary: 'Read the properties that a use of a component may change',
      permission: mayRead,
      responses: { 200: overridablePropsForm },
      handler: ({ args: { componentId }, storage }) => {
        if (componentId <= 0) throw failure('invalid_component_id', 'This is no id of a component.', 400)
        return andThen(findComponent(storage, componentId), (component) => {
          if (!component) throw failure('component_not_found', 'There is no such component.', 404)
          return andThen(storage.meta.read('post', [componentId], [propsKey]), ([entry]) =>
            enveloped(entry?.value ?? null),
          )
        })
      },
    }),
    endpoint({
      path: '/components/status',
      methods: ['PUT'],
      args: {
        status: required(oneOf(['publish'], { description: 'The only status that can be given.' })),
        ids: ids('The components to publish.'),
      },
      summary: 'Publish components, with the drafts that wait',
      permission: mayWrite,
      responses: { 200: publishedForm },
      handler: (context) =>
        andThen(publishComponents(context, context.args.ids), ({ done, failed }) =>
          enveloped({ success: done, failed }),
        ),
    }),
    endpoint({
      path: '/components/lock',
      methods: ['POST'],
      args: { componentId: componentId() },
      summary: 'Lock a component for an hour, or renew the lock',
      permission: mayWrite,
      responses: { 200: lockedForm },
      handler: (context) =>
        andThen(lockComponent(context, context.args.componentId), () => enveloped({ locked: true })),
    }),
    endpoint({
      path: '/components/unlock',
      methods: ['POST'],
      args: { componentId: componentId() },
      summary: 'Unlock a component',
      permission: mayWrite,
      responses: { 200: unlockedForm },
      handler: (context) =>
        andThen(unlockComponent(context, context.args.componentId), () => enveloped({ unlocked: true })),
    }),
    endpoint({
      path: '/components/lock-status',
      methods: ['GET'],
      args: { componentId: required(str({ description: 'The id of the component.' })) },
      summary: 'Tell who has locked a component',
      permission: mayWrite,
      responses: { 200: lockStatusForm },
      handler: lockStatus,
    }),
    endpoint({
      path: '/components/archive',
      methods: ['POST'],
      args: { componentIds: ids('The components to archive.'), status: status() },
      summary: 'Archive components; there is no way back',
      permission: mayWrite,
      responses: { 200: outcomeForm },
      handler: (context) =>
        andThen(archiveComponents(context, context.args.componentIds, context.args.status), (made) =>
          enveloped(outcomeView(made)),
        ),
    }),
    endpoint({
      path: '/components/update-titles',
      methods: ['POST'],
      args: { components: titles(), status: status() },
      summary: 'Rename components',
      permission: mayWrite,
      responses: { 200: outcomeForm },
      handler: (context) =>
        andThen(renameComponents(context, context.args.components, context.args.status), (made) =>
          enveloped(outcomeView(made)),
        ),
    }),
  ],
  { hooks: withTheirStyles, persisted: { postTypes: [componentType], transientOptions: [locksOption, turnOption] } },
)

/** The cast: the schema has seen each member. */
const toItems = (sent: readonly object[]) => sent as readonly SentComponent[]

const outcomeView = ({ done, failed }: Outcome) => ({ failedIds: failed, successIds: done })

async function lockStatus(context: Context<{ readonly componentId: string }>) {
  const { args, storage, user, incoming } = context
  const id = /^\d+$/.test(args.componentId) ? Number(args.componentId) : 0
  const holder = await holderOf(context, id)
  if (incoming.method !== 'HEAD') await clearExpired(context, id)
  if (holder === undefined) return enveloped({ is_current_user_allow_to_edit: true, locked_by: null })
  const query: UserQuery = { ids: [holder], order: { by: 'id', descending: false }, offset: 0, limit: 1 }
  const { rows } = await storage.users.query(query)
  return enveloped({ is_current_user_allow_to_edit: holder === user.id, locked_by: rows[0]?.displayName ?? '' })
}
