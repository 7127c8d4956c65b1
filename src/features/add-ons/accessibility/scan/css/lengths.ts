/** Computes lengths in pixels: units, `calc()`, `min()`, `max()` and `clamp()`. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'

interface Base {
  /** The font size that `em` means. */
  readonly em: number
  /** The pixels of 100%. */
  readonly percent: number
}

/** Browsers start with it, and most pages leave it. */
export const rootFontSize = 16

const UNITS: { readonly [unit: string]: number } = lookupTable({
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  rem: rootFontSize,
  vw: 12.8,
  vh: 7.2,
  vi: 12.8,
  vb: 7.2,
  vmin: 7.2,
  vmax: 12.8,
  svh: 7.2,
  dvh: 7.2,
  lvh: 7.2,
  ex: 8,
  ch: 8,
})

const TOKEN = /\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?|[a-z-]+\(|[()+*/,-])/iy
const maxTokens = 200

/** Returns undefined for a text that is no length. */
export function pixelsOf(text: string, base: Base): number | undefined {
  const tokens = tokensOf(text)
  if (!tokens) return undefined
  const state = { tokens, at: 0, base }
  const value = sum(state)
  return state.at === tokens.length && Number.isFinite(value) ? value : undefined
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined || tokens.length >= maxTokens) return undefined
    tokens.push(token.toLowerCase())
  }
  return tokens
}

interface State {
  readonly tokens: readonly string[]
  at: number
  readonly base: Base
}

function sum(state: State): number {
  let value = product(state)
  for (;;) {
    const next = state.tokens[state.at]
    if (next === '+' || next === '-') {
      state.at++
      const other = product(state)
      value += next === '+' ? other : -other
    } else if (next?.startsWith('-') && /\d/.test(next)) value += product(state)
    else return value
  }
}

function product(state: State): number {
  let value = factor(state)
  for (let next = state.tokens[state.at]; next === '*' || next === '/'; next = state.tokens[state.at]) {
    state.at++
    const other = factor(state)
    value = next === '*' ? value * other : value / other
  }
  return value
}

function factor(state: State): number {
  const token = state.tokens[state.at++] ?? ''
  if (token.endsWith('(')) return call(token, state)
  const [, number, unit = ''] = /^(-?[\d.]+(?:e[+-]?\d+)?)(%|[a-z]*)$/.exec(token) ?? []
  if (number === undefined) return Number.NaN
  const size =
    unit === ''
      ? 1
      : unit === '%'
        ? state.base.percent / 100
        : unit === 'em'
          ? state.base.em
          : (UNITS[unit] ?? Number.NaN)
  return Number(number) * size
}

function call(token: string, state: State): number {
  const values = [sum(state)]
  while (state.tokens[state.at] === ',') {
    state.at++
    values.push(sum(state))
  }
  if (state.tokens[state.at++] !== ')') return Number.NaN
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = values
  if (token === 'min(') return Math.min(...values)
  if (token === 'max(') return Math.max(...values)
  if (token === 'clamp(') return Math.max(first, Math.min(second, third))
  return token === '(' || token === 'calc(' ? first : Number.NaN
}
