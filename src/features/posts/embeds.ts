/** What the links of a post lead to, for `_embed`: its author, its picture, its terms. Each kind is read in one go. */
import type { Call, Embedder } from '../../core/declare.ts'
import { chain, type Eventually } from '../../core/eventually.ts'
import { categories as categoryTaxonomy, tags as tagTaxonomy } from '../../core/post-keys.ts'
import { renderOf } from '../../services/render/index.ts'
import type { Post, Term } from '../../storage/contract.ts'
import { publicUser } from '../users/model.ts'
import { readTerms } from './view.ts'

const lastNumber = (link: URL) => Number(link.pathname.slice(link.pathname.lastIndexOf('/') + 1))

const byId = <T extends { readonly id: number }>(
  links: readonly URL[],
  rows: readonly T[],
  view: (row: T) => unknown,
) => {
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    links.flatMap((link) => {
      const row = found.get(lastNumber(link))
      return row ? [[link.href, view(row)] as const] : []
    }),
  )
}

const authors: Embedder = {
  path: /^\/cms\/v2\/users\/\d+$/,
  load: (links, { storage, settings, site }) => {
    const ids = links.map(lastNumber)
    const found = storage.users.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length })
    return chain(found, ({ rows }) => byId(links, rows, (user) => publicUser(user, settings, site.names)))
  },
}

const media: Embedder = {
  path: /^\/cms\/v2\/media\/\d+$/,
  load: (links, call) =>
    chain(call.storage.posts.read(links.map(lastNumber)), (rows) =>
      byId(
        links,
        rows.filter((row) => row.type === 'attachment'),
        (row) => mediumView(row, call),
      ),
    ),
}

function mediumView(medium: Post, { settings, site }: Call) {
  const render = renderOf(site)
  return {
    id: medium.id,
    date: medium.date,
    slug: medium.slug,
    type: medium.type,
    link: `${settings.home}/?attachment_id=${medium.id}`,
    title: { rendered: render.title(medium.title) },
    author: medium.author,
    media_type: medium.mimeType.startsWith('image/') ? 'image' : 'file',
    mime_type: medium.mimeType,
    _links: { self: [{ href: `${settings.apiRoot}/${site.names.word('cms/v2')}/media/${medium.id}` }] },
  }
}

/** One link stands for all terms of a kind that a post has. */
const terms: Embedder = {
  path: /^\/cms\/v2\/(?:categories|tags)\?post=\d+$/,
  load: (links, call): Eventually<ReadonlyMap<string, unknown>> => {
    const postOf = (link: URL) => Number(link.searchParams.get('post'))
    return chain(call.storage.terms.of([...new Set(links.map(postOf))]), (assigned) =>
      chain(readTerms(call, [...new Set(assigned.map(({ term }) => term))]), (known) => {
        const view = (link: URL) => {
          const taxonomy = link.pathname.endsWith('/tags') ? tagTaxonomy : categoryTaxonomy
          const mine = assigned.filter((one) => one.post === postOf(link) && one.taxonomy === taxonomy)
          return mine.flatMap(({ term }) => known.get(term) ?? []).map((term) => termView(term, call))
        }
        return new Map(links.map((link) => [link.href, view(link)]))
      }),
    )
  },
}

function termView(term: Term, { settings, site }: Call) {
  const isTag = term.taxonomy === tagTaxonomy
  const root = `${settings.apiRoot}/${site.names.word('cms/v2')}/${isTag ? 'tags' : 'categories'}`
  return {
    id: term.id,
    link: `${settings.home}/${isTag ? 'tag' : 'category'}/${term.slug}/`,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    _links: { self: [{ href: `${root}/${term.id}` }], collection: [{ href: root }] },
  }
}

export const embeddedRecords: readonly Embedder[] = [authors, media, terms]
