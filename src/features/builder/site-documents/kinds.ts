/** The four kinds of builder documents: their types of posts, and who may change them. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { MaybePromise, Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, type Permission, permission } from '../../../core/declare/permissions.ts'
import { type PublicType, pageType, postType } from '../../content/content-types/model.ts'
import { mayUpdate, type WriteContext } from '../../content/posts/content-type.ts'
import {
  type FoundPost,
  findPost,
  mayDeletePost,
  mayEditPost,
  type RecordType,
  recordTypeOf,
} from '../../content/posts/model.ts'
import { componentType } from '../components/model.ts'
import { templateType } from '../template-library/model.ts'

export const kindNames = ['post', 'page', 'template', 'component'] as const
export type DocumentKind = (typeof kindNames)[number]

/** Documents of a kind without separate routes. Any type of document may be stored: hosts name further ones. */
const builderType = (name: string, label: string) => ({
  name,
  label,
  pluralLabel: `${label}s`,
  capabilityWord: 'posts',
  published: {
    restBase: name,
    isHierarchical: false,
    isViewable: false,
    taxonomies: [],
    supports: ['title', 'editor', 'author', 'revisions', 'autosave', 'builder'] as const,
    mayBeEmpty: true,
    fields: { _builder_template_type: str({ default: '' }) },
  },
})

const orEmpty = (type: PublicType): RecordType =>
  recordTypeOf({ ...type, published: { ...type.published, mayBeEmpty: true } })

const types: { readonly [K in DocumentKind]: RecordType } = lookupTable({
  post: orEmpty(postType),
  page: orEmpty(pageType),
  template: recordTypeOf(builderType(templateType, 'Template')),
  component: recordTypeOf(builderType(componentType, 'Component')),
})

export const typeOfKind = (kind: DocumentKind): RecordType => types[kind]

export function kindOf({ type }: Pick<FoundPost, 'type'>): DocumentKind | undefined {
  return kindNames.find((kind) => types[kind].name === type)
}

/** For a found document. */
export const typeOf = (post: FoundPost): RecordType => {
  const kind = kindOf(post)
  if (kind === undefined) throw notFound()
  return types[kind]
}

export const notFound = () => new ApiError('document_not_found', 'There is no such document.', 404)

/** Throws 404 for an id that names no document. */
export async function findDocument({
  args,
  storage,
}: {
  readonly args: { readonly id: number }
  readonly storage: Storage
}): Promise<FoundPost> {
  const [post] = await storage.posts.read([args.id])
  if (!post || kindOf(post) === undefined || post.status === 'auto-draft') throw notFound()
  return findPost(typeOf(post))({ args, storage })
}

// ---------------------------------------------------------------- permissions

const isComponent = (post: FoundPost) => kindOf(post) === 'component'

/** Components are part of the design of a site: editors of texts read them, administrators write them, as on their own routes. */
export const mayEditDocument = (user: Actor, post: FoundPost): boolean =>
  isComponent(post) ? user.can('manage_options') : mayEditPost(typeOf(post).actor(user), post)

export const mayReadDocument = (user: Actor, post: FoundPost): boolean =>
  isComponent(post) ? user.can('edit_posts') : mayEditPost(typeOf(post).actor(user), post)

const mayDeleteDocument = (user: Actor, post: FoundPost): boolean =>
  isComponent(post) ? user.can('manage_options') : mayDeletePost(typeOf(post).actor(user), post)

const those = (who: string, test: (user: Actor, post: FoundPost) => boolean): Permission<unknown, FoundPost> => ({
  ...permission<unknown, FoundPost>(who, ({ user, resource }) =>
    test(user, resource) ? undefined : forbidden(user, 'rest_cannot_edit', 'You may not do this with the document.'),
  ),
})

export const reads = those('those who may edit the document; for components edit_posts', mayReadDocument)
export const edits = those('those who may edit the document; for components manage_options', mayEditDocument)
export const deletes = those('those who may delete the document; for components manage_options', mayDeleteDocument)

/** Refuses values that this caller may not write, like the routes of posts. */
export function checkWrite(context: WriteContext): MaybePromise<ApiError | undefined> {
  const post = context.resource as FoundPost
  if (isComponent(post)) return edits.check(context as Context<never, never>)
  return mayUpdate(typeOf(post)).check(context)
}

const creators: { readonly [K in DocumentKind]: string } = lookupTable({
  post: 'edit_posts',
  page: 'edit_pages',
  template: 'edit_posts',
  component: 'manage_options',
})

export function requireCreator(user: Actor, kind: DocumentKind): void {
  if (!user.can(creators[kind])) {
    throw forbidden(user, 'rest_cannot_create', `You may not create documents of the kind ${kind}.`)
  }
}

/** The statuses that a list of this kind shows to the user; undefined: none of them. */
export function listedStatuses(user: Actor, kind: DocumentKind) {
  const type = types[kind]
  const actor = type.actor(user)
  const every = ['publish', 'future', 'draft', 'pending', 'private'].map((status) => ({ status }))
  if (kind === 'component' || actor.can('edit_others_posts')) {
    return actor.can('edit_private_posts') || kind === 'component'
      ? every
      : [...every.slice(0, 4), { status: 'private', author: user.id }]
  }
  return every.map(({ status }) => ({ status, author: user.id }))
}
