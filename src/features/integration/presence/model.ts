/**
 * Who is where. All of it is in one option that is written by compare and swap, as locks are, so that processes share it. A window says so
 * again while it is open; else it is forgotten.
 */
import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { mayEditOfType } from '../../content/posts/model.ts'
import { type EditLock, locksOf, sharedTime, timesOf } from '../../shared/access/edit-locks.ts'
import { changeKit, type KitPart, readKit } from '../../shared/kit.ts'

export const presenceOption = 'presence'

/** A type, because an interface is no `Json`. Times are in milliseconds since 1970. */
type Entry = {
  readonly user: number
  readonly record: string
  readonly state: 'viewing' | 'editing'
  readonly since: number
  readonly at: number
}

/** Has the entries by user and window. */
type Entries = { readonly [window: string]: Entry }

const part: KitPart<Entries> = { option: presenceOption, start: {} }

/** A window that is not heard of so long is closed. Clients report every 20 seconds. */
const presentMs = 60_000
/** A report that says the same as one this short ago is not written. */
const sameMs = 10_000
/** The windows of a site, and of a user: those that are heard of longest ago are forgotten. */
const maxWindows = 1000
const maxOfUser = 20

type PresenceContext = Pick<Context, 'storage' | 'app' | 'user'>

interface Report {
  readonly session: string
  readonly record: string
  readonly state: Entry['state']
}

const windowOf = (user: number, session: string) => `${user}:${session}`

const isPresent = ({ at }: Entry, now: number): boolean => Math.abs(now - at) < presentMs

/** Throws 404 for a post that is not there, or that the user may not edit. */
export async function requirePlace({ storage, user, app }: PresenceContext, record: string): Promise<void> {
  const id = postIn(record)
  if (id === undefined) return
  const [post] = await storage.posts.read([id])
  if (!post || !mayEditOfType(user, post, app))
    throw new ApiError('rest_post_invalid_id', 'There is no such post.', 404)
}

const postIn = (record: string): number | undefined =>
  record.startsWith('post:') ? Number(record.slice('post:'.length)) : undefined

export async function reportPresence(context: PresenceContext, { session, record, state }: Report): Promise<void> {
  const { storage, user } = context
  const window = windowOf(user.id, session)
  const now = await sharedTime(context)
  await changeKit(storage, part, (entries) => {
    const known = entries[window]
    const isSame = known !== undefined && known.record === record && known.state === state && isPresent(known, now)
    if (isSame && Math.abs(now - known.at) < sameMs) return { answer: undefined }
    const since = isSame ? known.since : now
    return {
      next: kept({ ...entries, [window]: { user: user.id, record, state, since, at: now } }, now),
      answer: undefined,
    }
  })
}

function kept(entries: Entries, now: number): Entries {
  const counts = new Map<number, number>()
  const newest = Object.entries(entries)
    .filter(([, entry]) => isPresent(entry, now))
    .sort(([, a], [, b]) => b.at - a.at)
    .filter(([, { user }]) => {
      const count = (counts.get(user) ?? 0) + 1
      counts.set(user, count)
      return count <= maxOfUser
    })
  return Object.fromEntries(newest.slice(0, maxWindows))
}

export async function endPresence({ storage, user }: PresenceContext, session: string): Promise<void> {
  const window = windowOf(user.id, session)
  await changeKit(storage, part, (entries) => {
    if (!Object.hasOwn(entries, window)) return { answer: undefined }
    const { [window]: _, ...others } = entries
    return { next: others, answer: undefined }
  })
}

/** One who is somewhere, with the lock of the post. */
export interface Presence {
  readonly session: string
  readonly user: { readonly id: number; readonly name: string }
  readonly record: string
  readonly state: Entry['state']
  readonly since: string
  readonly lock: PresenceLock | null
}

interface PresenceLock {
  readonly user: Presence['user']
  readonly is_yours: boolean
  readonly since: string
  readonly until: string
  readonly taken_over: boolean
}

/** Those who are there, the first one first: on posts that the user may edit, and at places that are no posts. */
export async function readPresence(context: PresenceContext, record?: string): Promise<readonly Presence[]> {
  const { storage, user } = context
  const now = await sharedTime(context)
  const present = Object.entries(await readKit(storage, part))
    .filter(([, entry]) => isPresent(entry, now) && (record === undefined || entry.record === record))
    .sort(([a, { since: first }], [b, { since: second }]) => first - second || (a < b ? -1 : 1))
  const posts = await editablePosts(
    context,
    present.map(([, entry]) => entry.record),
  )
  const seen = present.filter(
    ([, entry]) => entry.user === user.id || posts.has(entry.record) || postIn(entry.record) === undefined,
  )
  const locks = await locksOf(
    context,
    seen.flatMap(([, entry]) => postIn(entry.record) ?? []),
  )
  const names = await namesOf(storage, [
    ...seen.map(([, entry]) => entry.user),
    ...[...locks.values()].map((lock) => lock.user),
  ])
  const nameOf = (id: number) => ({ id, name: names.get(id) ?? '' })
  return seen.map(([window, entry]) => {
    const lock = locks.get(postIn(entry.record) ?? 0)
    return {
      session: entry.user === user.id ? window.slice(window.indexOf(':') + 1) : '',
      user: nameOf(entry.user),
      record: entry.record,
      state: entry.state,
      since: gmt(entry.since),
      lock: lock ? lockView(lock, nameOf(lock.user), user.id) : null,
    }
  })
}

const lockView = (lock: EditLock, holder: Presence['user'], caller: number): PresenceLock => ({
  user: holder,
  is_yours: lock.user === caller,
  ...timesOf(lock),
  taken_over: lock.from === caller,
})

const gmt = (ms: number) => new Date(ms).toISOString().slice(0, 19)

async function editablePosts(
  { storage, user, app }: PresenceContext,
  records: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(records.flatMap((record) => postIn(record) ?? []))]
  const posts = ids.length === 0 ? [] : await storage.posts.read(ids)
  return new Set(posts.filter((post) => mayEditOfType(user, post, app)).map(({ id }) => `post:${id}`))
}

async function namesOf(storage: Storage, users: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(users)]
  if (ids.length === 0) return new Map()
  const query = { ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length } as const
  return new Map((await storage.users.query(query)).rows.map(({ id, displayName }) => [id, displayName]))
}
