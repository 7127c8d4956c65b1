/** The collections and options of a site, besides those that the features of its profile have. */
import type { Collection } from '../contract/storage.ts'
import type { PersistedData } from '../core/declare/feature.ts'
import type { Profile } from '../core/declare/profile.ts'
import { applicationPasswords } from '../core/pipeline/authentication.ts'
import { dueTimes } from '../core/pipeline/scheduled-tasks.ts'
import { writtenRequests } from '../core/request/idempotency.ts'
import { knownLists } from '../core/tags/known-lists.ts'
import { touchedTags } from '../core/tags/touched-tags.ts'
import { connectionAttempts, connections } from '../features/account/connections/model.ts'
import { htmlCollection } from '../features/add-ons/accessibility/html-cache.ts'
import { keyOption as hubKeyOption, stateOption as hubStateOption } from '../features/add-ons/hub-connector/link.ts'
import { formDeliveries, referersCollection } from '../features/builder/form-submissions/model.ts'
import { styleSheets } from '../features/builder/styles/model.ts'
import { imageJobs } from '../features/content/media/optimization/jobs.ts'
import { nextDueTime } from '../features/content/posts/schedule.ts'
import { outsideLinks } from '../features/integration/checks/collections.ts'
import { siteHistory } from '../features/integration/history/collections.ts'
import { outboxChanges, outboxEvents, webhookDeliveries } from '../features/integration/outbox/collections.ts'
import { firstSeenOption } from '../features/integration/outbox/first-seen.ts'
import { sequenceOption } from '../features/integration/outbox/read.ts'
import { webhooksOption } from '../features/integration/outbox/webhooks.ts'
import { releaseChanges, releases } from '../features/integration/releases/collections.ts'
import { usageEdges } from '../features/integration/usage/model.ts'
import { pagesSecretOption } from '../features/shared/access/preview-token.ts'
import { pendingFiles } from '../features/shared/pending-files.ts'
import { importStateOption } from '../management/context.ts'
import { signInAttempts } from '../pages/consent/attempts.ts'
import { keyOption as consentKeyOption } from '../pages/consent/grant.ts'

/**
 * The options that a site has with any profile. No export contains them: a database may have been served with another profile before,
 * and some of them are secrets.
 */
export const dataOfEverySite: PersistedData = {
  options: [
    dueTimes,
    nextDueTime,
    { name: webhooksOption, inSettings: 'hidden' },
    { name: sequenceOption },
    { name: firstSeenOption },
    { name: pagesSecretOption },
    { name: consentKeyOption },
    { name: hubKeyOption },
    { name: hubStateOption },
    { name: importStateOption },
  ],
}

/** Collections that no answer to a visitor is made from. */
export const internalCollections: readonly Collection[] = [
  applicationPasswords,
  pendingFiles,
  writtenRequests,
  releases,
  releaseChanges,
  outsideLinks,
  signInAttempts,
  outboxChanges,
  outboxEvents,
  webhookDeliveries,
  touchedTags,
  knownLists,
]

/** Collections that no export has as such: the passwords are members of their users. */
const unpersisted: readonly Collection[] = [
  siteHistory,
  usageEdges,
  formDeliveries,
  imageJobs,
  connections,
  connectionAttempts,
  htmlCollection,
  referersCollection,
  styleSheets,
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
  ...internalCollections,
  ...unpersisted,
  ...features.flatMap(({ persisted: { collections = [] } }) => collections.map(({ collection }) => collection)),
]
