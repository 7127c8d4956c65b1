/** Reads the page on which a document is shown: its title, description, address and query. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { User } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import type { TemplateContext } from '../pass/render-context.ts'
import type { Scope } from '../pass/scope.ts'
import { type TermRecord, terms, userMeta } from '../records/kinds.ts'
import { authorAddress, currentPost, titleOf } from './current-post.ts'

export const archiveOf = ({ context }: Pass): Extract<TemplateContext, { archive: string }> | undefined =>
  context.templateContext && 'archive' in context.templateContext ? context.templateContext : undefined

export const isSingle = ({ context }: Pass): boolean => !context.templateContext || 'post' in context.templateContext

/** Returns a value of the page's query; empty when the query does not contain it. */
export const requestValue = (name: string, pass: Pass): string => requestQuery(pass).get(name) ?? ''

/** Returns the query of the page. */
export function requestQuery(pass: Pass): URLSearchParams {
  pass.depend('vary:request')
  const { url = '' } = pass.context
  const start = url.indexOf('?')
  const end = url.indexOf('#')
  if (start === -1 || (end !== -1 && end < start)) return new URLSearchParams()
  return new URLSearchParams(url.slice(start, end === -1 ? undefined : end))
}

/** Returns the path of the page below the home address. */
export function requestPath(pass: Pass): string {
  pass.depend('vary:request')
  const url = pass.context.url ?? ''
  const path = url.startsWith(pass.site.home) ? url.slice(pass.site.home.length) : url.replace(/^[a-z]+:\/\/[^/]*/, '')
  return path.replace(/[?#].*$/, '')
}

/** Returns whether the page with this address is shown. Further parameters of the request do not matter. */
export function isShownAt(address: string, pass: Pass): boolean {
  pass.depend('vary:request')
  const { url = '' } = pass.context
  const home = `${pass.site.home}/`
  if (url === '' || address === '' || !URL.canParse(url, home) || !URL.canParse(address, home)) return false
  const [shown, wanted] = [new URL(url, home), new URL(address, home)]
  return (
    shown.origin === wanted.origin &&
    shown.pathname === wanted.pathname &&
    [...wanted.searchParams].every(([name, value]) => shown.searchParams.get(name) === value)
  )
}

export const searchText = (pass: Pass): string => requestValue('s', pass)

function archiveTerm(pass: Pass): TermRecord | undefined {
  const archive = archiveOf(pass)
  if (archive?.archive !== 'term') return undefined
  pass.depend(`term:${archive.term}`)
  return pass.get(terms, archive.term)
}

function archiveAuthor(pass: Pass): User | undefined {
  const archive = archiveOf(pass)
  return archive?.archive === 'author' ? pass.user(archive.user) : undefined
}

const LABELS: { readonly [taxonomy: string]: string } = lookupTable({ category: 'Category', post_tag: 'Tag' })

/** Returns HTML. With `hasContext` the kind of the archive precedes the title: `Category: News`. */
export function archiveTitle(pass: Pass, hasContext: boolean): string {
  const archive = archiveOf(pass)
  if (!archive) return ''
  const labelled = (label: string, text: string) => (hasContext ? `${label}: ${text}` : text)
  const term = archiveTerm(pass)
  if (term) {
    const label = (Object.hasOwn(LABELS, term.taxonomy) && LABELS[term.taxonomy]) || term.taxonomy
    return labelled(label, escapeHtml(term.name))
  }
  const author = archiveAuthor(pass)
  if (author) return labelled('Author', escapeHtml(author.displayName))
  if (archive.archive === 'search') return `Search Results for: ${escapeHtml(searchText(pass))}`
  return archive.archive === 'posts' || archive.archive === 'date' ? 'Archives' : ''
}

/** Returns HTML: the title of the archive, of the page for unknown addresses, or of the current post. */
export function pageTitle(scope: Scope, pass: Pass, hasContext: boolean): string {
  if (archiveOf(pass)) return archiveTitle(pass, hasContext)
  if (pass.context.templateContext && 'notFound' in pass.context.templateContext) return 'Page Not Found'
  const post = currentPost(scope, pass)
  return post ? titleOf(post, pass) : ''
}

/** Returns HTML. */
export function archiveDescription(pass: Pass): string {
  const term = archiveTerm(pass)
  if (term) return term.description
  const author = archiveAuthor(pass)
  return author ? textOf(pass.get(userMeta, `${author.id} description`)) : ''
}

export function archiveAddress(pass: Pass): string {
  const term = archiveTerm(pass)
  if (term) return term.address
  const author = archiveAuthor(pass)
  if (author) return authorAddress(author, pass)
  const archive = archiveOf(pass)?.archive
  if (archive === undefined) return ''
  // Only the request tells which period a date archive has, and which page the site chose for its posts.
  const isAtPath = (archive === 'date' || archive === 'posts') && pass.context.url !== undefined
  return isAtPath ? pass.site.home + requestPath(pass).replace(/\/?(?:page\/\d+\/?)?$/, '/') : `${pass.site.home}/`
}
