/** Draws videos: the frame of a provider, or a file. */
import { choice, color, size } from '../../controls/control.ts'
import { urlText } from '../../css/values.ts'
import { fileAddress } from '../../document/addresses.ts'
import { textOf } from '../../document/values.ts'
import { mediaAddress } from '../../elements/image.ts'
import { trusted } from '../../html/markup.ts'
import { type Child, h, unread } from '../../html/nodes.ts'
import type { Pass } from '../../pass/pass.ts'
import { embeds } from '../../records/service-answers.ts'
import type { WidgetContext } from '../context.ts'
import { iconOf } from '../icon.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { type PlayerOptions, playerAddress } from './video-players.ts'

const PROVIDERS = ['youtube', 'vimeo', 'dailymotion', 'videopress', 'hosted']
const FRAMED = ['youtube', 'vimeo', 'dailymotion']

const RATIOS = {
  '169': '1.77777',
  '219': '2.33333',
  '43': '1.33333',
  '32': '1.5',
  '11': '1',
  '916': '0.5625',
}

function overlayOf({ settings, pass }: WidgetContext): Child {
  if (!settings.isOn('show_image_overlay')) return undefined
  const address = mediaAddress(settings.value('image_overlay'), pass)
  if (address === '') return undefined
  const play =
    settings.isOn('show_play_icon', 'yes') &&
    h(
      'div',
      { class: ['builder-custom-embed-play'], role: 'button', 'aria-label': 'Play video', tabindex: '0' },
      iconOf(settings.value('play_icon'), pass),
    )
  return h(
    'div',
    { class: ['builder-custom-embed-image-overlay'], style: `background-image: ${urlText(address)}` },
    play,
  )
}

const seconds = (value: number): number | undefined => (value > 0 ? Math.floor(value) : undefined)

function optionsOf({ settings }: WidgetContext, hasOverlay: boolean): PlayerOptions {
  return {
    start: seconds(settings.number('start', 0)),
    end: seconds(settings.number('end', 0)),
    isAutoplay: settings.isOn('autoplay') && !hasOverlay,
    isMuted: settings.isOn('mute'),
    isLoop: settings.isOn('loop'),
    hasControls: settings.isOn('controls', 'yes'),
    hasCaptions: settings.isOn('cc_load_policy'),
    hasRelated: settings.isOn('rel'),
    isPrivate: settings.isOn('yt_privacy'),
    isBare: (part) => !settings.isOn(`vimeo_${part}`, 'yes'),
  }
}

function hostedVideo(
  { settings, pass }: WidgetContext,
  { start, end, isAutoplay, isMuted, isLoop, hasControls }: PlayerOptions,
): Child {
  const address = settings.isOn('insert_url')
    ? fileAddress(textOf(settings.object('external_url')['url']))
    : mediaAddress(settings.value('hosted_url'), pass)
  if (address === '') return undefined
  const poster = mediaAddress(settings.value('poster'), pass)
  const times = start === undefined && end === undefined ? '' : `#t=${start ?? 0}${end === undefined ? '' : `,${end}`}`
  return h('video', {
    class: ['builder-video'],
    src: address + times,
    autoplay: isAutoplay,
    loop: isLoop,
    controls: hasControls,
    muted: isMuted,
    playsinline: settings.isOn('play_on_mobile'),
    preload: settings.choice('preload', ['metadata', 'auto', 'none'], 'metadata'),
    controlsList: settings.isOn('download_button') ? undefined : 'nodownload',
    poster: poster === '' ? undefined : poster,
  })
}

function framedVideo({ settings, pass }: WidgetContext, provider: string, options: PlayerOptions): Child {
  const stored = settings.text(`${provider}_url`)
  const src = FRAMED.includes(provider) ? playerAddress(provider, stored, options) : ''
  if (src === '') return embedded(stored, pass)
  return h('iframe', {
    class: ['builder-video-iframe'],
    allowfullscreen: true,
    allow: 'autoplay; encrypted-media; picture-in-picture; fullscreen',
    referrerpolicy: 'strict-origin-when-cross-origin',
    title: 'Video player',
    loading: 'lazy',
    src,
  })
}

/** Embeds an address of another provider with the HTML that the host returns. */
export function embedded(address: string, pass: Pass): Child {
  const url = fileAddress(address)
  if (!/^https?:/i.test(url) || !pass.records.source.services.embed) return undefined
  const html = pass.get(embeds, url)
  return html === undefined ? undefined : unread(trusted(html))
}

export const video = widget({
  html: (element) => {
    const { settings } = element
    const type = settings.choice('video_type', PROVIDERS, 'youtube')
    const overlay = overlayOf(element)
    const options = optionsOf(element, overlay !== undefined)
    const isHosted = type === 'hosted'
    const player = isHosted ? hostedVideo(element, options) : framedVideo(element, type, options)
    if (player === undefined) return undefined
    if (overlay !== undefined) element.pass.behaviours.add('video')
    return h(
      'div',
      { class: ['builder-wrapper', isHosted && 'e-hosted-video', 'builder-open-inline'] },
      player,
      overlay,
    )
  },
  controls: [
    choice('aspect_ratio', RATIOS, '& .builder-wrapper', '--video-aspect-ratio', { isResponsive: false }),
    color('play_icon_color', '& .builder-custom-embed-play', 'color'),
    size('play_icon_size', '& .builder-custom-embed-play', 'font-size'),
  ],
  rules: `.builder-widget-video{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-widget-video .builder-wrapper{position:relative;aspect-ratio:var(--video-aspect-ratio,1.77777)}
.builder-widget-video .builder-wrapper>iframe,.builder-video{display:flex;width:100%;height:100%;border:0;background-color:#000}
.builder-custom-embed-image-overlay{position:absolute;inset:0;background-size:cover;background-position:50%;pointer-events:none}
.builder-js .builder-custom-embed-image-overlay{pointer-events:auto;cursor:pointer}
.builder-wrapper>iframe:focus~.builder-custom-embed-image-overlay,
.builder-wrapper>video:focus~.builder-custom-embed-image-overlay{display:none}
.builder-custom-embed-play{position:absolute;inset:50% auto auto 50%;transform:translate(-50%,-50%);font-size:100px;color:#fff;
width:1em;height:1em;border:.04em solid;border-radius:50%;opacity:.8}
.builder-custom-embed-play::before{content:'';position:absolute;inset:.28em auto auto .36em;border:.2em solid transparent;
border-inline:.34em solid;border-inline-end:0}
.builder-custom-embed-play:has(svg){border:0}.builder-custom-embed-play:has(svg)::before{content:none}`,
})

export const videoWidgets: WidgetTable = { video }
