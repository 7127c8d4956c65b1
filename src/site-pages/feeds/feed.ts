/** Writes feeds of the newest posts of an archive: RSS 2.0 and Atom 1.0. */

import { lookupTable } from '../../contract/lookup-table.ts'
import type { FeedFormat } from '../address/locate.ts'
import type { Entry } from '../content/entries.ts'
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

interface FeedItem {
  readonly entry: Entry
  /** The content as HTML; undefined for a protected post. */
  readonly content: EscapedText | undefined
  /** An address that never changes. */
  readonly id: string
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

const rssItem = ({ entry, content, id }: FeedItem): XmlElement =>
  element(
    'item',
    {},
    texts('title', entry.titleText),
    element('link', {}, entry.address),
    element('guid', { isPermaLink: 'false' }, id),
    element('pubDate', {}, rssDate(entry.post.dateGmt ?? entry.post.date)),
    texts('dc:creator', entry.author?.name),
    ...entry.terms.map(({ name }) => element('category', {}, name)),
    texts('description', entry.excerpt.trim()),
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

const atomEntry = ({ entry, content, id }: FeedItem): XmlElement =>
  element(
    'entry',
    {},
    element('title', {}, entry.titleText),
    element('id', {}, id),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.address }),
    element('published', {}, `${entry.post.dateGmt ?? entry.post.date}Z`),
    element('updated', {}, `${entry.post.modifiedGmt}Z`),
    entry.author &&
      element('author', {}, element('name', {}, entry.author.name), element('uri', {}, entry.author.address)),
    ...entry.terms.map(({ name, address }) => element('category', { term: name, scheme: address })),
    entry.excerpt.trim() === '' ? undefined : element('summary', { type: 'html' }, entry.excerpt.trim()),
    content && element('content', { type: 'html' }, content),
  )
