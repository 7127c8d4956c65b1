/** Reads for the page of changes: the difference of a record, and the moments at which it changed. */
import type { Context } from '../../../core/declare/context.ts'
import { siteHistory } from './collections.ts'
import { changeView, differenceBetween, mayChangeRecord } from './reads.ts'

interface ChangesArgs {
  readonly record: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type PageContext = Context<ChangesArgs, undefined>

const maxShown = 50

const newestOf = ({ args, storage }: PageContext, limit: number) =>
  storage.records.query(siteHistory, {
    where: { field: 'record', is: args.record },
    order: [{ by: 'id', descending: true }],
    limit,
  })

export const historyReads = {
  permission: mayChangeRecord,

  /** Takes the newest change where `from` is left out. */
  async differenceOf(context: PageContext) {
    const { args, app } = context
    if (args.from !== undefined) return differenceBetween({ ...context, args: { ...args, from: args.from } })
    const { rows } = await newestOf(context, 1)
    const at = rows[0] ? Number(rows[0]['at']) - 1 : app.clock()
    return differenceBetween({ ...context, args: { ...args, from: new Date(at) } })
  },

  async changesOf(context: PageContext) {
    const { rows } = await newestOf(context, maxShown)
    const views = rows.map(changeView)
    const ids = [...new Set(views.map(({ user }) => user))]
    const query = { ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length } as const
    const users = new Map(
      (await context.storage.users.query(query)).rows.map(({ id, displayName }) => [id, displayName]),
    )
    return views.map(({ at, user, change }) => ({ at, change, user: users.get(user) ?? 'the program' }))
  },
}
