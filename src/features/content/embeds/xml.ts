/** An oEmbed answer as XML: one flat document, written and read. */
import { Parser } from 'htmlparser2'

export type EmbedFields = { readonly [name: string]: string | number }

/** No XML may hold these, escaped or not. */
const forbiddenCharacters = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const entities: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export function toXml(fields: EmbedFields): string {
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oembed>${elements.join('')}</oembed>`
}

const escapeXml = (text: string) =>
  text.replace(forbiddenCharacters, '').replace(/[&<>]/g, (sign) => entities[sign] as string)

/** The children of the root by name, as texts. The first of a name counts. */
export function fromXml(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
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
        if (depth-- === 2 && !found.has(name)) found.set(name, value.trim())
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return found
}
