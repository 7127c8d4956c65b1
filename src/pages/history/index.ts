/** The page of changes: what a record was and became between two moments. It shows what the route of the history answers. */
import { required, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { type Feature, feature } from '../../core/declare/feature.ts'
import type { Permission } from '../../core/declare/permissions.ts'
import type { ShownChange, ShownDifference } from './view.ts'

interface ChangesArgs {
  readonly record: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The feature of the history, which the page does not know. */
interface HistoryReads {
  readonly permission: Permission<ChangesArgs, undefined>
  /** Takes the newest change where `from` is left out. */
  readonly differenceOf: (context: Context<ChangesArgs, undefined>) => Promise<ShownDifference>
  readonly changesOf: (context: Context<ChangesArgs, undefined>) => Promise<readonly ShownChange[]>
}

export const historyPage = ({ permission, differenceOf, changesOf }: HistoryReads): Feature =>
  feature('history-page', '', [
    endpoint({
      path: '/history/changes',
      methods: ['GET'],
      args: {
        record: required(str({ description: 'post:12, term:3, option:name.' })),
        from: str({ description: 'The earlier moment. Default: that of the newest change.' }),
        to: str({ description: 'The later moment. Default: now.' }),
      },
      summary: 'Look at what has changed in a record, on a page',
      unlisted: true,
      permission,
      handler: async (context) => {
        const [difference, changes] = [await differenceOf(context), await changesOf(context)]
        // The page is loaded when it is first requested.
        const { changesPage } = await import('./view.ts')
        const { settings, route } = context
        const address = new URL(settings.apiRoot).pathname.replace(/\/$/, '') + route
        return changesPage({ settings, address, difference, changes })
      },
    }),
  ])
