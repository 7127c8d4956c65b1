/**
 * Reads the posts that the theme and the feeds show. It reads them in sets, so that a list takes as many calls for ten posts as
 * for a hundred.
 */

import type { Post, Term, User } from '../../contract/storage.ts'
import { inTurn } from '../../core/runtime/work.ts'
import { mediumFiles, type PictureSize } from '../../features/content/posts/model.ts'
import { isViewableTaxonomy, viewableTypes } from '../../features/shared/declared-types.ts'
import { stripMarkup } from '../../html/strip-tags.ts'
import { decodeReferences } from '../../render/filter/references.ts'
import { renderOf, siteRenderOf } from '../../render/index.ts'
import { authorAddress } from '../../site/addresses/archive-address.ts'
import { addressesOf } from '../../site/permalink.ts'
import { readTermAddresses } from '../../site/term-address.ts'
import type { Visit } from '../visit.ts'
import { filled } from '../words.ts'
import { rowText } from './row-texts.ts'

export interface Picture {
  readonly address: string
  readonly alternative: string
  readonly width?: number
  readonly height?: number
  readonly sizes: readonly PictureSize[]
  readonly caption: string
}

interface Linked {
  readonly name: string
  readonly address: string
}

export interface LinkedTerm extends Linked {
  readonly taxonomy: string
}

export interface Entry {
  readonly post: Post
  readonly address: string
  /** The title as HTML. */
  readonly title: string
  readonly titleText: string
  /** The excerpt as HTML; empty for a protected post. */
  readonly excerpt: string
  readonly author?: Linked
  readonly terms: readonly LinkedTerm[]
  readonly picture?: Picture
}

/** `hasPictureTexts`: whether pictures have their alternative texts; lists show pictures without. */
export async function readEntries(
  posts: readonly Post[],
  visit: Visit,
  { hasPictureTexts = false } = {},
): Promise<Entry[]> {
  const [addresses, authors, terms, pictures] = await Promise.all([
    addressesOfAll(posts, visit),
    readAuthors(posts, visit),
    readTerms(posts, visit),
    readPictures(posts, visit, hasPictureTexts),
  ])
  const entries: Entry[] = []
  for (const post of posts) {
    const title = titleOf(post, visit)
    const author = authors.get(post.author)
    const picture = pictures.get(post.featuredMedia)
    entries.push({
      post,
      address: addresses.get(post.id) ?? '',
      title,
      titleText: plainOf(title),
      excerpt: post.password === '' ? await excerptOf(post, visit) : '',
      terms: terms.get(post.id) ?? [],
      ...(author ? { author: { name: author.displayName, address: authorAddress(author, visit.settings) } } : {}),
      ...(picture && post.password === '' ? { picture } : {}),
    })
  }
  return entries
}

async function excerptOf(post: Post, visit: Visit): Promise<string> {
  const { app, settings, work } = visit
  const { markup } = await rowText(post, 'excerpt', visit, () =>
    inTurn(() => ({ markup: app.names.swapMarkup(siteRenderOf(app, settings, work).excerpt(post)), isPlain: false })),
  )
  return markup
}

/** Converts HTML to the text that a reader sees. */
export const plainOf = (html: string): string => decodeReferences(stripMarkup(html)).replace(/\s+/g, ' ').trim()

/** Returns the title as HTML without elements, because headings and links contain it. */
function titleOf(post: Post, { app, options }: Visit): string {
  const title = renderOf(app).title(post.title)
  return post.password === '' ? title : filled(options.words.protectedTitle, { title })
}

async function addressesOfAll(posts: readonly Post[], visit: Visit): Promise<ReadonlyMap<number, string>> {
  const { hierarchical } = viewableTypes(visit.app)
  const found = new Map<number, string>()
  const byType = Map.groupBy(posts, ({ type }) => (hierarchical.includes(type) ? type : ''))
  for (const [type, ofType] of byType) {
    const addresses = await addressesOf(ofType, visit, type === '' ? 'page' : type)
    for (const [index, { id }] of ofType.entries()) found.set(id, addresses[index] ?? '')
  }
  return found
}

const byId = { by: 'id', descending: false } as const

async function readAuthors(posts: readonly Post[], visit: Visit): Promise<ReadonlyMap<number, User>> {
  const ids = [...new Set(posts.map(({ author }) => author))].filter((id) => id > 0)
  const { rows } = await visit.storage.users.query({ ids, order: byId, offset: 0, limit: ids.length })
  return new Map(rows.map((user) => [user.id, user]))
}

async function readTerms(posts: readonly Post[], visit: Visit): Promise<ReadonlyMap<number, readonly LinkedTerm[]>> {
  const assigned = await visit.storage.terms.of(posts.map(({ id }) => id))
  const ids = [...new Set(assigned.map(({ term }) => term))]
  const { rows } = await visit.storage.terms.query({ ids, order: byId, offset: 0, limit: ids.length })
  const shown = rows.filter(({ taxonomy }) => isViewableTaxonomy(taxonomy, visit.app))
  const addressOf = await readTermAddresses(shown, visit)
  const known = new Map(shown.map((term): [number, LinkedTerm] => [term.id, linkedTerm(term, addressOf)]))
  return new Map(
    posts.map(({ id }) => {
      const own = assigned.flatMap(({ post, term }) => (post === id ? (known.get(term) ?? []) : []))
      return [id, own]
    }),
  )
}

/** Without a look at other columns: whoever reads one depends on it. */
const linkedTerm = (term: Term, addressOf: (term: Term) => string): LinkedTerm => ({
  taxonomy: term.taxonomy,
  get name() {
    return plainOf(term.name)
  },
  get address() {
    return addressOf(term)
  },
})

async function readPictures(
  posts: readonly Post[],
  visit: Visit,
  hasTexts: boolean,
): Promise<ReadonlyMap<number, Picture>> {
  const ids = [...new Set(posts.map(({ featuredMedia }) => featuredMedia))].filter((id) => id > 0)
  return ids.length === 0 ? new Map() : picturesOf(ids, visit, { hasTexts })
}

/** Returns pictures by id. Media of other types are left out. */
export async function picturesOf(
  ids: readonly number[],
  visit: Visit,
  options?: { readonly hasTexts?: boolean },
): Promise<ReadonlyMap<number, Picture>> {
  const [rows, files] = await Promise.all([visit.storage.posts.read(ids), mediumFiles(visit, ids, options)])
  return new Map(
    rows.flatMap((row) => {
      const file = files.get(row.id)
      if (!file || row.type !== 'attachment' || !row.mimeType.startsWith('image/')) return []
      const { path: _path, ...picture } = file
      return [[row.id, { ...picture, caption: row.excerpt }] as const]
    }),
  )
}
