import { expect, test } from 'vitest'
import { StorageRetry } from '../../../../src/contract/storage.ts'
import { spied } from '../../../support/spied-storage.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const dayMs = 86_400_000

test('counts openings by day and other events by event and value', async () => {
  const site = await openSite()
  const { record } = site.api.site.accessibility
  const read = async (period: number | string) =>
    (await site.ada('GET', `${base}/analytics/statistic`, { query: { period } })).body.data
  expect(await read(30)).toEqual({ dates: [], elements: [] })
  for (const event of ['widget-open', 'contrast', 'bigger-text'] as const) await record(event)
  site.clock.now += 2 * dayMs
  await record('widget-open')
  await record('widget-open')
  await record('contrast')
  for (let n = 0; n < 3; n++) await record('bigger-text', '2')
  expect(await read('7')).toEqual({
    dates: [
      { date: '2024-06-15', total: '1' },
      { date: '2024-06-17', total: '2' },
    ],
    elements: [
      { event: 'bigger-text', value: '2', total: '3' },
      { event: 'contrast', value: null, total: '2' },
      { event: 'bigger-text', value: null, total: '1' },
    ],
  })
  expect((await read(0)).dates).toEqual([{ date: '2024-06-17', total: '2' }])
  expect((await read(1)).dates).toHaveLength(1)
  expect((await read(2)).dates).toHaveLength(2)
  expect((await read(-5)).dates).toHaveLength(1)
  expect((await read(1e300)).dates).toHaveLength(2)
})

test('neither shows nor stores counts older than 45 days', async () => {
  const site = await openSite()
  const { record } = site.api.site.accessibility
  const read = async () =>
    (await site.ada('GET', `${base}/analytics/statistic`, { query: 'period=365' })).body.data.dates.length
  const kept = async () => (await site.api.site.export()).records?.['a11y_statistics']?.length
  await record('widget-open')
  site.clock.now += 45 * dayMs
  expect(await read()).toBe(1)
  await record('widget-open')
  expect(await kept()).toBe(2)
  site.clock.now += dayMs
  expect(await read()).toBe(1)
  await record('widget-open')
  expect(await kept()).toBe(2)
})

test.each(['', 'period=', 'period=week', 'period=NaN', 'period[]=1'])(
  'refuses the period "%s" with 400',
  async (query) => {
    const { ada } = await openSite()
    expect(refusalOf(await ada('GET', `${base}/analytics/statistic`, { query }))).toEqual([400, 'rest_invalid_param'])
  },
)

test('counts all parallel uses', async () => {
  const site = await openSite()
  const { record } = site.api.site.accessibility
  await Promise.all(Array.from({ length: 12 }, () => record('widget-open')))
  const { body } = await site.ada('GET', `${base}/analytics/statistic`, { query: 'period=0' })
  expect(body.data.dates).toEqual([{ date: '2024-06-15', total: '12' }])
})

test('counts a use once where the database asks to run its transaction again', async () => {
  let left = 0
  const site = await openSite({
    storage: (storage) =>
      spied(storage, ({ name }) => {
        if (name === 'commit' && left-- > 0) throw new StorageRetry(new Error('a deadlock'))
      }),
  })
  const { record } = site.api.site.accessibility
  left = 2
  await record('widget-open')
  expect(left).toBeLessThan(0)
  const { body } = await site.ada('GET', `${base}/analytics/statistic`, { query: 'period=0' })
  expect(body.data.dates).toEqual([{ date: '2024-06-15', total: '1' }])
})

test('limits the number of different values per day', async () => {
  const site = await openSite()
  const { record } = site.api.site.accessibility
  for (let n = 0; n < 505; n++) await record('contrast', `${n}`)
  await record('contrast', `${'x'.repeat(5000)}\0`)
  const { elements } = (await site.ada('GET', `${base}/analytics/statistic`, { query: 'period=0' })).body.data
  expect(elements).toHaveLength(501)
  expect(elements[0]).toEqual({ event: 'contrast', value: null, total: '6' })
  await expect(record('other' as never)).rejects.toThrow(TypeError)
})
