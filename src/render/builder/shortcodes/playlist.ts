/**
 * Draws `[playlist ids="1,2" type="video" tracknumbers="false"]`: a list of titles with the player of the browser under each. Without
 * ids it has the sounds or videos attached to the current post. Choice: no script plays the tracks in one player, so each title has
 * its player, and `tracklist` and `images` change nothing.
 */
import { filtered } from '../html/markup.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import type { Shortcode } from '../pass/pass.ts'
import type { Medium } from '../records/kinds.ts'
import { plainOf } from '../template-context/current-post.ts'
import { listedMedia } from './listed-media.ts'

export const playlist: Shortcode = (call) => {
  const { attributes } = call
  const type = attributes['type'] === 'video' ? 'video' : 'audio'
  const media = listedMedia(call, `${type}/`)
  if (media.length === 0) return undefined
  const style = attributes['style'] === 'dark' ? 'dark' : 'light'
  const list = isOff(attributes['tracknumbers']) ? 'ul' : 'ol'
  const tracks = media.map((medium) => h('li', { class: ['playlist-track'] }, track(medium, type)))
  return h(
    'div',
    { class: ['playlist', `playlist-${type}`, `playlist-${style}`] },
    h(list, { class: ['playlist-tracks'] }, tracks),
  )
}

const isOff = (value: string | undefined): boolean => /^(?:0|false|no|off)$/i.test(value ?? '')

function track(medium: Medium, type: 'audio' | 'video'): Child {
  const title = plainOf(medium.title) || fileName(medium.path)
  const caption = filtered(medium.caption)
  return [
    h('div', { class: ['playlist-title'] }, title),
    !isNothing(caption) && h('div', { class: ['playlist-caption'] }, caption),
    type === 'audio' ? sound(medium, title) : video(medium, title),
  ]
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Browsers without a player show the link. */
const sound = ({ address }: Medium, title: string): Child =>
  h(
    'audio',
    { src: address, controls: true, preload: 'none', 'aria-label': title, style: 'width:100%' },
    h('a', { href: address }, title),
  )

const video = ({ address, width, height }: Medium, title: string): Child =>
  h(
    'video',
    {
      ...{ src: address, controls: true, preload: 'none', 'aria-label': title },
      ...(width && height ? { width, height } : {}),
      style: 'max-width:100%;height:auto',
    },
    h('a', { href: address }, title),
  )
