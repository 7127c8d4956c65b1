/** Routes of form submissions: listing, reading, marking as read, trashing, restoring and exporting them. */

import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { either } from '../../../core/declare/response-schema.ts'
import { enveloped } from '../../shared/envelope.ts'
import {
  bulkDeleteArgs,
  bulkRestoreArgs,
  bulkUpdateArgs,
  deleteArgs,
  exportArgs,
  idArgs,
  listArgs,
  optionsArgs,
  refererArgs,
  toIds,
  updateArgs,
} from './args.ts'
import { receiverCheck } from './checks.ts'
import { exportSubmissions } from './export.ts'
import { orderOf } from './exported-rows.ts'
import { deliverForms } from './intake/deliver.ts'
import { createForms } from './intake/submit.ts'
import { createSubmissions } from './management.ts'
import {
  countSubmissions,
  type Filters,
  formDeliveries,
  persistedCollections,
  readSnapshots,
  type Status,
  type Submission,
  submissionsCollection,
  toSubmission,
  toWhere,
  withStatus,
} from './model.ts'
import { listReferers } from './referers.ts'
import { scheduledTask } from './tasks.ts'
import {
  affectedSchema,
  affectedView,
  exportSchema,
  formLabel,
  optionsSchema,
  readRelatedRecords,
  singleView,
  submissionSchema,
  submissionsSchema,
  submissionView,
} from './view.ts'
import {
  findSubmission,
  noSuchSubmission,
  removeSubmissions,
  restoreSubmissions,
  setReadStatus,
  storedSubmission,
  trashSubmissions,
  updateSubmission,
} from './write.ts'

interface FormSubmissionsOptions {
  /** False: texts that a spreadsheet runs as formulas are exported unchanged. */
  readonly neutralizesFormulas?: boolean
}

const root = '/form-submissions'
const path = `${root}/${parameter('id', '\\d+')}` as const
const permission = can('manage_options')

export const formSubmissions = ({ neutralizesFormulas = true }: FormSubmissionsOptions = {}) =>
  feature(
    'form-submissions',
    'builder/v1',
    [
      endpoint({
        path: '/forms',
        methods: ['GET'],
        args: optionsArgs,
        summary: 'List forms with submissions',
        permission,
        responses: { 200: optionsSchema },
        handler: async ({ storage }) => {
          const snapshots = await readSnapshots(storage)
          return enveloped(
            snapshots.map((snapshot) => ({
              label: formLabel(snapshot),
              value: `${snapshot.postId}_${snapshot.elementId}`,
            })),
          )
        },
      }),
      endpoint({
        path: root,
        methods: ['GET'],
        args: listArgs,
        summary: 'List form submissions',
        permission,
        responses: { 200: submissionsSchema },
        handler: (context) => listSubmissions(context as ListContext),
      }),
      endpoint({
        path: root,
        methods: ['DELETE'],
        args: bulkDeleteArgs,
        summary: 'Move form submissions to the trash, or remove them',
        permission,
        responses: { 200: affectedSchema },
        handler: (context) => deleteSubmissions(context, toIds(context.args.ids) ?? [], context.args),
      }),
      endpoint({
        path: root,
        methods: EDITABLE,
        args: bulkUpdateArgs,
        summary: 'Mark form submissions as read or unread',
        permission,
        responses: { 200: either(submissionSchema, affectedSchema) },
        handler: (context) => updateReadStatus(context, toIds(context.args.ids) ?? [], context.args),
      }),
      endpoint({
        path,
        methods: ['GET'],
        args: idArgs,
        summary: 'Read a form submission',
        resource: findSubmission,
        hidesRecords: true,
        permission,
        responses: { 200: submissionSchema },
        stored: storedSubmission,
        handler: (context) => readSingleView(context, context.resource),
      }),
      endpoint({
        path,
        methods: ['DELETE'],
        args: deleteArgs,
        summary: 'Move a form submission to the trash, or remove it',
        permission,
        responses: { 200: affectedSchema },
        stored: storedSubmission,
        handler: (context) => deleteSubmissions(context, [context.args.id], context.args),
      }),
      endpoint({
        path,
        methods: EDITABLE,
        args: updateArgs,
        summary: 'Mark a form submission as read or unread, or change its values',
        permission,
        responses: { 200: submissionSchema },
        stored: storedSubmission,
        handler: async (context) => {
          const { id, is_read: isRead, values } = context.args
          return readSingleView(context, await updateSubmission(context, id, { isRead, values }))
        },
      }),
      endpoint({
        path: `${root}/restore/${parameter('id', '\\d+')}`,
        methods: EDITABLE,
        args: idArgs,
        summary: 'Restore a form submission from the trash',
        permission,
        responses: { 200: affectedSchema },
        stored: storedSubmission,
        handler: async (context) => affectedIn([context.args.id], await restoreSubmissions(context, [context.args.id])),
      }),
      endpoint({
        path: `${root}/restore`,
        methods: EDITABLE,
        args: bulkRestoreArgs,
        summary: 'Restore form submissions from the trash',
        permission,
        responses: { 200: affectedSchema },
        handler: async (context) => {
          const ids = toIds(context.args.ids) ?? []
          return affectedIn(ids, await restoreSubmissions(context, ids))
        },
      }),
      endpoint({
        path: `${root}/export`,
        methods: ['GET'],
        args: exportArgs,
        summary: 'Export form submissions as CSV',
        permission,
        responses: { 200: exportSchema },
        handler: (context) => {
          const ids = context.args.ids === undefined ? undefined : toIds(context.args.ids)
          return exportSubmissions(context, { ...context.args, ids }, { neutralizesFormulas })
        },
      }),
      endpoint({
        path: `${root}/referer`,
        methods: ['GET'],
        args: refererArgs,
        summary: 'List the pages from which forms were submitted',
        permission,
        responses: { 200: optionsSchema },
        handler: async ({ args, storage }) => enveloped(await listReferers(storage, args)),
      }),
    ],
    {
      persisted: { collections: persistedCollections },
      scheduledTask,
      contributes: { checks: [receiverCheck] },
      siteExtensions: { submissions: createSubmissions, forms: createForms },
      background: { name: 'form-actions', collection: formDeliveries.name, run: deliverForms },
    },
  )

