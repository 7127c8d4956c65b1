import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSiteTime } from '../../src/site/time-zone.ts'

const berlin = createSiteTime({ timeZone: 'Europe/Berlin' })
const chicago = createSiteTime({ timeZone: 'America/Chicago' })
const kolkata = createSiteTime({ timeZone: '', gmtOffset: 5.5 })

describe('createSiteTime', () => {
  it('follows the rules of the zone on that date', () => {
    expect(berlin.toGmt('2023-01-15T12:00:00')).toBe('2023-01-15T11:00:00')
    expect(berlin.toGmt('2023-07-15T12:00:00')).toBe('2023-07-15T10:00:00')
    expect(berlin.toLocal('2023-12-31T23:30:00')).toBe('2024-01-01T00:30:00')
  })

  it('works with a fixed offset of half an hour', () => {
    expect(kolkata.toGmt('2023-07-15T00:00:00')).toBe('2023-07-14T18:30:00')
    expect(kolkata.offsetHours(0)).toBe(5.5)
    expect(createSiteTime({ gmtOffset: -9.5 }).toLocal('2023-07-15T00:00:00')).toBe('2023-07-14T14:30:00')
    expect(createSiteTime({}).toGmt('2023-07-15T00:00:00')).toBe('2023-07-15T00:00:00')
  })

  it('returns the offset at a time', () => {
    expect(berlin.offsetHours(Date.UTC(2023, 0, 1))).toBe(1)
    expect(berlin.offsetHours(Date.UTC(2023, 6, 1))).toBe(2)
    expect(createSiteTime({ timeZone: 'Asia/Kathmandu' }).offsetHours(Date.UTC(2023, 6, 1))).toBe(5.75)
  })

  it('moves a local time that is skipped forward', () => {
    expect(berlin.parseDate('2023-03-26T02:30:00')).toEqual({
      local: '2023-03-26T03:30:00',
      gmt: '2023-03-26T01:30:00',
    })
    expect(chicago.parseDate('2023-03-12T02:30:00')).toEqual({
      local: '2023-03-12T03:30:00',
      gmt: '2023-03-12T08:30:00',
    })
  })

  // Interface: which of the two is meant depends on the side of Greenwich.
  it('a repeated local time is the second one east of GMT and the first one west of it', () => {
    expect(berlin.toGmt('2023-10-29T02:30:00')).toBe('2023-10-29T01:30:00')
    expect(chicago.toGmt('2023-11-05T01:30:00')).toBe('2023-11-05T06:30:00')
  })

  it('changes the offset at the very second', () => {
    expect(berlin.toLocal('2023-03-26T00:59:59')).toBe('2023-03-26T01:59:59')
    expect(berlin.toLocal('2023-03-26T01:00:00')).toBe('2023-03-26T03:00:00')
  })

  it('reads dates with and without an offset', () => {
    const noon = { local: '2023-07-15T12:00:00', gmt: '2023-07-15T10:00:00' }
    expect(berlin.parseDate('2023-07-15T12:00:00')).toEqual(noon)
    expect(berlin.parseDate('2023-07-15 12:00:00.25')).toEqual(noon)
    expect(berlin.parseDate('2023-07-15T10:00:00Z')).toEqual(noon)
    expect(berlin.parseDate('2023-07-15T04:30:00-05:30')).toEqual(noon)
    expect(berlin.parseDate('2023-07-15T11:00:00+01')).toEqual(noon)
    expect(berlin.parseDate('2023-07-15T10:00:00', { isGmt: true })).toEqual(noon)
    expect(berlin.parseDate('2023-07-15T11:00:00+01:00', { isGmt: true })).toEqual(noon)
  })

  it('a day beyond the end of a month runs over', () => {
    expect(berlin.parseDate('2023-02-31T08:00:00')?.local).toBe('2023-03-03T08:00:00')
  })

  it.each([
    '',
    'now',
    '2023-07-15',
    '2023-07-15T12:00',
    '2023-7-15T12:00:00',
    '2023-07-15T12:00:00z',
    '2023-13-01T00:00:00',
    '2023-01-32T00:00:00',
    '2023-01-01T25:00:00',
    '2023-01-01T00:00:00+99:00',
    '2023-01-01T00:00:00\n',
  ])('reads no date in %j', (text) => {
    expect(berlin.parseDate(text)).toBeUndefined()
  })

  it('stays within years of four digits', () => {
    expect(chicago.toGmt('9999-12-31T23:59:59')).toBe('9999-12-31T23:59:59')
    expect(kolkata.toGmt('0000-01-01T00:00:00')).toBe('0000-01-01T00:00:00')
    expect(kolkata.toGmt('0045-01-01T12:00:00')).toBe('0045-01-01T06:30:00')
  })

  it('reads the present from the given clock', () => {
    const moment = Date.UTC(2023, 6, 15, 10)
    expect(berlin.now(() => moment)).toEqual({ local: '2023-07-15T12:00:00', gmt: '2023-07-15T10:00:00' })
    expect(berlin.now(() => new Date(moment)).gmt).toBe('2023-07-15T10:00:00')
  })

  it('throws for an unknown zone', () => {
    expect(() => createSiteTime({ timeZone: 'Moon/Crater' })).toThrow(RangeError)
  })

  it('round-trips local times', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2090, 0, 1) }), (moment) => {
        const gmt = new Date(moment).toISOString().slice(0, 19)
        for (const site of [berlin, chicago, kolkata]) {
          const local = site.toLocal(gmt)
          expect(site.toLocal(site.toGmt(local))).toBe(local)
        }
      }),
    )
  })
})
