/** Manages comments for the host, by the rules of the routes: `api.site.comments`. */

import type { Json, RecordQuery, Where } from '../../../contract/storage.ts'
import { actorOf, system, visitor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { inProcessIncoming } from '../../../core/request/incoming.ts'
import { type Comment, type CommentStatus, commentsCollection, toComment } from '../../../site/comments/comment.ts'
import {
  findComment,
  mayDelete,
  mayUpdate,
  removeComment,
  trashComment,
  type UpdateArgs,
  updateComment,
} from './change.ts'
import { type CreateArgs, createComment, findCreateResource, mayCreate } from './create.ts'
import { readComments } from './model.ts'

/** The arguments of the routes, in camel case. */
interface CommentFields {
  readonly content?: string
  readonly parent?: number
  /** The account; 0: a visitor, who needs a name and an address. */
  readonly author?: number
  readonly authorName?: string
  readonly authorEmail?: string
  readonly authorUrl?: string
  readonly authorIp?: string
  readonly authorUserAgent?: string
  /** The time in GMT. */
  readonly date?: string
  readonly status?: CommentStatus
  /** Values of fields that `metaFields` declares; null removes one. */
  readonly meta?: { readonly [key: string]: Json }
}

interface ActingOptions {
  /** The id of a user; 'visitor'. Default: 'system', with all capabilities. */
  readonly as?: number | 'system' | 'visitor'
}

/** The comments of a site, as `api.site.comments`. No permission is checked. */
export interface SiteComments {
  /**
   * Comments on a post. Rejects with the ApiError of the route: for a closed post, a repeated text, a value that is too long.
   *
   * ```ts
   * await api.site.comments.create({ post: 12, content: 'Well said.' }, { as: 3 })
   * ```
   */
  create(
    fields: CommentFields & { readonly post: number; readonly content: string; readonly type?: 'comment' | 'note' },
    options?: ActingOptions,
  ): Promise<Comment>
  /** Also moderates: `{ status: 'spam' }`. Rejects if there is no such comment. */
  update(id: number, changes: CommentFields, options?: ActingOptions): Promise<Comment>
  /** Moves the comment to the trash, or removes it for good with `force`; replies move up then. */
  remove(id: number, options?: ActingOptions & { readonly force?: boolean }): Promise<void>
  find(id: number): Promise<Comment | undefined>
  /** The newest first; 100 at most unless `limit` says otherwise. */
  list(filter?: {
    readonly post?: number
    readonly status?: CommentStatus
    readonly type?: string
    readonly limit?: number
    readonly offset?: number
  }): Promise<Comment[]>
}

export function createCommentsManagement(options: ExtensionOptions): SiteComments {
  const { storage, app, ready } = options

  async function actor(as: ActingOptions['as'] = 'system') {
    if (as === 'system') return system
    if (as === 'visitor') return visitor
    const [settings, user] = [await app.settings.read(storage), await findUserById(storage, as)]
    if (!user) throw new TypeError(`there is no user ${as}`)
    return actorOf(user, settings.roles)
  }

  /** Runs the work like an endpoint: in a transaction, with hooks, events after the commit. */
  async function run<A, T>(
    args: A,
    as: ActingOptions['as'],
    work: (context: Context<A, undefined>) => Promise<T>,
  ): Promise<T> {
    await ready()
    return writeInside(
      options,
      (context) => {
        const incoming = inProcessIncoming('call', 'POST', '/cms/v2/comments', '', undefined, {})
        // The cast: the rules of comments use no other member.
        return work({ ...context, args, incoming, resource: undefined } as unknown as Context<A, undefined>)
      },
      await actor(as),
    )
  }

  return {
    create: ({ post, type, ...fields }, { as } = {}) => {
      const args: CreateArgs = { ...argsOf(fields), post, ...(type === undefined ? {} : { type }) }
      return run(args, as, async (context) => {
        const found = { ...context, resource: await findCreateResource(context) }
        await permitted(mayCreate.check(found))
        return createComment(found)
      })
    },
    update: (id, changes, { as } = {}) => {
      const args: UpdateArgs & { readonly id: number } = { ...argsOf(changes), id }
      return run(args, as, async (context) => {
        const found = { ...context, resource: await findComment(context) }
        await permitted(mayUpdate.check(found))
        return updateComment(found)
      })
    },
    remove: (id, { as, force = false } = {}) =>
      run({ id }, as, async (context) => {
        const found = { ...context, resource: await findComment(context) }
        await permitted(mayDelete.check(found))
        await (force ? removeComment(found) : trashComment(found))
      }),
    async find(id) {
      await ready()
      return (await readComments(storage, [id]))[0]
    },
    async list({ post, status, type, limit = 100, offset = 0 } = {}) {
      await ready()
      const every = Object.entries({ post, status, type }).flatMap(([field, is]): Where[] =>
        is === undefined ? [] : [{ field, is }],
      )
      const query: RecordQuery = {
        where: { every },
        order: [
          { by: 'date', descending: true },
          { by: 'id', descending: true },
        ],
        limit,
        offset,
      }
      return (await storage.records.query(commentsCollection, query)).rows.map(toComment)
    },
  }
}

async function permitted(check: ReturnType<typeof mayCreate.check>): Promise<void> {
  const error = await check
  if (error) throw error
}

function argsOf(fields: CommentFields): CreateArgs {
  const { authorName, authorEmail, authorUrl, authorIp, authorUserAgent, date, ...same } = fields
  const renamed = {
    author_name: authorName,
    author_email: authorEmail,
    author_url: authorUrl,
    author_ip: authorIp,
    author_user_agent: authorUserAgent,
    date_gmt: date,
  }
  return { ...same, ...Object.fromEntries(Object.entries(renamed).filter(([, value]) => value !== undefined)) }
}
