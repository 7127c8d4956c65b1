import { describe, expect, it } from 'vitest'
import { createLru } from '../../../src/core/runtime/lru.ts'

describe('the cache of weighed entries', () => {
  it('evicts the oldest entry that was not read', () => {
    const cache = createLru<number>(3)
    for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value, 1)
    cache.get('a')
    cache.set('d', 3, 1)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3])
    expect(cache.isFull).toBe(true)
  })

  it('takes a new entry also where all others were read, in place of the oldest', () => {
    const cache = createLru<number>(2)
    cache.set('a', 0, 1)
    cache.set('b', 1, 1)
    cache.get('b')
    cache.get('a')
    cache.set('c', 2, 1)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 1, 2])
  })

  it('evicts as many entries as a heavy one needs, and takes none that is heavier than the bound', () => {
    const cache = createLru<number>(10)
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.set(key, 0, 2)
    cache.get('c')
    cache.set('f', 1, 7)
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => cache.get(key))).toEqual([
      ...[undefined, undefined, 0, undefined, undefined, 1],
    ])
    cache.set('g', 2, 11)
    expect(cache.get('g')).toBeUndefined()
    expect(cache.size).toBe(2)
  })

  it('counts the weight of a replaced entry once', () => {
    const cache = createLru<number>(4)
    for (let round = 0; round < 5; round++) cache.set('a', round, 3)
    cache.set('b', 9, 1)
    expect([cache.get('a'), cache.get('b'), cache.isFull]).toEqual([4, 9, false])
  })
})
