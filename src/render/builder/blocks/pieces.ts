/** Pieces that several blocks share: dates, pictures and excerpts of posts. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { fileAddress } from '../document/addresses.ts'
import { alternativeOf, srcsetOf } from '../elements/image.ts'
import { contentForExcerpt } from '../elements/post-content.ts'
import { type Attributes, type HtmlElement, h } from '../html/nodes.ts'
import type { BlockCall, Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { cutToWords, isLocked, plainOf, titleOf } from '../template-context/current-post.ts'
import { formatDate, siteFormat } from '../template-context/dates.ts'

/** Returns the date in the format of the site; `local` is in its time zone. */
export function dateOf(local: string, className: string, pass: Pass, format = ''): HtmlElement {
  const shown = formatDate(local, format === '' ? siteFormat('date_format', pass) : format, pass)
  return h('time', { datetime: formatDate(local, 'c', pass), class: [className] }, shown)
}

/** Returns the picture in a size of the site, such as `thumbnail`; undefined without a file. */
export function pictureOf(id: number, size: string, pass: Pass, attributes: Attributes = {}): HtmlElement | undefined {
  const medium = id > 0 ? pass.medium(id) : undefined
  if (!medium?.mimeType.startsWith('image/')) return undefined
  const shown = medium.sizes.get(size) ?? medium
  const name = size.replace(/[^\w-]+/g, '')
  const srcset = srcsetOf(medium)
  return h('img', {
    width: shown.width,
    height: shown.height,
    src: fileAddress(shown.address),
    class: [`attachment-${name}`, `size-${name}`, 'cms-post-image'],
    alt: alternativeOf(medium),
    srcset: srcset === '' ? undefined : srcset,
    sizes:
      srcset === '' || shown.width === undefined ? undefined : `(max-width: ${shown.width}px) 100vw, ${shown.width}px`,
    ...attributes,
  })
}

/** Takes the place of a text that is locked. */
export const lockedText = 'A password opens this text.'

interface Excerpt {
  /** The text as HTML, without paragraphs. */
  readonly html: string
  /** Whether words were left out. */
  readonly isCut: boolean
}

/** Returns the written excerpt, or the first words of the content; nothing of a protected post. */
export function excerptOf(post: Post, words: number, scope: Scope, pass: Pass): Excerpt {
  if (isLocked(post, pass)) return { html: '', isCut: false }
  const content = post.excerpt.trim() === '' ? contentForExcerpt(post, scope, pass) : ''
  const whole = plainOf(pass.text.excerpt({ excerpt: post.excerpt, content }, { words: words + 1 })).replace(
    / \[…\]$/,
    '',
  )
  const all = whole.split(/\s+/).filter((word) => word !== '')
  return { html: cutToWords(escapeHtml(whole), words, ''), isCut: all.length > words }
}

/** Returns an id that no other text or document of the page has. */
export const uniqueId = (name: string, { scope, pass }: Pick<BlockCall, 'scope' | 'pass'>): string =>
  `${name}-${scope.document.post.id}-${pass.nextId()}`

/** Returns the title as plain text, for labels. */
export const titleText = (post: Post, pass: Pass): string => plainOf(titleOf(post, pass))
