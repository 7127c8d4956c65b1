/** Lists of posts as plain HTML. */
import type { Context } from '../../../core/declare/context.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { renderOf } from '../../../render/index.ts'
import { attributes, harmlessAddress } from '../../../render/text/attributes.ts'
import { addressesOf } from '../../../site/permalink.ts'
import type { Post } from '../../../storage/contract.ts'
import type { PostListing } from './query.ts'

type ViewContext = Pick<Context, 'app' | 'settings' | 'storage'>

/** One article for each post, in a container that carries the id of the widget; nothing where nothing was found. */
export async function listHtml(context: ViewContext, widgetId: string, { posts }: PostListing): Promise<string> {
  if (posts.length === 0) return ''
  const addresses = await addressesOf(posts, context)
  const articles = posts.map((post, index) => articleHtml(context, post, addresses[index] ?? ''))
  return `<div${attributes({ 'data-id': widgetId })}>${articles.join('')}</div>`
}

/** Titles and excerpts come rendered. What a password protects says no more than its title. */
function articleHtml({ app }: ViewContext, post: Post, address: string): string {
  const render = renderOf(app)
  const link = attributes({ href: address })
  const excerpt = post.password === '' ? app.names.swapMarkup(render.excerpt(post)) : ''
  const title = render.title(post.title) || escapeHtml(String(post.id))
  return `<article id="post-${post.id}"><h3><a${link}>${title}</a></h3>${excerpt}</article>`
}

/** Links to all pages but the current one; nothing where there is only one. */
export function pagesHtml({ page, pages }: PostListing, addressOf: (page: number) => string): string {
  if (pages < 2) return ''
  const numbers = pageNumbers(page, pages)
  const links = numbers.map((number) => {
    if (number === page) return `<span aria-current="page">${number}</span>`
    return `<a${attributes({ href: harmlessAddress(addressOf(number)) })}>${number}</a>`
  })
  return `<nav aria-label="Pagination">${links.join(' ')}</nav>`
}

/** The ends, and what is near. */
function pageNumbers(page: number, pages: number): number[] {
  const near = Array.from({ length: 7 }, (_, index) => page - 3 + index)
  return [...new Set([1, ...near, pages])].filter((number) => number >= 1 && number <= pages)
}

/** The address with one more name in its query, or with another value for it. */
export function withQuery(address: string, name: string, value: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  url.searchParams.set(name, value)
  return url.href
}
