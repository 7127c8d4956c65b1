/** Responses of the form submission routes and their schemas. */

import type { Storage, User } from '../../../contract/storage.ts'
import { bool, int, list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import { alsoAs, emptyList, exactly, fields, sometimes, spacedTime } from '../../../core/declare/response-schema.ts'
import { editAddress } from '../../../site/document-links.ts'
import type { Settings } from '../../../site/settings.ts'
import { editModeKey } from '../../shared/elements.ts'
import { envelopedSchema } from '../../shared/envelope.ts'
import { type ActionEntry, type FormField, type FormSnapshot, numberOf, type Submission } from './model.ts'

/** Interface: the response of bulk actions; `failed` is always 0. */
export const affectedView = (count: number) => ({ data: [], meta: { affected: count, failed: 0 } })

/** The records that submissions refer to, read for several submissions together. */
interface RelatedRecords {
  readonly users: ReadonlyMap<number, User>
  /** Ids of the posts that are builder documents outside the trash. */
  readonly documents: ReadonlySet<number>
}

export async function readRelatedRecords(
  storage: Storage,
  submissions: readonly Pick<Submission, 'postId' | 'userId'>[],
): Promise<RelatedRecords> {
  const userIds = [...new Set(submissions.map(({ userId }) => userId).filter((id) => id > 0))]
  const postIds = [...new Set(submissions.map(({ postId }) => postId).filter((id) => id > 0))]
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: userIds, order, offset: 0, limit: userIds.length })
  const posts = await storage.posts.read(postIds)
  const modes = await storage.meta.read('post', postIds, [editModeKey])
  const livePosts = new Set(posts.filter(({ status }) => status !== 'trash').map(({ id }) => id))
  return {
    users: new Map(rows.map((user) => [user.id, user])),
    documents: new Set(modes.filter(({ id, value }) => value === 'builder' && livePosts.has(id)).map(({ id }) => id)),
  }
}

/** Interface: in a list `values` has only the main value. */
export function submissionView(
  submission: Submission,
  settings: Settings,
  related: RelatedRecords,
  { values: shownValues }: { readonly values: 'main' | 'all' },
) {
  const { id, postId, values, main, actions } = submission
  const views = values.map(({ key, value }, index) => ({ id: numberOf(id, index), key, value }))
  const mainView = main === null ? undefined : views[main]
  const local = (gmt: string) => spaced(settings.time.toLocal(gmt))
  return {
    id,
    post: { id: postId, ...(related.documents.has(postId) ? { edit_url: editAddress(settings, postId) } : {}) },
    form: { name: submission.formName, element_id: submission.elementId },
    actions_count: actions.length,
    actions_succeeded_count: actions.filter(({ status }) => status === 'success').length,
    referer: submission.referer,
    referer_title: submission.refererTitle,
    element_id: submission.elementId,
    // Interface: `main_meta_id` and `user_id` are texts.
    main_meta_id: String(mainView?.id ?? 0),
    user_id: String(submission.userId),
    user_agent: submission.userAgent,
    user_ip: submission.userIp,
    user_name: related.users.get(submission.userId)?.displayName ?? null,
    created_at_gmt: spaced(submission.createdAt),
    updated_at_gmt: spaced(submission.updatedAt),
    created_at: local(submission.createdAt),
    updated_at: local(submission.updatedAt),
    status: submission.status,
    is_read: submission.isRead,
    ...(mainView ? { main: mainView, values: shownValues === 'all' ? views : [mainView] } : {}),
  }
}

export function singleView(
  submission: Submission,
  settings: Settings,
  related: RelatedRecords,
  snapshot: FormSnapshot | undefined,
) {
  const { form, ...view } = submissionView(submission, settings, related, { values: 'all' })
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

export const spaced = (time: string): string => time.replace('T', ' ')

export const formLabel = ({ name, elementId }: { readonly name: string; readonly elementId: string }): string =>
  name === '' ? `(${elementId})` : `${name} (${elementId})`

// ---------------------------------------------------------------- schemas

export const affectedSchema = fields(
  {
    data: emptyList(),
    meta: fields({ affected: int({ description: 'How many submissions it was done to.' }), failed: int() }),
  },
  { title: 'Affected submissions' },
)

/** Entries for a select field. */
export const optionsSchema = envelopedSchema(list(fields({ label: str(), value: str() }, { title: 'Form option' })))

const valueSchema = fields({ id: int(), key: str({ description: 'The id of the field.' }), value: str() })

const members = {
  id: int(),
  post: fields({
    id: int(),
    edit_url: sometimes(str({ description: 'There as long as the page is.' })),
  }),
  actions_count: int({ description: 'How many actions followed the submission.' }),
  actions_succeeded_count: int(),
  referer: str({ description: 'The page from which it was sent.' }),
  referer_title: nullable(str()),
  element_id: str({ description: 'The form as an element of its page.' }),
  main_meta_id: str({ description: 'The id of the value that stands for all.' }),
  user_id: str({ description: 'Who sent it; 0 for a guest.' }),
  user_agent: str(),
  user_ip: str(),
  user_name: nullable(str()),
  created_at_gmt: spacedTime('When it was sent, in UTC.'),
  updated_at_gmt: spacedTime('When it was last changed, in UTC.'),
  created_at: spacedTime('When it was sent, in the time of the site.'),
  updated_at: spacedTime('When it was last changed, in the time of the site.'),
  status: oneOf(['new', 'trash']),
  is_read: bool(),
  main: sometimes(valueSchema),
}

const form = { name: str(), element_id: str() }

export const submissionsSchema = fields({
  data: list(
    fields(
      {
        ...members,
        form: fields(form),
        values: sometimes(list(valueSchema, { description: 'Only the value that stands for all.' })),
      },
      { title: 'Listed form submission' },
    ),
  ),
  meta: fields({
    pagination: fields({ current_page: int(), per_page: int(), total: int(), last_page: int() }),
    count: fields(
      { all: int(), trash: int(), read: int(), unread: int() },
      { description: 'What the filters find, whatever the status; only trash counts what is in the trash.' },
    ),
  }),
})

const fieldSchema = fields({
  id: str(),
  type: str(),
  label: str(),
  options: sometimes(list(str())),
  is_multiple: sometimes(bool()),
})

const actionSchema = fields(
  {
    id: int(),
    name: str(),
    label: str(),
    status: oneOf(['success', 'failed']),
    log: sometimes(str()),
    created_at: spacedTime('In the time of the site.'),
    updated_at: spacedTime('In the time of the site.'),
  },
  { title: 'Submission action' },
)

export const submissionSchema = envelopedSchema(
  fields(
    {
      ...members,
      values: sometimes(list(valueSchema)),
      form: fields({
        ...form,
        fields: sometimes(list(fieldSchema, { description: 'As the form was when it was last submitted.' })),
      }),
      form_actions_log: list(actionSchema),
    },
    { title: 'Form submission' },
  ),
)

/** Sent as CSV unless the caller prefers JSON. */
export const exportSchema = alsoAs(
  fields({
    data: list(
      fields(
        {
          id: str({ description: 'The form as an element of its page.' }),
          content: list(str(), { description: 'The lines of the file, the header first.' }),
          mimetype: exactly('text/csv;charset=UTF-8'),
          extension: exactly('csv'),
          form_label: str(),
        },
        { title: 'Exported form' },
      ),
    ),
  }),
  'text/csv',
)
