/** Frames of YouTube videos, from the addresses that people copy. */
import { type HtmlElement, h } from '../html/nodes.ts'

export interface YoutubeOptions {
  readonly hasControls?: boolean
  readonly isMuted?: boolean
  readonly isLooped?: boolean
  readonly hasRelated?: boolean
  readonly hasCaptions?: boolean
  /** Without cookies. */
  readonly isPrivate?: boolean
  readonly isPlaying?: boolean
  /** Seconds. */
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly title?: string
}

const HOSTS: ReadonlySet<string> = new Set(
  'youtube.com www.youtube.com m.youtube.com music.youtube.com youtube-nocookie.com www.youtube-nocookie.com'.split(
    ' ',
  ),
)
const ID = /^[\w-]{6,20}$/

/** Of `watch?v=`, `youtu.be/`, `embed/`, `shorts/` and `live/`; undefined for any other address. */
export function youtubeId(address: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https:${address.replace(/^(?!\/\/)/, '//')}`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const [first = '', second = ''] = url.pathname.slice(1).split('/')
  const id = idIn(url, first, second)
  return id !== undefined && ID.test(id) ? id : undefined
}

function idIn({ hostname, searchParams }: URL, first: string, second: string): string | undefined {
  if (hostname === 'youtu.be' || hostname === 'www.youtu.be') return first
  if (!HOSTS.has(hostname)) return undefined
  if (['embed', 'shorts', 'live', 'v'].includes(first)) return second
  return searchParams.get('v') ?? undefined
}

/** Undefined when the address is no video of YouTube. */
export function youtubeFrame(address: string, options: YoutubeOptions): HtmlElement | undefined {
  const id = youtubeId(address.trim())
  if (id === undefined) return undefined
  const host = options.isPrivate ? 'www.youtube-nocookie.com' : 'www.youtube.com'
  return h('iframe', {
    class: ['builder-video-iframe'],
    allowfullscreen: true,
    title: options.title ?? 'YouTube video',
    loading: 'lazy',
    src: `https://${host}/embed/${id}?${queryOf(id, options)}`,
  })
}

function queryOf(id: string, options: YoutubeOptions): string {
  const flag = (value: boolean | undefined) => (value ? '1' : '0')
  const query = new URLSearchParams({
    controls: flag(options.hasControls),
    mute: flag(options.isMuted),
    loop: flag(options.isLooped),
    rel: flag(options.hasRelated),
    cc_load_policy: flag(options.hasCaptions),
  })
  for (const name of ['start', 'end'] as const) {
    const seconds = Math.floor(options[name] ?? 0)
    if (seconds > 0) query.set(name, String(seconds))
  }
  if (options.isPlaying) query.set('autoplay', '1')
  // The player repeats lists only.
  if (options.isLooped) query.set('playlist', id)
  return query.toString()
}
