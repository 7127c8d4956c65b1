/**
 * Serves front ends that send other requests for global classes: a list of labels in place of all classes, the classes of
 * one document, saves with the changed classes alone. A host chooses these endpoints in place of the others.
 */
import { int, list, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can, signedIn } from '../../../core/declare/permissions.ts'
import { either, noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { elementsKey, parseElements, walk } from '../../shared/elements.ts'
import { readKit } from '../../shared/kit.ts'
import { changesWithOrderArg, classContext, itemsArg, orderArg } from './args.ts'
import { type ClassContext, type ClassList, classesPart, classListOf, repairOrder, storedClasses } from './model.ts'
import { saveClasses } from './save.ts'
import { classSheetHeaders } from './sheet.ts'
import { classesOf } from './usage.ts'
import { validateClasses } from './validation.ts'
import { classListSchema, labelListSchema, modifiedLabelsSchema } from './view.ts'

const view = () =>
  oneOf(['labels', 'map'], { default: 'labels', description: 'Ids and labels in their order, or the classes by id.' })

export const clientEndpoints = [
  endpoint({
    path: '/global-classes',
    methods: ['GET'],
    args: { context: classContext(), view: view() },
    summary: 'List the labels of the global classes, or the classes',
    permission: signedIn,
    responses: { 200: either(labelListSchema, classListSchema) },
    stored: storedClasses,
    handler: async (context) => {
      const classes = await readClasses(context.storage, context.args.context)
      const view = context.args.view === 'map' ? classesView(classes) : labelsView(classes)
      return result(view, { headers: await classSheetHeaders(context, classes) })
    },
  }),
  endpoint({
    path: '/global-classes',
    methods: ['PUT'],
    args: { context: classContext(), changes: changesWithOrderArg(), items: itemsArg(), order: orderArg() },
    summary:
      'Add, change and remove global classes in one transaction; items and order may have the changed ones alone',
    permission: can('builder_global_classes_update_class'),
    responses: { 200: modifiedLabelsSchema, 204: noBody() },
    stored: storedClasses,
    handler: async (context) => {
      const { changes, items, order = [] } = context.args
      const { order: isOrdered = true, ...lists } = changes
      const stored = await readClasses(context.storage, context.args.context)
      const checked = validateClasses(items)
      const wanted = isOrdered && order.length > 0 ? order : [...repairOrder(stored), ...lists.added]
      return saveClasses(context, { ...lists, items: checked, order: [...new Set(wanted)] })
    },
  }),
  endpoint({
    path: '/global-classes/post',
    methods: ['GET'],
    args: { post_id: required(int({ minimum: 1, description: 'The ID of the document.' })), context: classContext() },
    summary: 'Read the global classes that a document uses',
    permission: can('edit_posts'),
    responses: { 200: classListSchema },
    stored: storedClasses,
    handler: async ({ args, storage }) => {
      const used = await usedClasses(storage, args.post_id)
      return classesView(picked(await readClasses(storage, args.context), used))
    },
  }),
  endpoint({
    path: '/global-classes/styles',
    methods: ['GET'],
    args: {
      ids: required(list(str(), { maxItems: 1000, description: 'The ids of the classes.' })),
      context: classContext(),
    },
    summary: 'Read the styles of some global classes',
    permission: signedIn,
    responses: { 200: classListSchema },
    stored: storedClasses,
    handler: async ({ args, storage }) =>
      classesView(picked(await readClasses(storage, args.context), new Set(args.ids))),
  }),
]

const readClasses = async (storage: Context['storage'], context: ClassContext): Promise<ClassList> =>
  classListOf(await readKit(storage, classesPart), context)

const classesView = (classes: ClassList) => ({ data: classes.items, meta: { order: repairOrder(classes) } })

function labelsView(classes: ClassList) {
  const order = repairOrder(classes)
  return { data: order.map((id) => ({ id, label: classes.items[id]?.label ?? '' })), meta: { order } }
}

const picked = ({ items, order }: ClassList, ids: ReadonlySet<unknown>): ClassList => ({
  items: Object.fromEntries(Object.entries(items).filter(([id]) => ids.has(id))),
  order,
})

async function usedClasses(storage: Context['storage'], id: number): Promise<ReadonlySet<unknown>> {
  const [[post], [entry]] = await Promise.all([
    storage.posts.read([id]),
    storage.meta.read('post', [id], [elementsKey]),
  ])
  if (!post) throw new ApiError('document_not_found', 'There is no such document.', 404)
  return new Set([...walk(parseElements(entry?.value))].flatMap((element) => [...classesOf(element)]))
}
