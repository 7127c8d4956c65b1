/** A site that counts what a request asks of the storage, and rows that share something. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, onTestFinished } from 'vitest'
import type { PostValues, Storage } from '../../../src/contract/storage.ts'
import { full } from '../../../src/profiles/full.ts'
import { createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { counted } from '../../support/counted.ts'
import { inOwnContext } from '../../support/counting-client.ts'
import { isFullRun } from '../../support/generated-cases.ts'
import { createTestSite, type RequestInput } from '../../support/site.ts'
import { keepsTags, type StorageCall, spied } from '../../support/spied-storage.ts'

/**
 * The costs are counted in front of the storage, where PostgreSQL and SQLite are asked the same: with PostgreSQL, which takes
 * longest to fill, a few more rows than `mostRows` allows are enough.
 */
export const counts = process.env.TEST_STORAGE === 'postgres' && !isFullRun ? [10, 3000] : [10, 1000, 10_000]

export const row = (type: string, number: number, more: Partial<PostValues> = {}): PostValues => ({
  ...{ type, status: 'publish', slug: number === 1 ? 'twins' : `twins-${number}`, title: 'Twins', content: '' },
  ...{ excerpt: '', author: 1, parent: 0, date: '2020-01-01T00:00:00', dateGmt: '2020-01-01T00:00:00' },
  ...{ modified: '2020-01-01T00:00:00', modifiedGmt: '2020-01-01T00:00:00', password: '', commentStatus: 'open' },
  ...{ pingStatus: 'closed', format: 'standard', sticky: false, template: '', featuredMedia: 0 },
  ...{ mimeType: type === 'attachment' ? 'text/plain' : '', menuOrder: 0, ...more },
})

export async function inSlices(count: number, write: (numbers: readonly number[]) => unknown): Promise<void> {
  for (let at = 1; at <= count; at += 1000) {
    await write(Array.from({ length: Math.min(1000, count - at + 1) }, (_, index) => at + index))
  }
}

export interface Cost {
  /** Counts the calls of the storage, and the values in the lists of their arguments. */
  readonly calls: number
  readonly values: number
  /** Counts the rows that the storage returned. */
  readonly rows: number
  /** Counts the rows of posts alone: options and users may still be known from a request before. */
  readonly postRows: number
  readonly slug: string
  readonly id: number
}

/** The next of a name takes at most four calls more than one of another name, and reads no rows for those that have it. */
export function expectNear(next: Cost, other: Cost): void {
  counted(1, 'names taken up to 10,000 times')
  counted(Math.max(0, next.calls - other.calls), 'calls more than for as many other names')
  expect(other.calls).toBeGreaterThan(0)
  expect(next.calls - other.calls).toBeLessThanOrEqual(4)
  expect(next.rows - other.rows).toBeLessThanOrEqual(mostRows)
}

/** A search for a free number reads which of some hundred names are taken, however many are. */
const mostRows = 2000

/** Counts the rows of a result that is a list or a page. */
function rowsIn(result: unknown): number {
  if (Array.isArray(result)) return result.length
  if (typeof result !== 'object' || result === null) return 0
  return Object.values(result).reduce((sum: number, each) => sum + (Array.isArray(each) ? each.length : 0), 0)
}

/** The storage with methods that report the rows of their results. */
function countingRows(storage: Storage, add: (rows: number, store: string) => void): Storage {
  const stores = ['posts', 'terms', 'users', 'meta', 'options', 'records'] as const
  const wrapped = stores.map((name) => [
    name,
    new Proxy(storage[name], {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const result: unknown = member.apply(target, args)
          if (!(result instanceof Promise)) {
            add(rowsIn(result), name)
            return result
          }
          return result.then((value: unknown) => {
            add(rowsIn(value), name)
            return value
          })
        }
      },
    }),
  ])
  const { atomic } = storage
  const atomicOf: Pick<Storage, 'atomic'> = {
    atomic: (work, options) => atomic?.((inner) => work(countingRows(inner, add)), options) as never,
  }
  // The casts: each store was wrapped under its own name, and a storage without transactions gets none.
  return { ...storage, ...Object.fromEntries(wrapped), ...(atomic && atomicOf) } as Storage
}

/** Collects the calls of the storage that one piece of work makes, and counts the rows that it gets. */
interface Asked {
  readonly calls: StorageCall[]
  rows: number
  postRows: number
}

/** Background work that a request wakes and timers of the site read the storage beside the request, and are not counted. */
const asked = new AsyncLocalStorage<Asked>()

const profile = {
  ...full,
  features: full.features.map((one) =>
    one.background
      ? { ...one, background: { ...one.background, run: asked.exit.bind(asked, one.background.run) } }
      : one,
  ),
} as typeof full

export async function openSite(options: { readonly services?: object } = {}) {
  const site = await createTestSite({
    profile,
    services: { media: createMedia({ driver: memoryMedia() }), ...options.services },
    storage: (storage) =>
      spied(
        countingRows(inOwnContext(storage), (rows, store) => {
          const current = asked.getStore()
          if (current === undefined) return
          current.rows += rows
          if (store === 'posts') current.postRows += rows
        }),
        (call) => {
          // The end of a transaction and the row of its tags are part of `atomic`, as they are part of a write outside of one.
          if (call.name !== 'commit' && !keepsTags(call)) asked.getStore()?.calls.push(call)
        },
      ),
  })
  onTestFinished(() => site.dispose())
  /** Measures what a call of the library costs. */
  const measure = async <T>(work: () => Promise<T>) => {
    const counted: Asked = { calls: [], rows: 0, postRows: 0 }
    const result = await asked.run(counted, work)
    const { calls, ...rows } = counted
    const values = JSON.stringify(calls.map(({ args }) => args)).split('twins').length
    return { result, calls: calls.length, values, ...rows }
  }
  const send = async (path: string, input: RequestInput, as: string | null = 'ada', wanted = 201): Promise<Cost> => {
    const { result, ...cost } = await measure(() => site.as(as)('POST', path, input))
    expect(result.status, JSON.stringify(result.body)).toBe(wanted)
    return { ...cost, slug: result.body?.slug, id: result.body?.id }
  }
  const create = (path: string, input: object) => send(path, input)
  return { site, create, send, measure }
}

export const storageOf = ({ api }: Awaited<ReturnType<typeof openSite>>['site']): Storage =>
  (api as unknown as { readonly '~parts': { readonly storage: Storage } })['~parts'].storage
