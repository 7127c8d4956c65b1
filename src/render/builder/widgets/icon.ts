/** Draws icons of fonts and of the host, and inlines svg files of the library. */
import { isObject, ownValue, textOf } from '../document/values.ts'
import { trusted } from '../html/markup.ts'
import { type Child, h, written } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { icons } from '../records/service-answers.ts'
import { svgOf } from '../svg/inline.ts'

/** An icon of a font: `{ value: 'fas fa-star', library: 'fa-solid' }`. */
export interface Icon {
  readonly value: string
  readonly library: string
}

/** Draws an icon or `{ value: { id, url }, library: 'svg' }`; nothing when one of both members is missing. */
export function iconOf(value: unknown, pass: Pass): Child {
  if (!isObject(value)) return undefined
  const library = textOf(ownValue(value, 'library'))
  if (library === 'svg') return svgOf(ownValue(value, 'value'), pass, { 'aria-hidden': 'true' })
  const name = textOf(ownValue(value, 'value'))
  if (library === '' || name === '') return undefined
  if (pass.records.source.services.icon) {
    const svg = pass.get(icons, `${library} ${name}`)
    if (svg !== undefined)
      return trusted(svg.replace(/^<svg\b/, `<svg class="e-font-icon-svg e-${name.replace(/[^\w-]+/g, '-')}"`))
  }
  const classes = name.replace(/[^\w -]+/g, '')
  return h('i', { class: [written(classes)], 'aria-hidden': 'true' })
}
