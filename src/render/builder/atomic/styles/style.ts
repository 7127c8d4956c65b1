/** Writes the rules of one style: its variants by breakpoint and state. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { customBlock } from '../../css/block.ts'
import { desktop } from '../../css/breakpoints.ts'
import type { RuleSet } from '../../css/rules.ts'
import { limits } from '../../document/limits.ts'
import { isObject, objectOf, ownValue, type RawSettings, textOf } from '../../document/values.ts'
import { declarationsOf } from './declarations.ts'
import type { StyleValues } from './values.ts'

interface StyleOptions {
  readonly rules: RuleSet
  /** The selector before the class: `.builder `. */
  readonly prefix: string
  readonly name: string
  readonly values: StyleValues
  /** Returns whether the author of the style may write custom CSS. */
  readonly isTrusted: () => boolean
}

/** The selectors that each state adds to the class. Hover styles also apply to keyboard focus. */
const STATES: { readonly [state: string]: readonly string[] } = lookupTable({
  hover: [':hover', ':focus-visible'],
  active: [':active'],
  focus: [':focus'],
  'focus-visible': [':focus-visible'],
  checked: [':checked'],
  'e--selected': ['.e--selected'],
  'e--disabled': ['.e--disabled'],
})

export function writeStyle(style: RawSettings, options: StyleOptions): void {
  const variants = ownValue(style, 'variants')
  if (!Array.isArray(variants)) return
  for (const variant of variants.slice(0, limits.items)) if (isObject(variant)) writeVariant(variant, options)
}

function writeVariant(variant: RawSettings, { rules, prefix, name, values, isTrusted }: StyleOptions): void {
  const meta = objectOf(ownValue(variant, 'meta'))
  const { pass } = values.context
  const key = ownValue(meta, 'breakpoint') ?? 'desktop'
  const breakpoint = key === 'desktop' ? desktop : pass.breakpoints.find(textOf(key))
  const suffixes = suffixesOf(ownValue(meta, 'state'))
  if (!breakpoint || !suffixes) return
  const selector = suffixes.map((suffix) => `${prefix}.${classSelector(name)}${suffix}`).join(',')
  const props = Object.entries(objectOf(ownValue(variant, 'props')))
  for (const [property, value] of props) rules.add(breakpoint, selector, declarationsOf(property, value, values))
  const source = customSource(ownValue(variant, 'custom_css'))
  if (source.trim() !== '' && isTrusted()) rules.addBlock(breakpoint, selector, customBlock(source))
}

/** Returns undefined for an unknown state. */
function suffixesOf(state: unknown): readonly string[] | undefined {
  if (state === null || state === undefined || state === '') return ['']
  const name = textOf(state).replace(/^:/, '')
  return Object.hasOwn(STATES, name) ? STATES[name] : undefined
}

/** Decodes `{ raw }`, UTF-8 in base64. */
function customSource(stored: unknown): string {
  const raw = textOf(ownValue(objectOf(stored), 'raw'))
  if (raw === '') return ''
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(raw), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** CSS Syntax: an identifier begins with neither a digit nor a hyphen and a digit. */
const classSelector = (name: string): string => name.replace(/^(-?)(\d)/, '$1\\3$2 ').replace(/^-$/, '\\-')
