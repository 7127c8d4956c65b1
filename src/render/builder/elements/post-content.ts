/** What is written in a post: its document where the page builder has made it, else its text. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import { plainText } from '../html/plain-text.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { drawDocument, enterDocument } from './document.ts'

/** The content, once on each way down: a post that is being written is not written inside itself. */
export function drawContent(post: Post, scope: Scope, pass: Pass): Child {
  return onceInside(post, pass, () => {
    const document = builtDocument(post, pass)
    if (document) return drawBuilt(document, scope, pass)
    // Stored contents are filtered when they are saved, by the rights of who saves.
    const html = pass.text.content(post.content, { id: post.id })
    return html.trim() === '' ? undefined : trusted(html)
  })
}

/** What an excerpt is made from, as HTML. A document is drawn for its text only: its sheets and scripts stay out of the page. */
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
