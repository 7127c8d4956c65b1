/**
 * What readers see of a post's texts: titles, content and excerpts as HTML. The default follows the interface to the
 * letter; a host may put its own in place.
 */
import type { AppContext } from '../core/declare/app-context.ts'
import { hasBlocks, renderBlocks } from './blocks/blocks.ts'
import { DEFAULT_WORDS, excerptSource, firstWords } from './text/excerpt.ts'
import { lazyMedia } from './text/lazy-media.ts'
import { paragraphs } from './text/paragraphs.ts'
import { faces } from './text/smilies.ts'
import { typeset } from './text/typography.ts'

export interface Render {
  title(raw: string): string
  content(raw: string): string
  /** The written excerpt or, when it is empty, one made from the content with at most `words` words. */
  excerpt(post: { readonly excerpt: string; readonly content: string }, options?: { readonly words?: number }): string
}

/** The one that a site uses. */
export const renderOf = ({ services }: Pick<AppContext, 'services'>): Render => services['render'] as Render

export function createRender(): Render {
  return { title: renderTitle, content: renderContent, excerpt: renderExcerpt }
}

const LONE_AMPERSAND = /&([^#])(?![a-z1-4]{1,8};)/gi

function ampersands(text: string): string {
  return text.includes('&') ? text.replace(LONE_AMPERSAND, '&#038;$1') : text
}

function renderTitle(raw: string): string {
  return ampersands(typeset(raw))
    .replace(/^[\t\n\v\r \0]+/, '')
    .replace(/[\t\n\v\r \0]+$/, '')
}

/** Blocks bring their own paragraphs. */
function renderContent(raw: string): string {
  if (raw === '') return ''
  if (hasBlocks(raw)) return faces(lazyMedia(typeset(renderBlocks(raw))))
  return faces(lazyMedia(paragraphs(typeset(raw))))
}

function renderExcerpt(
  post: { readonly excerpt: string; readonly content: string },
  options?: { readonly words?: number },
): string {
  const isWritten = /[^\t\n\v\r \0]/.test(post.excerpt)
  const text = isWritten ? post.excerpt : madeExcerpt(post.content, options?.words ?? DEFAULT_WORDS)
  return lazyMedia(paragraphs(ampersands(faces(typeset(text)))))
}

function madeExcerpt(content: string, words: number): string {
  if (content === '') return ''
  const html = faces(paragraphs(typeset(excerptSource(content))))
  return firstWords(html, words, ' [&hellip;]')
}
