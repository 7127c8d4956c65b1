/** Routes that lock a post while a user edits it; writes of other users are refused until the lock ends. */
import type { Post } from '../../../contract/storage.ts'
import { bool, dateTime, int, nullable, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { forbidden, type Permission } from '../../../core/declare/permissions.ts'
import { fields } from '../../../core/declare/response-schema.ts'
import { mayEditOfType } from '../../content/posts/model.ts'
import {
  type EditLock,
  editLocksOption,
  endLock,
  isHeld,
  lockedError,
  nameOf,
  refuseLocked,
  sharedTime,
  storedLock,
  takeLock,
  timesOf,
} from '../../shared/access/edit-locks.ts'
import { componentType } from '../components/model.ts'

/** Events of locks. */
export interface EditLocksEvents {
  /** `from`: the user who has lost the lock to this one. */
  'lock.taken': { readonly id: number; readonly user: number; readonly from?: number }
  /** A write with `Prefer: override`; `from` still has the lock. */
  'lock.overridden': { readonly id: number; readonly user: number; readonly from: number }
  'lock.released': { readonly id: number; readonly user: number }
}

const one = `/locks/${digits('id')}` as const
const id = () => int({ description: 'The id of the post, page, template or component.' })

async function findLockable({
  args,
  storage,
}: {
  readonly args: { readonly id?: number | undefined }
  readonly storage: Context['storage']
}): Promise<Post> {
  const [post] = await storage.posts.read([args.id ?? 0])
  if (!post || post.type === 'revision' || post.type === 'attachment') {
    throw new ApiError('rest_post_invalid_id', 'There is no such post.', 404)
  }
  return post
}

const edits: Permission<unknown, Post> = {
  who: 'those who may edit the post; for components manage_options',
  check: ({ user, resource, app }) =>
    (resource.type === componentType ? user.can('manage_options') : mayEditOfType(user, resource, app))
      ? undefined
      : forbidden(user, 'rest_cannot_edit', 'You may not edit this post.'),
  mayPass: (user) => !user.isVisitor,
}

const lockSchema = fields(
  {
    id: int(),
    locked: bool(),
    is_yours: bool({ description: 'Whether the caller has the lock.' }),
    user: nullable(fields({ id: int(), name: str() })),
    since: nullable(dateTime({ description: 'In GMT.' })),
    until: nullable(dateTime({ description: 'In GMT. An editor renews its lock before.' })),
    taken_over: bool({ description: 'Whether the one who has the lock has taken it from the caller.' }),
  },
  { title: 'Lock' },
)

async function lockView(context: Context, post: number, lock: EditLock | undefined) {
  const { storage, user } = context
  if (!isHeld(lock, await sharedTime(context))) {
    return { id: post, locked: false, is_yours: false, user: null, since: null, until: null, taken_over: false }
  }
  const holder = { id: lock.user, name: await nameOf(storage, lock.user) }
  const isYours = lock.user === user.id
  return {
    id: post,
    locked: true,
    is_yours: isYours,
    user: holder,
    ...timesOf(lock),
    taken_over: lock.from === user.id,
  }
}

export const editLocks = feature(
  'edit-locks',
  'site-api/v1',
  [
    endpoint({
      path: one,
      methods: ['GET'],
      args: { id: id() },
      summary: 'Read who has a post locked',
      resource: findLockable,
      permission: edits,
      responses: { 200: lockSchema },
      handler: async (context) =>
        lockView(context, context.resource.id, await storedLock(context, context.resource.id)),
    }),
    endpoint({
      path: one,
      methods: ['POST'],
      args: {
        id: id(),
        take_over: bool({ default: false, description: 'Whether to take the lock from the user who has it.' }),
      },
      summary: 'Lock a post for two and a half minutes, or renew the lock',
      resource: findLockable,
      permission: edits,
      responses: { 200: lockSchema },
      handler: async (context) => {
        const { user, resource, args, emit, storage } = context
        const before = await storedLock(context, resource.id)
        const name = before ? await nameOf(storage, before.user) : ''
        const refuse = (lock: EditLock) =>
          lockedError(resource.id, lock, lock.user === before?.user ? name : '', user.id)
        const lock = await takeLock(context, { id: resource.id, user: user.id }, args.take_over ? undefined : refuse)
        const isLost = isHeld(before, await sharedTime(context)) && before.user !== user.id
        emit('lock.taken', { id: resource.id, user: user.id, ...(isLost ? { from: before.user } : {}) })
        return lockView(context, resource.id, lock)
      },
    }),
    endpoint({
      path: one,
      methods: ['DELETE'],
      args: { id: id() },
      summary: 'Release your lock of a post',
      resource: findLockable,
      permission: edits,
      responses: { 200: lockSchema },
      handler: async (context) => {
        const { user, resource, storage, emit } = context
        const wasLocked = await endLock(storage, resource.id, (lock) => lock.user === user.id)
        if (wasLocked) emit('lock.released', { id: resource.id, user: user.id })
        return lockView(context, resource.id, await storedLock(context, resource.id))
      },
    }),
  ],
  { hooks: refuseLocked, persisted: { options: [{ name: editLocksOption }] } },
)
