/** What visitors sent with the forms of the page builder: reading, marking, exporting and removing it. */

import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { either } from '../../../core/declare/response-schema.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
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
import { exportSubmissions } from './export.ts'
import { orderOf } from './exported-rows.ts'
import { createSubmissions } from './management.ts'
import {
  countSubmissions,
  type Filters,
  keptCollections,
  readSnapshots,
  type Status,
  type Submission,
  submissionsCollection,
  toSubmission,
  toWhere,
  withStatus,
} from './model.ts'
import { listReferers } from './referers.ts'
import {
  affected,
  affectedForm,
  enveloped,
  exportForm,
  formLabel,
  optionsForm,
  readSurroundings,
  singleView,
  submissionForm,
  submissionsForm,
  submissionView,
} from './view.ts'
import {
  findSubmission,
  markSubmissions,
  noSuchSubmission,
  removeSubmissions,
  restoreSubmissions,
  scheduledTask,
  trashSubmissions,
  updateSubmission,
} from './write.ts'

export interface FormSubmissionsOptions {
  /** False: exported texts that a spreadsheet takes for formulas leave as they are. */
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
        summary: 'List the forms that were ever submitted',
        permission,
        responses: { 200: optionsForm },
        handler: ({ storage }) =>
          andThen(readSnapshots(storage), (snapshots) =>
            enveloped(
              snapshots.map((snapshot) => ({
                label: formLabel(snapshot),
                value: `${snapshot.postId}_${snapshot.elementId}`,
              })),
            ),
          ),
      }),
      endpoint({
        path: root,
        methods: ['GET'],
        args: listArgs,
        summary: 'List form submissions',
        permission,
        responses: { 200: submissionsForm },
        handler: (context) => listSubmissions(context as ListCall),
      }),
      endpoint({
        path: root,
        methods: ['DELETE'],
        args: bulkDeleteArgs,
        summary: 'Move form submissions to the trash, or remove them',
        permission,
        responses: { 200: affectedForm },
        handler: async (context) => {
          const ids = toIds(context.args.ids) ?? []
          const count = context.args.force
            ? await removeSubmissions(context, ids)
            : await trashSubmissions(context, ids)
          return affectedOf(ids, count)
        },
      }),
      endpoint({
        path: root,
        methods: EDITABLE,
        args: bulkUpdateArgs,
        summary: 'Mark form submissions as read or unread',
        permission,
        responses: { 200: either(submissionForm, affectedForm) },
        handler: async (context) => {
          const [first, ...others] = toIds(context.args.ids) ?? []
          // Interface: one id is the route of one submission by another name.
          if (first !== undefined && others.length === 0) {
            return single(context, await updateSubmission(context, first, { isRead: context.args.is_read }))
          }
          return affected(await markSubmissions(context, toIds(context.args.ids) ?? [], context.args.is_read))
        },
      }),
      endpoint({
        path,
        methods: ['GET'],
        args: idArgs,
        summary: 'Read a form submission',
        resource: findSubmission,
        permission,
        responses: { 200: submissionForm },
        handler: (context) => single(context, context.resource),
      }),
      endpoint({
        path,
        methods: ['DELETE'],
        args: deleteArgs,
        summary: 'Move a form submission to the trash, or remove it',
        permission,
        responses: { 200: affectedForm },
        handler: async (context) => {
          const ids = [context.args.id]
          const count = context.args.force
            ? await removeSubmissions(context, ids)
            : await trashSubmissions(context, ids)
          return affectedOf(ids, count)
        },
      }),
      endpoint({
        path,
        methods: EDITABLE,
        args: updateArgs,
        summary: 'Mark a form submission as read or unread, or change its values',
        permission,
        responses: { 200: submissionForm },
        handler: async (context) => {
          const { id, is_read: isRead, values } = context.args
          return single(context, await updateSubmission(context, id, { isRead, values }))
        },
      }),
      endpoint({
        path: `${root}/restore/${parameter('id', '\\d+')}`,
        methods: EDITABLE,
        args: idArgs,
        summary: 'Take a form submission out of the trash',
        permission,
        responses: { 200: affectedForm },
        handler: async (context) => affectedOf([context.args.id], await restoreSubmissions(context, [context.args.id])),
      }),
      endpoint({
        path: `${root}/restore`,
        methods: EDITABLE,
        args: bulkRestoreArgs,
        summary: 'Take form submissions out of the trash',
        permission,
        responses: { 200: affectedForm },
        handler: async (context) => {
          const ids = toIds(context.args.ids) ?? []
          return affectedOf(ids, await restoreSubmissions(context, ids))
        },
      }),
      endpoint({
        path: `${root}/export`,
        methods: ['GET'],
        args: exportArgs,
        summary: 'Export form submissions as CSV',
        permission,
        responses: { 200: exportForm },
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
        responses: { 200: optionsForm },
        handler: async ({ args, storage }) => enveloped(await listReferers(storage, args)),
      }),
    ],
    { persisted: { collections: keptCollections }, scheduledTask, siteExtensions: { submissions: createSubmissions } },
  )

/** Interface: of one that is not there the caller is told; among several it just does not count. */
function affectedOf(ids: readonly number[], count: number) {
  if (ids.length === 1 && count === 0) throw noSuchSubmission()
  return affected(count)
}

async function single({ storage, settings }: Pick<Context, 'storage' | 'settings'>, submission: Submission) {
  const around = await readSurroundings(storage, [submission])
  const snapshots = await readSnapshots(storage, [submission.elementId])
  const snapshot = snapshots.find(({ postId }) => postId === submission.postId)
  return enveloped(singleView(submission, settings, around, snapshot))
}

// ---------------------------------------------------------------- the list

interface ListArgs extends Filters {
  readonly page: number
  readonly per_page: number
  readonly order: 'asc' | 'desc'
  readonly order_by: 'created_at' | 'id' | 'main_meta_id'
  readonly status: Status
}

type ListCall = Context<ListArgs & { readonly [name: string]: unknown }>

/** Interface: a page beyond the end is the last one. */
async function listSubmissions({ args, storage, settings }: ListCall) {
  const filters = toWhere(args, settings)
  const count = await countSubmissions(storage, filters)
  const total = count[args.status]
  const lastPage = Math.max(1, Math.ceil(total / args.per_page))
  const page = Math.min(args.page, lastPage)
  const { rows } = await storage.records.query(submissionsCollection, {
    where: withStatus(filters, args.status),
    order: orderOf(args),
    offset: (page - 1) * args.per_page,
    limit: args.per_page,
  })
  const submissions = rows.map(toSubmission)
  const around = await readSurroundings(storage, submissions)
  const { all, trash, read, unread } = count
  return {
    data: submissions.map((one) => submissionView(one, settings, around, { values: 'main' })),
    meta: {
      pagination: { current_page: page, per_page: args.per_page, total, last_page: lastPage },
      count: { all, trash, read, unread },
    },
  }
}
