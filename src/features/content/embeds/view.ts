/** The embed data of a post of this site. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Post } from '../../../contract/storage.ts'
import { int, num, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { alsoAs, exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { renderOf } from '../../../render/index.ts'
import { mediumFiles } from '../posts/model.ts'
import type { LocatedPost } from './model.ts'
import type { EmbedFields } from './xml.ts'

type RenderContext = Pick<Context, 'storage' | 'settings' | 'app'>

const members = {
  version: exactly('1.0'),
  provider_name: str(),
  provider_url: str({ format: 'uri' }),
  author_name: str(),
  author_url: str({ format: 'uri' }),
  title: str({ description: 'HTML.' }),
  html: str({ description: 'What a page shows.' }),
  thumbnail_url: sometimes(str({ format: 'uri' })),
}
const xml = 'text/xml; charset=UTF-8'

/** `format=xml` gives the same members as XML. */
export const embedSchema = alsoAs(
  fields(
    {
      ...members,
      type: exactly('rich'),
      width: int(),
      height: int(),
      thumbnail_width: sometimes(int()),
      thumbnail_height: sometimes(int()),
    },
    { title: 'Embed data of a post' },
  ),
  xml,
)

/** Providers may leave out most members, but every response has HTML. */
export const proxiedEmbedSchema = alsoAs(
  fields(
    {
      ...members,
      type: oneOf(['rich', 'video', 'photo', 'link']),
      provider_name: sometimes(str()),
      provider_url: sometimes(str({ format: 'uri' })),
      author_name: sometimes(str()),
      author_url: sometimes(str({ format: 'uri' })),
      title: sometimes(str()),
      cache_age: sometimes(num()),
      thumbnail_width: sometimes(num()),
      thumbnail_height: sometimes(num()),
      width: sometimes(num()),
      height: sometimes(num()),
      url: sometimes(str({ format: 'uri' })),
    },
    { title: 'Embed data' },
  ),
  xml,
)

const minWidth = 200
const maxWidth = 600

/** Interface: a value that is no number counts as 0. */
export function clampedWidth(input: unknown): number {
  const width = typeof input === 'string' ? Number.parseFloat(input) : typeof input === 'number' ? input : 0
  return Math.min(Math.max(minWidth, Math.trunc(width || 0)), maxWidth)
}

export async function embedView(
  context: RenderContext,
  { post, link }: LocatedPost,
  width: number,
): Promise<EmbedFields> {
  const { settings, app, storage } = context
  const height = Math.max(Math.ceil((width / 16) * 9), minWidth)
  const [author, thumbnail] = await Promise.all([findUserById(storage, post.author), thumbnailOf(context, post, width)])
  const rendered = renderOf(app).title(post.title)
  const title = post.password === '' ? rendered : `Protected: ${rendered}`
  return {
    version: '1.0',
    provider_name: settings.name,
    provider_url: settings.home,
    author_name: author?.displayName ?? settings.name,
    author_url: author ? `${settings.home}/author/${author.slug}/` : settings.home,
    title,
    type: 'rich',
    width,
    height,
    html: embedHtml(context, { title, link, width, height }),
    ...thumbnail,
  }
}

interface Frame {
  readonly title: string
  readonly link: string
  readonly width: number
  readonly height: number
}

/** Writes a link for readers without frames, and the site's page for embedding in a sandboxed frame. */
function embedHtml({ settings, app }: RenderContext, { title, link, width, height }: Frame): string {
  const className = app.names.toPublic('cms-embedded-content')
  const text = escapedText(title)
  const label = `${text} \u2014 ${escapedText(settings.name)}`
  return (
    `<blockquote class="${className}"><a href="${escapedText(link)}">${text}</a></blockquote>` +
    `<iframe class="${className}" sandbox="allow-scripts" security="restricted" src="${escapedText(embedUrl(link))}" ` +
    `width="${width}" height="${height}" title="${label}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no">` +
    '</iframe>'
  )
}

const embedUrl = (link: string) => (link.includes('?') ? `${link}&embed=true` : `${link.replace(/\/*$/, '')}/embed/`)

const entities: { readonly [character: string]: string } = lookupTable({
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
})

/** For text and for attributes. Existing entities are not escaped again. */
const escapedText = (html: string) =>
  stripTags(html)
    .replace(/&(?!#?\w{1,10};)/g, '&amp;')
    .replace(/[<>"']/g, (character) => entities[character] as string)

// ---------------------------------------------------------------- the thumbnail

/** Chooses a size no wider than the frame. Empty for a protected post: its image may show the text that the password hides. */
async function thumbnailOf(
  context: RenderContext,
  { featuredMedia, password }: Post,
  frameWidth: number,
): Promise<EmbedFields> {
  if (featuredMedia === 0 || password !== '') return {}
  const [[medium], files] = await Promise.all([
    context.storage.posts.read([featuredMedia]),
    mediumFiles(context, [featuredMedia]),
  ])
  const { address, width, height } = files.get(featuredMedia) ?? {}
  if (!medium?.mimeType.startsWith('image/') || !address || width === undefined || height === undefined) return {}
  return {
    thumbnail_url: address,
    thumbnail_width: Math.min(width, frameWidth),
    thumbnail_height: width <= frameWidth ? height : Math.max(1, Math.round((height * frameWidth) / width)),
  }
}
