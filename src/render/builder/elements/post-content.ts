/** Draws the content of a post: its builder document if it has one, else its stored content. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import { plainText } from '../html/plain-text.ts'
import type { Pass, Tables } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { articleHtml } from './content-blocks.ts'

/** Draws the content. A post does not contain its own content: it is left out inside itself. */
export function drawContent(post: Post, scope: Scope, pass: Pass): Child {
  return onceInside(post, pass, () => {
    const built = builtDocument(post, pass)
    if (built) return built.draw(built.document, scope, pass)
    // The filter ran when the content was saved, by the rights of its author.
    const html = articleHtml(post.content, { id: post.id }, { ...scope, post: post.id }, pass)
    return html.trim() === '' ? undefined : trusted(html)
  })
}

/**
 * Returns the HTML from which an excerpt is cut. The document is drawn in a separate pass, so its sheets and scripts do not
 * reach the page.
 */
export function contentForExcerpt(post: Post, scope: Scope, pass: Pass): string {
  const built = builtDocument(post, pass)
  if (!built) return post.content
  const text = onceInside(post, pass, () => plainText(built.draw(built.document, scope, pass.aside())))
  return escapeHtml(text ?? '')
}

interface Built {
  readonly document: DocumentRecord
  readonly draw: NonNullable<Tables['drawInside']>
}

function builtDocument({ id }: Post, pass: Pass): Built | undefined {
  const { drawInside: draw } = pass.tables
  if (!draw) return undefined
  const document = pass.document(id)
  if (document?.isBuilt && document.isUnreadable) pass.warnings.add('unreadable')
  return document?.isBuilt && !document.isUnreadable && document.elements.length > 0 ? { document, draw } : undefined
}

function onceInside<T>({ id }: Post, { openPosts }: Pass, write: () => T): T | undefined {
  if (openPosts.has(id)) return undefined
  openPosts.add(id)
  try {
    return write()
  } finally {
    openPosts.delete(id)
  }
}
