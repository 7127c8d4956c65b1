/** Computes the styles of elements from the sheets of their page and their style attributes. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'
import { attributeOf, type Element, parentOf, wordsOf } from '../page/dom.ts'
import { black, type Color, readColor, splitOutside, transparent } from './colors.ts'
import { pixelsOf, rootFontSize } from './lengths.ts'
import { viewport } from './media.ts'
import { matches } from './selectors.ts'
import type { Declaration, Sheets, StyleRule } from './sheets.ts'

/** `unknown`: the value is of a notation that is not known. */
export type Known<T> = T | 'unknown'

type Winners = ReadonlyMap<string, string>

const maxNested = 20
const maxValue = 4096

export class Styles {
  readonly #byKey = new Map<string, StyleRule[]>()
  readonly #sheets: Sheets
  readonly #winners = new Map<Element, Winners>()
  readonly #colors = new Map<Element, Known<Color>>()
  readonly #sizes = new Map<Element, number>()
  readonly #hasPseudo: boolean

  constructor(sheets: Sheets) {
    this.#sheets = sheets
    for (const rule of sheets.rules) {
      const list = this.#byKey.get(rule.selector.key)
      if (list) list.push(rule)
      else this.#byKey.set(rule.selector.key, [rule])
    }
    this.#hasPseudo = sheets.rules.some(({ selector }) => selector.pseudo !== undefined)
  }

  /** The value of a property that the element itself has, with its variables; undefined: none. */
  own(element: Element, name: string): string | undefined {
    const value = this.#winnersOf(element).get(name)
    return value === undefined ? undefined : this.#resolved(element, value, 0)
  }

  /** The value of an inherited property: that of the nearest element which has it. */
  inherited(element: Element, name: string): string | undefined {
    for (let one: Element | undefined = element; one; one = parentOf(one)) {
      const value = this.own(one, name)
      if (value !== undefined && value !== 'inherit' && value !== 'unset') return value
    }
    return undefined
  }

  color(element: Element): Known<Color> {
    const known = this.#colors.get(element)
    if (known) return known
    const parent = parentOf(element)
    const value = this.own(element, 'color')?.toLowerCase()
    const isInherited = value === undefined || ['inherit', 'unset', 'currentcolor', 'revert'].includes(value)
    const color = isInherited
      ? parent
        ? this.color(parent)
        : black
      : value === 'initial'
        ? black
        : (readColor(value) ?? 'unknown')
    this.#colors.set(element, color)
    return color
  }

