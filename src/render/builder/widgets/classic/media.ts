/** Draws classic widgets that contain a picture, a gallery, a video or a sound. */
import { fileAddress, linkAddress } from '../../document/addresses.ts'
import { Settings } from '../../document/settings.ts'
import { idOf, textOf } from '../../document/values.ts'
import { imageOf, mediaAddress } from '../../elements/image.ts'
import { filtered } from '../../html/markup.ts'
import { type Attributes, type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { gallery } from '../../shortcodes/gallery.ts'
import { embedded } from '../content/video.ts'
import { playerAddress } from '../content/video-players.ts'
import type { WidgetContext } from '../context.ts'
import type { WidgetTable } from '../widget.ts'
import { classicWidget, isChecked } from './instance.ts'

/** Returns the media value of an instance: the id of the library, or an address. */
const mediaOf = ({ settings }: WidgetContext) => ({
  id: idOf(settings.value('attachment_id')),
  url: settings.text('url'),
  alt: settings.text('alt'),
  title: settings.text('image_title'),
})

function pictureLink(instance: WidgetContext): Attributes | undefined {
  const { settings, pass } = instance
  const media = mediaOf(instance)
  const address = (): string => {
    switch (settings.text('link_type', 'custom')) {
      case 'none':
        return ''
      case 'file':
        return mediaAddress(media, pass)
      case 'post':
        return media.id !== undefined && pass.medium(media.id) ? pass.addressOf(media.id) : ''
      default:
        return settings.text('link_url')
    }
  }
  const href = linkAddress(address())
  if (href === '') return undefined
  return { href, ...(isChecked(instance, 'link_target_blank') ? { target: '_blank', rel: 'noopener' } : {}) }
}

function picture(instance: WidgetContext): Child {
  const { settings, pass } = instance
  const size = new Settings({ image_size: settings.text('size', 'medium') }, textOf)
  const image = imageOf(mediaOf(instance), { sizeName: 'image', settings: size, pass, byDefault: 'medium' })
  if (isNothing(image)) return undefined
  const link = pictureLink(instance)
  const shown = link ? h('a', link, image) : image
  const caption = filtered(settings.text('caption'))
  if (isNothing(caption)) return shown
  return h('figure', { class: ['cms-caption'] }, shown, h('figcaption', { class: ['cms-caption-text'] }, caption))
}

function pictures(instance: WidgetContext): Child {
  const { settings, pass, scope } = instance
  const stored = settings.value('ids')
  const ids = Array.isArray(stored) ? stored.map(textOf).join(',') : settings.text('ids')
  if (ids === '') return undefined
  const attributes = {
    ids,
    size: settings.text('size', 'thumbnail'),
    columns: settings.text('columns', '3'),
    link: settings.text('link_type', 'post'),
    ...(isChecked(instance, 'orderby_random') ? { orderby: 'rand' } : {}),
  }
  return gallery({ name: 'gallery', attributes, pass, scope })
}

const PROVIDERS = ['youtube', 'vimeo', 'dailymotion']
const plainPlayer = {
  ...{ start: undefined, end: undefined, isAutoplay: false, isMuted: false, hasControls: true, hasCaptions: false },
  ...{ hasRelated: false, isPrivate: false, isBare: () => false },
}

/** Addresses of providers are stored in place of a file. */
function video(instance: WidgetContext): Child {
  const { settings, pass } = instance
  const media = mediaOf(instance)
  const isLoop = isChecked(instance, 'loop')
  const stored = media.url || settings.text('mp4') || settings.text('webm')
  const src = PROVIDERS.map((name) => playerAddress(name, stored, { ...plainPlayer, isLoop })).find((one) => one !== '')
  if (media.id === undefined && src !== undefined) {
    const frame = { allowfullscreen: true, title: 'Video player', loading: 'lazy', src }
    return h('div', { class: ['builder-classic-video'] }, h('iframe', frame))
  }
  const file = mediaAddress({ ...media, url: stored }, pass)
  if (file === '') return undefined
  const player = media.id === undefined && !FILE.test(file) ? embedded(stored, pass) : undefined
  return player ?? h('video', { src: file, controls: true, loop: isLoop, preload: 'metadata' })
}

/** Addresses of pages of a provider have no end of a file. */
const FILE = /\.\w{2,5}(?:[?#]|$)/

function sound(instance: WidgetContext): Child {
  const { settings, pass } = instance
  const media = mediaOf(instance)
  const stored = media.url || settings.text('mp3') || settings.text('ogg') || settings.text('wav')
  const player = media.id === undefined ? embedded(stored, pass) : undefined
  if (player !== undefined) return player
  const src = mediaAddress({ ...media, url: fileAddress(stored) }, pass)
  return src === ''
    ? undefined
    : h('audio', { src, controls: true, loop: isChecked(instance, 'loop'), preload: 'none' })
}

export const mediaWidgets: WidgetTable = {
  'wp-widget-media_image': classicWidget(picture),
  'wp-widget-media_gallery': classicWidget(pictures),
  'wp-widget-media_video': classicWidget((instance) => [video(instance), filled('div', {}, instance.rich('content'))], {
    rules: `.builder-classic-video{aspect-ratio:1.77777}.builder-classic-video>iframe{width:100%;height:100%;border:0}
.builder-widget-wp-widget-media_video video,.builder-widget-wp-widget-media_audio audio{width:100%}`,
  }),
  'wp-widget-media_audio': classicWidget(sound),
}
