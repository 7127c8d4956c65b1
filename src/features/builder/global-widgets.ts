/** Global widgets: templates with one element that many pages share. */

import { splitList } from '../../contract/scalars.ts'
import type { Post } from '../../contract/storage.ts'
import { anything, list, loose, str, unlisted } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { either, emptyList, fields, mapOf, openFields, sometimes } from '../../core/declare/response-schema.ts'
import { mayEditPost } from '../content/posts/model.ts'
import { withNewIds } from '../shared/element-ids.ts'
import { type BuilderElement, elementsKey, mapElements, parseElements } from '../shared/elements.ts'
import { templateType } from './template-library/model.ts'

const elementSchema = fields(
  {
    id: str({ description: 'A new one with each read.' }),
    elType: str(),
    widgetType: sometimes(str()),
    settings: either(mapOf(anything()), emptyList()),
    elements: list(openFields({ id: str() }), { description: 'The elements inside, each like this one.' }),
  },
  { title: 'Document element' },
)

export const globalWidgets = feature('global-widgets', 'builder/v1', [
  endpoint({
    path: '/global-widget/templates',
    methods: ['GET'],
    args: { ids: unlisted(loose(str(), checkIds)) },
    summary: 'Read the elements of global widgets',
    permission: can('edit_posts'),
    responses: {
      200: either(mapOf(elementSchema, { description: 'The first element of each template, by its id.' }), emptyList()),
    },
    handler: async (context) => {
      const elements = await readElements(context, toIds(context.args.ids))
      // Interface: an empty map is sent as a list.
      return elements.length > 0 ? Object.fromEntries(elements) : []
    },
  }),
])

const maxIds = 100

function checkIds(input: unknown): string | undefined {
  return toIds(input).length > maxIds ? `No more than ${maxIds} templates are read at once.` : undefined
}

/** Invalid ids are ignored, as unknown ids are. */
function toIds(input: unknown): number[] {
  const raw = Array.isArray(input) ? input : typeof input === 'string' ? splitList(input) : []
  const ids = raw.filter((id) => typeof id === 'string' && /^\d{1,15}$/.test(id)).map(Number)
  return [...new Set(ids)]
}

/** The first element of each visible template; it and its descendants get new ids. */
async function readElements(
  { storage, user }: Pick<Context, 'storage' | 'user'>,
  ids: readonly number[],
): Promise<(readonly [id: string, element: BuilderElement])[]> {
  const isVisible = (post: Post) =>
    post.type === templateType && ((post.status === 'publish' && post.password === '') || mayEditPost(user, post))
  const [posts, entries] = await Promise.all([storage.posts.read(ids), storage.meta.read('post', ids, [elementsKey])])
  const stored = new Map(entries.map(({ id, value }) => [id, value]))
  return posts
    .filter((post) => post.status !== 'trash' && isVisible(post))
    .flatMap(({ id }) => {
      const [first] = withNewIds(mapElements(parseElements(stored.get(id)).slice(0, 1), complete))
      return first ? [[String(id), first] as const] : []
    })
}

const complete = ({ id, elType, widgetType, settings, elements }: BuilderElement): BuilderElement => ({
  id,
  elType,
  ...(widgetType === undefined ? {} : { widgetType }),
  settings: settings ?? {},
  elements: elements ?? [],
})