  /** The colour behind the element's own texts; `unknown` where it has a picture or a gradient. */
  background(element: Element): Known<Color> {
    const value = this.own(element, 'background-color')
    const short = this.own(element, 'background')
    const image = this.own(element, 'background-image') ?? 'none'
    if (/\b(?:url|gradient|image-set|element|cross-fade)\b|gradient\(/i.test(`${image} ${short ?? ''}`))
      return 'unknown'
    if (value !== undefined) return this.#backColor(value, element)
    if (short === undefined) return transparent
    const words = splitOutside(short, ' ').filter((word) => word !== '')
    const colors = words.flatMap((word) =>
      /^currentcolor$/i.test(word) ? this.color(element) : (readColor(word) ?? []),
    )
    const isOdd = words.some((word) => /^(?:color|lab|lch|oklab|oklch|hwb|color-mix|rgba?|hsla?)\(/i.test(word))
    return colors[0] ?? (isOdd ? 'unknown' : transparent)
  }

  fontSize(element: Element): number {
    const known = this.#sizes.get(element)
    if (known !== undefined) return known
    const parent = parentOf(element)
    const em = parent ? this.fontSize(parent) : rootFontSize
    const value = this.own(element, 'font-size') ?? sizeInFont(this.own(element, 'font'))
    const size = value === undefined ? em : (sizeOf(value.toLowerCase(), em) ?? em)
    this.#sizes.set(element, size)
    return size
  }

  isBold(element: Element): boolean {
    for (let one: Element | undefined = element; one; one = parentOf(one)) {
      const weight = this.own(one, 'font-weight') ?? weightInFont(this.own(one, 'font'))
      if (weight === undefined || weight === 'inherit' || weight === 'unset') continue
      return weight === 'bold' || weight === 'bolder' || Number(weight) >= 700
    }
    return false
  }

  pixels(element: Element, name: string): number | undefined {
    const value = this.own(element, name)
    return value === undefined ? undefined : pixelsOf(value, { em: this.fontSize(element), percent: viewport.width })
  }

  /** The declarations of `::before` or `::after` that create something. */
  pseudo(element: Element, which: 'before' | 'after'): Winners | undefined {
    if (!this.#hasPseudo) return undefined
    const winners = this.#compute(element, which)
    const content = winners.get('content')
    if (content === undefined || content === 'none' || content === 'normal') return undefined
    return new Map([...winners].map(([name, value]) => [name, this.#resolved(element, value, 0) ?? '']))
  }

  // ---------------------------------------------------------------- cascade

  #winnersOf(element: Element): Winners {
    const known = this.#winners.get(element)
    if (known) return known
    const winners = this.#compute(element, undefined)
    this.#winners.set(element, winners)
    return winners
  }

  #compute(element: Element, pseudo: string | undefined): Winners {
    const rules = this.#candidates(element)
      .filter(({ selector }) => selector.pseudo === pseudo && matches(element, selector))
      .sort(compareRules)
    const inline = pseudo === undefined ? this.#sheets.declarationsOf(attributeOf(element, 'style') ?? '') : []
    const all = [...rules.flatMap(({ declarations }) => declarations), ...inline]
    const winners = new Map<string, string>()
    for (const isImportant of [false, true]) {
      for (const declaration of all) if (declaration.isImportant === isImportant) take(winners, declaration)
    }
    if (pseudo === undefined) takeOldAttributes(winners, element)
    return winners
  }

  #candidates(element: Element): readonly StyleRule[] {
    const id = attributeOf(element, 'id')
    const keys = [
      '*',
      element.tagName.toLowerCase(),
      ...(id === undefined ? [] : [`#${id}`]),
      ...new Set(wordsOf(element, 'class').map((name) => `.${name}`)),
    ]
    return keys.flatMap((key) => this.#byKey.get(key) ?? [])
  }

  #backColor(value: string, element: Element): Known<Color> {
    const word = value.toLowerCase()
    if (word === 'currentcolor') return this.color(element)
    if (['initial', 'unset', 'revert', 'none'].includes(word)) return transparent
    const parent = parentOf(element)
    if (word === 'inherit') return parent ? this.background(parent) : transparent
    return readColor(word) ?? 'unknown'
  }

  // ---------------------------------------------------------------- variables

  /** Undefined: a variable without a value makes the declaration one that is not there. */
  #resolved(element: Element, value: string, depth: number): string | undefined {
    const start = value.indexOf('var(')
    if (start < 0) return value
    if (depth > maxNested || value.length > maxValue) return undefined
    const end = endOfCall(value, start + 4)
    const [name = '', ...rest] = splitOutside(value.slice(start + 4, end), ',')
    const own = this.#variable(element, name.trim(), depth)
    const replaced = own ?? (rest.length > 0 ? this.#resolved(element, rest.join(',').trim(), depth + 1) : undefined)
    if (replaced === undefined) return undefined
    return this.#resolved(element, value.slice(0, start) + replaced + value.slice(end + 1), depth + 1)
  }

  #variable(element: Element, name: string, depth: number): string | undefined {
    for (let one: Element | undefined = element; one; one = parentOf(one)) {
      const value = this.#winnersOf(one).get(name)
      if (value === undefined || value === 'inherit') continue
      return value === 'initial' ? undefined : this.#resolved(one, value, depth + 1)
    }
    return undefined
  }
}

function endOfCall(value: string, from: number): number {
  let depth = 1
  for (let at = from; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at
  }
  return value.length
}

const compareRules = (a: StyleRule, b: StyleRule): number =>
  Number(b.isOfBrowser) - Number(a.isOfBrowser) ||
  layerOf(a) - layerOf(b) ||
  a.selector.specificity - b.selector.specificity ||
  a.order - b.order

const layerOf = ({ order }: StyleRule): number => Math.floor(order / 1e9)

/** A shorthand sets its longhands anew. */
const SHORTHANDS: { readonly [name: string]: readonly string[] } = lookupTable({
  background: ['background-color', 'background-image', 'background-clip'],
  font: ['font-size', 'font-weight'],
  inset: ['left', 'right', 'top'],
})

function take(winners: Map<string, string>, { name, value }: Declaration): void {
  for (const longhand of Object.hasOwn(SHORTHANDS, name) ? (SHORTHANDS[name] ?? []) : []) winners.delete(longhand)
  if (name === 'background-color' && !isReadableColor(value)) return
  winners.set(name, value)
  // The colour of the shorthand no longer counts, its picture does.
  if (name === 'background-color' && winners.has('background')) {
    const image = winners.get('background') ?? ''
    winners.delete('background')
    if (/url\(|gradient\(/i.test(image)) winners.set('background-image', image)
  }
  if (name === 'background-image' && winners.has('background') && value === 'none') {
    winners.set('background', (winners.get('background') ?? '').replace(/[a-z-]*(?:url|gradient)\(.*\)/i, ''))
  }
}

/** A browser drops a declaration that is no colour; functions are judged later. */
const isReadableColor = (value: string): boolean =>
  /\(|^(?:currentcolor|inherit|initial|unset|revert|revert-layer|none)$/i.test(value) || readColor(value) !== undefined

/** Attributes of old pages style elements where no rule does. */
function takeOldAttributes(winners: Map<string, string>, element: Element): void {
  const back = attributeOf(element, 'bgcolor')
  if (back !== undefined && !winners.has('background-color') && !winners.has('background')) {
    winners.set('background-color', back)
  }
  const color = element.tagName === 'font' ? attributeOf(element, 'color') : undefined
  if (color !== undefined && !winners.has('color')) winners.set('color', color)
}

// ---------------------------------------------------------------- fonts

const KEYWORDS: { readonly [word: string]: number } = lookupTable({
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
  initial: 16,
})

function sizeOf(value: string, em: number): number | undefined {
  if (Object.hasOwn(KEYWORDS, value)) return KEYWORDS[value]
  if (value === 'smaller') return em / 1.2
  if (value === 'larger') return em * 1.2
  return pixelsOf(value, { em, percent: em })
}

/** `italic 600 1rem/1.4 Georgia, serif`: the size is the first length. */
function sizeInFont(font: string | undefined): string | undefined {
  const words = splitOutside(font ?? '', ' ').filter((word) => word !== '')
  const size = words.find((word) =>
    /^(?:[\d.]+(?:[a-z]|%)|(?:clamp|calc|min|max)\()|^(?:x?x?-?(?:small|large)|medium)\b/i.test(word),
  )
  return size && splitOutside(size, '/')[0]
}

function weightInFont(font: string | undefined): string | undefined {
  if (font === undefined || font === 'inherit') return undefined
  return splitOutside(font, ' ').find((word) => /^(?:bold|bolder|[1-9]00)$/.test(word)) ?? 'normal'
}
