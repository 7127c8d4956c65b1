import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareText, fold } from '../../src/contract/text-fold.ts'

describe('fold', () => {
  it('ignores case and accents', () => {
    expect(fold('Crème BRÛLÉE')).toBe('creme brulee')
    expect(fold('ＦＵＬＬ ﬁn')).toBe('full fin')
    expect(fold('ΌΣΟΣ')).toBe(fold('όσος'))
    expect(fold('plain')).toBe('plain')
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })
})

describe('compareText', () => {
  it('orders by code point as UTF-8 bytes do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
    expect(compareText('😀', '\uffee')).toBeGreaterThan(0)
  })
})
