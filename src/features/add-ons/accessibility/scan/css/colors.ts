/** Reads and mixes colours, and computes the contrast of two, by WCAG 2. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'
import { namedColors } from './named-colors.ts'

/** Red, green and blue from 0 to 255, and how opaque it is. */
export interface Color {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly a: number
}

export const black: Color = { r: 0, g: 0, b: 0, a: 1 }
export const white: Color = { r: 255, g: 255, b: 255, a: 1 }
export const transparent: Color = { r: 0, g: 0, b: 0, a: 0 }

/** Returns undefined for a text that is no colour, or one of a notation that is not known. */
export function readColor(text: string): Color | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'transparent') return transparent
  const named = namedColors.get(word)
  if (named !== undefined) return fromHex(named)
  if (word.startsWith('#')) return fromHex(word.slice(1))
  const [, name = '', inner = ''] = /^([a-z-]+)\((.*)\)$/s.exec(word) ?? []
  if (name === 'rgb' || name === 'rgba') return fromRgb(inner)
  if (name === 'hsl' || name === 'hsla') return fromHsl(inner)
  if (name === 'color-mix') return fromMix(inner)
  if (name === 'light-dark') return readColor(splitOutside(inner, ',')[0] ?? '')
  return undefined
}

function fromHex(digits: string): Color | undefined {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return undefined
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16)
  return { r: at(0), g: at(2), b: at(4), a: long.length === 8 ? at(6) / 255 : 1 }
}

/** Splits the arguments of a function in both notations: with commas, and with blanks and a slash. */
function partsOf(inner: string): readonly string[] {
  return inner.replace(/[,/]/g, ' ').trim().split(/\s+/)
}

const clamped = (value: number, top: number): number => Math.min(Math.max(value, 0), top)

function numberOf(part: string | undefined, whole: number): number {
  if (part === undefined || part === 'none') return 0
  return part.endsWith('%') ? (Number(part.slice(0, -1)) / 100) * whole : Number(part)
}

const alphaOf = (part: string | undefined): number => (part === undefined ? 1 : clamped(numberOf(part, 1), 1))

const known = (color: Color): Color | undefined => (Object.values(color).every(Number.isFinite) ? color : undefined)

function fromRgb(inner: string): Color | undefined {
  const parts = partsOf(inner)
  if (parts.length < 3 || parts.length > 4) return undefined
  const [r = 0, g = 0, b = 0] = parts.slice(0, 3).map((part) => clamped(numberOf(part, 255), 255))
  return known({ r, g, b, a: alphaOf(parts[3]) })
}

const TURNS: { readonly [unit: string]: number } = lookupTable({ deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 })

function fromHsl(inner: string): Color | undefined {
  const parts = partsOf(inner)
  if (parts.length < 3 || parts.length > 4) return undefined
  const [, angle = '', unit = 'deg'] = /^(-?[\d.]+)(deg|turn|rad|grad)?$/.exec(parts[0] ?? '') ?? []
  if (angle === '') return undefined
  const hue = (((Number(angle) * (TURNS[unit] ?? 1)) % 360) + 360) % 360
  const [s = 0, l = 0] = parts.slice(1, 3).map((part) => clamped(Number(part.replace('%', '')) / 100, 1))
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return known({ r: channel(0), g: channel(8), b: channel(4), a: alphaOf(parts[3]) })
}

/** `color-mix(in srgb, a 30%, b)`; other spaces are not known. */
function fromMix(inner: string): Color | undefined {
  const [space = '', ...sides] = splitOutside(inner, ',').map((part) => part.trim())
  if (space !== 'in srgb' || sides.length !== 2) return undefined
  const [one, two] = sides.map((side) => {
    const [, share] = /(?:^|\s)([\d.]+)%(?:\s|$)/.exec(side) ?? []
    return { color: readColor(side.replace(/(?:^|\s)[\d.]+%(?:\s|$)/, ' ')), share: share && Number(share) / 100 }
  })
  if (!one?.color || !two?.color) return undefined
  const first = Number(one.share || (two.share ? 1 - Number(two.share) : 0.5))
  const second = Number(two.share || 1 - first)
  const total = first + second
  if (total === 0) return undefined
  const [p, q] = [first / total, second / total]
  const a = one.color.a * p + two.color.a * q
  const mix = (c: 'r' | 'g' | 'b') =>
    a === 0
      ? 0
      : ((one.color as Color)[c] * (one.color as Color).a * p + (two.color as Color)[c] * (two.color as Color).a * q) /
        a
  return { r: mix('r'), g: mix('g'), b: mix('b'), a: a * Math.min(total, 1) }
}

/** Splits a text at a sign outside of brackets. */
export function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (depth === 0 && (sign === ' ' ? /\s/.test(char) : char === sign)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

// ---------------------------------------------------------------- contrast

/** Lays a colour over another one. */
export function over(top: Color, below: Color): Color {
  const a = top.a + below.a * (1 - top.a)
  if (a === 0) return transparent
  const mix = (c: 'r' | 'g' | 'b') => (top[c] * top.a + below[c] * below.a * (1 - top.a)) / a
  return { r: mix('r'), g: mix('g'), b: mix('b'), a }
}

function luminance({ r, g, b }: Color): number {
  const linear = (value: number) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

export function contrastOf(one: Color, two: Color): number {
  const [high, low] = [luminance(one), luminance(two)].sort((a, b) => b - a) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

export const toHex = ({ r, g, b }: Color): string =>
  `#${[r, g, b].map((value) => Math.round(clamped(value, 255)).toString(16).padStart(2, '0')).join('')}`

/** Returns the nearest shade of a colour with the wanted contrast on a background; undefined where black and white have less. */
export function readableOn(color: Color, back: Color, wanted: number): Color | undefined {
  const ends = contrastOf(black, back) >= contrastOf(white, back) ? [black, white] : [white, black]
  for (const end of ends) {
    for (let step = 1; step <= 50; step++) {
      const shade = over({ ...end, a: step / 50 }, { ...color, a: 1 })
      const rounded = readColor(toHex(shade)) as Color
      if (contrastOf(rounded, back) >= wanted) return rounded
    }
  }
  return undefined
}
