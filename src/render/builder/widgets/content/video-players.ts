/** Converts addresses that people copy from video providers to addresses of their players. */

import { lookupTable } from '../../../../contract/lookup-table.ts'

export interface PlayerOptions {
  /** The start in whole seconds. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly isAutoplay: boolean
  readonly isMuted: boolean
  readonly isLoop: boolean
  readonly hasControls: boolean
  readonly hasCaptions: boolean
  readonly hasRelated: boolean
  readonly isPrivate: boolean
  /** Returns whether a part of the frame is hidden: `title`, `portrait`, `byline`. */
  readonly isBare: (part: string) => boolean
}

interface Video {
  readonly id: string
  /** The second part of a private address. */
  readonly key?: string
}

interface Provider {
  readonly find: (url: URL) => Video | undefined
  readonly write: (video: Video, options: PlayerOptions) => string
}

const PROVIDERS: { readonly [name: string]: Provider } = lookupTable({
  youtube: { find: findYoutube, write: writeYoutube },
  vimeo: { find: findVimeo, write: writeVimeo },
  dailymotion: { find: findDailymotion, write: writeDailymotion },
})

/** Returns the address of the player; empty when the stored address does not belong to the provider. */
export function playerAddress(provider: string, stored: string, options: PlayerOptions): string {
  const { find, write } = PROVIDERS[provider] ?? {}
  const url = webAddress(stored)
  const video = url && find?.(url)
  return video && write ? write(video, options) : ''
}

function webAddress(stored: string): URL | undefined {
  const text = stored.trim()
  const address = text.startsWith('//')
    ? `https:${text}`
    : /^[\w-]+(?:\.[\w-]+)+\//.test(text)
      ? `https://${text}`
      : text
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^(?:www|m|music)\./, '')
const partsOf = ({ pathname }: URL): string[] => pathname.split('/').filter((part) => part !== '')
const video = (id: string | undefined | null, form: RegExp, key?: string): Video | undefined => {
  if (id === undefined || id === null || !form.test(id)) return undefined
  return key !== undefined && /^[\da-f]{4,40}$/i.test(key) ? { id, key } : { id }
}

function query(entries: readonly (readonly [name: string, value: string | number | boolean | undefined])[]): string {
  const search = new URLSearchParams()
  for (const [name, value] of entries) {
    if (value !== undefined) search.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return search.toString()
}

function findYoutube(url: URL): Video | undefined {
  const [first, second] = partsOf(url)
  const host = hostOf(url)
  const form = /^[\w-]{6,64}$/
  if (host === 'youtu.be') return video(first, form)
  if (host !== 'youtube.com' && host !== 'youtube-nocookie.com') return undefined
  const isPath = ['embed', 'shorts', 'live', 'v'].includes(first ?? '')
  return video(isPath ? second : url.searchParams.get('v'), form)
}

function writeYoutube({ id }: Video, options: PlayerOptions): string {
  const host = options.isPrivate ? 'www.youtube-nocookie.com' : 'www.youtube.com'
  return `https://${host}/embed/${id}?${query([
    ['controls', options.hasControls],
    ['mute', options.isMuted],
    ['loop', options.isLoop],
    ['rel', options.hasRelated],
    ['cc_load_policy', options.hasCaptions],
    ['start', options.start],
    ['end', options.end],
    ['autoplay', options.isAutoplay || undefined],
    // The player repeats a video only as a playlist.
    ['playlist', options.isLoop ? id : undefined],
  ])}`
}

function findVimeo(url: URL): Video | undefined {
  if (hostOf(url) !== 'vimeo.com' && url.hostname !== 'player.vimeo.com') return undefined
  const parts = partsOf(url)
  const at = parts.findIndex((part) => /^\d{1,12}$/.test(part))
  return video(parts[at], /^\d+$/, url.searchParams.get('h') ?? parts[at + 1])
}

function writeVimeo({ id, key }: Video, options: PlayerOptions): string {
  const start = options.start === undefined ? '' : `#t=${options.start}s`
  return `https://player.vimeo.com/video/${id}?${query([
    ['h', key],
    ['autopause', false],
    ['loop', options.isLoop],
    ['muted', options.isMuted],
    ['title', !options.isBare('title')],
    ['portrait', !options.isBare('portrait')],
    ['byline', !options.isBare('byline')],
    ['autoplay', options.isAutoplay || undefined],
    ['dnt', options.isPrivate || undefined],
  ])}${start}`
}

function findDailymotion(url: URL): Video | undefined {
  const parts = partsOf(url)
  const form = /^[a-z\d]{4,20}$/i
  if (hostOf(url) === 'dai.ly') return video(parts[0], form)
  // Older addresses append the title to the id: `x7tgad0_a-title`.
  return hostOf(url) === 'dailymotion.com' ? video(parts[parts.indexOf('video') + 1]?.split('_')[0], form) : undefined
}

function writeDailymotion({ id }: Video, options: PlayerOptions): string {
  return `https://www.dailymotion.com/embed/video/${id}?${query([
    ['controls', options.hasControls],
    ['mute', options.isMuted],
    ['loop', options.isLoop || undefined],
    ['start', options.start],
    ['autoplay', options.isAutoplay || undefined],
  ])}`
}
