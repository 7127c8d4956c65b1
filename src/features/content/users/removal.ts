/** Removes a user: the posts go to another user or to the trash, and what signs in goes with the account. */

import type { Storage, User } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { applicationPasswords } from '../../../core/pipeline/authentication.ts'
import { typeNamesOf } from '../../shared/declared-types.ts'
import { revisionType } from '../revisions/model.ts'
import { heirOf } from './args.ts'
import { userViews } from './view.ts'

type DeleteContext = Context<{ readonly force: boolean; readonly reassign: unknown }, User>

export async function deletedUser(context: DeleteContext) {
  const { args, storage, resource: user } = context
  if (!args.force) {
    throw new ApiError('rest_trash_not_supported', 'Users have no trash: remove them with force=true.', 501)
  }
  // The cast: the check of the argument refuses everything else.
  const heir = heirOf(args.reassign) as number
  if (heir !== 0) await refuseHeir(storage, user, heir)
  const [view] = await userViews(context, [user], 'edit')
  const { _links, ...previous } = view as { readonly _links: unknown }
  if (heir !== 0) await reassignPosts(storage, typesOf(context), { from: user.id, to: heir })
  await storage.records.remove(applicationPasswords, { field: 'user', is: user.id })
  await storage.users.remove([user.id])
  // Without an heir, the features of posts move theirs to the trash on this event.
  context.emit('user.removed', { id: user.id, reassign: heir === 0 ? null : heir })
  return { deleted: true, previous }
}

async function refuseHeir(storage: Storage, user: User, heir: number): Promise<void> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: [heir], order, offset: 0, limit: 1 })
  if (rows.length > 0 && heir !== user.id) return
  throw new ApiError('rest_user_invalid_reassign', 'The posts can not go to this user.', 400)
}

const typesOf = ({ app }: Pick<Context, 'app'>): readonly string[] => [...typeNamesOf(app), revisionType]

/** Rows per read and write. */
const windowSize = 500

/** Posts of all types, revisions too: what a user wrote stays together. */
async function reassignPosts(
  storage: Storage,
  types: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  // By date, a page follows an index of authors: in the order of ids, each window would read all posts that are left.
  const query = {
    types,
    authors: [from],
    order: { by: 'date', descending: true },
    offset: 0,
    limit: windowSize,
  } as const
  for (;;) {
    const { idsPage } = await storage.posts.query(query)
    if (idsPage.length === 0) return
    await storage.posts.update(idsPage.map(({ id }) => ({ id, changes: { author: to } })))
  }
}
