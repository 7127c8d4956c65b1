/** Writes XML as a tree: texts and attribute values are escaped, and characters that XML forbids are left out. */

import { lookupTable } from '../../contract/lookup-table.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: readonly (XmlElement | string)[]
}

/** Creates an element. Children that are undefined are left out. */
export const element = (
  name: string,
  attributes: { readonly [name: string]: string },
  ...children: readonly (XmlElement | string | undefined)[]
): XmlElement => ({ name, attributes, children: children.filter((child) => child !== undefined) })

const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const references: { readonly [sign: string]: string } = lookupTable({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
})

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"]/g, (sign) => references[sign] as string)

export const toXml = (root: XmlElement, instructions = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${instructions}${write(root)}\n`

function write({ name, attributes, children }: XmlElement): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const start = `<${name}${written.join('')}`
  if (children.length === 0) return `${start}/>`
  const hasText = children.some((child) => typeof child === 'string')
  const between = hasText ? '' : '\n'
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : write(child)))
  return `${start}>${between}${inner.join(between)}${between}</${name}>`
}
