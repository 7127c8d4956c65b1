/**
 * The storage of requests that run side by side in one transaction: what they ask and write at the same time is one call, with their
 * parts in the order of the requests. Each gets what it would get if they ran one after another, or an OrderMatters error.
 */

import type { MaybePromise } from '../../contract/maybe-promise.ts'
import type { PostValues, Storage, TermQuery } from '../../contract/storage.ts'

/** The requests have to run one after another: a later one has taken what an earlier one asks for. */
export class OrderMatters extends Error {
  constructor() {
    super('these requests have to run one after another')
  }
}

interface Call {
  readonly request: number
  /** Calls with the same key become one. */
  readonly key: string
  readonly part: unknown
  /** Makes the calls of one key; returns one result for each part. */
  readonly send: (calls: readonly Call[]) => MaybePromise<readonly unknown[]>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Requests that share an answer make their next calls within fewer microtasks. A request that is slower makes its own call. */
const quietMicrotasks = 64

export class MergedStorage {
  readonly #storage: Storage
  #waiting: Call[] = []
  #isFlushing = false
  /** By request: whether it has inserted its post, or has ended. */
  readonly #isPast: boolean[]
  /** Slugs that are free in the storage, by the request that takes them. */
  readonly #claims = new Map<string, number>()
  /** Claims that made another request choose another slug. */
  readonly #counted = new Set<string>()

  constructor(storage: Storage, requests: number) {
    this.#storage = storage
    this.#isPast = new Array<boolean>(requests).fill(false)
  }

