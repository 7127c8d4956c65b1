/** Work on pictures beside requests: sizes that take long, and smaller files. Entered with the upload, each done by one process. */

import type { Storage, StoredRecord, Where } from '../../../../contract/storage.ts'
import type { Context, HookContext } from '../../../../core/declare/context.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { imagesOf } from '../../../../services/images.ts'
import { type Attempted, deliverDue, deliveryCollection, newDelivery } from '../../../shared/deliveries.ts'
import { keepNewest } from '../../../shared/keep-for.ts'
import { makeDeferredSizes } from '../deferred-sizes.ts'
import { readFileMeta } from '../model.ts'
import { optimizeMedium } from './optimize.ts'
import { optimizationSettings } from './settings.ts'

/** Pictures whose sizes are to be made, and pictures that are to be made smaller. */
export const imageJobs = deliveryCollection('image_jobs')

type Target = 'optimize' | 'sizes'
const retention = { count: 100_000, days: 30 }

/** Enters pictures, in the transaction of what made them. */
export async function enterJobs(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  media: readonly number[],
  target: Target = 'optimize',
) {
  const rows = media.map((id) => newDelivery({ target, subject: `media:${id}`, sequence: id }, app.clock()))
  await storage.records.insert(imageJobs, rows)
}

/** Enters the sizes of a picture, if they are not entered yet. */
export async function enterSizes(context: Pick<Context, 'storage' | 'app'>, medium: number): Promise<void> {
  const where: Where = {
    every: [
      { field: 'subject', is: `media:${medium}` },
      { field: 'state', is: 'pending' },
      { field: 'target', is: 'sizes' },
    ],
  }
  const { rows } = await context.storage.records.query(imageJobs, { where, limit: 1 })
  if (rows.length === 0) await enterJobs(context, [medium], 'sizes')
}

/** With each upload: its sizes, if they wait, else its optimization, where the service optimizes and the preset says so. */
export async function enterUpload(context: HookContext, medium: number): Promise<void> {
  const { details } = (await readFileMeta(context.storage, [medium]))(medium)
  if (details.sizes_pending) await enterJobs(context, [medium], 'sizes')
  else await enterOptimization(context, medium)
}

async function enterOptimization(context: Pick<Context, 'storage' | 'app'>, medium: number): Promise<void> {
  if (!imagesOf(context.app).encode) return
  if ((await optimizationSettings(context.storage))?.isAutomatic) await enterJobs(context, [medium])
}

/** For the background work of the feature: returns when the next is due. */
export async function picturesDue(context: BackgroundContext): Promise<number> {
  const images = imagesOf(context.app)
  const targets: readonly Target[] = images.encode ? ['sizes', 'optimize'] : ['sizes']
  if (!(await hasJobs(context, targets)) || !(await images.isAvailable())) return Number.POSITIVE_INFINITY
  const next = await deliverDue(context, {
    collection: imageJobs,
    name: 'picture',
    targets,
    attempt: (row) => attempt(context, row),
  })
  await keepNewest(context, imageJobs, retention)
  return next
}

/** The package for pictures is not loaded for a site that has none. */
async function hasJobs({ storage }: BackgroundContext, targets: readonly Target[]): Promise<boolean> {
  const where: Where = {
    every: [
      { field: 'state', is: 'pending' },
      { field: 'target', in: [...targets] },
    ],
  }
  return (await storage.records.query(imageJobs, { where, limit: 1 })).rows.length > 0
}

async function attempt(context: BackgroundContext, { subject, target }: StoredRecord): Promise<Attempted> {
  const medium = Number(String(subject).slice('media:'.length))
  if (target === 'sizes') {
    const attempted = await makeDeferredSizes(context, medium)
    // Now that all its files are there.
    if (attempted.result === 'delivered') await enterOptimization(context, medium)
    return attempted
  }
  const settings = await optimizationSettings(context.storage)
  if (!settings) return { result: 'dead', error: 'the site has no preset' }
  const outcome = await optimizeMedium(context, medium, settings)
  return outcome === 'changed meanwhile' ? { result: 'again', error: outcome } : { result: 'delivered' }
}

/** How many pictures wait to be optimized, and how many could not be. */
export async function countJobs({ records }: Storage): Promise<{ readonly pending: number; readonly failed: number }> {
  const count = async (state: string) => {
    const where: Where = {
      every: [
        { field: 'state', is: state },
        { field: 'target', is: 'optimize' },
      ],
    }
    return (await records.query(imageJobs, { where, limit: 0, total: true })).total
  }
  return { pending: await count('pending'), failed: await count('dead') }
}
