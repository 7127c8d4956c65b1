/** Submissions as they are sent. */
import type { Settings } from '../../core/settings.ts'
import type { Storage, User } from '../../storage/contract.ts'
import { editAddress } from '../content-types/model.ts'
import { editModeKey } from '../elements/model.ts'
import { type ActionEntry, type FormField, type FormSnapshot, numberOf, type Submission } from './model.ts'

/** Interface: an envelope whose `meta` is an empty list when it says nothing. */
export const enveloped = <T>(data: T) => ({ data, meta: [] as readonly never[] })

/** Interface: what a bulk action answers. */
export const affected = (count: number) => ({ data: [], meta: { affected: count, failed: 0 } })

/** What submissions name: read for all of them at once. */
export interface Surroundings {
  readonly users: ReadonlyMap<number, User>
  /** Posts that are still there as builder documents. */
  readonly documents: ReadonlySet<number>
}

export async function readSurroundings(
  storage: Storage,
  submissions: readonly Pick<Submission, 'postId' | 'userId'>[],
): Promise<Surroundings> {
  const userIds = [...new Set(submissions.map(({ userId }) => userId).filter((id) => id > 0))]
  const postIds = [...new Set(submissions.map(({ postId }) => postId).filter((id) => id > 0))]
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: userIds, order, offset: 0, limit: userIds.length })
  const posts = await storage.posts.read(postIds)
  const modes = await storage.meta.read('post', postIds, [editModeKey])
  const there = new Set(posts.filter(({ status }) => status !== 'trash').map(({ id }) => id))
  return {
    users: new Map(rows.map((user) => [user.id, user])),
    documents: new Set(modes.filter(({ id, value }) => value === 'builder' && there.has(id)).map(({ id }) => id)),
  }
}

/** Interface: a list shows of the values only the one that stands for all. */
export function submissionView(
  submission: Submission,
  settings: Settings,
  around: Surroundings,
  { values: shown }: { readonly values: 'main' | 'all' },
) {
  const { id, postId, values, main, actions } = submission
  const views = values.map(({ key, value }, index) => ({ id: numberOf(id, index), key, value }))
  const mainView = main === null ? undefined : views[main]
  const local = (gmt: string) => spaced(settings.time.toLocal(gmt))
  return {
    id,
    post: { id: postId, ...(around.documents.has(postId) ? { edit_url: editAddress(settings, postId) } : {}) },
    form: { name: submission.formName, element_id: submission.elementId },
    actions_count: actions.length,
    actions_succeeded_count: actions.filter(({ status }) => status === 'success').length,
    referer: submission.referer,
    referer_title: submission.refererTitle,
    element_id: submission.elementId,
    // Interface: these two are texts.
    main_meta_id: String(mainView?.id ?? 0),
    user_id: String(submission.userId),
    user_agent: submission.userAgent,
    user_ip: submission.userIp,
    user_name: around.users.get(submission.userId)?.displayName ?? null,
    created_at_gmt: spaced(submission.createdAt),
    updated_at_gmt: spaced(submission.updatedAt),
    created_at: local(submission.createdAt),
    updated_at: local(submission.updatedAt),
    status: submission.status,
    is_read: submission.isRead,
    ...(mainView ? { main: mainView, values: shown === 'all' ? views : [mainView] } : {}),
  }
}

export function singleView(
  submission: Submission,
  settings: Settings,
  around: Surroundings,
  snapshot: FormSnapshot | undefined,
) {
  const { form, ...view } = submissionView(submission, settings, around, { values: 'all' })
  return {
    ...view,
    form: { ...form, ...(snapshot ? { fields: snapshot.fields.map(fieldView) } : {}) },
    form_actions_log: submission.actions.map((entry, index) =>
      actionView(entry, numberOf(submission.id, index), settings),
    ),
  }
}

const fieldView = ({ id, type, label, options, isMultiple }: FormField) => ({
  id,
  type,
  label,
  ...(options ? { options } : {}),
  ...(isMultiple === undefined ? {} : { is_multiple: isMultiple }),
})

const actionView = (
  { name, label, status, log, createdAt, updatedAt }: ActionEntry,
  id: number,
  { time }: Settings,
) => ({
  id,
  name,
  label,
  status,
  ...(log === '' ? {} : { log }),
  created_at: spaced(time.toLocal(createdAt)),
  updated_at: spaced(time.toLocal(updatedAt)),
})

export const spaced = (moment: string): string => moment.replace('T', ' ')

export const formLabel = ({ name, elementId }: { readonly name: string; readonly elementId: string }): string =>
  name === '' ? `(${elementId})` : `${name} (${elementId})`
