/** Routes and the page of the history share these: who may see a record, its difference, and a change of it. */
import type { StoredRecord } from '../../../contract/storage.ts'
import type { Undo } from '../../../contract/undo.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { checkRecord, refusalFor } from './access.ts'
import { writtenAt } from './collections.ts'
import { differenceOf } from './difference/index.ts'
import { historyOf, momentOf, storagesAt } from './model.ts'

export const refused = (user: Context['user']) =>
  new ApiError('rest_forbidden', 'You may not do this.', user.isVisitor ? 401 : 403)

export interface RecordArgs {
  readonly record?: string | undefined
}

export const mayChangeRecord = {
  who: 'signed in who may edit the record; manage_options for the whole site',
  check: async ({ args, user, app, storage }: Context<RecordArgs, unknown>) => {
    if (user.isVisitor) return refused(user)
    if (args.record !== undefined) checkRecord(args.record)
    return refusalFor({ user, app }, args.record, [storage])
  },
}

interface DifferenceRequest {
  readonly record: string
  readonly from: string | Date
  readonly to?: string | Date | undefined
}

/** The caller may change the record as it is now; he has to be one who might have then, too. */
export async function differenceBetween(
  context: Pick<Context<DifferenceRequest>, 'args' | 'app' | 'user' | 'storage'>,
) {
  const { args, app, user, storage } = context
  checkRecord(args.record)
  const from = momentOf(args.from, 'from')
  const to = args.to === undefined ? new Date(app.clock()).toISOString() : momentOf(args.to, 'to')
  const before = (await storagesAt(app, storage, from, user)).past
  const after = args.to === undefined ? storage : (await storagesAt(app, storage, to, user)).past
  const refusal = await refusalFor({ user, app }, args.record, [storage, before, after])
  if (refusal) throw refusal
  const { record, ...rest } = await differenceOf(args.record, before, after, historyOf(app).scope)
  return { record, from, to, ...rest }
}

/** A change of a record. */
export interface HistoryChange {
  readonly id: number
  /** Names the record: `post:12`. */
  readonly record: string
  /** ISO, in GMT. */
  readonly at: string
  /** The id of the user; 0: the program. */
  readonly user: number
  readonly change: 'created' | 'changed' | 'removed'
  /** Columns, `meta.key` and `terms.taxonomy`, of a record that was changed. */
  readonly members: readonly string[]
}

export function changeView(row: StoredRecord): HistoryChange {
  // The cast: only the history writes its rows.
  const undo = row['undo'] as Undo
  const { row: columns, isRemoved, meta = {}, terms = {}, value } = undo
  const change = columns === null || value?.length === 0 ? 'created' : isRemoved ? 'removed' : 'changed'
  return {
    id: row.id,
    record: String(row['record']),
    at: writtenAt(row),
    user: Number(row['user']),
    change,
    members:
      change === 'changed'
        ? [
            ...Object.keys(columns ?? {}),
            ...Object.keys(meta).map((key) => `meta.${key}`),
            ...Object.keys(terms).map((taxonomy) => `terms.${taxonomy}`),
          ]
        : [],
  }
}
