/** Finds the post or page of the site at a URL. Only posts that a visitor may read are found, for any caller. */

import type { Post } from '../../../contract/storage.ts'
import { visitor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { hierarchicalPostAt, permalinkPostAt, segmentsBelowHome } from '../../../site/addresses/post-at-path.ts'
import { addressesOf, permalinkOf } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { mayReadPost } from '../posts/model.ts'

type LookupContext = Pick<Context, 'storage' | 'settings'>

/** A post with its permalink. */
export interface LocatedPost {
  readonly post: Post
  readonly link: string
}

/** Whether a URL belongs to this site: http or https, with or without `www.` */
export function isSiteUrl(url: URL, { home }: Pick<Settings, 'home'>): boolean {
  return hostOf(url) === hostOf(new URL(home)) && /^https?:$/.test(url.protocol)
}

const hostOf = ({ host }: URL) => host.replace(/^www\./, '')

export const toUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

export async function findEmbeddable(url: URL, context: LookupContext): Promise<LocatedPost | undefined> {
  const post = await postAt(url, context)
  if (!post || (post.type !== 'post' && post.type !== 'page') || !mayReadPost(visitor, post)) return undefined
  if (isPostsPage(post, context.settings)) return undefined
  const [link = ''] = await addressesOf([post], context)
  return { post, link }
}

/** Interface: the page that shows the newest posts is a list, and lists have no embed data. */
const isPostsPage = (post: Post, { showOnFront, pageForPosts }: Settings) =>
  showOnFront === 'page' && post.id === pageForPosts

/** Interface: an id in the query wins over the path; the rest of the query and the fragment are ignored. */
async function postAt(url: URL, context: LookupContext): Promise<Post | undefined> {
  const { settings } = context
  const id = /^\d{1,15}$/.exec(url.searchParams.get('p') ?? url.searchParams.get('page_id') ?? '')
  if (id) return byId(Number(id[0]), context)
  const path = segmentsBelowHome(url.pathname, settings)
  if (path === undefined) return undefined
  const post = await atPath(path, context)
  // The address of the frame of a post, whose embed data are those of the post.
  return post ?? (path.at(-1) === 'embed' ? atPath(path.slice(0, -1), context) : undefined)
}

async function atPath(path: readonly string[], context: LookupContext): Promise<Post | undefined> {
  const { settings } = context
  if (path.length === 0) return settings.showOnFront === 'page' ? byId(settings.pageOnFront, context) : undefined
  return (await hierarchicalPostAt(path, 'page', context)) ?? postByPermalink(path, context)
}

async function byId(id: number, { storage }: LookupContext): Promise<Post | undefined> {
  const [post] = await storage.posts.read([id])
  return post
}

async function postByPermalink(path: readonly string[], context: LookupContext): Promise<Post | undefined> {
  const { settings } = context
  const post = await permalinkPostAt(path, ['post'], context)
  // A permalink may hold the date too: all of it has to be right.
  const own = post && segmentsBelowHome(new URL(permalinkOf(post, settings)).pathname, settings)
  return own?.join('/') === path.join('/') ? post : undefined
}
