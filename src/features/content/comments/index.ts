/** Comments form threads on posts; users and visitors write them, and moderators approve them. */

import type { Args } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { either } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { recordTag, tagText } from '../../../core/pipeline/etag.ts'
import { type Comment, commentsCollection } from '../../../site/comments/comment.ts'
import { withOwnFields } from '../../shared/own-fields.ts'
import { createFields } from '../../shared/post-meta.ts'
import { deleteArgs, listArgs, readArgs } from './args.ts'
import {
  type FoundComment,
  findComment,
  mayDelete,
  mayRead,
  mayUpdate,
  removeComment,
  trashComment,
  type UpdateContext,
  updateComment,
} from './change.ts'
import { type CreateContext, createComment, findCreateResource, mayCreate } from './create.ts'
import { commentEmbedders } from './embeds.ts'
import { importedComments } from './import.ts'
import { mailAuthor } from './mail.ts'
import { createCommentsManagement } from './management.ts'
import { type CommentedPosts, mayModerate, persistedComments, readCommentedPosts, updateComments } from './model.ts'
import { writeArgsWith } from './own-fields.ts'
import { findListedPosts, listComments, mayList } from './query.ts'
import { commentsSection } from './section.ts'
import { commentSchemasOf, commentViews, metaView } from './view.ts'

/** Comments follow their post into the trash and out of it, and go with it, in the transaction of its change. */
const postHooks: Hook<HookContext> = {
  'post.trashed': ({ post }, { storage }) =>
    updateComments(storage, { every: [{ field: 'post', is: post.id }, { not: inTrash }] }, ({ status }) => ({
      status: 'post-trashed',
      status_before_post: status,
    })),
  'post.updated': async ({ post, before }, { storage }) => {
    if (before.status !== 'trash' || post.status === 'trash') return
    await updateComments(storage, { every: [{ field: 'post', is: post.id }, inTrash] }, ({ statusBeforePost }) => ({
      status: statusBeforePost || 'hold',
      status_before_post: '',
    }))
  },
  'post.deleted': async ({ post }, { storage }) => {
    await storage.records.remove(commentsCollection, { field: 'post', is: post.id })
  },
}

const inTrash = { field: 'status', is: 'post-trashed' }

const viewOne = async (context: Context<unknown, unknown>, ...[comments, options]: ViewArguments) =>
  (await commentViews(context as Context, [comments], options))[0]
type ViewArguments = [Parameters<typeof commentViews>[1][number], Parameters<typeof commentViews>[2]]

function tagOf(context: Pick<Context, 'user' | 'app'>, { meta, ...comment }: Comment, posts: CommentedPosts) {
  const isModerator = mayModerate(context.user, comment, posts)
  const row = isModerator ? comment : withoutPrivate(comment)
  const shown =
    meta === undefined ? {} : { meta: metaView(context, { ...comment, meta }, isModerator ? 'edit' : 'view') }
  return recordTag({ ...row, ...shown })
}

/** The tag of others says nothing of what they may not see: a digest of an address would let anybody test guesses of it. */
const withoutPrivate = ({ authorEmail: _email, authorIp: _ip, authorUserAgent: _agent, ...rest }: Comment) => rest

const commentTag = ({ user, app, resource }: Pick<Context<unknown, FoundComment>, 'user' | 'app' | 'resource'>) =>
  tagOf({ user, app }, resource.comment, resource.posts)

/** A change may have moved the comment to another post. */
async function writtenResult(context: Context<unknown, unknown>, comment: Comment) {
  const posts = await readCommentedPosts(context, [comment.post])
  const view = await viewOne(context, comment, { viewContext: 'edit', posts })
  return result(view, { headers: { ETag: tagText(tagOf(context, comment, posts)) } })
}

const path = `/comments/${digits('id')}` as const

function endpointsWith(own: Args) {
  const schemas = commentSchemasOf(createFields(own, '').members)
  const { createArgs, updateArgs } = writeArgsWith(own)
  return [
    endpoint({
      path: '/comments',
      methods: ['GET'],
      cacheable: 'by-column',
      summary: 'List comments',
      paged: true,
      args: listArgs,
      resource: findListedPosts,
      permission: mayList,
      responses: { 200: schemas.comments },
      handler: (context) => listComments(context),
    }),
    endpoint({
      path: '/comments',
      methods: ['POST'],
      summary: 'Comment on a post',
      args: createArgs,
      resource: findCreateResource,
      permission: mayCreate,
      responses: { 201: schemas.comment },
      handler: async (context) => {
        const comment = await createComment(context as unknown as CreateContext)
        const location = `${context.settings.apiRoot}/${context.app.names.toPublic('cms/v2')}/comments/${comment.id}`
        const viewContext = context.user.can('moderate_comments') ? 'edit' : 'view'
        const tag = tagText(tagOf(context, comment, await readCommentedPosts(context, [comment.post])))
        return result(await viewOne(context, comment, { viewContext }), {
          status: 201,
          headers: { Location: location, ETag: tag },
        })
      },
    }),
    endpoint({
      path,
      methods: ['GET'],
      cacheable: 'by-column',
      summary: 'Read a comment',
      args: readArgs,
      resource: findComment,
      permission: mayRead,
      etag: commentTag,
      responses: { 200: schemas.comment },
      handler: (context) =>
        viewOne(context, context.resource.comment, {
          viewContext: context.args.context,
          posts: context.resource.posts,
        }),
    }),
    endpoint({
      path,
      methods: EDITABLE,
      summary: 'Change or moderate a comment',
      args: updateArgs,
      resource: findComment,
      permission: mayUpdate,
      etag: commentTag,
      responses: { 200: schemas.comment },
      handler: async (context) => writtenResult(context, await updateComment(context as unknown as UpdateContext)),
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      summary: 'Move a comment to the trash, or remove it',
      args: deleteArgs,
      resource: findComment,
      permission: mayDelete,
      etag: commentTag,
      responses: { 200: either(schemas.comment, schemas.deleted) },
      handler: async (context) => {
        const { posts } = context.resource
        if (!context.args.force) return writtenResult(context, await trashComment(context))
        const view = await viewOne(context, context.resource.comment, { viewContext: 'edit', posts })
        const { _links, ...previous } = view ?? {}
        await removeComment(context)
        return { deleted: true, previous }
      },
    }),
  ] as const
}

const plainEndpoints = endpointsWith({})

export const comments = feature('comments', 'cms/v2', plainEndpoints, {
  completed: withOwnFields('comment', plainEndpoints, endpointsWith),
  embedders: commentEmbedders,
  hooks: postHooks,
  listeners: mailAuthor,
  persisted: { collections: [persistedComments], sections: [commentsSection], comments: importedComments },
  siteExtensions: { comments: createCommentsManagement },
})
