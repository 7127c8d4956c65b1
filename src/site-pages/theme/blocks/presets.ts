/** Writes the colours, gradients, sizes and spaces that texts name by classes and custom properties. */

import { presetPrefixes } from '../../../names/preset-variables.ts'
import type { ThemeValues } from './theme-values.ts'

type Values = Readonly<Record<string, string>>

/** Choice: the default presets have the usual names, with values of this theme. */
const colors: Values = {
  black: '#000',
  white: '#fff',
  'cyan-bluish-gray': '#a9b4bf',
  'pale-pink': '#f4a3b5',
  'vivid-red': '#c92a2a',
  'luminous-vivid-orange': '#f76707',
  'luminous-vivid-amber': '#f5b301',
  'light-green-cyan': '#7fd6b3',
  'vivid-green-cyan': '#12b886',
  'pale-cyan-blue': '#93cdf5',
  'vivid-cyan-blue': '#1478c8',
  'vivid-purple': '#8b4fd0',
}

const gradient = (from: string, to: string): string => `linear-gradient(135deg,${from},${to})`

const gradients: Values = {
  'vivid-cyan-blue-to-vivid-purple': gradient('#1478c8', '#8b4fd0'),
  'light-green-cyan-to-vivid-green-cyan': gradient('#7fd6b3', '#12b886'),
  'luminous-vivid-amber-to-luminous-vivid-orange': gradient('#f5b301', '#f76707'),
  'luminous-vivid-orange-to-vivid-red': gradient('#f76707', '#c92a2a'),
  'very-light-gray-to-cyan-bluish-gray': gradient('#eee', '#a9b4bf'),
  'cool-to-warm-spectrum': gradient('#5bc0de', '#f06595'),
}

const sizes: Values = {
  small: '.875rem',
  medium: '1.25rem',
  large: 'clamp(1.5rem,1.25rem + 1vw,1.9rem)',
  'x-large': 'clamp(1.9rem,1.4rem + 2vw,2.6rem)',
  huge: 'clamp(2.1rem,1.5rem + 2.5vw,3rem)',
}

const spaces: Values = {
  20: '.5rem',
  30: '.75rem',
  40: '1rem',
  50: '1.5rem',
  60: 'clamp(1.5rem,4vw,2.25rem)',
  70: 'clamp(2rem,6vw,3.5rem)',
  80: 'clamp(2.5rem,8vw,5rem)',
}

const [own] = presetPrefixes

function variables(kinds: readonly (readonly [kind: string, values: Values])[]): string {
  const lines: string[] = []
  for (const [kind, values] of kinds) {
    for (const [name, value] of Object.entries(values)) {
      for (const prefix of presetPrefixes) {
        lines.push(`${prefix}${kind}--${name}:${prefix === own ? value : `var(${own}${kind}--${name})`}`)
      }
    }
  }
  return `:root{${lines.join(';')}}`
}

/** The classes win over the styles of blocks, and over the colours of links and headings. */
const rulesOf = (values: Values, rule: (name: string) => string): string => Object.keys(values).map(rule).join('')

/** Returns the rules of the default presets and those of the host, which win over defaults of the same name. */
export function presetRules(theme: ThemeValues): string {
  const color = { ...colors, ...theme.colors }
  const gradient = { ...gradients, ...theme.gradients }
  const size = { ...sizes, ...theme.fontSizes }
  const kinds = [
    ['color', color],
    ['gradient', gradient],
    ['font-size', size],
    ['font-family', theme.fontFamilies],
    ['spacing', { ...spaces, ...theme.spacingSizes }],
  ] as const
  return (
    variables(kinds) +
    rulesOf(
      color,
      (name) =>
        `.has-${name}-color{color:var(${own}color--${name})!important}` +
        `.has-${name}-background-color{background-color:var(${own}color--${name})!important}` +
        `.has-${name}-border-color{border-color:var(${own}color--${name})!important}`,
    ) +
    rulesOf(gradient, (name) => `.has-${name}-gradient-background{background:var(${own}gradient--${name})!important}`) +
    rulesOf(size, (name) => `.has-${name}-font-size{font-size:var(${own}font-size--${name})!important}`) +
    rulesOf(
      theme.fontFamilies,
      (name) => `.has-${name}-font-family{font-family:var(${own}font-family--${name})!important}`,
    ) +
    layoutWidths(theme)
  )
}

function layoutWidths({ contentSize, wideSize }: ThemeValues): string {
  const lines = [contentSize && `--site-measure:${contentSize}`, wideSize && `--site-width:${wideSize}`].filter(Boolean)
  return lines.length === 0 ? '' : `:root{${lines.join(';')}}`
}
