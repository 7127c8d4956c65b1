/** Global classes of the page builder: named styles used by elements of many documents. */

import { anything, list, object, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can, signedIn } from '../../../core/declare/permissions.ts'
import { noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { rulesOf, sheetHeaders } from '../../shared/atomic-styles/model.ts'
import type { BuilderElement } from '../../shared/elements/model.ts'
import { enveloped } from '../../shared/envelope/model.ts'
import { changeKit, readKit } from '../../shared/kit/model.ts'
import { forgetStyleSheets } from '../styles/model.ts'
import { valuesOf, variablesPart } from '../variables/model.ts'
import {
  type ClassChanges,
  type ClassContext,
  classesPart,
  classListOf,
  type GlobalClass,
  limits,
  mergeChanges,
  repairOrder,
} from './model.ts'
import { findUsage, removeFromDocuments } from './usage.ts'
import { limitExceeded, validateItems } from './validation.ts'
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

const context = () =>
  oneOf(['frontend', 'preview'], { default: 'frontend', description: 'The live copy, or the one that is prepared.' })

const idList = (description: string) => required(list(str(), { description }))

const globalClass = object({
  id: str(),
  variants: list(anything()),
  type: oneOf(['class']),
  label: str(),
})

const writeArgs = {
  context: context(),
  changes: required(
    object(
      {
        added: idList('Ids of new classes.'),
        deleted: idList('Ids of classes to remove.'),
        modified: idList('Ids of classes that changed.'),
      },
      { additionalProperties: false, description: 'What of the items is new, changed or gone.' },
    ),
  ),
  items: required(object({}, { additionalProperties: globalClass.node, description: 'The classes by id.' })),
  order: idList('The ids of all items, in their order.'),
}

const sheetKeys = { frontend: 'global-classes', preview: 'global-classes-preview' } as const

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
      args: { context: context() },
      summary: 'List the global classes',
      permission: signedIn,
      responses: { 200: classListSchema },
      handler: async (context) => {
        const { args, storage } = context
        const classes = classListOf(await readKit(storage, classesPart), args.context)
        const order = repairOrder(classes)
        const variable = valuesOf(await readKit(storage, variablesPart))
        const headers = await sheetHeaders(context, sheetKeys[args.context], (css) =>
          order.flatMap((id) =>
            rulesOf(css, classes.items[id] as GlobalClass, classes.items[id]?.label ?? '', variable),
          ),
        )
        return result({ data: classes.items, meta: { order } }, { headers })
      },
    }),
    endpoint({
      path: '/global-classes',
      methods: ['PUT'],
      args: writeArgs,
      summary: 'Add, change and remove global classes in one transaction',
      permission: can('builder_global_classes_update_class'),
      responses: { 200: modifiedLabelsSchema, 204: noBody() },
      handler: (context) => {
        const { changes, items, order } = context.args
        const checked = validateItems(items as BuilderElement, order)
        return save(context, { ...changes, items: checked, order })
      },
    }),
    endpoint({
      path: '/global-classes/usage',
      methods: ['GET'],
      args: { context: context() },
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

async function save(context: Context<{ readonly context: ClassContext }>, changes: ClassChanges) {
  const { args, storage, emit } = context
  const { context: copy } = args
  const { labels, isChanged, removed } = await changeKit(storage, classesPart, (stored) => {
    const before = classListOf(stored, copy)
    const { list, labels } = mergeChanges(before, changes)
    const [count, countBefore] = [Object.keys(list.items).length, Object.keys(before.items).length]
    if (count > limits.classes && count > countBefore) throw limitExceeded(count)
    const next = copy === 'preview' ? { ...stored, preview: list } : { live: list, preview: null }
    const isChanged = JSON.stringify(next) !== JSON.stringify(stored)
    const removed = copy === 'frontend' ? changes.deleted.filter((id) => Object.hasOwn(before.items, id)) : []
    return { ...(isChanged ? { next } : {}), answer: { labels, isChanged, removed } }
  })
  if (isChanged) {
    await removeFromDocuments(context, removed)
    const { added, modified, deleted } = changes
    emit('global-classes.changed', { context: copy, added, modified, deleted })
  }
  if (labels.size === 0) return result(null, { status: 204 })
  return enveloped({ code: 'DUPLICATED_LABEL', modifiedLabels: Object.fromEntries(labels) })
}
