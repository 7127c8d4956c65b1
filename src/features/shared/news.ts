/** The entries of the host's feeds that apply to this site now. A feed that fails counts as empty. */

import type { Json, MaybePromise } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'
import { randomId } from '../../core/runtime/crypto.ts'
import { type ConditionGroup, type FeedNotification, type Feeds, feedsOf } from '../../services/feeds.ts'
import type { InstalledPackage } from '../../services/packages/index.ts'
import { compareVersions } from '../../services/versions.ts'
import { installedPackages } from '../add-ons/packages/model.ts'
import { localeOf } from './locale.ts'

type FeedContext = Pick<Context, 'storage' | 'app' | 'user'>

/** Empty when the feed fails; the error is logged. */
export async function fromFeed<T>(
  { app }: Pick<Context, 'app'>,
  read: (feeds: Feeds) => MaybePromise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await read(feedsOf(app))
  } catch (error) {
    app.log.error('a feed failed', { id: randomId(), error })
    return []
  }
}

/** Returns the notifications whose conditions hold, each id once. */
export async function notificationsFor(
  context: FeedContext,
  read: (feeds: Feeds) => MaybePromise<readonly FeedNotification[]>,
): Promise<readonly FeedNotification[]> {
  const notifications = await fromFeed(context, read)
  if (notifications.length === 0) return notifications
  const [packages, locale] = await Promise.all([installedPackages(context), localeOf(context)])
  const site: SiteState = { packages, locale, version: feedsOf(context.app).version }
  const applied = new Set<string>()
  return notifications.filter(({ id, conditions }) => {
    if (applied.has(id) || !groupsHold(conditions, site)) return false
    applied.add(id)
    return true
  })
}

// ---------------------------------------------------------------- conditions

interface SiteState {
  readonly packages: readonly InstalledPackage[]
  readonly locale: string
  readonly version: string
}

type Condition = { readonly [member: string]: Json }

/** True without conditions; of several groups one has to hold. */
const groupsHold = (groups: readonly ConditionGroup[] | undefined, site: SiteState): boolean =>
  groups === undefined || groups.length === 0 || groups.some((group) => groupHolds(group, site))

/** Interface: the relation is a member next to the conditions, whose names are then their positions. */
function groupHolds(group: ConditionGroup, site: SiteState): boolean {
  const members = Object.values(group).filter(isCondition)
  const conditions = members.filter((member) => member['type'] !== undefined)
  const isAny = ('relation' in group && group['relation'] === 'OR') || members.some(({ relation }) => relation === 'OR')
  const isMet = (condition: Condition) => conditionHolds(condition, site)
  return isAny ? conditions.some(isMet) : conditions.every(isMet)
}

const isCondition = (member: unknown): member is Condition =>
  typeof member === 'object' && member !== null && !Array.isArray(member)

/** An unknown condition does not hold. */
function conditionHolds(condition: Condition, { packages, locale, version }: SiteState): boolean {
  switch (condition['type']) {
    case 'cms':
      return version !== '' && versionHolds(version, condition)
    case 'multisite':
      return condition['multisite'] === false
    case 'language': {
      const { languages } = condition
      const isListed = Array.isArray(languages) && languages.includes(locale)
      return condition['operator'] === 'not_in' ? !isListed : isListed
    }
    case 'plugin':
    case 'theme': {
      const { type } = condition
      const installed = packages.find(({ kind, slug }) => kind === type && slug === condition[type])
      return packageHolds(installed?.status === 'active' ? installed.version : undefined, condition)
    }
    default:
      return false
  }
}

/** A condition without a version holds when the package is active, or with `!=` when it is not. */
function packageHolds(version: string | undefined, condition: Condition): boolean {
  if (condition['version'] === undefined) return (version === undefined) === (condition['operator'] === '!=')
  return version !== undefined && versionHolds(version, condition)
}

const comparisons: ReadonlyMap<Json, (order: number) => boolean> = new Map([
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['==', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['>=', (order) => order >= 0],
  ['>', (order) => order > 0],
])

function versionHolds(version: string, { version: other, operator = '==' }: Condition): boolean {
  const comparison = comparisons.get(operator)
  return typeof other === 'string' && comparison !== undefined && comparison(compareVersions(version, other))
}
