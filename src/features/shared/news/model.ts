/** What the host's feeds say, reduced to what concerns this site now. A feed that fails has nothing to say. */
import type { Context } from '../../../core/declare/context.ts'
import { all, andThen, catchError, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { type ConditionGroup, type FeedNotification, type Feeds, feedsOf } from '../../../services/feeds.ts'
import type { InstalledPackage } from '../../../services/packages/index.ts'
import { compareVersions } from '../../../services/versions.ts'
import type { Json } from '../../../storage/contract.ts'
import { installedPackages } from '../../add-ons/packages/model.ts'
import { localeOf } from '../locale/model.ts'

type FeedContext = Pick<Context, 'storage' | 'app' | 'user'>

/** Empty when the feed fails; why is for the log. */
export function fromFeed<T>({ app }: Pick<Context, 'app'>, read: (feeds: Feeds) => MaybePromise<readonly T[]>) {
  return catchError(
    () => read(feedsOf(app)),
    (error): readonly T[] => {
      app.log.error('a feed failed', { id: crypto.randomUUID(), error })
      return []
    },
  )
}

/** Each id once, and only those whose conditions hold. */
export function notificationsFor(
  context: FeedContext,
  read: (feeds: Feeds) => MaybePromise<readonly FeedNotification[]>,
): MaybePromise<readonly FeedNotification[]> {
  return andThen(fromFeed(context, read), (notifications) => {
    if (notifications.length === 0) return notifications
    return andThen(all([installedPackages(context), localeOf(context)]), ([packages, locale]) => {
      const here: SiteFacts = { packages, locale, version: feedsOf(context.app).version }
      const known = new Set<string>()
      return notifications.filter(({ id, conditions }) => {
        if (known.has(id) || !groupsHold(conditions, here)) return false
        known.add(id)
        return true
      })
    })
  })
}

// ---------------------------------------------------------------- conditions

interface SiteFacts {
  readonly packages: readonly InstalledPackage[]
  readonly locale: string
  readonly version: string
}

type Condition = { readonly [member: string]: Json }

/** Without conditions it concerns everybody; of several groups one has to hold. */
const groupsHold = (groups: readonly ConditionGroup[] | undefined, here: SiteFacts): boolean =>
  groups === undefined || groups.length === 0 || groups.some((group) => groupHolds(group, here))

/** Interface: the relation stands beside the conditions, whose names then are their places. */
function groupHolds(group: ConditionGroup, here: SiteFacts): boolean {
  const members = Object.values(group).filter(isCondition)
  const conditions = members.filter((member) => member['type'] !== undefined)
  const isAny = ('relation' in group && group['relation'] === 'OR') || members.some(({ relation }) => relation === 'OR')
  const one = (condition: Condition) => conditionHolds(condition, here)
  return isAny ? conditions.some(one) : conditions.every(one)
}

const isCondition = (member: unknown): member is Condition =>
  typeof member === 'object' && member !== null && !Array.isArray(member)

/** A condition that nobody here understands does not hold. */
function conditionHolds(condition: Condition, { packages, locale, version }: SiteFacts): boolean {
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
      const found = packages.find(({ kind, slug }) => kind === type && slug === condition[type])
      return packageHolds(found?.status === 'active' ? found.version : undefined, condition)
    }
    default:
      return false
  }
}

/** Without a version: it is active, or with `!=` it is not. */
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
