/** Addresses of posts below home: made from the site's permalink, and read back. */
import type { Post } from '../storage/contract.ts'
import type { Settings } from './settings.ts'

type Addressed = Pick<Post, 'id' | 'slug' | 'date'>

const shapes: { readonly [name: string]: string } = {
  slug: '[^/]+',
  id: '\\d{1,15}',
  year: '\\d{4}',
  month: '\\d{2}',
  day: '\\d{2}',
}

/** Where a published post stands. A site without a permalink shows posts by their number. */
export function permalinkOf(post: Addressed, { home, permalink }: Pick<Settings, 'home' | 'permalink'>): string {
  const [year = '', month = '', day = ''] = post.date.slice(0, 10).split('-')
  if (permalink === '' || post.slug === '') return `${home}/?p=${post.id}`
  const parts: { readonly [name: string]: string } = { slug: post.slug, id: String(post.id), year, month, day }
  return home + permalink.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole)
}

/** What a path below home says of a post: its id or its slug; nothing when it cannot be one. */
export function postAtPath(path: string, permalink: string): { readonly id?: number; readonly slug?: string } {
  const seen = new Set<string>()
  const pattern = withoutSlash(permalink).replace(/\{(\w+)\}|[^{]+|\{/g, (part, name?: string) => {
    const shape = name !== undefined && Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (shape === undefined) return escaped(part)
    const isRepeated = seen.has(name as string)
    seen.add(name as string)
    return isRepeated ? shape : `(?<${name}>${shape})`
  })
  const { id, slug } = new RegExp(`^${pattern}$`, 'i').exec(withoutSlash(path))?.groups ?? {}
  return id === undefined ? (slug === undefined ? {} : { slug }) : { id: Number(id) }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const withoutSlash = (path: string) => path.replace(/\/+$/, '')
