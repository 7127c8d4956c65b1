/** Serves front ends that read the classes of one document, and the styles of some classes. */
import { int, list, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can, signedIn } from '../../../core/declare/permissions.ts'
import { elementsKey, parseElements, walk } from '../../shared/elements.ts'
import { readKit } from '../../shared/kit.ts'
import { classContext } from './args.ts'
import { type ClassContext, type ClassList, classesPart, classListOf, storedClasses } from './model.ts'
import { classesOf } from './usage.ts'
import { classesView, classListSchema, someClassesSchema } from './view.ts'

export const classesOfClients = [
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
    summary: 'Read the styles of some global classes; null for one that is not there',
    permission: signedIn,
    responses: { 200: someClassesSchema },
    stored: storedClasses,
    handler: async ({ args, storage }) => {
      const { data, meta } = classesView(picked(await readClasses(storage, args.context), new Set(args.ids)))
      return { data: Object.fromEntries(args.ids.map((id) => [id, Object.hasOwn(data, id) ? data[id] : null])), meta }
    },
  }),
] as const

const readClasses = async (storage: Context['storage'], context: ClassContext): Promise<ClassList> =>
  classListOf(await readKit(storage, classesPart), context)

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
