/** Finds the post or page of the site at a URL. Only posts that a visitor may read are found, for any caller. */

import { visitor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { addressesOf, maxDepth, permalinkOf, postAtPath } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Post } from '../../../storage/contract.ts'
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
  const path = belowHome(url, settings)
  if (path === undefined) return undefined
  if (path.length === 0) return settings.showOnFront === 'page' ? byId(settings.pageOnFront, context) : undefined
  return (await pageAtPath(path, context)) ?? postByPermalink(path, context)
}

async function byId(id: number, { storage }: LookupContext): Promise<Post | undefined> {
  const [post] = await storage.posts.read([id])
  return post
}

/** The segments of the path in the form of slugs: lower case, percent-encoded. Undefined outside the home path. */
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

/** The segments are the slugs of the page's parents, then its own. */
async function pageAtPath(path: readonly string[], { storage }: LookupContext): Promise<Post | undefined> {
  if (path.length > maxDepth) return undefined
  const slugs = [...new Set(path)]
  const order = { by: 'slugs' } as const
  const { heads } = await storage.posts.query({ types: ['page'], slugs, order, offset: 0, limit: path.length })
  const pages = await storage.posts.read(heads.map(({ id }) => id))
  let page: Post | undefined
  for (const slug of path) {
    const parent: number = page?.id ?? 0
    page = pages.find((candidate) => candidate.slug === slug && candidate.parent === parent)
    if (!page) return undefined
  }
  return page
}

async function postByPermalink(path: readonly string[], context: LookupContext): Promise<Post | undefined> {
  const { settings } = context
  const { id, slug } = postAtPath(`/${path.join('/')}`, settings.permalink)
  const post = id === undefined ? await bySlug(slug, context) : await byId(id, context)
  // A permalink may hold the date too: all of it has to be right.
  const own = post?.type === 'post' ? belowHome(new URL(permalinkOf(post, settings)), settings) : undefined
  return own?.join('/') === path.join('/') ? post : undefined
}

async function bySlug(slug: string | undefined, context: LookupContext): Promise<Post | undefined> {
  if (slug === undefined) return undefined
  const order = { by: 'id', descending: false } as const
  const { heads } = await context.storage.posts.query({ types: ['post'], slugs: [slug], order, offset: 0, limit: 1 })
  const [head] = heads
  return head && byId(head.id, context)
}
