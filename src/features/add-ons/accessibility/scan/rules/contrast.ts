/** Computes the contrast of each text with its background, from the kit, classes and inline values. */

import type { Known } from '../css/cascade.ts'
import { type Color, contrastOf, over, readableOn, toHex, transparent, white } from '../css/colors.ts'
import { attributeOf, closest, type Element, hasAttribute, ownText, parentOf } from '../page/dom.ts'
import { labelsOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { type Found, pathOf, type Rule } from './rule.ts'

const ofText = 4.5
const ofLargeText = 3

export const contrastRule: Rule = {
  ...{ id: 'color-contrast', group: 'colorContrast', category: 'AA' },
  find: (page) => page.elements.flatMap((element) => judge(element, page)),
}

function judge(element: Element, page: Page): readonly Found[] {
  if (!hasShownText(element) || !page.isSeen(element) || isInactive(element, page)) return []
  const colors = colorsOf(element, page)
  if (!colors) return []
  const { text, back, isFaded } = colors
  const size = page.styles.fontSize(element)
  const isLarge = size >= 24 || (size >= 18.66 && page.styles.isBold(element))
  const wanted = isLarge ? ofLargeText : ofText
  const contrast = contrastOf(text, back)
  // One to one is a text that is hidden on purpose.
  if (contrast >= wanted || contrast === 1) return []
  const shade = readableOn(text, back, wanted)
  const rounded = Math.floor(contrast * 100) / 100
  const message = `The contrast of ${toHex(text)} on ${toHex(back)} is ${rounded}, and ${wanted} is the least.`
  const xpath = pathOf(element, page)
  return [
    {
      element,
      message,
      ...(shade
        ? {
            proposal: {
              type: 'STYLES',
              category: 'AA',
              xpath,
              rule: `color: ${toHex(shade)}${isFaded ? '; opacity: 1' : ''}`,
            },
          }
        : {}),
    },
  ]
}

const VALUE_TYPES = /^(?:button|submit|reset|text|search|email|tel|url|number|password|date|)$/

function hasShownText(element: Element): boolean {
  const { tagName } = element
  if (tagName === 'input') {
    return (
      VALUE_TYPES.test((attributeOf(element, 'type') ?? '').toLowerCase()) &&
      ((attributeOf(element, 'value') ?? '') !== '' || hasAttribute(element, 'placeholder'))
    )
  }
  if (
    tagName === 'option' ||
    tagName === 'title' ||
    closest(element, (one) => one.tagName === 'svg' || one.tagName === 'iframe')
  )
    return false
  if (tagName === 'select') return true
  // A single sign is a picture more than a text.
  const text = ownText(element).trim()
  return [...text].length > 1 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/** WCAG leaves out what cannot be used, with its label. */
function isInactive(element: Element, page: Page): boolean {
  const isOff = (one: Element) =>
    (/^(?:button|input|select|textarea|fieldset)$/.test(one.tagName) && hasAttribute(one, 'disabled')) ||
    attributeOf(one, 'aria-disabled') === 'true'
  if (closest(element, isOff)) return true
  const label = closest(element, ({ tagName }) => tagName === 'label')
  if (!label) return false
  const id = attributeOf(label, 'for')
  const field =
    id === undefined
      ? page.elements.find(
          (one) => /^(?:input|select|textarea)$/.test(one.tagName) && labelsOf(one, page).includes(label),
        )
      : page.byId(id)
  return field !== undefined && isOff(field)
}

interface Colors {
  readonly text: Color
  readonly back: Color
  readonly isFaded: boolean
}

/** Undefined: a picture, a shadow or an effect decides, which only eyes can judge. */
function colorsOf(element: Element, page: Page): Colors | undefined {
  const color: Known<Color> = page.styles.color(element)
  const layers = color === 'unknown' || hasEffect(element, page) ? undefined : layersOf(element, page)
  if (color === 'unknown' || !layers) return undefined
  const colors = layers.reduce(
    ({ text, back }, { color: layer, opacity }) => ({
      text: faded(over(text, layer), opacity),
      back: faded(over(back, layer), opacity),
    }),
    { text: color, back: transparent },
  )
  return {
    ...{ text: over(colors.text, white), back: over(colors.back, white) },
    isFaded: layers.some(({ opacity }) => opacity < 1),
  }
}

const faded = (color: Color, opacity: number): Color => ({ ...color, a: color.a * opacity })

interface Layer {
  readonly color: Color
  /** Applies to the layer and all that lies in it. */
  readonly opacity: number
}

/** Lists the backgrounds around a text, the nearest first. */
function layersOf(element: Element, page: Page): readonly Layer[] | undefined {
  const layers: Layer[] = []
  let isOpaque = false
  for (let one: Element | undefined = element; one; one = parentOf(one)) {
    const color: Known<Color> = isOpaque ? transparent : page.styles.background(one)
    const opacity = Number(page.styles.own(one, 'opacity') || 1)
    if (color === 'unknown' || Number.isNaN(opacity) || (!isOpaque && hasCover(one, page))) return undefined
    isOpaque = (isOpaque || color.a === 1) && opacity === 1
    layers.push({ color, opacity })
    // A part that leaves its place covers others than those around it.
    if (!isOpaque && isFree(one, page)) return undefined
  }
  return layers
}

const isFree = (element: Element, page: Page): boolean =>
  /absolute|fixed/.test(page.styles.own(element, 'position') ?? '')

function hasEffect(element: Element, page: Page): boolean {
  const { styles } = page
  const shadow = styles.inherited(element, 'text-shadow')
  if (shadow !== undefined && shadow !== 'none') return true
  if (styles.inherited(element, '-webkit-text-fill-color') !== undefined) return true
  for (let one: Element | undefined = element; one; one = parentOf(one)) {
    if (
      /\btext\b/.test(`${styles.own(one, 'background-clip') ?? ''} ${styles.own(one, '-webkit-background-clip') ?? ''}`)
    )
      return true
    const blend = styles.own(one, 'mix-blend-mode')
    const filter = styles.own(one, 'filter')
    if ((blend !== undefined && blend !== 'normal') || (filter !== undefined && filter !== 'none')) return true
  }
  return false
}

/** A layer in front of the background that the sheet creates. */
const hasCover = (element: Element, page: Page): boolean =>
  (['before', 'after'] as const).some((which) => {
    const pseudo = page.styles.pseudo(element, which)
    const back = pseudo?.get('background-color') ?? pseudo?.get('background')
    return (
      back !== undefined &&
      !/^(?:none|transparent|initial)$/.test(back) &&
      /absolute|fixed/.test(pseudo?.get('position') ?? '')
    )
  })
