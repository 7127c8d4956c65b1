/** Generated texts through the filter. fast-check prints the seed and the path of a failure. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../support/generated-cases.ts'
import { hostileMarkup } from './hostile-markup.ts'
import { brokenPromises } from './properties.ts'
import { allVectors } from './xss-vectors.ts'

const seed = 20_260

test('each known attack is safe and stable after the filter', () => {
  for (const vector of allVectors) expect([vector, brokenPromises(vector)]).toEqual([vector, []])
})

test('generated texts are safe and stable after the filter', { timeout: 240_000 }, () => {
  fc.assert(
    fc.property(hostileMarkup, (html) => {
      expect(brokenPromises(html)).toEqual([])
    }),
    { seed, numRuns: casesOf(20_000) },
  )
})
