/** Global classes of the page builder are named styles that elements of many documents use. */

import type { Context, HookContext } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can, signedIn } from '../../../core/declare/permissions.ts'
import { either, noBody } from '../../../core/declare/response-schema.ts'
import { type ResponseHeaders, result } from '../../../core/declare/result.ts'
import { sheetHeaders } from '../../shared/atomic-styles.ts'
import type { BuilderElement } from '../../shared/elements.ts'
import { enveloped } from '../../shared/envelope.ts'
import { changeKit, readKit } from '../../shared/kit.ts'
import { forgetStyleSheets } from '../styles/model.ts'
import { changesArg, classContext, itemsArg, type ListedClasses, orderArg, viewArg } from './args.ts'
import { classesFile } from './kit-file.ts'
import { sentClasses, valuesOfClasses } from './merge.ts'
import {
  type ClassChanges,
  type ClassContext,
  type ClassList,
  classesPart,
  classListOf,
  limits,
  mergeChanges,
  repairOrder,
  storedClasses,
} from './model.ts'
import { findUsage, removeFromDocuments } from './usage.ts'
import { limitExceeded, validateClasses, validateItems } from './validation.ts'
import { classesView, classListSchema, labelListSchema, labelsView, modifiedLabelsSchema, usageSchema } from './view.ts'

/** Writes the changes of one copy of the classes, and answers with the labels that were taken. */
async function saveClasses(context: Context<{ readonly context: ClassContext }>, changes: ClassChanges) {
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

const sheetKeys = { frontend: 'global-classes', preview: 'global-classes-preview' } as const

/** Writes the style sheet of all classes, and returns the header that links to it. */
function classSheetHeaders(
  context: Context<{ readonly context: ClassContext }>,
  classes: ClassList,
): Promise<ResponseHeaders> {
  const { items } = classes
  const styles = repairOrder(classes).map((id) => [items[id]?.label ?? '', items[id]] as const)
  return sheetHeaders(context, sheetKeys[context.args.context], [{ owner: 0, styles }])
}

/** Events of this feature. */
export interface GlobalClassesEvents {
  'global-classes.changed': {
    readonly context: ClassContext
    readonly added: readonly string[]
    readonly modified: readonly string[]
    readonly deleted: readonly string[]
  }
}

const hooks: Hook<HookContext> = {
  'global-classes.changed': (_, { storage }) => forgetStyleSheets(storage),
}

interface GlobalClassesOptions {
  /** The answer to a list that does not say which `view` it wants: the classes by id, or ids and labels. */
  readonly list: ListedClasses
}

const classesFeature = ({ list }: GlobalClassesOptions) =>
  feature(
    'global-classes',
    'builder/v1',
    [
      endpoint({
        path: '/global-classes',
        methods: ['GET'],
        args: { context: classContext(), view: viewArg() },
        summary: 'List the global classes',
        permission: signedIn,
        responses: { 200: either(classListSchema, labelListSchema) },
        stored: storedClasses,
        handler: async (context) => {
          const { context: copy, view = list } = context.args
          const classes = classListOf(await readKit(context.storage, classesPart), copy)
          const shown = view === 'labels' ? labelsView(classes) : classesView(classes)
          return result(shown, { headers: await classSheetHeaders(context, classes) })
        },
      }),
      endpoint({
        path: '/global-classes',
        methods: ['PUT'],
        args: { context: classContext(), changes: changesArg(), items: itemsArg(), order: orderArg() },
        summary: 'Add, change and remove global classes in one transaction',
        permission: can('builder_global_classes_update_class'),
        responses: { 200: modifiedLabelsSchema, 204: noBody() },
        stored: storedClasses,
        merges: { values: valuesOfClasses, sent: sentClasses },
        handler: async (context) => {
          const { changes, items, order = [] } = context.args
          const { order: isReordered, ...lists } = changes
          // The cast: the schema has checked that it is an object.
          const sent = items as BuilderElement
          if (isReordered === undefined) {
            return saveClasses(context, { ...lists, items: validateItems(sent, order), order })
          }
          const checked = validateClasses(sent)
          const stored = classListOf(await readKit(context.storage, classesPart), context.args.context)
          const wanted = isReordered && order.length > 0 ? order : [...repairOrder(stored), ...lists.added]
          return saveClasses(context, { ...lists, items: checked, order: [...new Set(wanted)] })
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
    { hooks, isHistorical: true, persisted: { kitFiles: { 'global-classes.json': classesFile } } },
  )

export const globalClasses = classesFeature({ list: 'classes' })

/** The same where a list without `view` has labels, which front ends of today expect. */
export const globalClassesByLabel = classesFeature({ list: 'labels' })
