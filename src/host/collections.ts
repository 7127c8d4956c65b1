/** The collections that a site stores its records in. */
import type { Collection } from '../contract/storage.ts'
import type { Profile } from '../core/declare/profile.ts'
import { writtenRequests } from '../core/request/idempotency.ts'
import { formDeliveries } from '../features/builder/form-submissions/model.ts'
import { imageJobs } from '../features/content/media/optimization/jobs.ts'
import { outboxChanges, outboxEvents, webhookDeliveries } from '../features/integration/outbox/collections.ts'
import { signInAttempts } from '../pages/consent/attempts.ts'

/** Collections that no seed and no export has. */
const unpersisted: readonly Collection[] = [
  writtenRequests,
  signInAttempts,
  outboxChanges,
  outboxEvents,
  webhookDeliveries,
  formDeliveries,
  imageJobs,
]

/**
 * Lists the collections of a site with this profile, for a database whose indexes are created before the application opens it.
 *
 * ```ts
 * import { collectionsOf, d1 } from 'site-api'
 * import { migratePostgres } from 'site-api/storage/postgres'
 *
 * await migratePostgres('postgres://localhost/site', { collections: collectionsOf(d1) })
 * ```
 */
export const collectionsOf = ({ features }: Pick<Profile, 'features'>): readonly Collection[] => [
  ...unpersisted,
  ...features.flatMap(({ persisted: { collections = [] } }) => collections.map(({ collection }) => collection)),
]
