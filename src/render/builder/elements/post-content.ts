/** Draws the content of a post: its builder document if it has one, else its stored content. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import { plainText } from '../html/plain-text.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { articleHtml } from './content-blocks.ts'
import { drawDocument, enterDocument } from './document.ts'

/** Draws the content. A post does not contain its own content: it is left out inside itself. */
export function drawContent(post: Post, scope: Scope, pass: Pass): Child {
  return onceInside(post, pass, () => {
    const document = builtDocument(post, pass)
    if (document) return drawBuilt(document, scope, pass)
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
  const document = builtDocument(post, pass)
  if (!document) return post.content
  const text = onceInside(post, pass, () => plainText(drawBuilt(document, scope, pass.aside())))
  return escapeHtml(text ?? '')
}

const drawBuilt = (document: DocumentRecord, scope: Scope, pass: Pass): Child => {
  const inner = enterDocument(document, scope, pass)
  return inner && drawDocument({ ...inner, post: document.post.id }, pass)
}

function builtDocument({ id }: Post, pass: Pass): DocumentRecord | undefined {
  const document = pass.document(id)
  if (document?.isBuilt && document.isUnreadable) pass.warnings.add('unreadable')
  return document?.isBuilt && !document.isUnreadable && document.elements.length > 0 ? document : undefined
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
