/** Images, drawings, videos and dividers of the new generation. */

import { linkName } from '../elements/link.ts'
import { h, unread } from '../html/nodes.ts'
import type { ElementType } from '../pass/pass.ts'
import { svgOf } from '../svg/inline.ts'
import { playerAddress } from '../widgets/content/video-players.ts'
import { classesOf, ownAttributes } from './attributes.ts'
import { baseClass } from './base-styles.ts'
import { imageAttributes, imageSource, sizedImage } from './image.ts'
import { AtomicSettings } from './settings.ts'

export const image: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const source = imageAttributes(settings.read('image'), settings.context)
  if (!source) return undefined
  const own = ownAttributes(settings)
  const picture = h('img', { ...own, class: classesOf(settings, 'e-image'), ...source, loading: 'lazy' })
  const link = settings.link()
  return link ? h(link.tag, { ...link.attributes, class: [baseClass('e-image-link', pass)] }, picture) : picture
}

const FILLING = { fill: 'currentColor', style: 'width: 100%; height: 100%; overflow: unset;' }

/** Inlines files of the site's own library only, because their content becomes part of the page. */
export const svg: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const { medium } = imageSource(settings.read('svg'), settings.context)
  const drawing = medium && svgOf({ id: medium.id }, pass, FILLING)
  if (!drawing) return undefined
  const link = settings.link()
  const attributes = {
    ...ownAttributes(settings),
    ...link?.attributes,
    ...(link && linkName(link.attributes)),
    class: classesOf(settings, 'e-svg'),
  }
  return h(link?.tag ?? 'div', attributes, drawing)
}

export const divider: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  return h('hr', { ...ownAttributes(settings), class: classesOf(settings, 'e-divider') })
}

const SWITCHES = {
  autoplay: false,
  mute: false,
  loop: false,
  player_controls: true,
  captions: false,
  privacy_mode: false,
  lazyload: false,
  rel: true,
} as const

export const youtube: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const source = settings.text('source')
  const isOn = (name: keyof typeof SWITCHES) => settings.isOn(name, SWITCHES[name])
  const seconds = (name: string) => {
    const whole = Math.floor(settings.number(name) ?? 0)
    return whole > 0 ? whole : undefined
  }
  const [start, end] = [seconds('start'), seconds('end')]
  const src = playerAddress('youtube', source, {
    start,
    end,
    isAutoplay: isOn('autoplay'),
    isMuted: isOn('mute'),
    isLoop: isOn('loop'),
    hasControls: isOn('player_controls'),
    hasCaptions: isOn('captions'),
    hasRelated: isOn('rel'),
    isPrivate: isOn('privacy_mode'),
    isBare: () => false,
  })
  if (src === '') return undefined
  const frame = { class: ['builder-video-iframe'], allowfullscreen: true, title: 'YouTube video', loading: 'lazy', src }
  const switches = Object.keys(SWITCHES).map((name) => [name, isOn(name as keyof typeof SWITCHES)] as const)
  const forScripts = { source, start, end, ...Object.fromEntries(switches) }
  return h(
    'div',
    {
      ...ownAttributes(settings),
      class: classesOf(settings, 'e-youtube'),
      'data-id': element.id,
      'data-e-type': 'e-youtube',
      'data-settings': JSON.stringify(forScripts),
    },
    unread(h('iframe', frame)),
  )
}

/** Plays a medium of the library, or a file at an address. Browsers start a film by itself only without sound. */
export const hostedVideo: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const isOn = (names: readonly string[], byDefault: boolean) =>
    settings.isOn(names.find((name) => settings.read(name) !== undefined) ?? '', byDefault)
  const { address } = imageSource(settings.read('source'), settings.context)
  if (address === '') return undefined
  const poster = sizedImage(settings.read('poster'), settings.context).address
  const isAutoplay = isOn(['autoplay'], false)
  return h('video', {
    ...ownAttributes(settings),
    class: classesOf(settings, 'e-self-hosted-video'),
    src: address,
    autoplay: isAutoplay,
    loop: isOn(['loop'], false),
    controls: isOn(['player_controls', 'controls'], true),
    muted: isOn(['mute', 'muted'], false) || isAutoplay,
    playsinline: true,
    preload: settings.choice('preload', ['metadata', 'auto', 'none'], 'metadata'),
    poster: poster === '' ? undefined : poster,
  })
}
