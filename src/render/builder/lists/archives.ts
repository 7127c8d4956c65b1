/** Lists the years, months, days and posts of the archive for blocks and classic widgets. */

import { dateAddress } from '../../../site/addresses/archive-address.ts'
import { limits } from '../document/limits.ts'
import type { Child } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { periodBounds, postPeriods } from '../records/lists.ts'
import { formatDate } from '../template-context/dates.ts'
import { publishedPosts, shownTitle } from './posts.ts'

export type ArchiveUnit = 'yearly' | 'monthly' | 'weekly' | 'daily' | 'postbypost'

export interface ArchiveEntry {
  readonly label: Child
  readonly address: string
  /** The value of `m`, or of `p` for a post, by which the front page finds it. */
  readonly value: string
  /** The number of posts; absent for a post. */
  readonly count?: number
}

/** The newest posts whose days and weeks are listed. */
const maxDated = 200

/** Returns the periods that have published posts, newest first. */
export function listArchives(
  { unit, limit = limits.items }: { readonly unit: ArchiveUnit; readonly limit?: number },
  pass: Pass,
): readonly ArchiveEntry[] {
  if (unit === 'postbypost') return newest(Math.min(limit, maxDated), pass)
  const found = unit === 'yearly' || unit === 'monthly' ? byPeriod(unit, pass) : byDay(unit, pass)
  return found.slice(0, limit)
}

function byPeriod(unit: 'yearly' | 'monthly', pass: Pass): readonly ArchiveEntry[] {
  pass.depend('query:post')
  const periods = (pass.get(postPeriods, `${unit} post`) ?? []).filter(() => pass.admit())
  return periods.map(({ parts, count }) => {
    const [year = '', month = '01'] = parts
    const format = unit === 'yearly' ? 'Y' : 'F Y'
    const label = formatDate(`${year}-${month}-01T00:00:00`, format, pass)
    return { label, address: addressOf(parts, pass), value: parts.join(''), count }
  })
}

function byDay(unit: 'weekly' | 'daily', pass: Pass): readonly ArchiveEntry[] {
  const days = newestPosts(maxDated, pass).map(({ date }) => date.slice(0, 10))
  const starts = unit === 'daily' ? days : days.map(mondayOf)
  return [...Map.groupBy(starts, (day) => day)].map(([day, same]) => {
    const date = formatDate(`${day}T00:00:00`, 'F j, Y', pass)
    const [address, value] = [addressOf(day.split('-'), pass), day.replaceAll('-', '')]
    return { label: unit === 'daily' ? date : `Week of ${date}`, address, value, count: same.length }
  })
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

const newest = (limit: number, pass: Pass): readonly ArchiveEntry[] =>
  newestPosts(limit, pass).map((post) => ({
    label: shownTitle(post, pass),
    address: pass.addressOf(post.id),
    value: String(post.id),
  }))

const newestPosts = (limit: number, pass: Pass) =>
  publishedPosts({ types: ['post'], order: { by: 'date', descending: true }, offset: 0, limit }, pass).posts

/** Sites without a permalink setting find archives by the query. */
function addressOf(parts: readonly string[], { site }: Pass): string {
  return site.permalink === '' ? `${site.home}/?m=${parts.join('')}` : dateAddress(parts, site)
}

// ---------------------------------------------------------------- a month

interface MonthPosts {
  /** The titles of the posts by day of the month. */
  readonly titles: ReadonlyMap<number, readonly string[]>
  readonly addressOf: (day: number) => string
  /** The months before and behind it that have posts. */
  readonly before?: ArchiveEntry
  readonly behind?: ArchiveEntry
}

/** Returns the days of a month that have posts: `2026`, `01`. */
export function postsOfMonth(year: string, month: string, pass: Pass): MonthPosts {
  const bounds = periodBounds([year, month])
  const common = { types: ['post'], offset: 0 } as const
  const order = (descending: boolean) => ({ by: 'date', descending }) as const
  const within = publishedPosts(
    { ...common, dates: [{ field: 'date', ...bounds }], order: order(false), limit: maxDated },
    pass,
  )
  const neighbour = (dates: { readonly after: string } | { readonly before: string }, descending: boolean) => {
    const query = { ...common, dates: [{ field: 'date' as const, ...dates }], order: order(descending), limit: 1 }
    const parts = publishedPosts(query, pass).posts[0]?.date.split('-').slice(0, 2)
    if (!parts) return undefined
    const label = formatDate(`${parts.join('-')}-01T00:00:00`, 'M', pass)
    return { label, address: addressOf(parts, pass), value: parts.join('') }
  }
  const second = (text: string, by: number) => new Date(Date.parse(`${text}Z`) + by).toISOString().slice(0, 19)
  const before = neighbour({ before: second(bounds.after, 1000) }, true)
  const behind = neighbour({ after: second(bounds.before, -1000) }, false)
  const byDay = Map.groupBy(within.posts, ({ date }) => Number(date.slice(8, 10)))
  return {
    titles: new Map([...byDay].map(([day, posts]) => [day, posts.map(({ title }) => title)])),
    addressOf: (day) => addressOf([year, month, String(day).padStart(2, '0')], pass),
    ...(before ? { before } : {}),
    ...(behind ? { behind } : {}),
  }
}
