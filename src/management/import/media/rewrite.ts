/**
 * Leads the texts and documents of a site from the files of the old site to those of this one: their addresses, and the ids
 * beside these. An id is changed only where it is the old one of the medium that is addressed, so a second run changes nothing.
 */
import type { Json } from '../../../contract/storage.ts'
import type { ImportedMedium, OldAddresses } from './addresses.ts'

export interface Rewrite {
  text(text: string): string
  /** Documents of the builder, and other structured values. */
  value(value: Json): Json
}

const blockComment = /<!--\s+[a-z][a-z0-9/-]*:[a-z][a-z0-9/-]*\s+\{[^<]*?\}\s+\/?-->/g
const idAttribute = /("(?:id|mediaId)":)(\d+)(?=[,}])/g
const tag = /<[a-z][^<>]*>/gi
const idClass = /\b((?:wp|cms)-image-)(\d+)\b/g

export function createRewrite(addresses: OldAddresses): Rewrite {
  const hosts = addresses.hosts.map((host) => host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // In JSON inside of texts, slashes may be escaped.
  const address = new RegExp(String.raw`(?:https?:)?\\?/\\?/(?:${hosts.join('|')})(?:\\?/[^\s"'<>()\\/?#,;]*)+`, 'gi')

  const plain = (found: string) => found.replaceAll('\\/', '/')

  /** Finds the media that a piece of text addresses, by their old ids. */
  const mediaIn = (piece: string): ReadonlyMap<number, ImportedMedium> =>
    new Map(
      (piece.match(address) ?? []).flatMap((found) => {
        const medium = addresses.find(plain(found))?.medium
        return medium ? [[medium.number, medium]] : []
      }),
    )

  const replaceIds = (piece: string, ids: RegExp, media: ReadonlyMap<number, ImportedMedium>) =>
    piece.replace(ids, (whole, before: string, id: string) => {
      const medium = media.get(Number(id))
      return medium ? `${before}${medium.id}` : whole
    })

  /** The comment of a block has the id of the file that the markup behind it shows. */
  function inBlocks(content: string): string {
    const starts = [...content.matchAll(blockComment)]
    if (starts.length === 0) return content
    let written = ''
    let at = 0
    for (const { 0: comment, index } of starts) {
      const end = content.indexOf('<!--', index + comment.length)
      const piece = content.slice(index, end === -1 ? undefined : end)
      written += content.slice(at, index) + replaceIds(comment, idAttribute, mediaIn(piece))
      at = index + comment.length
    }
    return written + content.slice(at)
  }

  const inTags = (content: string) =>
    content.replace(tag, (one) => (one.includes('-image-') ? replaceIds(one, idClass, mediaIn(one)) : one))

  const inAddresses = (content: string) =>
    content.replace(address, (found) => {
      const now = addresses.find(plain(found))?.address
      if (now === undefined) return found
      return found.includes('\\/') ? now.replaceAll('/', '\\/') : now
    })

  function text(content: string): string {
    if (hosts.length === 0 || !isAbout(content)) return content
    return inAddresses(inTags(inBlocks(content)))
  }

  const isAbout = (content: string) => addresses.hosts.some((host) => content.includes(host))

  function value(given: Json): Json {
    if (typeof given === 'string') return structuredText(given)
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== 'object' || given === null) return given
    const entries = Object.entries(given).map(([name, member]) => [name, value(member)] as const)
    return Object.fromEntries([...entries, ...newId(given as { readonly [member: string]: Json })])
  }

  /** Of a value that has the address and the old id of a medium. */
  function newId({ url, id }: { readonly [member: string]: Json }): readonly (readonly [string, Json])[] {
    const medium = typeof url === 'string' ? addresses.find(url)?.medium : undefined
    if (medium === undefined) return []
    if (id === medium.number) return [['id', medium.id]]
    return id === String(medium.number) ? [['id', String(medium.id)]] : []
  }

  /** Documents are kept as JSON in a text. */
  function structuredText(content: string): string {
    if (!isAbout(content)) return content
    if (!/^\s*[[{]/.test(content)) return text(content)
    try {
      return JSON.stringify(value(JSON.parse(content)))
    } catch {
      return text(content)
    }
  }

  return { text, value }
}
