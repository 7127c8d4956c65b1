/** Writes feeds of the newest posts of an archive, or of comments: RSS 2.0 and Atom 1.0. */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { FeedFormat } from '../address/locate.ts'
import { type EscapedText, element, toXml, type XmlElement } from './xml.ts'

interface FeedValues {
  readonly title: string
  readonly description: string
  /** The address of the archive. */
  readonly address: string
  /** The address of the feed. */
  readonly self: string
  readonly language: string
  /** The time of the last change in GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly updated: string
  readonly items: readonly FeedItem[]
}

/** A post, or a comment. */
export interface FeedItem {
  /** An address that never changes. */
  readonly id: string
  readonly title: string
  readonly address: string
  readonly author?: { readonly name: string; readonly address: string }
  readonly terms: readonly { readonly name: string; readonly address: string }[]
  /** The excerpt as HTML; empty: none. */
  readonly summary: string
  /** The content as HTML; undefined for a protected post. */
  readonly content: EscapedText | undefined
  /** The times in GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly published: string
  readonly updated: string
}

export const feedTypes: { readonly [format in FeedFormat]: string } = lookupTable({
  rss: 'application/rss+xml; charset=UTF-8',
  atom: 'application/atom+xml; charset=UTF-8',
})

export const writeFeed = (format: FeedFormat, values: FeedValues): string =>
  format === 'atom' ? toXml(atom(values)) : toXml(rss(values))

const texts = (name: string, text: string | undefined): XmlElement | undefined =>
  text === undefined || text === '' ? undefined : element(name, {}, text)

// ---------------------------------------------------------------- RSS

const rssDate = (gmt: string): string => new Date(`${gmt}Z`).toUTCString()

function rss(values: FeedValues): XmlElement {
  const spaces = {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  }
  const channel = element(
    'channel',
    {},
    element('title', {}, values.title),
    element('link', {}, values.address),
    element('description', {}, values.description),
    element('language', {}, values.language),
    element('lastBuildDate', {}, rssDate(values.updated)),
    element('atom:link', { rel: 'self', type: 'application/rss+xml', href: values.self }),
    ...values.items.map(rssItem),
  )
  return element('rss', spaces, channel)
}

const rssItem = ({ id, title, address, author, terms, summary, content, published }: FeedItem): XmlElement =>
  element(
    'item',
    {},
    texts('title', title),
    element('link', {}, address),
    element('guid', { isPermaLink: 'false' }, id),
    element('pubDate', {}, rssDate(published)),
    texts('dc:creator', author?.name),
    ...terms.map(({ name }) => element('category', {}, name)),
    texts('description', summary),
    content && element('content:encoded', {}, content),
  )

// ---------------------------------------------------------------- Atom

function atom(values: FeedValues): XmlElement {
  return element(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': values.language },
    element('title', {}, values.title),
    texts('subtitle', values.description),
    element('id', {}, values.self),
    element('link', { rel: 'self', type: 'application/atom+xml', href: values.self }),
    element('link', { rel: 'alternate', type: 'text/html', href: values.address }),
    element('updated', {}, `${values.updated}Z`),
    // Atom requires an author for each entry; the feed's author applies to entries without one.
    element('author', {}, element('name', {}, values.title)),
    ...values.items.map(atomEntry),
  )
}

const atomEntry = ({ id, title, address, author, terms, summary, content, published, updated }: FeedItem): XmlElement =>
  element(
    'entry',
    {},
    element('title', {}, title),
    element('id', {}, id),
    element('link', { rel: 'alternate', type: 'text/html', href: address }),
    element('published', {}, `${published}Z`),
    element('updated', {}, `${updated}Z`),
    author && element('author', {}, element('name', {}, author.name), element('uri', {}, author.address)),
    ...terms.map((term) => element('category', { term: term.name, scheme: term.address })),
    summary === '' ? undefined : element('summary', { type: 'html' }, summary),
    content && element('content', { type: 'html' }, content),
  )
