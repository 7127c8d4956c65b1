/** Who may see the history of a record, and restore it. */
import type { Post, Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { mayEditOfType } from '../../content/posts/model.ts'
import { taxonomiesOf } from '../../shared/declared-types.ts'

interface Caller {
  readonly user: Actor
  readonly app: AppContext
}

const recordForm = /^(?:post|term|[a-z][\w-]*):[1-9]\d{0,15}$|^option:.{1,190}$/

export function checkRecord(record: string): void {
  if (!recordForm.test(record)) {
    throw new ApiError('history_invalid_record', 'A record is named as post:12, term:3 or option:name.', 400)
  }
}

/**
 * The error for those who may not change the record as it is in one of these storages. One that is in none of them, the options and the
 * whole site are for those who manage the site.
 */
export async function refusalFor(
  { user, app }: Caller,
  record: string | undefined,
  storages: readonly Storage[],
): Promise<ApiError | undefined> {
  const verdicts = await Promise.all(storages.map((storage) => mayChange({ user, app }, record, storage)))
  const known = verdicts.filter((verdict) => verdict !== undefined)
  const isAllowed = known.length > 0 ? known.every(Boolean) : user.can('manage_options')
  return isAllowed
    ? undefined
    : forbidden(user, 'history_forbidden', 'You may not see or restore this: you may not change it.')
}

/** Undefined: the storage has no such record. */
async function mayChange(
  { user, app }: Caller,
  record: string | undefined,
  storage: Storage,
): Promise<boolean | undefined> {
  const [kind, key] = record?.split(':') ?? []
  if (kind === 'post') {
    const [post] = await storage.posts.read([Number(key)])
    return post && mayEdit({ user, app }, post, storage)
  }
  if (kind !== 'term') return user.can('manage_options')
  const query = { ids: [Number(key)], order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
  const { rows } = await storage.terms.query(query)
  const taxonomy = taxonomiesOf(app).find(({ name }) => name === rows[0]?.taxonomy)
  if (!rows[0]) return undefined
  return user.can(taxonomy ? taxonomy.granted.edit_terms : 'manage_options')
}

/** A revision is for those who may edit its post. */
async function mayEdit({ user, app }: Caller, post: Post, storage: Storage): Promise<boolean> {
  const [above] = post.type === 'revision' ? await storage.posts.read([post.parent]) : []
  return mayEditOfType(user, above ?? post, app)
}
