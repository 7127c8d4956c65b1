/** New documents: created ones and duplicates. */

import type { Json } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { createPost, type WriteContext } from '../../content/posts/content-type.ts'
import type { FoundPost } from '../../content/posts/model.ts'
import { isObject, templateTypeKey } from '../../shared/elements.ts'
import { createComponents, idsOfComponents, propsOfComponents, titlesInUse } from '../components/model.ts'
import { type DocumentKind, findDocument, requireCreator, typeOfKind } from './kinds.ts'
import { type DocumentChanges, type DocumentContext, type FullDocument, readDocument } from './model.ts'
import { metaOf } from './write.ts'

export interface NewDocument extends DocumentChanges {
  readonly kind: DocumentKind
  /** The type of document; of templates where they are used, such as `header`. */
  readonly type?: string
  readonly slug?: string
  /** Further values of a copy, which without elements is no document of the page builder. */
  readonly values?: { readonly [name: string]: unknown }
  /** For a component: the properties that instances may override, and its id in all sites. A taken id is replaced. */
  readonly props?: Json
  readonly uid?: string
}

/** A draft, unless the input says otherwise. */
export async function createDocument(context: Context, input: NewDocument): Promise<FullDocument> {
  requireCreator(context.user, input.kind)
  const id = input.kind === 'component' ? await createComponent(context, input) : await createBuilt(context, input)
  const args = { id }
  return readDocument({ ...context, args, resource: await findDocument({ args, storage: context.storage }) })
}

async function createBuilt(
  context: Context,
  { kind, type = '', slug = '', values, ...changes }: NewDocument,
): Promise<number> {
  const { storage, emit } = context
  const { title = '', status = 'draft' } = changes
  // A template gets its type with the other meta, where the warnings about settings read it. The field of other documents takes listed
  // types only, and a document may have another one, which is written past the check.
  const isTemplate = kind === 'template' && type !== ''
  const meta = {
    ...metaOf(context, values ? changes : { elements: [], ...changes }),
    ...(isTemplate ? { [templateTypeKey]: type } : {}),
  }
  const args = { ...values, title, status, ...(slug === '' ? {} : { slug }), meta }
  // The cast: as in the writes.
  const write = { ...context, args, resource: undefined } as unknown as WriteContext
  const { post } = await createPost(typeOfKind(kind), write)
  if (type !== '' && !isTemplate) await storage.meta.write('post', [{ id: post.id, key: templateTypeKey, value: type }])
  if (kind === 'template') emit('template.created', { id: post.id, type })
  return post.id
}

/** By the rules of new components: titles and uids are unique, and the elements of the new generation. */
async function createComponent(context: Context, input: NewDocument): Promise<number> {
  const { title = '', status, elements = [], props, uid } = input
  const taken = uid === undefined || (await idsOfComponents(context.storage)).has(uid)
  const settings = isObject(props) ? { settings: { overridable_props: props } } : {}
  const item = { uid: taken ? randomId() : uid, title, elements: elements.filter(isObject), ...settings }
  const [[, id = 0] = []] = await createComponents(context, [item], status === 'publish' ? 'publish' : 'draft')
  return id
}

/** The copy is a draft of the caller. */
export async function duplicateDocument(context: DocumentContext, name?: string): Promise<FullDocument> {
  const { kind, type, elements, settings, post, isBuilt } = await readDocument(context)
  const title = name ?? `${post.title} (copy)`
  if (kind !== 'component') {
    const built = isBuilt ? { elements, settings } : {}
    return createDocument(context, { kind, type, title, ...built, values: valuesOf(post) })
  }
  const props = (await propsOfComponents(context.storage, [post.id])).get(post.id)
  const copy = { kind, elements, title: await freeTitle(context, title) }
  return createDocument(context, props === undefined ? copy : { ...copy, props })
}

/** Returns what a copy has besides elements: the texts of a page that was not built, and the place of any. */
const valuesOf = ({ content, excerpt, template, featuredMedia, parent, menuOrder }: FoundPost) => ({
  ...{ content, excerpt, template, parent },
  ...{ featured_media: featuredMedia, menu_order: menuOrder },
})

/** `Card`, `Card 2`, …: the first that no component has. */
export async function freeTitle({ storage }: Pick<Context, 'storage'>, title: string): Promise<string> {
  const taken = await titlesInUse(storage)
  let free = title
  for (let number = 2; taken.has(free); number++) free = `${title} ${number}`
  return free
}
