/**
 * Ends what Next keeps by the tags of a site: those of an answer are given to what Next keeps, those of a commit to `revalidateTag`. Nothing of Next
 * is imported; the host hands its functions over.
 */

/** An answer of `api.call` or of the client. */
export interface TaggedAnswer {
  /** The tags; undefined for an answer that has none. */
  readonly cacheTags?: readonly string[] | undefined
}

/** `revalidateTag` of `next/cache`. */
export type RevalidateTag = (tag: string, profile: { expire: number }) => unknown

/** `unstable_cache` of `next/cache`. */
export type UnstableCache = (
  work: () => Promise<true>,
  keyParts: string[],
  options: { tags: string[] },
) => () => Promise<true>

/** An api whose changes are followed. */
export interface ChangingApi {
  on(name: 'tags.changed', listener: (payload: { readonly tags: readonly string[] }) => unknown): unknown
}

/** The options of `revalidateChanges`. */
export interface RevalidationOptions {
  /**
   * Called when something has changed while the returned function carried no work out: a timer has published a scheduled post, or the
   * code of a page has called the api. Next then refuses `revalidateTag`, so ask a route of this application whose handler calls the
   * returned function; what changes until the promise resolves is asked for together. Default: the next call of that function
   * revalidates such changes.
   */
  readonly later?: () => unknown
}

/** Carries out the work of a route handler or a server action, and revalidates what has changed meanwhile, or before without such work. */
export interface Revalidate {
  <T>(work: () => T | Promise<T>): Promise<T>
  (): Promise<void>
}

/** Next drops tags beyond the 128th, and longer ones. */
const mostTags = 128
const longestTag = 256
/** Every answer has the first, and every change touches the second. */
const [all, site] = ['all', 'site']

/** The children of a post, such as its revisions, belong to it. */
const rowOf = (tag: string): string | undefined => {
  const [, row, parent] = /^(?:((?:post|term|user):\d+)|posts:[^:]+:[^:]+:parent:(\d+)$)/.exec(tag) ?? []
  if (parent !== undefined) return `row:post:${parent}`
  return row === undefined ? undefined : `row:${row}`
}

const kindOf = (tag: string): string | undefined => {
  const end = tag.indexOf(':')
  return end === -1 ? undefined : `kind:${tag.slice(0, end)}`
}

/** From exact tags to coarse ones. A change has all of them. */
const precisions: readonly ((tag: string) => string)[] = [
  (tag) => (tag.length > longestTag ? (kindOf(tag) ?? site) : tag),
  (tag) => rowOf(tag) ?? (tag.length > longestTag ? (kindOf(tag) ?? site) : tag),
  (tag) => kindOf(tag) ?? tag,
]

/**
 * The tags of an answer, at most 128, as Next takes them. A long list names rows as a whole, a longer one kinds of rows. An answer without
 * tags, such as that to a user, has one that each change touches. The api needs the option `cacheTags`.
 *
 * ```ts
 * import { cacheTag } from 'next/cache'
 * import { createSiteApi, full } from 'site-api'
 * import { tagsOf } from 'site-api/next'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: full, cacheTags: {} })
 *
 * export async function latestPosts() {
 *   'use cache'
 *   const answer = await api.call('GET', '/cms/v2/posts', { per_page: 10 })
 *   cacheTag(...tagsOf(answer))
 *   return answer.data
 * }
 * ```
 */
export function tagsOf(answer: TaggedAnswer): string[] {
  const { cacheTags } = answer
  if (!cacheTags) return [all, site]
  const lists = precisions.map((toTag) => [...new Set(cacheTags.map(toTag))])
  return lists.find(({ length }) => length <= mostTags) ?? [all, site]
}

/**
 * Gives the page that Next is making the tags of answers that it shows, so that it stays until one of them changes. For pages that are made
 * once and kept, without `cacheComponents`.
 *
 * ```ts
 * import { unstable_cache } from 'next/cache'
 * import { createSiteApi, full } from 'site-api'
 * import { tagPage } from 'site-api/next'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: full, cacheTags: {} })
 * const answer = await api.call('GET', '/cms/v2/posts', { per_page: 10 })
 * await tagPage(unstable_cache, answer)
 * ```
 */
export async function tagPage(unstableCache: UnstableCache, ...answers: readonly TaggedAnswer[]): Promise<void> {
  // Next adds the tags of cached calls to those of the page that makes them.
  for (const answer of answers) await unstableCache(async () => true, ['site-api'], { tags: tagsOf(answer) })()
}

/**
 * Revalidates the tags of each commit of this process. Next takes `revalidateTag` in route handlers and server actions alone,
 * so the returned function carries their work out: `createNextHandlers(api, { revalidate })` has it do so for each request of
 * the API, and a server action or a route handler of the host calls it.
 *
 * ```ts
 * import { revalidateTag } from 'next/cache'
 * import { createSiteApi, full } from 'site-api'
 * import { createNextHandlers, revalidateChanges } from 'site-api/next'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * const api = createSiteApi({ storage: memoryStorage(), profile: full, cacheTags: {} })
 * const revalidate = revalidateChanges(api, revalidateTag)
 * export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api, { revalidate })
 * ```
 */
export function revalidateChanges(
  api: ChangingApi,
  revalidateTag: RevalidateTag,
  { later }: RevalidationOptions = {},
): Revalidate {
  /** For each work that runs: the tags that have changed since it began. */
  const running = new Set<Set<string>>()
  let pending = new Set<string>()
  let isAsking = false
  let hasChangedSince = false

  api.on('tags.changed', ({ tags }) => {
    for (const changed of running.size > 0 ? running : [pending]) addAll(changed, tags)
    if (running.size > 0 || !later) return
    hasChangedSince = true
    if (!isAsking) void askUntilNothingChanges(later)
  })

  async function askUntilNothingChanges(ask: () => unknown): Promise<void> {
    isAsking = true
    while (hasChangedSince) {
      hasChangedSince = false
      try {
        await ask()
      } catch (error) {
        console.error('site-api: what has changed waits for the next request that revalidates it', error)
      }
    }
    isAsking = false
  }

  function revalidateAll(changed: Iterable<string>): void {
    for (const name of new Set([...changed].flatMap(namesOf))) revalidateTag(name, { expire: 0 })
  }

  const revalidate = async <T>(work?: () => T | Promise<T>): Promise<T | undefined> => {
    const changed = new Set<string>()
    running.add(changed)
    try {
      return await work?.()
    } finally {
      running.delete(changed)
      addAll(changed, pending)
      pending = new Set()
      try {
        revalidateAll(changed)
      } catch (error) {
        // The work is done all the same. Another call may come where Next takes it.
        addAll(pending, changed)
        console.error('site-api: Next has not revalidated what has changed', error)
      }
    }
  }
  // The cast: without work there is no value.
  return revalidate as Revalidate
}

/** Returns a changed tag as answers of each precision name it. */
const namesOf = (tag: string): readonly string[] =>
  [tag, rowOf(tag), kindOf(tag)].filter((name) => name !== undefined && name.length <= longestTag) as string[]

/** Next looks through all of them for each. More than that end everything. */
const mostChanged = 1000

function addAll(set: Set<string>, tags: Iterable<string>): void {
  for (const tag of tags) set.add(tag)
  if (set.size <= mostChanged) return
  set.clear()
  set.add(all).add(site)
}
