/**
 * Leads the texts and documents of a site from the files of the old site to those of this one by their addresses. Ids were led with
 * the posts; one whose medium a later file brings is 0, and becomes that of the medium addressed beside it.
 */
import type { Json } from '../../../contract/storage.ts'
import type { ImportedMedium, OldAddresses } from './addresses.ts'

const blockComment = /<!--\s+[a-z][a-z0-9/-]*:[a-z][a-z0-9/-]*\s+\{[^<]*?\}\s+\/?-->/g
const idAttribute = /("(?:id|mediaId)":)0(?=[,}])/g
const tag = /<[a-z][^<>]*>/gi
const idClass = /\b((?:wp|cms)-image-)0\b/g

const unescaped = (address: string) => address.replaceAll('\\/', '/')

export class MediaRewrite {
  readonly #addresses: OldAddresses
  readonly #address: RegExp

  constructor(addresses: OldAddresses) {
    const hosts = addresses.hosts.map((host) => host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    this.#addresses = addresses
    // In JSON inside of texts, slashes may be escaped.
    this.#address = new RegExp(String.raw`(?:https?:)?\\?/\\?/(?:${hosts.join('|')})(?:\\?/[^\s"'<>()\\/?#,;]*)+`, 'gi')
  }

  text(content: string): string {
    return this.#hasOldHost(content) ? this.#inAddresses(this.#inTags(this.#inBlocks(content))) : content
  }

  /** Rewrites documents of the builder, and other structured values. */
  value(given: Json): Json {
    if (typeof given === 'string') return this.#structuredText(given)
    if (Array.isArray(given)) return given.map((one) => this.value(one))
    if (typeof given !== 'object' || given === null) return given
    const entries = Object.entries(given).map(([name, member]) => [name, this.value(member)] as const)
    return Object.fromEntries([...entries, ...this.#newId(given as { readonly [member: string]: Json })])
  }

  #hasOldHost(content: string): boolean {
    return this.#addresses.hosts.some((host) => content.includes(host))
  }

  /** Documents are kept as JSON in a text. */
  #structuredText(content: string): string {
    if (!this.#hasOldHost(content)) return content
    if (!/^\s*[[{]/.test(content)) return this.text(content)
    try {
      return JSON.stringify(this.value(JSON.parse(content)))
    } catch {
      return this.text(content)
    }
  }

  /** Returns the new id for a value that has the address and the old id of a medium. */
  #newId({ url, id }: { readonly [member: string]: Json }): readonly (readonly [string, Json])[] {
    const medium = typeof url === 'string' ? this.#addresses.find(url)?.medium : undefined
    if (medium === undefined) return []
    if (id === 0 || id === medium.number) return [['id', medium.id]]
    return id === '0' || id === String(medium.number) ? [['id', String(medium.id)]] : []
  }

  /** The comment of a block has the id of the file that the markup behind it shows. */
  #inBlocks(content: string): string {
    const starts = [...content.matchAll(blockComment)]
    if (starts.length === 0) return content
    let written = ''
    let at = 0
    for (const { 0: comment, index } of starts) {
      const end = content.indexOf('<!--', index + comment.length)
      const piece = content.slice(index, end === -1 ? undefined : end)
      written += content.slice(at, index) + withId(comment, idAttribute, this.#mediumIn(piece))
      at = index + comment.length
    }
    return written + content.slice(at)
  }

  #inTags(content: string): string {
    return content.replace(tag, (one) => (one.includes('-image-0') ? withId(one, idClass, this.#mediumIn(one)) : one))
  }

  #inAddresses(content: string): string {
    return content.replace(this.#address, (found) => {
      const now = this.#addresses.find(unescaped(found))?.address
      if (now === undefined) return found
      return found.includes('\\/') ? now.replaceAll('/', '\\/') : now
    })
  }

  /** Finds the medium that a piece of text addresses; undefined where it addresses several. */
  #mediumIn(piece: string): ImportedMedium | undefined {
    const media = (piece.match(this.#address) ?? []).flatMap((found) => {
      return this.#addresses.find(unescaped(found))?.medium ?? []
    })
    return media.every((medium) => medium.id === media[0]?.id) ? media[0] : undefined
  }
}

const withId = (piece: string, ids: RegExp, medium: ImportedMedium | undefined): string =>
  medium ? piece.replace(ids, (_, before: string) => `${before}${medium.id}`) : piece
