/** The records that `_embed` adds to posts: author, featured image and terms. Each kind is read in one query. */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import { requestWork } from '../../../core/pipeline/request-work.ts'
import { siteRenderOf } from '../../../render/index.ts'
import { postType } from '../content-types/model.ts'
import { postTermsEmbedder } from '../terms/view.ts'
import { descriptionsOf, publicUser } from '../users/model.ts'
import { type MediumFile, mayReadRecord, mediumFiles, type RecordType } from './model.ts'
import { postViews } from './view.ts'

const lastNumber = (link: URL) => Number(link.pathname.slice(link.pathname.lastIndexOf('/') + 1))

const viewsByLink = <T extends { readonly id: number }>(
  links: readonly URL[],
  rows: readonly T[],
  view: (row: T) => unknown,
) => {
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    links.flatMap((link) => {
      const row = rowById.get(lastNumber(link))
      return row ? [[link.href, view(row)] as const] : []
    }),
  )
}

const authors: Embedder = {
  path: /^\/cms\/v2\/users\/\d+$/,
  load: async (links, { storage, settings, app }) => {
    const ids = links.map(lastNumber)
    const order = { by: 'id', descending: false } as const
    const [{ rows }, descriptions] = await Promise.all([
      storage.users.query({ ids, order, offset: 0, limit: ids.length }),
      descriptionsOf(storage, ids),
    ])
    return viewsByLink(links, rows, (user) => publicUser(user, settings, app.names, descriptions.get(user.id)))
  },
}

const media: Embedder = {
  path: /^\/cms\/v2\/media\/\d+$/,
  load: async (links, context) => {
    const ids = links.map(lastNumber)
    const [rows, files] = await Promise.all([context.storage.posts.read(ids), mediumFiles(context, ids)])
    const attachments = rows.filter((row) => row.type === 'attachment')
    return viewsByLink(links, attachments, (row) => mediumView(row, files.get(row.id), context))
  },
}

function mediumView(medium: Post, file: MediumFile | undefined, context: Context) {
  const { settings, app } = context
  const render = siteRenderOf(app, settings, requestWork(context))
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
      // The host's file server creates other sizes, so none are listed.
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

export const embeddedRecords: readonly Embedder[] = [
  authors,
  media,
  ...postType.published.taxonomies.map(postTermsEmbedder),
]

/** Records of a type behind links, such as the parent of a page: those that the caller may read. */
export const recordEmbedder = (type: RecordType): Embedder => ({
  path: new RegExp(`^${type.route}/\\d+$`),
  load: async (links, context) => {
    const rows = await context.storage.posts.read(links.map(lastNumber))
    const visible = rows.filter((row) => row.type === type.name && mayReadRecord(type, context.user, row))
    const views = await postViews(type, context, visible, { viewContext: 'embed' })
    const viewById = new Map(visible.map(({ id }, index) => [id, views[index]?.toJSON()]))
    return viewsByLink(links, visible, ({ id }) => viewById.get(id))
  },
})
