/**
 * Draws `[gallery ids="1,2" size="medium" columns="3" link="file"]`. Without ids the gallery shows the images attached to the
 * current post.
 */
import { limits } from '../document/limits.ts'
import { Settings } from '../document/settings.ts'
import { idOf, textOf } from '../document/values.ts'
import { imageOf } from '../elements/image.ts'
import { filtered } from '../html/markup.ts'
import { type Child, h } from '../html/nodes.ts'
import type { Shortcode, ShortcodeCall } from '../pass/pass.ts'
import { type Medium, postListKey, postLists } from '../records/kinds.ts'
import { currentPost } from '../template-context/current-post.ts'

export const gallery: Shortcode = (call) => {
  const { attributes, pass } = call
  const media = sorted(call).flatMap((id) => pass.medium(id) ?? [])
  if (media.length === 0) return undefined
  const size = (attributes['size'] ?? 'thumbnail').replace(/[^\w-]+/g, '')
  const columns = Math.min(Math.max(Math.floor(Number(attributes['columns'] ?? 3)) || 3, 1), 9)
  const items = media.map((medium) => item(medium, size, call))
  return h('div', { class: ['gallery', `gallery-columns-${columns}`, `gallery-size-${size}`] }, items)
}

function item(medium: Medium, size: string, { attributes, pass }: ShortcodeCall): Child {
  const settings = new Settings({ image_size: size }, textOf)
  const image = imageOf({ id: medium.id }, { sizeName: 'image', settings, pass })
  const isPortrait = (medium.height ?? 0) > (medium.width ?? 0)
  const linked = attributes['link'] === 'none' ? image : h('a', { href: medium.address }, image)
  return h(
    'figure',
    { class: ['gallery-item'] },
    h('div', { class: ['gallery-icon', isPortrait ? 'portrait' : 'landscape'] }, linked),
    medium.caption !== '' && h('figcaption', { class: ['gallery-caption'] }, filtered(medium.caption)),
  )
}

function sorted(call: ShortcodeCall): number[] {
  const { attributes } = call
  const ids = listed(call).slice(0, limits.items)
  // The pseudo-random order is the same in each render, so that the result can be cached.
  if (attributes['orderby'] === 'rand') return ids.sort((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009))
  return ids
}

function listed({ attributes, pass, scope }: ShortcodeCall): number[] {
  const written = attributes['ids'] ?? attributes['include']
  if (written !== undefined) return written.split(',').flatMap((text) => idOf(text.trim()) ?? [])
  const post = currentPost(scope, pass)
  if (!post) return []
  pass.depend('query:attachment')
  const query = {
    types: ['attachment'],
    parents: [post.id],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: limits.items,
  } as const
  return [...(pass.get(postLists, postListKey(query))?.ids ?? [])]
}
