/** Writes and reads oEmbed responses as XML, which are flat documents. */

import { Parser } from 'htmlparser2'
import { lookupTable } from '../../../contract/lookup-table.ts'

export type EmbedFields = { readonly [name: string]: string | number }

/** XML forbids these characters, even when they are escaped. */
const forbiddenCharacters = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const entities: { readonly [character: string]: string } = lookupTable({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })

export function toXml(fields: EmbedFields): string {
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oembed>${elements.join('')}</oembed>`
}

const escapeXml = (text: string) =>
  text.replace(forbiddenCharacters, '').replace(/[&<>]/g, (character) => entities[character] as string)

/** The texts of the root's children by name. The first child of a name is used. */
export function fromXml(text: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let depth = 0
  let value = ''
  const parser = new Parser(
    {
      onopentag: () => {
        if (++depth === 2) value = ''
      },
      ontext: (part) => {
        if (depth === 2) value += part
      },
      onclosetag: (name) => {
        if (depth-- === 2 && !texts.has(name)) texts.set(name, value.trim())
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return texts
}
