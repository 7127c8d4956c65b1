/** Answers a check: of one record, or of what a release would publish, for a caller who may edit it. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { findRelease, readChanges } from '../releases/model.ts'
import { type CheckReport, isShownToVisitors } from './model.ts'
import { type CheckCaller, checkPosts, idOfPost, isChecked, mayEdit, noSuchRecord } from './run.ts'

/** `record`: `post:12` or `release:3`. One that the caller may not edit is answered like one that is not there. */
export async function reportOn(
  caller: CheckCaller & Partial<Pick<Context, 'incoming'>>,
  record: string,
): Promise<CheckReport> {
  if (record.startsWith('release:')) return reportOnRelease(caller, record.slice('release:'.length))
  const { storage, user, app } = caller
  const [post] = await storage.posts.read([idOfPost(record) ?? 0])
  if (!post || !isChecked(post, caller) || !mayEdit(user, post, app)) {
    throw noSuchRecord()
  }
  return checkPosts(caller, [post])
}

async function reportOnRelease(caller: CheckCaller, name: string): Promise<CheckReport> {
  const { storage, user, app } = caller
  const [access] = app.contributions('releases')
  if (!access) throw new ApiError('release_unsupported', 'This site has no releases: its profile is without them.', 400)
  const shown = await access.read({ name, user, app, storage })
  const { id } = await findRelease(storage, Number(name))
  const changed = (await readChanges(storage, id)).flatMap(({ record }) => idOfPost(record) ?? [])
  const posts = (await shown.posts.read(changed)).filter(isShownToVisitors)
  const settings = await app.settings.read(shown)
  return checkPosts({ ...caller, storage: shown, settings }, posts)
}
