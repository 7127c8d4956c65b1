/** The stored time of the next scheduled post: what moves it, and what other processes do to it meanwhile. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blankPost } from '../../../../src/contract/fields/blank.ts'
import type { MaybePromise, PostQuery, PostValues, Storage } from '../../../../src/contract/storage.ts'
import { nextDueOption } from '../../../../src/features/content/posts/schedule.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import { type StorageCall, spied } from '../../../support/spied-storage.ts'

const posts = '/cms/v2/posts'
/** Another process writes before a call of the storage. */
type Interruption = (call: StorageCall, inside: Storage) => MaybePromise<void>

let site: TestSite
let storage: Storage
let arthur: Requester
let published: number[]
let calls: StorageCall[]
let meanwhile: Interruption | undefined
beforeEach(async () => {
  published = []
  calls = []
  meanwhile = undefined
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return spied(opened, (call, inside) => {
        calls.push(call)
        return meanwhile?.(call, inside)
      })
    },
  })
  arthur = site.as('arthur')
  site.api.on('post.published', ({ post }) => void published.push(post.id))
  await request()
  calls.length = 0
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const request = async () => (await site.visitor('GET', posts)).status
const dueTime = async () => (await storage.options.read([nextDueOption]))[nextDueOption]
const isSwap = ({ name, args }: StorageCall) => name === 'options.swap' && args[0] === nextDueOption
const isUpdate = ({ name }: StorageCall) => name === 'posts.update'
/** GMT of the first day of the site's clock. */
const at = (time: string) => `2024-06-15T${time}`
const farAhead = '2098-07-01T08:00:00'

async function scheduled(dateGmt: string): Promise<number> {
  const body = { title: `Due at ${dateGmt}`, status: 'publish', date_gmt: dateGmt }
  const response = await arthur('POST', posts, { body })
  expect([response.status, response.body.status]).toEqual([201, 'future'])
  return response.body.id
}

function passTo(dateGmt: string): Promise<number> {
  site.clock.now = Date.parse(`${dateGmt}Z`)
  return request()
}

/** The write comes before the first such call. */
function once(isMeant: (call: StorageCall) => boolean, work: Interruption): Interruption {
  let isDone = false
  return (call, inside) => {
    if (isDone || !isMeant(call)) return undefined
    isDone = true
    return work(call, inside)
  }
}

/** The due time that another process writes; null: it forgets it. */
const writes =
  (time: string | null): Interruption =>
  (_call, { options }) =>
    options.write({ [nextDueOption]: time })

const stored = (values: Pick<PostValues, 'slug'> & Partial<PostValues>): PostValues => ({
  ...{ ...blankPost, type: 'post', status: 'future', author: site.ids['user.author'] ?? 0 },
  ...{ modified: at('12:00:00'), modifiedGmt: at('12:00:00'), date: at('14:00:00'), dateGmt: at('13:00:00') },
  ...values,
})

describe('the due time', () => {
  test('is that of the earliest scheduled post, in whatever order they were scheduled', async () => {
    expect(await dueTime()).toBe(farAhead)
    const times: [string, string][] = []
    for (const time of [at('17:00:00'), at('13:00:00'), at('15:00:00')]) {
      await scheduled(time)
      times.push([time, String(await dueTime())])
    }
    expect(times).toEqual([
      [at('17:00:00'), at('17:00:00')],
      [at('13:00:00'), at('13:00:00')],
      [at('15:00:00'), at('13:00:00')],
    ])
    const next: string[] = []
    for (const time of [at('13:00:00'), at('15:00:00'), at('17:00:00')]) {
      await passTo(time)
      next.push(String(await dueTime()))
    }
    expect(next).toEqual([at('15:00:00'), at('17:00:00'), farAhead])
  })

  test('is not moved by posts that are not scheduled, nor written for one that is due no earlier', async () => {
    await scheduled(at('13:00:00'))
    calls.length = 0
    await scheduled(at('13:00:00'))
    await arthur('POST', posts, { body: { title: 'Out', status: 'publish' } })
    await arthur('POST', posts, { body: { title: 'Draft', date_gmt: at('12:30:00') } })
    expect([await dueTime(), calls.filter(isSwap).length]).toEqual([at('13:00:00'), 0])
  })

  test('is none after the last scheduled post, and no request looks for one until another is scheduled', async () => {
    await passTo(farAhead)
    expect(published).toEqual([site.ids['post.future']])
    expect(await dueTime()).toBe('')
    calls.length = 0
    await request()
    const statuses = calls.flatMap(({ name, args }) =>
      name === 'posts.query' ? ((args[0] as PostQuery).statuses ?? []) : [],
    )
    expect(statuses).not.toContainEqual({ status: 'future' })
    await scheduled('2098-07-02T08:00:00')
    expect(await dueTime()).toBe('2098-07-02T08:00:00')
  })

  test('is the first in GMT where the clocks of the site go back between two posts', async () => {
    await scheduled('2024-10-26T13:00:00')
    // The clocks of Lisbon show 01:30 in summer time, and then 01:15 in winter time.
    const [summer, winter] = ['2024-10-27T00:30:00', '2024-10-27T01:15:00']
    const ids = [await scheduled(winter), await scheduled(summer)]
    await passTo('2024-10-26T13:00:00')
    expect(await dueTime()).toBe(summer)
    published.length = 0
    await passTo(summer)
    expect(published).toEqual([ids[1]])
    expect(await dueTime()).toBe(winter)
  })

  test('is not hidden by an earlier post whose date in GMT is missing', async () => {
    await storage.posts.insert([stored({ slug: 'undated', dateGmt: null })])
    const dated = await scheduled(at('13:00:00'))
    await scheduled('2024-06-20T13:00:00')
    await passTo(at('13:00:00'))
    expect([published, await dueTime()]).toEqual([[dated], '2024-06-20T13:00:00'])
  })
})

