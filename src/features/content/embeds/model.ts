/** Which post or page of the site an address means. Only what a visitor may read is found, whoever asks. */

import { visitor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { addressesOf, maxDepth, permalinkOf, postAtPath } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Post } from '../../../storage/contract.ts'
import { mayReadPost } from '../posts/model.ts'

type LookupContext = Pick<Context, 'storage' | 'settings'>

/** A post with its address. */
export interface LocatedPost {
  readonly post: Post
  readonly link: string
}

/** Whether an address belongs to this site: http or https, with or without `www.` */
export function isSiteUrl(url: URL, { home }: Pick<Settings, 'home'>): boolean {
  return hostOf(url) === hostOf(new URL(home)) && /^https?:$/.test(url.protocol)
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, '')

/** Without a scheme or with another one it is no address of the web. */
export const toUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

export function findEmbeddable(url: URL, place: LookupContext): MaybePromise<LocatedPost | undefined> {
  return andThen(postAt(url, place), (post) => {
    if (!post || (post.type !== 'post' && post.type !== 'page') || !mayReadPost(visitor, post)) return undefined
    if (isPostsPage(post, place.settings)) return undefined
    return andThen(addressesOf([post], place), ([link = '']) => ({ post, link }))
  })
}

/** Interface: the page in whose place the newest posts stand is a list, which nobody embeds. */
const isPostsPage = (post: Post, { showOnFront, pageForPosts }: Settings) =>
  showOnFront === 'page' && post.id === pageForPosts

/** Interface: a number in the query goes before the path; the rest of the query and the fragment do not count. */
function postAt(url: URL, place: LookupContext): MaybePromise<Post | undefined> {
  const { settings } = place
  const number = /^\d{1,15}$/.exec(url.searchParams.get('p') ?? url.searchParams.get('page_id') ?? '')
  if (number) return byId(Number(number[0]), place)
  const path = belowHome(url, settings)
  if (path === undefined) return undefined
  if (path.length === 0) return settings.showOnFront === 'page' ? byId(settings.pageOnFront, place) : undefined
  return andThen(pageAtPath(path, place), (page) => page ?? postByPermalink(path, place))
}

function byId(id: number, { storage }: LookupContext): MaybePromise<Post | undefined> {
  return andThen(storage.posts.read([id]), ([post]) => post)
}

/** The parts of the path in the form that slugs have: lower case, percent-encoded. */
function belowHome(url: URL, { home }: Settings): string[] | undefined {
  const base = segmentsOf(new URL(home).pathname)
  const path = segmentsOf(url.pathname)
  if (!base || !path || base.some((segment, index) => path[index] !== segment)) return undefined
  return path.slice(base.length)
}

function segmentsOf(pathname: string): string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map((part) => encodeURIComponent(decodeURIComponent(part)).toLowerCase())
  } catch {
    return undefined
  }
}

/** A page stands below its parents, each with its slug. */
function pageAtPath(path: readonly string[], { storage }: LookupContext): MaybePromise<Post | undefined> {
  if (path.length > maxDepth) return undefined
  const slugs = [...new Set(path)]
  const query = { types: ['page'], slugs, order: { by: 'slugs' }, offset: 0, limit: path.length } as const
  return andThen(storage.posts.query(query), ({ heads }) =>
    andThen(storage.posts.read(heads.map(({ id }) => id)), (pages) => {
      let above = 0
      for (const slug of path.slice(0, -1)) {
        const page = pages.find((one) => one.slug === slug && one.parent === above)
        if (!page) return undefined
        above = page.id
      }
      return pages.find((one) => one.slug === path.at(-1) && one.parent === above)
    }),
  )
}

function postByPermalink(path: readonly string[], place: LookupContext): MaybePromise<Post | undefined> {
  const { storage, settings } = place
  const { id, slug } = postAtPath(`/${path.join('/')}`, settings.permalink)
  if (id === undefined && slug === undefined) return undefined
  const query = { types: ['post'], order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
  const found =
    id === undefined
      ? andThen(storage.posts.query({ ...query, slugs: [slug as string] }), ({ heads: [head] }) =>
          head ? byId(head.id, place) : undefined,
        )
      : byId(id, place)
  // A permalink may hold the date too: all of it has to be right.
  return andThen(found, (post) => {
    const own = post?.type === 'post' ? belowHome(new URL(permalinkOf(post, settings)), settings) : undefined
    return own?.join('/') === path.join('/') ? post : undefined
  })
}
