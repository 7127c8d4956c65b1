/** Routes of components: builder documents that other documents use. */

import type { UserQuery } from '../../../contract/storage.ts'
import { oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { either } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { editLocksOption } from '../../shared/access/edit-locks.ts'
import { sheetHeaders } from '../../shared/atomic-styles.ts'
import { enveloped } from '../../shared/envelope.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { forgetStyleSheets } from '../styles/model.ts'
import { componentId, ids, items, oneOrSeveral, status, titles } from './args.ts'
import { clearExpiredLock, lockComponent, lockHolder, unlockComponent } from './locks.ts'
import { componentType, propsOfComponents } from './records.ts'
import { type ComponentInput, validateComponents } from './validation.ts'
import {
  createdSchema,
  listSchema,
  lockedSchema,
  lockStatusSchema,
  mapView,
  nothingSchema,
  ofOneOrSeveral,
  outcomeSchema,
  overridablePropsSchema,
  propsByComponentSchema,
  publishedSchema,
  readList,
  readStyles,
  storedComponents,
  stylesByComponentSchema,
  unlockedSchema,
} from './view.ts'
import {
  archiveComponents,
  createComponents,
  creationsOption,
  type Outcome,
  publishComponents,
  renameComponents,
} from './write.ts'

const forgetSheets = (_: unknown, { storage }: HookContext) => forgetStyleSheets(storage)
const styleHooks: Hook<HookContext> = { 'component.created': forgetSheets, 'component.published': forgetSheets }

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
      summary: 'List the newest components, including archived ones',
      permission: mayRead,
      responses: { 200: listSchema },
      stored: storedComponents,
      handler: async (context) => enveloped(await readList(context)),
    }),
    endpoint({
      path: '/components/styles',
      methods: ['GET'],
      args: {},
      summary: 'Read the styles of all components',
      permission: mayRead,
      responses: { 200: stylesByComponentSchema },
      handler: listStyles,
    }),
    endpoint({
      path: '/components',
      methods: ['POST'],
      args: { status: status(), items: items() },
      summary: 'Create components in one transaction',
      permission: mayWrite,
      responses: { 201: createdSchema },
      stored: storedComponents,
      handler: async (context) => {
        const created = await createComponents(context, toInputs(context.args.items), context.args.status)
        return result(enveloped(mapView(created)), { status: 201 })
      },
    }),
    endpoint({
      path: '/components/create-validate',
      methods: ['POST'],
      args: { items: items() },
      summary: 'Check components without creating them',
      permission: mayWrite,
      responses: { 200: nothingSchema },
      handler: async ({ args, storage }) => {
        await validateComponents(storage, toInputs(args.items))
        return enveloped(null)
      },
    }),
    endpoint({
      path: '/components/overridable-props',
      methods: ['GET'],
      args: oneOrSeveral(),
      summary: 'Read the overridable properties of components',
      permission: mayRead,
      responses: { 200: either(overridablePropsSchema, propsByComponentSchema) },
      handler: async ({ args, storage }) => enveloped(await ofOneOrSeveral(storage, args, propsOfComponents)),
    }),
    endpoint({
      path: '/components/status',
      methods: ['PUT'],
      args: {
        status: required(oneOf(['publish'], { description: 'The only status that can be given.' })),
        ids: ids('The components to publish.'),
      },
      summary: 'Publish components with their pending drafts',
      permission: mayWrite,
      responses: { 200: publishedSchema },
      stored: storedComponents,
      handler: async (context) => {
        const { done, failed } = await publishComponents(context, context.args.ids)
        return enveloped({ success: done, failed })
      },
    }),
    endpoint({
      path: '/components/lock',
      methods: ['POST'],
      args: { componentId: componentId() },
      summary: 'Lock a component for an hour, or renew the lock',
      permission: mayWrite,
      responses: { 200: lockedSchema },
      handler: async (context) => {
        await lockComponent(context, context.args.componentId)
        return enveloped({ locked: true })
      },
    }),
    endpoint({
      path: '/components/unlock',
      methods: ['POST'],
      args: { componentId: componentId() },
      summary: 'Unlock a component',
      permission: mayWrite,
      responses: { 200: unlockedSchema },
      handler: async (context) => {
        await unlockComponent(context, context.args.componentId)
        return enveloped({ unlocked: true })
      },
    }),
    endpoint({
      path: '/components/lock-status',
      methods: ['GET'],
      args: { componentId: required(str({ description: 'The id of the component.' })) },
      summary: 'Read who has locked a component',
      permission: mayWrite,
      responses: { 200: lockStatusSchema },
      handler: lockStatus,
    }),
    endpoint({
      path: '/components/archive',
      methods: ['POST'],
      args: { componentIds: ids('The components to archive.'), status: status() },
      summary: 'Archive components permanently',
      permission: mayWrite,
      responses: { 200: outcomeSchema },
      stored: storedComponents,
      handler: async (context) =>
        outcomeView(await archiveComponents(context, context.args.componentIds, context.args.status)),
    }),
    endpoint({
      path: '/components/update-titles',
      methods: ['POST'],
      args: { components: titles(), status: status() },
      summary: 'Rename components',
      permission: mayWrite,
      responses: { 200: outcomeSchema },
      stored: storedComponents,
      handler: async (context) =>
        outcomeView(await renameComponents(context, context.args.components, context.args.status)),
    }),
  ],
  {
    hooks: styleHooks,
    isHistorical: true,
    services: drawsDocuments,
    persisted: { postTypes: [componentType], options: [{ name: editLocksOption }, { name: creationsOption }] },
  },
)

/** The cast: the schema has checked each member. */
const toInputs = (items: readonly object[]) => items as readonly ComponentInput[]

const outcomeView = ({ done, failed }: Outcome) => enveloped({ failedIds: failed, successIds: done })

async function listStyles(context: Context) {
  const stylesById = await readStyles(context)
  const groups = stylesById.map(([owner, styles]) => ({ owner, styles: Object.entries(styles) }))
  const headers = await sheetHeaders(context, 'components', groups)
  const views = stylesById.map(([id, styles]) => [id, mapView(Object.entries(styles))] as const)
  return result(enveloped(mapView(views)), { headers })
}

async function lockStatus(context: Context<{ readonly componentId: string }>) {
  const { args, storage, user, incoming } = context
  const id = /^\d+$/.test(args.componentId) ? Number(args.componentId) : 0
  const holder = await lockHolder(context, id)
  if (incoming.method !== 'HEAD') await clearExpiredLock(context, id)
  if (holder === undefined) return enveloped({ is_current_user_allow_to_edit: true, locked_by: null })
  const query: UserQuery = { ids: [holder], order: { by: 'id', descending: false }, offset: 0, limit: 1 }
  const { rows } = await storage.users.query(query)
  return enveloped({ is_current_user_allow_to_edit: holder === user.id, locked_by: rows[0]?.displayName ?? '' })
}
