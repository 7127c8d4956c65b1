import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../src/site/search-terms.ts'

describe('parseSearch', () => {
  it.each([
    ['sea salt', ['sea', 'salt']],
    ['sea,salt+pepper', ['sea', 'salt', 'pepper']],
    ['"sea salt" pepper', ['sea salt', 'pepper']],
    ['"never closed', ['never closed']],
    ['"padded "', ['padded ']],
    ['Crème', ['creme']],
    ['a boat', ['boat']],
    ['the boat of Theseus', ['boat', 'theseus']],
    ['the of', ['the of']],
    ['x', ['x']],
    ['50% snake_case', ['50%', 'snake_case']],
    ['<b>sea</b> salt', ['sea', 'salt']],
    ['sea<script>salt</script> boat', ['sea', 'boat']],
    ['3 < 12 boats', ['3', '&lt;', '12', 'boats']],
    ['sea < <b>salt</b> < boat', ['sea', '&lt;', 'salt', '&lt;', 'boat']],
    ['sea%20salt 100%', ['sea%20salt', '100%']],
    ['sea\n\tsalt', ['sea', 'salt']],
  ])('finds the terms of %j', (text, every) => {
    expect(parseSearch(text)).toMatchObject({ every, none: [] })
  })

  it.each(['', '  ', '\n', '<p>'])('%j is not a search', (text) => {
    expect(parseSearch(text)).toBeUndefined()
  })

  it('excludes a word with a leading hyphen', () => {
    expect(parseSearch('boat -Sail')).toEqual({ every: ['boat'], none: ['sail'], phrase: '', isSingle: false })
  })

  it('ten or more words are one phrase', () => {
    const words = 'w1 w2 w3 w4 w5 w6 w7 w8 w9'
    expect(parseSearch(words)?.every).toHaveLength(9)
    expect(parseSearch(`${words} w10`)?.every).toEqual([`${words} w10`])
  })

  it('keeps the whole text for ranking', () => {
    expect(parseSearch('Sea salt')).toMatchObject({ phrase: 'sea salt', isSingle: false })
    expect(parseSearch('Salt')).toMatchObject({ phrase: 'salt', isSingle: true })
  })

  it('has terms for every text that is not empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const found = parseSearch(text)
        if (!/[<%\s]/.test(text)) expect(found).toBeDefined()
        if (!found) return
        expect(found.every.length + found.none.length).toBeGreaterThan(0)
        expect(found.every.length + found.none.length).toBeLessThanOrEqual(9)
      }),
    )
  })
})