type WriteContext = Pick<Context, 'storage' | 'settings' | 'app' | 'emit'>

async function deleteSubmissions(
  context: WriteContext,
  ids: readonly number[],
  { force }: { readonly force?: boolean },
) {
  const count = force ? await removeSubmissions(context, ids) : await trashSubmissions(context, ids)
  return affectedIn(ids, count)
}

/** Interface: with a single id the bulk change responds like the route of one submission. */
async function updateReadStatus(
  context: WriteContext,
  ids: readonly number[],
  { is_read: isRead }: { readonly is_read?: boolean },
) {
  const [id] = ids
  if (id !== undefined && ids.length === 1) {
    return readSingleView(context, await updateSubmission(context, id, { isRead }))
  }
  return affectedView(await setReadStatus(context, ids, isRead))
}

/** Interface: a single unknown id is 404; among several ids, unknown ones are not counted. */
function affectedIn(ids: readonly number[], count: number) {
  if (ids.length === 1 && count === 0) throw noSuchSubmission()
  return affectedView(count)
}

async function readSingleView({ storage, settings }: Pick<Context, 'storage' | 'settings'>, submission: Submission) {
  const related = await readRelatedRecords(storage, [submission])
  const snapshots = await readSnapshots(storage, [submission.elementId])
  const snapshot = snapshots.find(({ postId }) => postId === submission.postId)
  return enveloped(singleView(submission, settings, related, snapshot))
}

// ---------------------------------------------------------------- the list

interface ListArgs extends Filters {
  readonly page: number
  readonly per_page: number
  readonly order: 'asc' | 'desc'
  readonly order_by: 'created_at' | 'id' | 'main_meta_id'
  readonly status: Status
}

type ListContext = Context<ListArgs & { readonly [name: string]: unknown }>

/** Interface: a page beyond the last one returns the last page. */
async function listSubmissions({ args, storage, settings }: ListContext) {
  const filters = toWhere(args, settings)
  const counts = await countSubmissions(storage, filters)
  const total = counts[args.status]
  const lastPage = Math.max(1, Math.ceil(total / args.per_page))
  const page = Math.min(args.page, lastPage)
  const { rows } = await storage.records.query(submissionsCollection, {
    where: withStatus(filters, args.status),
    order: orderOf(args),
    offset: (page - 1) * args.per_page,
    limit: args.per_page,
  })
  const submissions = rows.map(toSubmission)
  const related = await readRelatedRecords(storage, submissions)
  const { all, trash, read, unread } = counts
  return {
    data: submissions.map((submission) => submissionView(submission, settings, related, { values: 'main' })),
    meta: {
      pagination: { current_page: page, per_page: args.per_page, total, last_page: lastPage },
      count: { all, trash, read, unread },
    },
  }
}
