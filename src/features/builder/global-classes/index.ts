/** Global classes of the page builder are named styles that elements of many documents use. */

import { required } from '../../../core/declare/args.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can, signedIn } from '../../../core/declare/permissions.ts'
import { noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import type { BuilderElement } from '../../shared/elements.ts'
import { enveloped } from '../../shared/envelope.ts'
import { readKit } from '../../shared/kit.ts'
import { forgetStyleSheets } from '../styles/model.ts'
import { changesArg, classContext, itemsArg, orderArg } from './args.ts'
import { clientEndpoints } from './clients.ts'
import { type ClassContext, classesPart, classListOf, repairOrder, storedClasses } from './model.ts'
import { saveClasses } from './save.ts'
import { classSheetHeaders } from './sheet.ts'
import { findUsage } from './usage.ts'
import { validateItems } from './validation.ts'
import { classListSchema, modifiedLabelsSchema, usageSchema } from './view.ts'

/** Events of this feature. */
export interface GlobalClassesEvents {
  'global-classes.changed': {
    readonly context: ClassContext
    readonly added: readonly string[]
    readonly modified: readonly string[]
    readonly deleted: readonly string[]
  }
}

const writeArgs = {
  context: classContext(),
  changes: changesArg(),
  items: itemsArg(),
  order: required(orderArg()),
}

const hooks: Hook<HookContext> = {
  'global-classes.changed': (_, { storage }) => forgetStyleSheets(storage),
}

export const globalClasses = feature(
  'global-classes',
  'builder/v1',
  [
    endpoint({
      path: '/global-classes',
      methods: ['GET'],
      args: { context: classContext() },
      summary: 'List the global classes',
      permission: signedIn,
      responses: { 200: classListSchema },
      stored: storedClasses,
      handler: async (context) => {
        const { args, storage } = context
        const classes = classListOf(await readKit(storage, classesPart), args.context)
        const headers = await classSheetHeaders(context, classes)
        return result({ data: classes.items, meta: { order: repairOrder(classes) } }, { headers })
      },
    }),
    endpoint({
      path: '/global-classes',
      methods: ['PUT'],
      args: writeArgs,
      summary: 'Add, change and remove global classes in one transaction',
      permission: can('builder_global_classes_update_class'),
      responses: { 200: modifiedLabelsSchema, 204: noBody() },
      stored: storedClasses,
      handler: (context) => {
        const { changes, items, order } = context.args
        const checked = validateItems(items as BuilderElement, order)
        return saveClasses(context, { ...changes, items: checked, order })
      },
    }),
    endpoint({
      path: '/global-classes/usage',
      methods: ['GET'],
      args: { context: classContext() },
      summary: 'Read which documents use each class',
      permission: can('manage_options'),
      responses: { 200: usageSchema },
      // Interface: usage is counted for the live classes; `context` has no effect.
      handler: async ({ storage }) => {
        const { live } = await readKit(storage, classesPart)
        return enveloped(Object.fromEntries(await findUsage(storage, Object.keys(live.items))))
      },
    }),
  ],
  { hooks },
)

/**
 * The same for front ends of today: a list of labels, the classes of one document, saves with the changed classes alone.
 * `withCurrentClients` puts it in place of the other.
 */
export const globalClassesOfClients = feature(
  'global-classes',
  'builder/v1',
  [...clientEndpoints, ...globalClasses.endpoints.filter(({ path }) => path !== '/global-classes')],
  { hooks },
)