describe('posts that are due', () => {
  test('are published in the order of their dates, and those of the next second are not', async () => {
    const [third, first, second] = [
      await scheduled(at('13:00:00')),
      await scheduled(at('12:30:00')),
      await scheduled(at('12:45:00')),
    ]
    await scheduled(at('13:00:01'))
    await passTo(at('13:00:00'))
    expect([published, await dueTime()]).toEqual([[first, second, third], at('13:00:01')])
  })

  test('are all published at once, also where there are hundreds', async () => {
    const rows = Array.from({ length: 201 }, (_, index) => stored({ slug: `due-${index}`, title: `Due ${index}` }))
    const ids = await storage.posts.insert(rows)
    site.clock.now = Date.parse(`${at('13:00:00')}Z`)
    await scheduled(at('13:30:00'))
    await passTo(at('13:30:00'))
    expect(published.slice(0, ids.length)).toEqual(ids)
  })

  test('are not published when another process takes one back', async () => {
    const [due, takenBack] = [await scheduled(at('13:00:00')), await scheduled(at('13:00:00'))]
    meanwhile = once(isUpdate, async (_call, inside) => {
      await inside.posts.update([{ id: takenBack, changes: { status: 'draft' } }])
    })
    await passTo(at('13:00:00'))
    expect(published).toEqual([due])
    expect(await storage.posts.read([takenBack])).toMatchObject([{ status: 'draft' }])
  })
})

describe('at the same time', () => {
  test('a later post of another process does not hide an earlier one', async () => {
    meanwhile = once(isSwap, writes(at('17:00:00')))
    await scheduled(at('13:00:00'))
    expect(await dueTime()).toBe(at('13:00:00'))
  })

  test('an earlier post of another process stays the next', async () => {
    meanwhile = once(isSwap, writes(at('12:30:00')))
    await scheduled(at('13:00:00'))
    expect(await dueTime()).toBe(at('12:30:00'))
  })

  test('a due time that another process forgets is looked for by the next request', async () => {
    await scheduled(at('13:00:00'))
    meanwhile = once(isSwap, writes(null))
    await scheduled(at('12:30:00'))
    expect(await dueTime()).toBeUndefined()
    await request()
    expect(await dueTime()).toBe(at('12:30:00'))
  })

  test('as long as other processes change the due time, a post is scheduled, and a request looks for it', async () => {
    let minute = 10
    meanwhile = (call, inside) => (isSwap(call) ? writes(at(`17:${minute++}:00`))(call, inside) : undefined)
    const post = await scheduled(at('13:00:00'))
    meanwhile = undefined
    expect(await dueTime()).toBeUndefined()
    await passTo(at('13:00:00'))
    expect([published, await dueTime()]).toEqual([[post], farAhead])
  })

  test('two processes publish: the time of the next post is stored all the same', async () => {
    await scheduled(at('13:00:00'))
    await scheduled(at('15:00:00'))
    meanwhile = once(isSwap, writes(null))
    await passTo(at('13:00:00'))
    expect(await dueTime()).toBe(at('15:00:00'))
  })

  test('another process has stored the next time already: it is not written again', async () => {
    await scheduled(at('13:00:00'))
    await scheduled(at('15:00:00'))
    calls.length = 0
    meanwhile = once(isUpdate, writes(at('15:00:00')))
    await passTo(at('13:00:00'))
    expect([await dueTime(), calls.filter(isSwap).length]).toEqual([at('15:00:00'), 0])
  })

  test('other processes always change it: the request is answered, and the next one stores it', async () => {
    await scheduled(at('13:00:00'))
    let minute = 10
    meanwhile = (call, inside) => (isSwap(call) ? writes(at(`12:${minute++}:00`))(call, inside) : undefined)
    expect(await passTo(at('13:00:00'))).toBe(200)
    meanwhile = undefined
    expect(await dueTime()).not.toBe(farAhead)
    await request()
    expect(await dueTime()).toBe(farAhead)
  })

  test.each([1, 2, 3, 4])(
    'the last scheduled post is removed before read %i of the search for the next',
    async (turn) => {
      const id = site.ids['post.future'] ?? 0
      await scheduled(at('13:00:00'))
      let reads = Number.NaN
      meanwhile = ({ name }, inside) => {
        if (name === 'posts.update') reads = 0
        // Between the update and the search, two reads belong to the publication.
        const isTurn = /^posts\.(?:query|read)$/.test(name) && ++reads === turn + 2
        return isTurn ? inside.posts.remove([id]) : undefined
      }
      await passTo(at('13:00:00'))
      expect(await dueTime()).toBe('')
    },
  )
})