  /** The storage of one request, by its place. */
  of(request: number): Storage {
    const storage = this.#storage
    const { posts, terms, meta } = storage
    const call = <Part, R>(
      key: string,
      part: Part,
      send: (parts: readonly Part[], requests: readonly number[]) => MaybePromise<readonly R[]>,
    ) => this.#call(request, key, part, send)
    return {
      users: storage.users,
      options: storage.options,
      records: storage.records,
      ...(storage.atomic && { atomic: (work, options) => storage.atomic?.(work, options) as never }),
      posts: {
        query: (query) => posts.query(query),
        read: (ids) => posts.read(ids),
        update: (updates) => posts.update(updates),
        remove: (ids) => posts.remove(ids),
        childCounts: (type, parents) => posts.childCounts(type, parents),
        takenSlugs: (type, slugs, parent) =>
          call(`slugs ${JSON.stringify([type, parent])}`, slugs, async (parts, requests) => {
            const taken = new Set(await posts.takenSlugs(type, unique(parts.flat()), parent))
            return parts.map((part, at) => this.#takenOf(requests[at] ?? 0, { type, parent, slugs: part, taken }))
          }),
        insert: (rows, ids) =>
          ids === undefined
            ? call(insertKey, rows, async (parts, requests) => {
                for (const [at, part] of parts.entries()) this.#claimInserted(requests[at] ?? 0, part)
                return shares(await posts.insert(parts.flat()), parts)
              })
            : posts.insert(rows, ids),
      },
      terms: {
        insert: (rows, ids) => terms.insert(rows, ids),
        update: (updates) => terms.update(updates),
        remove: (ids) => terms.remove(ids),
        below: (ids) => terms.below(ids),
        of: (ids) => terms.of(ids),
        query: (query) =>
          isOfIdsAlone(query)
            ? call(`terms ${query.order.descending}`, query.ids, async (parts) => {
                const ids = unique(parts.flat())
                const { rows } = await terms.query({ ...query, ids, limit: ids.length })
                return parts.map((part) => ({ rows: rows.filter(({ id }) => part.includes(id)), total: 0 }))
              })
            : terms.query(query),
        assign: (assignments) =>
          call('assign', assignments, async (parts) => {
            await terms.assign(parts.flat())
            return parts.map(() => undefined)
          }),
      },
      meta: {
        read: (owner, ids, keys) => meta.read(owner, ids, keys),
        write: (owner, entries) =>
          call(`meta ${owner}`, entries, async (parts) => {
            await meta.write(owner, parts.flat())
            return parts.map(() => undefined)
          }),
      },
    }
  }

  /** The request makes no more calls. */
  end(request: number): void {
    this.#isPast[request] = true
    if (this.#waiting.length > 0) void this.#flushWhenQuiet()
  }

  #call<Part, R>(
    request: number,
    key: string,
    part: Part,
    send: (parts: readonly Part[], requests: readonly number[]) => MaybePromise<readonly R[]>,
  ): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({
        request,
        key,
        part,
        // The casts: calls of one key have parts and results of one type.
        send: (calls) =>
          send(
            calls.map((one) => one.part as Part),
            calls.map((one) => one.request),
          ),
        resolve: resolve as (result: unknown) => void,
        reject,
      })
      void this.#flushWhenQuiet()
    })
  }

  async #flushWhenQuiet(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    for (let seen = -1; seen !== this.#waiting.length; ) {
      seen = this.#waiting.length
      for (let turn = 0; turn < quietMicrotasks; turn++) await undefined
    }
    this.#isFlushing = false
    const due = this.#takeDue().sort((a, b) => a.request - b.request)
    for (const calls of Map.groupBy(due, ({ key }) => key).values()) void send(calls)
  }

  /** An insert waits for those of all earlier requests, so that ids ascend in their order. */
  #takeDue(): Call[] {
    const inserting = new Set(this.#waiting.flatMap(({ key, request }) => (key === insertKey ? [request] : [])))
    const next = this.#isPast.findIndex((isPast, request) => !isPast && !inserting.has(request))
    const isDue = ({ key, request }: Call) => key !== insertKey || next === -1 || request < next
    const due = this.#waiting.filter(isDue)
    this.#waiting = this.#waiting.filter((call) => !isDue(call))
    for (const { key, request } of due) if (key === insertKey) this.#isPast[request] = true
    return due
  }

  /**
   * A request takes the first free slug that it asks for, before its insert: for later requests it is taken, and for earlier ones it
   * is still free.
   */
  #takenOf(request: number, { type, parent, slugs, taken }: SlugQuestion): string[] {
    const ownerOf = (slug: string) => this.#claims.get(slugKey(type, slug, parent))
    const found = slugs.filter((slug) => {
      const owner = ownerOf(slug) ?? request
      if (owner < request) this.#counted.add(slugKey(type, slug, parent))
      return owner < request || (owner === request && taken.has(slug))
    })
    const free = slugs.find((slug) => !found.includes(slug))
    if (free === undefined || this.#isPast[request]) return found
    if ((ownerOf(free) ?? request) > request) throw new OrderMatters()
    this.#claims.set(slugKey(type, free, parent), request)
    return found
  }

  #claimInserted(request: number, rows: readonly PostValues[]): void {
    const inserted = new Set(
      rows.flatMap(({ type, slug, parent }) => [slugKey(type, slug), slugKey(type, slug, parent)]),
    )
    for (const [key, owner] of this.#claims) {
      if (owner !== request || inserted.has(key)) continue
      if (this.#counted.has(key)) throw new OrderMatters()
      this.#claims.delete(key)
    }
    for (const key of inserted) {
      if ((this.#claims.get(key) ?? request) > request) throw new OrderMatters()
      this.#claims.set(key, this.#claims.get(key) ?? request)
    }
  }
}

interface SlugQuestion {
  readonly type: string
  readonly parent: number | undefined
  readonly slugs: readonly string[]
  readonly taken: ReadonlySet<string>
}

const insertKey = 'insert'

const slugKey = (type: string, slug: string, parent?: number) => JSON.stringify([type, slug, parent])

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

async function send(calls: readonly Call[]): Promise<void> {
  try {
    const results = (await calls[0]?.send(calls)) ?? []
    for (const [at, { resolve }] of calls.entries()) resolve(results[at])
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}

/** The ids of each part. */
function shares(ids: readonly number[], parts: readonly (readonly unknown[])[]): number[][] {
  let from = 0
  return parts.map(({ length }) => {
    from += length
    return ids.slice(from - length, from)
  })
}

/** Whether the query lists the terms with some ids and has no other condition. */
function isOfIdsAlone(query: TermQuery): query is TermQuery & { readonly ids: readonly number[] } {
  const { ids, order, offset, limit, total, ...others } = query
  const isWhole = ids !== undefined && order.by === 'id' && offset === 0 && limit >= ids.length && !total
  return isWhole && Object.values(others).every((other) => other === undefined)
}
