/**
 * Leads links to pages of the old site to the same paths of this one. A link that names a row by its id gets a reference. Addresses of
 * files stay: the import of media rewrites them.
 */

import type { Json } from '../../contract/storage.ts'
import { rowParameterSource, rowParameters } from '../../site/addresses/row-parameters.ts'
import { numbered } from './entries/references.ts'
import type { FileRecord } from './reader.ts'

export type MoveLinks = (record: FileRecord) => FileRecord

/** These values have links: elements as JSON, and the address of a menu item. */
const linkedMeta: ReadonlySet<string> = new Set(['_elementor_data', '_builder_data'])
const addressMeta: ReadonlySet<string> = new Set(['_menu_item_url'])

/** `from`: an address of the old site, with or without a path. `home`: that of this site; empty: links become paths. */
export function createMoveLinks(from: string, home: string): MoveLinks {
  const host = from.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/+$/, '')
  if (host === '') return (record) => record
  const isSameAddress = host === home.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/+$/, '')
  // Each slash of the path may be escaped, as in JSON.
  const written = host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('/', '\\\\?/')
  const old = `https?:(\\\\?/)\\\\?/(?:www\\.)?${written}`
  const end = `(?=["'\\\\/?#]|$)(?!\\\\?/wp-(?:content|includes)\\b)(?![^"'\\s]*\\.(?!html?\\b|php\\b)[a-z]\\w{1,4}[\\\\"'?#])`
  const place = `href=\\\\?["']|"(?:url|href)"\\s*:\\s*"|"\\$\\$type"\\s*:\\s*"url"\\s*,\\s*"value"\\s*:\\s*"`
  // Begins with the scheme: texts have more places of addresses than addresses.
  const links = new RegExp(`http(?<=(?:${place})http)${old.slice('http'.length)}${end}(["']|\\\\?/)?`, 'gi')
  const address = new RegExp(`^${old}${end}(\\/)?`, 'i')
  const byId = new RegExp(`((?:^|${place})${old}(?:\\\\?/)?${rowParameterSource})([1-9]\\d{0,14})(?!\\d)`, 'gi')
  const refer = (whole: string, before: string, ...groups: readonly string[]): string => {
    const [parameter = '', id = ''] = groups.slice(1)
    const kind = rowParameters.get(parameter)
    return kind ? `${before}ref:${numbered(kind, Number(id))}` : whole
  }
  const replace = (_: string, slash: string, next = ''): string => {
    const place = slash === '/' ? home : home.replaceAll('/', '\\/')
    // A link to the old front page needs a path, where this site has no address.
    const root = place === '' && !next.endsWith('/') ? slash : ''
    return place + root + next
  }
  const moved = (text: string, from: RegExp) => {
    const referred = text.includes('?') ? text.replace(byId, refer) : text
    return isSameAddress ? referred : referred.replace(from, replace)
  }
  const inText = (text: string) => (text.includes(host.split('/', 1)[0] ?? '') ? moved(text, links) : text)
  const inMeta = ([key, value]: readonly [string, Json]): readonly [string, Json] => {
    if (typeof value !== 'string') return [key, value]
    if (addressMeta.has(key)) return [key, moved(value, address)]
    // Serialized texts have lengths, which a replacement would make wrong.
    return linkedMeta.has(key) && !value.startsWith('a:') ? [key, inText(value)] : [key, value]
  }
  return (record) => {
    const { fields, meta } = record
    const texts = ['content:encoded', 'excerpt:encoded'].flatMap((name) => {
      const text = fields[name]
      return text === undefined ? [] : [[name, inText(text)] as const]
    })
    return { ...record, fields: { ...fields, ...Object.fromEntries(texts) }, meta: meta.map(inMeta) }
  }
}
