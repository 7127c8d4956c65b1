/**
 * Determines which address a share link passes on, and writes the addresses of the networks. They are plain links: the page
 * loads nothing from a network.
 */
import { addressPart, linkAddress } from '../../document/addresses.ts'
import { objectOf, ownValue, textOf } from '../../document/values.ts'
import { currentPost, plainOf, titleOf } from '../../template-context/current-post.ts'
import type { WidgetContext } from '../context.ts'

interface Shared {
  /** The absolute address of the page. */
  readonly address: string
  readonly title: string
}

const part = addressPart

const NETWORKS: ReadonlyMap<string, { readonly label: string; readonly to: (shared: Shared) => string }> = new Map(
  Object.entries({
    facebook: {
      label: 'Facebook',
      to: ({ address }) => `https://www.facebook.com/sharer/sharer.php?u=${part(address)}`,
    },
    twitter: { label: 'Twitter', to: asPost },
    'x-twitter': { label: 'X', to: asPost },
    threads: { label: 'Threads', to: (shared) => `https://www.threads.net/intent/post?text=${part(lineOf(shared))}` },
    linkedin: {
      label: 'LinkedIn',
      to: ({ address }) => `https://www.linkedin.com/sharing/share-offsite/?url=${part(address)}`,
    },
    pinterest: {
      label: 'Pinterest',
      to: ({ address, title }) =>
        `https://www.pinterest.com/pin/create/button/?url=${part(address)}&description=${part(title)}`,
    },
    reddit: {
      label: 'Reddit',
      to: ({ address, title }) => `https://www.reddit.com/submit?url=${part(address)}&title=${part(title)}`,
    },
    tumblr: {
      label: 'Tumblr',
      to: ({ address, title }) => `https://www.tumblr.com/share/link?url=${part(address)}&name=${part(title)}`,
    },
    vk: {
      label: 'VK',
      to: ({ address, title }) => `https://vk.com/share.php?url=${part(address)}&title=${part(title)}`,
    },
    whatsapp: { label: 'WhatsApp', to: (shared) => `https://wa.me/?text=${part(lineOf(shared))}` },
    telegram: {
      label: 'Telegram',
      to: ({ address, title }) => `https://t.me/share/url?url=${part(address)}&text=${part(title)}`,
    },
    mastodon: { label: 'Mastodon', to: (shared) => `https://mastodonshare.com/?text=${part(lineOf(shared))}` },
    email: {
      label: 'Email',
      to: ({ address, title }) => `mailto:?subject=${part(title)}&body=${part(address)}`,
    },
  }),
)

function asPost({ address, title }: Shared): string {
  return `https://x.com/intent/post?text=${part(title)}&url=${part(address)}`
}

function lineOf({ address, title }: Shared): string {
  return title === '' ? address : `${title} ${address}`
}

export const networkOf = (name: string) => NETWORKS.get(name)

/**
 * Returns the address that the widget names, else that of the current post, else that of the page; undefined when none is
 * known.
 */
export function sharedBy({ settings, scope, pass }: WidgetContext, given?: string): Shared | undefined {
  const own = linkAddress(given ?? '')
  const post = currentPost(scope, pass)
  const title = post ? plainOf(titleOf(post, pass)) : ''
  if (own !== '') return { address: own, title: settings.text('share_title') || title }
  const ofPost = post ? pass.addressOf(post.id) : ''
  if (ofPost !== '') return { address: ofPost, title }
  pass.depend('vary:request')
  const { url = '' } = pass.context
  return url === '' ? undefined : { address: url, title }
}

/** Returns the address of a url setting. */
export const urlOf = (value: unknown): string => textOf(ownValue(objectOf(value), 'url'))
