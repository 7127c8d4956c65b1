/** What the links of a post lead to, for `_embed`: its author, its picture, its terms. Each kind is read in one go. */
import type { Context } from '../../../core/declare/context.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { renderOf } from '../../../render/index.ts'
import { categories as categoryTaxonomy, tags as tagTaxonomy } from '../../../site/post-keys.ts'
import type { Post, Term } from '../../../storage/contract.ts'
import { publicUser } from '../users/model.ts'
import { type MediumFile, mediumFiles } from './model.ts'
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
  load: (links, { storage, settings, app }) => {
    const ids = links.map(lastNumber)
    const found = storage.users.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length })
    return andThen(found, ({ rows }) => byId(links, rows, (user) => publicUser(user, settings, app.names)))
  },
}

const media: Embedder = {
  path: /^\/cms\/v2\/media\/\d+$/,
  load: (links, context) => {
    const ids = links.map(lastNumber)
    return andThen(all([context.storage.posts.read(ids), mediumFiles(context, ids)]), ([rows, files]) =>
      byId(
        links,
        rows.filter((row) => row.type === 'attachment'),
        (row) => mediumView(row, files.get(row.id), context),
      ),
    )
  },
}

function mediumView(medium: Post, file: MediumFile | undefined, { settings, app }: Context) {
  const render = renderOf(app)
  const root = `${settings.apiRoot}/${app.names.toPublic('cms/v2')}`
  const { path, address = '', alternative = '', width, height } = file ?? {}
  return {
    id: medium.id,
    date: medium.date,
    slug: medium.slug,
    type: medium.type,
    link: `${settings.home}/?attachment_id=${medium.id}`,
    title: { rendered: render.title(medium.title) },
    author: medium.author,
    featured_media: 0,
    caption: { rendered: app.names.swapMarkup(render.excerpt(medium)) },
    alt_text: alternative,
    media_type: medium.mimeType.startsWith('image/') ? 'image' : 'file',
    mime_type: medium.mimeType,
    media_details: {
      ...(width === undefined ? {} : { width, height }),
      ...(path === undefined ? {} : { file: path }),
      // Who serves the files makes other sizes of them.
      sizes: {},
    },
    source_url: address,
    _links: {
      self: [{ href: `${root}/media/${medium.id}` }],
      about: [{ href: `${root}/types/attachment` }],
      author: [{ embeddable: true, href: `${root}/users/${medium.author}` }],
    },
  }
}

/** One link stands for all terms of a kind that a post has. */
const terms: Embedder = {
  path: /^\/cms\/v2\/(?:categories|tags)\?post=\d+$/,
  load: (links, context): MaybePromise<ReadonlyMap<string, unknown>> => {
    const postOf = (link: URL) => Number(link.searchParams.get('post'))
    return andThen(context.storage.terms.of([...new Set(links.map(postOf))]), (assigned) =>
      andThen(readTerms(context, [...new Set(assigned.map(({ term }) => term))]), (known) => {
        const view = (link: URL) => {
          const taxonomy = link.pathname.endsWith('/tags') ? tagTaxonomy : categoryTaxonomy
          const mine = assigned.filter((one) => one.post === postOf(link) && one.taxonomy === taxonomy)
          return mine.flatMap(({ term }) => known.get(term) ?? []).map((term) => termView(term, context))
        }
        return new Map(links.map((link) => [link.href, view(link)]))
      }),
    )
  },
}

function termView(term: Term, { settings, app }: Context) {
  const isTag = term.taxonomy === tagTaxonomy
  const { names } = app
  const cms = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  const base = isTag ? 'tags' : 'categories'
  const root = `${cms}/${base}`
  return {
    id: term.id,
    link: `${settings.home}/${isTag ? 'tag' : 'category'}/${term.slug}/`,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    _links: {
      self: [{ href: `${root}/${term.id}` }],
      collection: [{ href: root }],
      about: [{ href: `${cms}/taxonomies/${term.taxonomy}` }],
      [names.toPublic('cms:post_type')]: [{ href: `${cms}/posts?${base}=${term.id}` }],
    },
  }
}

export const embeddedRecords: readonly Embedder[] = [authors, media, terms]
