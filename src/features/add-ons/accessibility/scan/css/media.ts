/** Judges media queries for a screen of 1280 by 720 pixels, with the light scheme and without preferences. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'
import { pixelsOf } from './lengths.ts'

export const viewport = { width: 1280, height: 720 } as const

export const matchesMedia = (text: string): boolean =>
  text.split(',').some((query) => matchesQuery(query.trim().toLowerCase()))

function matchesQuery(query: string): boolean {
  if (query === '') return true
  if (query.startsWith('not ')) return !matchesQuery(query.slice(4).trim())
  const parts = query.replace(/^only\s+/, '').split(/\s+and\s+/)
  return parts.every((part) =>
    part.startsWith('(') ? matchesFeature(part.slice(1, -1).trim()) : part === 'screen' || part === 'all',
  )
}

const KNOWN: { readonly [feature: string]: boolean } = lookupTable({
  'prefers-color-scheme:light': true,
  'prefers-reduced-motion:no-preference': true,
  'prefers-contrast:no-preference': true,
  'hover:hover': true,
  'pointer:fine': true,
  'orientation:landscape': true,
})

function matchesFeature(feature: string): boolean {
  const [, low, lowSign, name, highSign, high] =
    /^(?:([^<>=]+?)\s*(<=?|>=?|=)\s*)?(width|height)\s*(?:(<=?|>=?|=)\s*([^<>=]+))?$/.exec(feature) ?? []
  if (name !== undefined && (lowSign !== undefined || highSign !== undefined)) {
    const own = name === 'width' ? viewport.width : viewport.height
    const isAbove = low === undefined || compares(pixels(low), lowSign ?? '', own)
    return isAbove && (high === undefined || compares(own, highSign ?? '', pixels(high)))
  }
  const [key = '', value = ''] = feature.split(':').map((part) => part.trim())
  const bound = /^(min|max)-(width|height)$/.exec(key)
  if (!bound) return Object.hasOwn(KNOWN, `${key}:${value}`)
  const own = bound[2] === 'width' ? viewport.width : viewport.height
  return bound[1] === 'min' ? own >= pixels(value) : own <= pixels(value)
}

const pixels = (text: string): number => pixelsOf(text.trim(), { em: 16, percent: 0 }) ?? Number.NaN

function compares(a: number, sign: string, b: number): boolean {
  if (sign === '=') return a === b
  if (sign.startsWith('<')) return a < b || (sign === '<=' && a === b)
  return a > b || (sign === '>=' && a === b)
}
