/** Draws icons of fonts and of the host, and inlines svg files of the library. */
import { iconsIn, withIcons } from '../../../html/icon-tags.ts'
import { isObject, ownValue, textOf } from '../document/values.ts'
import { trusted } from '../html/markup.ts'
import { type Attributes, type Child, h, type Markup, written } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import type { Pass } from '../pass/pass.ts'
import { icons, setIcons } from '../records/service-answers.ts'
import { pictureOf, svgOf } from '../svg/inline.ts'
import { MISSING, signOf } from './signs.ts'

/** An icon of a font: `{ value: 'fas fa-star', library: 'fa-solid' }`. */
export interface Icon {
  readonly value: string
  readonly library: string
}

/**
 * Draws an icon or `{ value: { id, url }, library: 'svg' }`; nothing when one of both members is missing. An icon that no set has is
 * replaced by `instead`, or by a dot.
 */
export function iconOf(value: unknown, pass: Pass, instead?: Child): Child {
  if (typeof value === 'string') return drawOld(value, pass)
  if (!isObject(value)) return undefined
  const library = textOf(ownValue(value, 'library'))
  if (library === 'svg') {
    const file = ownValue(value, 'value')
    return svgOf(file, pass, { 'aria-hidden': 'true' }) ?? pictureOf(file, pass)
  }
  const name = textOf(ownValue(value, 'value')).trim()
  return library === '' || name === '' ? undefined : drawIcon({ library, value: name }, pass, instead)
}

/** Documents of the first years store the classes of version 4 alone: `fa fa-star`. */
const drawOld = (classes: string, pass: Pass): Child =>
  /(?:^|\s)(?:fa|e-?icon)-[\w-]+/.test(classes)
    ? drawIcon({ library: 'fa-solid', value: classes.trim() }, pass)
    : undefined

/** Draws an icon that the host, a set, or the table of the builder's own signs has. */
function drawIcon({ library, value }: Icon, pass: Pass, instead?: Child): Child {
  const key = `${library} ${value}`
  const classes = `e-font-icon-svg e-${value.replace(/[^\w-]+/g, '-')}`
  const own = pass.records.source.services.icon ? pass.get(icons, key) : undefined
  if (own !== undefined) return withClasses(own, classes, pass)
  const sign = signOf(value)
  // The names of this library are the builder's.
  if (sign !== undefined && library === 'eicons') return drawSign(sign, classes)
  const set = pass.get(setIcons, key)
  if (set && 'svg' in set) return withClasses(set.svg, classes, pass)
  if (sign !== undefined) return drawSign(sign, classes)
  pass.missingIcons.set(value.slice(0, 64), set && 'missing' in set ? set.missing : undefined)
  return instead ?? drawSign(MISSING, `${classes} builder-icon-missing`)
}

/** Moves a comment before the svg to the start of the document, where it is written once. */
function withClasses(answer: string, classes: string, pass: Pass): Markup {
  const [, comment, svg = ''] = /^(<!--(?:(?!-->)[\s\S])*-->)?([\s\S]*)$/.exec(answer) ?? []
  if (comment !== undefined) pass.credits.add(comment)
  return trusted(svg.replace(/^<svg\b/, `<svg class="${classes}"`))
}

/** Choice: without its set an icon is a dot, so that it leaves no empty element, and its list or box keeps its shape. */
const drawSign = (path: string, classes: string): Child =>
  h('svg', { class: [written(classes)], ...SIGN }, h('path', { d: path }))

const SIGN: Attributes = {
  ...{ 'aria-hidden': 'true', width: '1em', height: '1em', fill: 'currentColor', overflow: 'visible' },
  viewBox: '0 0 24 24',
}

/** A text with more names of icons is a list of them. */
const maxInTexts = 500

/** Requests the icons that texts of the document name, and returns whether there are some. */
export function wantIconsIn(html: string, { records }: Pass): boolean {
  const found = [...iconsIn(html)].slice(0, maxInTexts)
  for (const classes of found) {
    if (records.source.services.icon) records.want(icons, keyInText(classes))
    records.want(setIcons, keyInText(classes))
  }
  return found.length > 0
}

/** Draws the icons that `wantIconsIn` has requested. */
export const withIconsIn = (html: string, pass: Pass): string => {
  const found = new Set([...iconsIn(html)].slice(0, maxInTexts))
  return withIcons(html, (value) =>
    found.has(value) ? serialize(drawIcon({ library: TEXT, value }, pass)) : undefined,
  )
}

const TEXT = 'fa-solid'
const keyInText = (classes: string): string => `${TEXT} ${classes}`

const listedIcons = 5

/** Writes one warning about all icons of the document that no set has. */
export function warnOfIcons({ missingIcons: missing, warnings }: Pass): void {
  if (missing.size === 0) return
  const names = [...missing.keys()].slice(0, listedIcons).join(', ')
  const packages = [...new Set(missing.values())].filter((name) => name !== undefined)
  const wayOut =
    packages.length > 0
      ? `Install ${packages.join(' and ')} beside this package, or pass services.icons: createIcons({ sets })`
      : 'No set has them: draw them with render.services.icon, or choose other icons'
  const count = missing.size === 1 ? '1 icon is' : `${missing.size} icons are`
  warnings.add('missing_icons', undefined, `${count} not drawn (${names}). ${wayOut}.`)
}
