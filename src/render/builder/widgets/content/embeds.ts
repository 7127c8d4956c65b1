/** Widgets that embed foreign content (maps, sounds, HTML, sidebars of the host), and the "read more" mark. */
import { cssFilters } from '../../controls/border.ts'
import { size } from '../../controls/control.ts'
import { numberText } from '../../css/values.ts'
import { addressPart, fileAddress } from '../../document/addresses.ts'
import { ownValue, textOf } from '../../document/values.ts'
import { trusted } from '../../html/markup.ts'
import { h } from '../../html/nodes.ts'
import type { Pass } from '../../pass/pass.ts'
import { sidebars } from '../../records/service-answers.ts'
import { kitFont, type WidgetTable, widget } from '../widget.ts'
import { embedded } from './video.ts'

const clamped = (number: number, lowest: number, highest: number): number => Math.min(Math.max(number, lowest), highest)

const googleMaps = widget({
  html: ({ settings }) => {
    const address = settings
      .text('address', 'London Eye, London, United Kingdom')
      .replace(/\p{Surrogate}/gu, '')
      .trim()
    if (address === '') return undefined
    const zoom = numberText(clamped(Math.round(settings.number('zoom', 10)), 1, 20))
    const src = `https://maps.google.com/maps?q=${addressPart(address)}&t=m&z=${zoom}&output=embed&iwloc=near`
    return h(
      'div',
      { class: ['builder-custom-embed'] },
      h('iframe', { loading: 'lazy', src, title: address, 'aria-label': address }),
    )
  },
  controls: [size('height', '& iframe', 'height'), cssFilters('css_filters', '& iframe')],
  rules: `.builder-widget-google_maps{width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-custom-embed{line-height:0}.builder-custom-embed>iframe{width:100%;height:300px;border:0;max-width:100%}`,
})

const SOUND = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)(?:[?#]|$)/i

/** Returns the address of a sound file of this site, relative or with its origin; empty for other addresses. */
function ownSound(address: string, pass: Pass): string {
  const base = pass.site.url
  if (!SOUND.test(address) || !URL.canParse(address, base)) return ''
  pass.depend('option:url')
  return new URL(address, base).origin === new URL(base).origin ? address : ''
}

const audio = widget({
  html: ({ settings, pass }) => {
    const address = fileAddress(textOf(ownValue(settings.object('link'), 'url')))
    if (address === '') return undefined
    const player = embedded(address, pass)
    if (player !== undefined) return h('div', { class: ['builder-soundcloud-wrapper'] }, player)
    const src = ownSound(address, pass)
    return src === '' ? undefined : h('audio', { controls: true, preload: 'none', src })
  },
  rules: '.builder-widget-audio audio{width:100%}.builder-soundcloud-wrapper iframe{width:100%;border:0}',
})

const html = widget({ defaults: kitFont, html: (element) => element.rich('html') })

const sidebar = widget({
  defaults: kitFont,
  html: ({ settings, pass }) => {
    const id = settings.text('sidebar')
    if (id === '') return undefined
    pass.depend(`sidebar:${id}`)
    const content = pass.get(sidebars, id)
    return content === undefined ? undefined : trusted(content)
  },
  undrawn: ({ sidebar: service }) => (service ? undefined : 'A sidebar needs the service `sidebar` of the host.'),
  isUnread: true,
})

/** Marks a place in a text, and draws nothing. */
const readMore = widget({
  html: () => undefined,
  undrawn: () => 'The mark has no effect: an excerpt ends after a number of words.',
})

export const embedWidgets: WidgetTable = { google_maps: googleMaps, audio, html, sidebar, 'read-more': readMore }
