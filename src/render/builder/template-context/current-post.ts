/**
 * Reads the title, excerpt, terms, author and addresses of a post for tags, conditions and widgets, and notes the dependencies.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Post, User } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { stripMarkup } from '../../../html/strip-tags.ts'
import { decodeReferences } from '../../filter/references.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { postTerms, type TermRecord } from '../records/kinds.ts'

/** Returns the current post when the reader may see it. */
export const currentPost = (scope: Scope, pass: Pass): Post | undefined => visiblePost(scope.post, pass)

export function visiblePost(id: number, pass: Pass): Post | undefined {
  if (id <= 0) return undefined
  const post = pass.post(id)
  return post && pass.maySee(post) ? post : undefined
}

/** A protected post shows its title; its content and excerpt are hidden until the reader enters the password. */
export const isLocked = ({ id, password }: Post, { context }: Pass): boolean =>
  password !== '' && !(context.unlocked ?? []).includes(id)

export const titleOf = (post: Post, { tables }: Pass): string => tables.text.title(post.title)

/** Converts HTML to the text that a reader sees, for attributes and comparisons. */
export const plainOf = (html: string): string => decodeReferences(stripMarkup(html)).trim()

export const writtenExcerpt = (post: Post, pass: Pass): string => (isLocked(post, pass) ? '' : post.excerpt.trim())

/** Returns the terms of a post, optionally those of one taxonomy. */
export function termsOf(post: Post, pass: Pass, taxonomy?: string): readonly TermRecord[] {
  pass.depend(`post:${post.id}`)
  const all = pass.get(postTerms, post.id) ?? []
  const found = taxonomy === undefined ? all : all.filter((term) => term.taxonomy === taxonomy)
  for (const { id } of found) pass.depend(`term:${id}`)
  return found
}

export const authorOf = (post: Post, pass: Pass): User | undefined =>
  post.author > 0 ? pass.user(post.author) : undefined

// ---------------------------------------------------------------- addresses of archives

export const authorAddress = ({ slug }: User, { site }: Pass): string => `${site.home}/author/${slug}/`

// ---------------------------------------------------------------- texts

/** Cuts the text of HTML after a number of words. */
export function cutToWords(html: string, words: number, more = '…'): string {
  const all = plainOf(html)
    .split(/\s+/)
    .filter((word) => word !== '')
  return escapeHtml(all.length <= words ? all.join(' ') : all.slice(0, words).join(' ') + more)
}

/** Cuts the text of HTML to a number of characters, at the end of a word. */
export function cutToLength(html: string, length: number): string {
  const text = plainOf(html)
  if (text.length <= length) return html
  const cut = text.slice(0, length + 1)
  const end = cut.search(/\s\S*$/)
  return escapeHtml(end > 0 ? cut.slice(0, end).trimEnd() : text.slice(0, length))
}

// ---------------------------------------------------------------- classes

const CLASS_STARTS: { readonly [taxonomy: string]: string } = lookupTable({ category: 'category', post_tag: 'tag' })

/** Returns the class names of a post in a list: its id, type, status and terms. */
export function postClasses(id: number, pass: Pass): string[] {
  const post = pass.post(id)
  if (!post) return []
  const ofTerms = termsOf(post, pass).map(({ taxonomy, slug }) => {
    const start = Object.hasOwn(CLASS_STARTS, taxonomy) ? CLASS_STARTS[taxonomy] : taxonomy
    return `${start}-${slug}`.replace(/[^\w-]+/g, '')
  })
  return [`post-${id}`, `type-${post.type}`, `status-${post.status}`, ...ofTerms]
}
