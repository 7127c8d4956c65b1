/**
 * Draws `[gallery ids="1,2" size="medium" columns="3" link="file"]`. Without ids the gallery shows the images attached to the
 * current post.
 */
import { Settings } from '../document/settings.ts'
import { textOf } from '../document/values.ts'
import { imageOf } from '../elements/image.ts'
import { filtered } from '../html/markup.ts'
import { type Child, h } from '../html/nodes.ts'
import type { Shortcode, ShortcodeCall } from '../pass/pass.ts'
import type { Medium } from '../records/kinds.ts'
import { listedMedia } from './listed-media.ts'

export const gallery: Shortcode = (call) => {
  const { attributes } = call
  const media = listedMedia(call, 'image/')
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
