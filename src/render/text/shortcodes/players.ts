/** Renders `[audio]` and `[video]`: players for known file types, links for others, nothing without a source. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { isOn, pixels, type ShortcodeAttributes } from './attributes.ts'
import { asAttribute, asText, isWebAddress, type MediaKind, mediaExtensions, mediaType } from './web-address.ts'

/** Numbers that distinguish the players of a page. */
export interface PlayerIds {
  readonly postId: number
  readonly count: { [kind in MediaKind]: number }
}

/** `content` is HTML inside the element, such as tracks. */
export function player(kind: MediaKind, attributes: ShortcodeAttributes, content: string, ids: PlayerIds): string {
  const sources = sourcesOf(kind, attributes)
  const [first] = sources
  if (first === undefined) return ''
  if (mediaType(first, kind) === undefined) return link(first, `cms-embedded-${kind}`)
  ids.count[kind] += 1
  const number = ids.count[kind]
  const inner = sources.map((source) => sourceElement(source, kind, number)).join('') + content + link(first)
  const id = `${kind}-${ids.postId}-${number}`
  return kind === 'audio' ? audio(id, attributes, inner) : video(id, attributes, inner)
}

/** Returns the address of `src`, or those of attributes named by a type: `mp4="…"`. */
function sourcesOf(kind: MediaKind, attributes: ShortcodeAttributes): readonly string[] {
  const source = attributes.get('src')
  const extensions = mediaExtensions(kind)
  const typed = [...attributes].filter(([name]) => extensions.includes(name)).map(([, value]) => value)
  return (source === undefined || source === '' ? typed : [source]).filter(
    (address) => address !== '' && isWebAddress(address),
  )
}

const link = (address: string, className = ''): string =>
  `<a${className === '' ? '' : ` class="${className}"`} href="${asAttribute(address)}">${asText(address)}</a>`

/** The number makes the address unique to a player, because browsers load a file only once at a time. */
function sourceElement(address: string, kind: MediaKind, number: number): string {
  const type = mediaType(address, kind)
  if (type === undefined) return ''
  const [file = '', ...fragment] = address.split('#')
  const numbered = `${file}${file.includes('?') ? '&' : '?'}_=${number}`
  return `<source type="${type}" src="${asAttribute([numbered, ...fragment].join('#'))}" />`
}

function audio(id: string, attributes: ShortcodeAttributes, inner: string): string {
  const style = plainStyle(attributes.get('style'), 'width: 100%;')
  const start = `<audio class="${classOf(attributes, 'cms-audio-shortcode')}" id="${id}"`
  return `${start}${switches(attributes)} preload="${preload(attributes, 'none')}" style="${style}" controls="controls">${inner}</audio>`
}

function video(id: string, attributes: ShortcodeAttributes, inner: string): string {
  const width = pixels(attributes, 'width', 640)
  const height = pixels(attributes, 'height', 360)
  const poster = attributes.get('poster') ?? ''
  const picture = poster !== '' && isWebAddress(poster) ? ` poster="${asAttribute(poster)}"` : ''
  const start = `<video class="${classOf(attributes, 'cms-video-shortcode')}" id="${id}" width="${width}" height="${height}"`
  const element = `${start}${picture}${switches(attributes)} preload="${preload(attributes, 'metadata')}" controls="controls">${inner}</video>`
  return `<div style="width: ${width}px;" class="cms-video">${element}</div>`
}

const classOf = (attributes: ShortcodeAttributes, byDefault: string): string =>
  escapeHtml(attributes.get('class') ?? byDefault)

const switches = (attributes: ShortcodeAttributes): string =>
  ['loop', 'autoplay', 'muted'].map((name) => (isOn(attributes, name) ? ` ${name}` : '')).join('')

function preload(attributes: ShortcodeAttributes, byDefault: string): string {
  const value = attributes.get('preload') ?? ''
  return ['auto', 'metadata', 'none'].includes(value) ? value : byDefault
}

/** Choice: the style of a player that contains functions, escapes or quotes is replaced by the default. */
const plainStyle = (style: string | undefined, byDefault: string): string =>
  style !== undefined && /^[\w\s:;.,%#-]*$/.test(style) ? style : byDefault
