/** Writes XML as a tree: texts and attribute values are escaped, and characters that XML forbids are left out. */

import { lookupTable } from '../../contract/lookup-table.ts'

/** A text that is escaped already. A long one is escaped once for many documents. */
export interface EscapedText {
  readonly escaped: string
}

type XmlChild = XmlElement | EscapedText | string

export interface XmlElement {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: readonly XmlChild[]
}

/** Creates an element. Children that are undefined are left out. */
export const element = (
  name: string,
  attributes: { readonly [name: string]: string },
  ...children: readonly (XmlChild | undefined)[]
): XmlElement => ({ name, attributes, children: children.filter((child) => child !== undefined) })

const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const references: { readonly [sign: string]: string } = lookupTable({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
})

export const escapeXml = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"]/g, (sign) => references[sign] as string)

const signs = lookupTable(Object.fromEntries(Object.entries(references).map(([sign, written]) => [written, sign])))

/** Returns the text that `escapeXml` has escaped. */
export const unescapeXml = (escaped: string): string =>
  escaped.replace(/&(?:amp|lt|gt|quot);/g, (written) => signs[written] as string)

export const toXml = (root: XmlElement, instructions = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${instructions}${write(root)}\n`

function write({ name, attributes, children }: XmlElement): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${written.join('')}`
  if (children.length === 0) return `${start}/>`
  const hasText = children.some((child) => typeof child === 'string' || 'escaped' in child)
  const between = hasText ? '' : '\n'
  const inner = children.map(writeChild)
  return `${start}>${between}${inner.join(between)}${between}</${name}>`
}

function writeChild(child: XmlChild): string {
  if (typeof child === 'string') return escapeXml(child)
  return 'escaped' in child ? child.escaped : write(child)
}
