/** Finds widgets in saved documents and checks who may read or refresh them. */

import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Permission } from '../../../core/declare/permissions.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { editorOf } from '../../content/content-types/model.ts'
import { mayEditPost, mayReadPost } from '../../content/posts/model.ts'
import { type BuilderElement, editModeKey, elementsKey, isObject, parseElements, walk } from '../../shared/elements.ts'

export interface BuilderDocument {
  readonly post: Post
  readonly elements: readonly BuilderElement[]
}

/** Undefined for a post without builder content, in the trash, or of type `revision`. */
export async function findDocument(storage: Storage, id: number): Promise<BuilderDocument | undefined> {
  const [post] = await storage.posts.read([id])
  if (!post || post.status === 'trash' || post.type === 'revision') return undefined
  const entries = await storage.meta.read('post', [id], [editModeKey, elementsKey])
  const meta: { readonly [key: string]: Json } = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
  return meta[editModeKey] === 'builder' ? { post, elements: parseElements(meta[elementsKey]) } : undefined
}

export function findElement(elements: readonly BuilderElement[], id: string): BuilderElement | undefined {
  for (const element of walk(elements)) if (element['id'] === id) return element
  return undefined
}

export const mayEditDocument = (user: Context['user'], post: Post) => mayEditPost(editorOf(user, post.type), post)

/** Published and without a password. */
const isPublic = ({ post }: BuilderDocument) => post.status === 'publish' && post.password === ''

export const mayReadDocument = (user: Context['user'], document: BuilderDocument) =>
  isPublic(document) ||
  mayEditDocument(user, document.post) ||
  (document.post.password === '' && mayReadPost(user, document.post))

interface WidgetArgs {
  readonly post_id: number
  readonly widget_id: string
}

/** Interface: allowed for editors, and for anyone if a public document contains this widget. All else is one error. */
export const mayRefresh = (widgetType: string): Permission<Partial<WidgetArgs>, BuilderDocument | undefined> =>
  permission('anyone where the document is public; else its editors', ({ args, user, resource }) => {
    if (!resource) return forbidden(user)
    if (mayEditDocument(user, resource.post)) return undefined
    const element = isPublic(resource) ? findElement(resource.elements, args.widget_id ?? '') : undefined
    return element?.['widgetType'] === widgetType ? undefined : forbidden(user)
  })

/** The unsaved element of an editor, otherwise the saved one. */
export function resolveWidget(
  { elements }: BuilderDocument,
  { widget_id, widget_model }: { readonly widget_id: string; readonly widget_model?: object | undefined },
): BuilderElement | undefined {
  return isObject(widget_model) ? widget_model : findElement(elements, widget_id)
}
