/**
 * Opens the links to the editor that the API gives out where the host has named none: whoever may edit the document sees it as a
 * preview. Everybody else is sent to its plain address, or to the sign-in page of the host.
 */

import type { Post } from '../contract/storage.ts'
import type { Actor } from '../core/declare/actor.ts'
import { actorFor, findContentType } from '../features/content/content-types/model.ts'
import { mayEditPost } from '../features/content/posts/model.ts'
import { publicTypesOf } from '../features/shared/declared-types.ts'
import { componentType, templateType } from '../render/builder/records/keys.ts'
import { postsNamed } from '../site/addresses/post-at-path.ts'
import { recordAt } from './address/locate.ts'
import type { Previewed } from './preview.ts'
import { redirect } from './response.ts'
import { requestAddress, type Visit } from './visit.ts'

/** Returns undefined for other addresses, and for a document that this reader may neither edit nor see. */
export async function openEditorLink(visit: Visit): Promise<Previewed | Response | undefined> {
  const link = linkOf(visit)
  if (!link) return undefined
  const user = await visit.api['~parts'].userOf(visit.request)
  const post = await linkedPost(link, visit)
  if (post && mayEdit(user, post, visit)) return { post, user: user.id }
  const located = post && (await recordAt(post, { path: [] }, visit))
  // The response depends on the reader: no cache may keep it.
  if (located) return redirect(located.address, 302)
  const signIn = user.isVisitor ? visit.api['~parts'].signInUrl?.(requestAddress(visit)) : undefined
  return signIn === undefined ? undefined : redirect(signIn, 302)
}

export const isEditorLink = (visit: Visit): boolean => linkOf(visit) !== undefined

interface EditorLink {
  readonly id: number
  /** The slug of a template. One without a slug is named by its id. */
  readonly slug?: string
}

/** `?p=12&edit=builder`, `?p=12&render_mode=template-preview` and, of a template, `?builder_library=main-header`. */
function linkOf({ query, path, app }: Visit): EditorLink | undefined {
  if (path !== '/' && path !== '') return undefined
  const id = idOf(query.get('p'))
  const isNamed = query.get('edit') === 'builder' || query.get('render_mode') === 'template-preview'
  if (id > 0 && isNamed) return { id }
  const slug = query.get(app.names.toPublic(templateType)) ?? ''
  return slug === '' ? undefined : { id: idOf(slug), slug }
}

const idOf = (text: string | null): number => Number(/^\d{1,15}$/.exec(text ?? '')?.[0] ?? 0)

async function linkedPost({ id, slug }: EditorLink, { storage }: Visit): Promise<Post | undefined> {
  const [named] = await postsNamed(slug, [templateType], storage)
  if (named) return named
  const [post] = await storage.posts.read([id])
  return slug === undefined || post?.type === templateType ? post : undefined
}

/** Components are part of the design of a site, as on their routes. */
function mayEdit(user: Actor, post: Post, { app }: Visit): boolean {
  if (user.isVisitor || post.status === 'trash') return false
  if (post.type === componentType) return user.can('manage_options')
  const type = publicTypesOf(app).find(({ name }) => name === post.type) ?? findContentType(post.type)
  return type !== undefined && mayEditPost(actorFor(type)(user), post)
}
