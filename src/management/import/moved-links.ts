/** Leads links to pages of the old site to the same paths of this one. Addresses of files stay: the import of media rewrites them. */

import type { Json } from '../../contract/storage.ts'
import type { FileRecord } from './reader.ts'

export type MoveLinks = (record: FileRecord) => FileRecord

/** These values have links: elements as JSON, and the address of a menu item. */
const linkedMeta: ReadonlySet<string> = new Set(['_elementor_data', '_builder_data'])
const addressMeta: ReadonlySet<string> = new Set(['_menu_item_url'])

/** `from`: an address of the old site, with or without a path. `home`: that of this site; empty: links become paths. */
export function createMoveLinks(from: string, home: string): MoveLinks {
  const host = from.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/+$/, '')
  if (host === '' || host === home.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/+$/, '')) return (record) => record
  // Each slash of the path may be escaped, as in JSON.
  const written = host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('/', '\\\\?/')
  const old = `https?:(\\\\?/)\\\\?/(?:www\\.)?${written}`
  const end = `(?=["'\\\\/?#]|$)(?!\\\\?/wp-(?:content|includes)\\b)(?![^"'\\s]*\\.(?!html?\\b|php\\b)[a-z]\\w{1,4}[\\\\"'?#])`
  const links = new RegExp(
    `(href=\\\\?["']|"(?:url|href)"\\s*:\\s*"|"\\$\\$type"\\s*:\\s*"url"\\s*,\\s*"value"\\s*:\\s*")${old}${end}(["']|\\\\?/)?`,
    'gi',
  )
  const address = new RegExp(`^()${old}${end}(\\/)?`, 'i')
  const replace = (_: string, before: string, slash: string, next = ''): string => {
    const place = slash === '/' ? home : home.replaceAll('/', '\\/')
    // A link to the old front page needs a path, where this site has no address.
    const root = place === '' && !next.endsWith('/') ? slash : ''
    return before + place + root + next
  }
  const inText = (text: string) => (text.includes(host.split('/', 1)[0] ?? '') ? text.replace(links, replace) : text)
  const inMeta = ([key, value]: readonly [string, Json]): readonly [string, Json] => {
    if (typeof value !== 'string') return [key, value]
    if (addressMeta.has(key)) return [key, value.replace(address, replace)]
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
