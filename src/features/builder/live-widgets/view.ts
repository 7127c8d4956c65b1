/** Renders post lists and pagination links as HTML. */
import type { Context } from '../../../core/declare/context.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { renderOf } from '../../../render/index.ts'
import { attributes, harmlessAddress } from '../../../render/text/attributes.ts'
import { addressesOf } from '../../../site/permalink.ts'
import type { Post } from '../../../storage/contract.ts'
import type { PostListing } from './query.ts'

type ViewContext = Pick<Context, 'app' | 'settings' | 'storage'>

/** One article per post, in a container with the id of the widget; empty without posts. */
export async function listHtml(context: ViewContext, widgetId: string, { posts }: PostListing): Promise<string> {
  if (posts.length === 0) return ''
  const addresses = await addressesOf(posts, context)
  const articles = posts.map((post, index) => articleHtml(context, post, addresses[index] ?? ''))
  return `<div${attributes({ 'data-id': widgetId })}>${articles.join('')}</div>`
}

/** Title and rendered excerpt; only the title for a password-protected post. */
function articleHtml({ app }: ViewContext, post: Post, address: string): string {
  const render = renderOf(app)
  const link = attributes({ href: address })
  const excerpt = post.password === '' ? app.names.swapMarkup(render.excerpt(post)) : ''
  const title = render.title(post.title) || escapeHtml(String(post.id))
  return `<article id="post-${post.id}"><h3><a${link}>${title}</a></h3>${excerpt}</article>`
}

/** Links to the other pages; empty when there is only one page. */
export function pagesHtml({ page, pages }: PostListing, addressOf: (page: number) => string): string {
  if (pages < 2) return ''
  const numbers = pageNumbers(page, pages)
  const links = numbers.map((number) => {
    if (number === page) return `<span aria-current="page">${number}</span>`
    return `<a${attributes({ href: harmlessAddress(addressOf(number)) })}>${number}</a>`
  })
  return `<nav aria-label="Pagination">${links.join(' ')}</nav>`
}

/** The first page, the last page, and up to three pages on each side of the current one. */
function pageNumbers(page: number, pages: number): number[] {
  const near = Array.from({ length: 7 }, (_, index) => page - 3 + index)
  return [...new Set([1, ...near, pages])].filter((number) => number >= 1 && number <= pages)
}

/** The URL with a query parameter added or replaced; empty for an invalid URL. */
export function withQuery(address: string, name: string, value: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  url.searchParams.set(name, value)
  return url.href
}
