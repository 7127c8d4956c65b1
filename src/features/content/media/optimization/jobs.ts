/** The pictures that are to be optimized: entered with the upload, carried out beside requests, each by one process. */

import type { Storage, StoredRecord } from '../../../../contract/storage.ts'
import type { Context, HookContext } from '../../../../core/declare/context.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { imagesOf } from '../../../../services/images.ts'
import { type Attempted, deliverDue, deliveryCollection, newDelivery } from '../../../shared/deliveries.ts'
import { keepNewest } from '../../../shared/keep-for.ts'
import { optimizeMedium } from './optimize.ts'
import { optimizationSettings } from './settings.ts'

/** Pictures that are to be made smaller. */
export const imageJobs = deliveryCollection('image_jobs')

const target = 'optimize'
const retention = { count: 100_000, days: 30 }

/** Enters pictures, in the transaction of what made them. */
export async function enterJobs({ storage, app }: Pick<Context, 'storage' | 'app'>, media: readonly number[]) {
  const rows = media.map((id) => newDelivery({ target, subject: `media:${id}`, sequence: id }, app.clock()))
  await storage.records.insert(imageJobs, rows)
}

/** With each upload, where the service optimizes and the preset says so. */
export async function enterUpload(context: HookContext, medium: number): Promise<void> {
  if (!imagesOf(context.app).encode) return
  if ((await optimizationSettings(context.storage))?.isAutomatic) await enterJobs(context, [medium])
}

/** For the background work of the feature: returns when the next is due. */
export async function optimizeDue(context: BackgroundContext): Promise<number> {
  const images = imagesOf(context.app)
  if (!images.encode || !(await images.isAvailable())) return Number.POSITIVE_INFINITY
  const next = await deliverDue(context, {
    collection: imageJobs,
    name: 'picture',
    attempt: (row) => attempt(context, row),
  })
  await keepNewest(context, imageJobs, retention)
  return next
}

async function attempt(context: BackgroundContext, { subject }: StoredRecord): Promise<Attempted> {
  const settings = await optimizationSettings(context.storage)
  if (!settings) return { result: 'dead', error: 'the site has no preset' }
  const outcome = await optimizeMedium(context, Number(String(subject).slice('media:'.length)), settings)
  return outcome === 'changed meanwhile' ? { result: 'again', error: outcome } : { result: 'delivered' }
}

/** How many pictures wait, and how many could not be optimized. */
export async function countJobs({ records }: Storage): Promise<{ readonly pending: number; readonly failed: number }> {
  const count = async (state: string) =>
    (await records.query(imageJobs, { where: { field: 'state', is: state }, limit: 0, total: true })).total
  return { pending: await count('pending'), failed: await count('dead') }
}
