/**
 * A write to a release: it runs in a transaction on the site as it would be, which is rolled back; what it has changed is kept in the
 * release. New rows keep the ids that they get here.
 */
import type { Json, PostValues, Storage, TermValues } from '../../../contract/storage.ts'
import { recordChanges } from '../../../core/changes/recorded-storage.ts'
import { rolledBack } from '../../../core/changes/rolled-back.ts'
import type { ChangeSet, RecorderOptions, RowChange } from '../../../core/changes/row-change.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { NamedRelease } from '../../../core/pipeline/releases/release-access.ts'
import { writtenRequests } from '../../../core/request/idempotency.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { oldSlugs } from '../../../site/addresses/old-slugs.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { typeNamesOf } from '../../shared/declared-types.ts'
import { type HistoryScope, historyOf } from '../history/model.ts'
import { editsOf, withEdit } from './changes.ts'
import { releaseChanges } from './collections.ts'
import {
  changesOf,
  findRelease,
  idOfName,
  markChanged,
  readChanges,
  requireOpen,
  requireReleases,
  type StoredChange,
} from './model.ts'
import type { RecordPlan } from './plan.ts'
import { isAlias, siteWith, withoutTwins, writeSite } from './site-with.ts'

/** One write changes no more rows. */
const maxRows = 5000

export async function writeToRelease<T>(
  { name, user, app, storage }: NamedRelease,
  work: (transaction: Storage) => Promise<T>,
): Promise<T> {
  requireReleases(user)
  const id = idOfName(name)
  if (!storage.atomic || !storage.keepsIds) throw notSupported()
  const postTypes = () => typeNamesOf(app)
  const recorder: RecorderOptions = { wants: () => true, limit: maxRows, postTypes }
  const unrecorded: RecorderOptions = { wants: () => false, limit: maxRows, postTypes }
  return retryTransaction(
    storage,
    async (transaction) => {
      requireOpen(await findRelease(transaction, id))
      const stored = await readChanges(transaction, id)
      const { done, set, site } = await rolledBack(transaction, unrecorded, async (inside) => {
        // Within a savepoint nothing is read from the transaction around it, which waits for its end.
        const site = await siteWith(app, inside, changesOf(stored))
        await writeSite(app, inside, await withoutTwins(app, inside, site))
        const { storage: recorded, changes } = recordChanges(inside, recorder)
        const result = await work(recorded)
        return { done: result, set: changes(), site }
      })
      const kept = keptOf(set, historyOf(app).scope)
      // First of all, because rows of other collections may take the same ids.
      await reserveIds(transaction, kept, app)
      const plans = new Map(site.planned.map(({ plan }) => [plan.record, plan]))
      const hasChanged = await keep(transaction, { id, stored, plans, kept, user: user.id, now: app.clock() })
      if (hasChanged) await markChanged(transaction, id, app.clock())
      await keepAnswers(transaction, set.changes)
      return done
    },
    { groupCommit: true, author: user.id },
  )
}

const notSupported = () =>
  new ApiError(
    'release_no_transactions',
    'The storage of this site has no transactions, or keeps no ids: it has no releases.',
    501,
  )

/** Rows of the machinery, such as events and due times, are left out; users are in no release. */
function keptOf(
  { changes, overflow }: ChangeSet,
  { collections, leftOutOptions, derivedOptions }: HistoryScope,
): readonly RowChange[] {
  if (overflow) {
    throw new ApiError('release_too_large', `One write to a release changes at most ${maxRows} rows.`, 400)
  }
  const isLeftOut = (change: RowChange) =>
    (change.store === 'options' && leftOutOptions.has(change.name)) ||
    (change.store === 'records' && !collections.has(change.collection))
  if (changes.some((change) => change.store === 'users' || (change.store === 'meta' && change.owner === 'user'))) {
    throw new ApiError('release_users', 'Users are in no release: leave out the release to write them.', 400)
  }
  const kept = changes.filter((change) => !isLeftOut(change) && !isOldAlias(change))
  const isOwn = (change: RowChange) => change.store === 'options' && !derivedOptions.includes(change.name)
  if (kept.length === 0 && changes.some((change) => isLeftOut(change) && isOwn(change))) {
    throw new ApiError('release_not_kept', 'A release does not keep what this writes: leave out the release.', 400)
  }
  return kept
}

