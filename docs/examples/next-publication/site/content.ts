/** Reads the content of the pages. */
import { cache } from 'react'
import { api } from './api'

export interface Picture {
  readonly id: number
  readonly source_url: string
  readonly alt_text: string
  readonly title: { readonly rendered: string }
  readonly caption: { readonly rendered: string }
  readonly media_details: {
    readonly width?: number
    readonly height?: number
    readonly sizes?: { readonly [name: string]: { readonly source_url: string; readonly width: number } }
  }
}

export interface Post {
  readonly id: number
  readonly slug: string
  readonly date: string
  readonly title: { readonly rendered: string }
  readonly excerpt: { readonly rendered: string }
  readonly content: { readonly rendered: string; readonly protected: boolean }
  readonly comment_status: string
  readonly _embedded?: {
    readonly author?: readonly { readonly name: string }[]
    readonly 'cms:featuredmedia'?: readonly Picture[]
  }
}

export interface Comment {
  readonly id: number
  readonly parent: number
  readonly author_name: string
  readonly date: string
  readonly content: { readonly rendered: string }
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly pages: number
}

/** With the names of the authors and the pictures, which come in the same call. */
const posts = '/cms/v2/posts?_embed=author,cms:featuredmedia'

export const pictureOf = (post: Post): Picture | undefined => post._embedded?.['cms:featuredmedia']?.[0]
export const authorOf = (post: Post): string => post._embedded?.author?.[0]?.name ?? ''

async function listed<Item>(path: string, args: object): Promise<Page<Item>> {
  const { data, headers } = await api.call<readonly Item[]>('GET', path, { ...args })
  return { items: data, total: Number(headers['X-CMS-Total']), pages: Number(headers['X-CMS-TotalPages']) }
}

/** Once for each request. */
export const siteName = cache(async () => {
  const { data } = await api.call<{ readonly name: string; readonly description: string }>('GET', '/')
  return data
})

export const latestPosts = (page: number): Promise<Page<Post>> =>
  listed(posts, { page, per_page: 9, ignore_sticky: true })

export const foundPosts = (search: string): Promise<Page<Post>> =>
  listed(posts, { search, per_page: 20, orderby: 'relevance' })

/** The published post of a slug. */
export const postOf = cache(async (slug: string): Promise<Post | undefined> => {
  const { items } = await listed<Post>(posts, { slug, per_page: 1 })
  return items[0]
})

export const commentsOn = (post: number): Promise<Page<Comment>> =>
  listed('/cms/v2/comments', { post, per_page: 100, order: 'asc' })

export const pictures = (page: number): Promise<Page<Picture>> =>
  listed('/cms/v2/media', { media_type: 'image', per_page: 12, page })

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The API gives dates in the time zone of the site, without its name. */
export const dateOf = (date: string): string => dates.format(new Date(`${date}Z`))

const named: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text of a rendered title, for `<title>` and attributes. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => named[name] ?? '')
    .trim()

export const pageOf = (value: string | readonly string[] | undefined): number =>
  typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value) ? Number(value) : 1
