import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareText, fold, identityFold } from '../../src/contract/text-fold.ts'

describe('fold', () => {
  it('ignores case and accents', () => {
    expect(fold('Crème BRÛLÉE')).toBe('creme brulee')
    expect(fold('ＦＵＬＬ ﬁn')).toBe('full fin')
    expect(fold('ΌΣΟΣ')).toBe(fold('όσος'))
    expect(fold('plain')).toBe('plain')
  })

  it('gives Latin letters that have no marks their plain letters', () => {
    expect(fold('Łódź, Brønnøysund, Æther, Straße, ĐÀ NẴNG, Þingvellir')).toBe(
      'lodz, bronnoysund, aether, strasse, da nang, thingvellir',
    )
  })

  it('keeps the vowels, tones and parts of letters of other scripts, in any form of Unicode', () => {
    for (const text of ['किताब', 'বাংলা', 'தமிழ்', 'น้ำ', 'ガーデン', '한국어', 'မြန်မာ', 'ދިވެހި', 'བོད']) {
      expect(fold(text.normalize('NFD'))).toBe(fold(text))
      for (const mark of text.match(/\p{M}/gu) ?? []) expect(fold(text.replace(mark, ''))).not.toBe(fold(text))
    }
  })

  it('leaves out Hebrew points, harakat and the hamza of an alef', () => {
    expect(fold('שָׁלוֹם')).toBe('שלום')
    expect(fold('مُحَمَّد أحمد آب إلى')).toBe('محمد احمد اب الى')
    expect(fold('مؤمن')).not.toBe(fold('مومن'))
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })
})

describe('identityFold', () => {
  it('ignores case and the form of Unicode, and nothing else', () => {
    for (const text of [
      'AÑO',
      'STRAẞE',
      'ΌΣΟΣ',
      'ЁЛКА',
      'ĐÀ NẴNG',
      'ԲԱՐԵՎ',
      'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ',
      'Ꭳ',
      'किताब',
      '한국어',
      'ガ',
    ]) {
      expect(identityFold(text.toLowerCase().normalize('NFD'))).toBe(identityFold(text))
    }
    for (const [one, other] of [
      ['año', 'ano'],
      ['ß', 'ss'],
      ['किताब', 'कताब'],
      ['Ａ', 'A'],
      ['שָׁלוֹם', 'שלום'],
      ['ł', 'l'],
    ]) {
      expect(identityFold(one as string)).not.toBe(identityFold(other as string))
    }
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(identityFold(identityFold(text))).toBe(identityFold(text))
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