const isOldAlias = (change: RowChange) =>
  change.store === 'records' &&
  change.collection === oldSlugs.name &&
  isAlias(Number(change.after?.['post']), String(change.after?.['slug']))

interface Kept {
  readonly id: number
  readonly stored: readonly StoredChange[]
  readonly plans: ReadonlyMap<string, RecordPlan>
  readonly kept: readonly RowChange[]
  readonly user: number
  readonly now: number
}

/** Returns whether the release has changed. */
async function keep(transaction: Storage, { id, stored, plans, kept, user, now }: Kept): Promise<boolean> {
  const known = new Map(stored.map((one) => [one.record, one]))
  const inserted: { readonly [field: string]: Json }[] = []
  const updated: { readonly id: number; readonly changes: { readonly [field: string]: Json } }[] = []
  const removed: number[] = []
  for (const edit of editsOf(kept)) {
    const before = known.get(edit.record)
    const change = withEdit(before?.change, edit, (member) => baseOf(plans.get(edit.record), member))
    if (change && before) updated.push({ id: before.row, changes: { change, user, at: now } })
    else if (change) inserted.push({ release: id, record: edit.record, change, undo: null, user, at: now })
    else if (before) removed.push(before.row)
  }
  await transaction.records.insert(releaseChanges, inserted)
  await transaction.records.update(releaseChanges, updated)
  if (removed.length > 0) await transaction.records.remove(releaseChanges, { field: 'id', in: removed })
  return inserted.length + updated.length + removed.length > 0
}

/** Who writes a member has seen what the site has changed in it, unless both have changed the same: that stays a conflict. */
function baseOf(plan: RecordPlan | undefined, member: string): Json | undefined {
  const known = plan?.change.members[member]
  if (!plan || !known) return undefined
  const isOpen = plan.conflict !== undefined || (plan.members.get(member)?.conflicts.length ?? 0) > 0
  return isOpen || plan.change.change !== 'changed' ? known.base : (plan.live?.[member] ?? known.base)
}

/** Takes the ids of new rows out of use: no other row gets them, so that links to them stay true. */
async function reserveIds(transaction: Storage, kept: readonly RowChange[], app: AppContext): Promise<void> {
  const posts: { id: number; row: PostValues }[] = []
  const terms: { id: number; row: TermValues }[] = []
  for (const change of kept) {
    if (change.store === 'posts' && change.before === undefined && change.after) {
      const { id, version: _version, ...row } = change.after
      posts.push({ id, row: { ...row, type: revisionType, slug: '', title: '', content: '', excerpt: '', parent: 0 } })
    } else if (change.store === 'terms' && change.before === undefined && change.after) {
      const { id, ...row } = change.after
      terms.push({ id, row: { ...row, slug: `reserved-${id}-${randomId()}`, parent: 0 } })
    } else if (change.store === 'records' && change.before === undefined) {
      const collection = historyOf(app).scope.collections.get(change.collection)
      if (!collection) continue
      await transaction.records.insert(collection, [{}], [change.id])
      await transaction.records.remove(collection, { field: 'id', is: change.id })
    }
  }
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  if (posts.length > 0) {
    await transaction.posts.insert(
      posts.map(({ row }) => row),
      idsOf(posts),
    )
    await transaction.posts.remove(idsOf(posts))
  }
  if (terms.length > 0) {
    await transaction.terms.insert(
      terms.map(({ row }) => row),
      idsOf(terms),
    )
    await transaction.terms.remove(idsOf(terms))
  }
}

/** A request that is sent again with its key gets its answer, and changes the release once. */
async function keepAnswers(transaction: Storage, changes: readonly RowChange[]): Promise<void> {
  const rows = changes.flatMap((change) => {
    if (change.store !== 'records' || change.collection !== writtenRequests.name || !change.after) return []
    const { id: _id, ...row } = change.after
    return [row]
  })
  if (rows.length > 0) await transaction.records.insert(writtenRequests, rows)
}
