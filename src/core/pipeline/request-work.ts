/** The budget of work of the request that a context belongs to. */
import type { Context } from '../declare/context.ts'
import { noStore } from '../declare/result.ts'
import { type Work, workOf } from '../runtime/work.ts'

export const requestWork = ({ app, incoming }: Pick<Context, 'app' | 'incoming'>): Work =>
  workOf(incoming, app.limits.requestWork)

/** Caches no response in which the work of other records has made one plain. */
export function noStoreWhenExceeded(context: Pick<Context, 'app' | 'incoming'>): void {
  if (requestWork(context).isExceeded) noStore(context)
}
