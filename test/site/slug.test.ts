import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReservedSlug, readableSlug, suffixedSlug, toSlug, trashedSlug } from '../../src/site/slug.ts'

describe('toSlug', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  Two   blanks ', 'two-blanks'],
    ['under_score stays', 'under_score-stays'],
    ['Rock ’n’ Roll — live', 'rock-n-roll-live'],
    ['a.b/c', 'a-b-c'],
    ['Crème brûlée à la Łódź', 'creme-brulee-a-la-lodz'],
    ['Ærø & Straße', 'aero-strase'],
    ['STRAẞE, Straße', 'stra%c3%9fe-strase'],
    ['Phở bò', 'pho-bo'],
    ['50 € or 40 £', '50-e-or-40'],
    ['<b class=">">Bold</b> move', 'bold-move'],
    ['Salt &amp; pepper&nbsp;mill', 'salt-pepper-mill'],
    ['100% 5×4', '100-5x4'],
    ['tab\there', 'tabhere'],
    ['1 – 2 — 3', '1-2-3'],
    ['wind\u2011still', 'wind-still'],
    ['5 ½ §', '5-%c2%bd-%c2%a7'],
    ['«Ölgemälde» … “1890”', 'olgemalde-1890'],
    ['Bjo\u0308rn', 'bjorn'],
    ['İstanbul ığı', 'istanbul-igi'],
    ['Þingvellir og Ðð', 'thingvellir-og-dd'],
    ['Ώρα', '%cf%8e%cf%81%ce%b1'],
    ['Мой', '%d0%bc%d0%be%d0%b9'],
    ['１０', '%ef%bc%91%ef%bc%90'],
    ['a&ndash;b&shy;c&#8212;d', 'a-bc-d'],
    ['price<sup>2</sup><!-- x -->', 'price2'],
    ['%C3%BC%zz%4', '%c3%bczz4'],
    ['%2E%2e/%00x', 'x'],
    ['_a_-_b_', '_a_-_b_'],
    ['...', ''],
    ['', ''],
  ])('makes a slug of %j', (title, slug) => {
    expect(toSlug(title)).toBe(slug)
  })

  it('percent-encodes other scripts in lower case', () => {
    expect(toSlug('Привет МИР')).toBe('%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80')
    expect(toSlug('🦀')).toBe('%f0%9f%a6%80')
  })

  it('takes what is percent-encoded already as it is', () => {
    expect(toSlug('%d0%bf and 100%')).toBe('%d0%bf-and-100')
  })

  it('drops signs without a width and keeps apart what a wide blank parts', () => {
    expect(toSlug('zero\u200bwidth\u00a0no\u2009thin')).toBe('zerowidth-no-thin')
  })

  it('cuts at 200 letters and never inside a character', () => {
    expect(toSlug('x'.repeat(300))).toHaveLength(200)
    expect(toSlug('語'.repeat(40))).toBe('%e8%aa%9e'.repeat(22))
  })

  it('gives an address-safe text for anything, and the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const slug = toSlug(title)
        expect(slug).toMatch(/^[%a-z0-9_-]{0,200}$/)
        expect(toSlug(slug)).toBe(slug)
      }),
    )
  })
})

describe('suffixedSlug', () => {
  it('appends a number', () => {
    expect(suffixedSlug('soup', 2)).toBe('soup-2')
    expect(suffixedSlug('soup', 13)).toBe('soup-13')
  })

  it('shortens a long base, without a hyphen before the suffix', () => {
    expect(suffixedSlug('a'.repeat(200), 2)).toBe(`${'a'.repeat(198)}-2`)
    expect(suffixedSlug(`${'a'.repeat(196)}--bcde`, 10)).toBe(`${'a'.repeat(196)}-10`)
  })

  it('takes away a percent-encoded character as a whole', () => {
    expect(suffixedSlug('%e8%aa%9e'.repeat(22), 100)).toBe(`${'%e8%aa%9e'.repeat(21)}-100`)
  })
})

describe('isReservedSlug', () => {
  it('keeps the names of feeds and embeds', () => {
    for (const slug of ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed'])
      expect(isReservedSlug(slug, '/{slug}/')).toBe(true)
    expect(isReservedSlug('feeds', '/{slug}/')).toBe(false)
  })

  it('keeps numbers that could be read as a part of a date', () => {
    expect(isReservedSlug('1999', '/{slug}/')).toBe(true)
    expect(isReservedSlug('0', '/{slug}/')).toBe(false)
    expect(isReservedSlug('12', '/{year}/{slug}/')).toBe(true)
    expect(isReservedSlug('13', '/{year}/{slug}/')).toBe(false)
    expect(isReservedSlug('31', '/{year}/{monthnum}/{slug}/')).toBe(true)
    expect(isReservedSlug('32', '/{year}/{monthnum}/{slug}/')).toBe(false)
    expect(isReservedSlug('1999', '/news/{slug}/')).toBe(false)
    expect(isReservedSlug('1999', '')).toBe(false)
  })
})

describe('the capital sharp s', () => {
  it.each([
    ['STRAẞE', 'stra%c3%9fe'],
    ['Straße', 'strase'],
    ['stra%c3%9fe', 'stra%c3%9fe'],
  ])('of %j gives %j', (title, slug) => expect(toSlug(title)).toBe(slug))
})

describe('both forms of Unicode', () => {
  it('give one slug', () => {
    for (const title of ['Ångström', 'йод', 'ガム', '한국어', 'শিক্ষা']) {
      expect(toSlug(title.normalize('NFD'))).toBe(toSlug(title.normalize('NFC')))
    }
  })
})

describe('readableSlug', () => {
  it.each([
    ['%d0%bf%d0%be%d1%80%d1%82-2', 'порт-2'],
    ['%f0%9f%a6%80', '🦀'],
    ['a%2fb%20c', 'a%2fb%20c'],
    ['%e8%aa', '%e8%aa'],
    ['plain', 'plain'],
  ])('shows %j', (slug, readable) => expect(readableSlug(slug)).toBe(readable))
})

describe('trashedSlug', () => {
  it('marks the slug once and keeps within 200', () => {
    expect(trashedSlug('soup')).toBe('soup__trashed')
    expect(trashedSlug('soup__trashed')).toBe('soup__trashed')
    expect(trashedSlug('x'.repeat(200))).toBe(`${'x'.repeat(191)}__trashed`)
    expect(trashedSlug('%e8%aa%9e'.repeat(22))).toBe(`${'%e8%aa%9e'.repeat(21)}__trashed`)
  })
})
