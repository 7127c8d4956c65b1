/** Widgets that show another document: templates, by id or by shortcode, and the content of the current post. */
import type { Post } from '../../../../storage/contract.ts'
import { idOf } from '../../document/values.ts'
import { drawDocument, enterDocument } from '../../elements/document.ts'
import { drawReferred } from '../../elements/reference.ts'
import type { Pass } from '../../engine/pass.ts'
import type { Scope } from '../../engine/scope.ts'
import { filtered, trusted } from '../../html/markup.ts'
import { type Child, filled } from '../../html/nodes.ts'
import { applyShortcodes } from '../../shortcodes/apply.ts'
import { currentPost, isLocked } from '../../subject/post.ts'
import { type WidgetTable, widget } from '../widget.ts'

const template = widget({
  html: ({ settings, scope, pass }) =>
    filled('div', { class: ['builder-template'] }, drawReferred(idOf(settings.value('template_id')), scope, pass)),
})

const shortcode = widget({
  html: ({ settings, scope, pass }) =>
    filled(
      'div',
      { class: ['builder-shortcode'] },
      applyShortcodes(settings.text('shortcode'), { pass, scope, write: filtered }),
    ),
})

/** The content of the current post, once on each way down: a post that is being written is not written inside itself. */
const postContent = widget({
  html: ({ scope, pass }) => {
    const post = currentPost(scope, pass)
    if (!post || isLocked(post, pass) || pass.openPosts.has(post.id)) return undefined
    pass.openPosts.add(post.id)
    try {
      return contentOf(post, scope, pass)
    } finally {
      pass.openPosts.delete(post.id)
    }
  },
})

function contentOf(post: Post, scope: Scope, pass: Pass): Child {
  const document = pass.document(post.id)
  if (document?.isBuilt && !document.isUnreadable && document.elements.length > 0) {
    const inner = enterDocument(document, scope, pass)
    return inner && drawDocument(inner, pass)
  }
  if (document?.isBuilt && document.isUnreadable) pass.warnings.add('unreadable')
  // Stored contents are filtered when they are saved, by the rights of who saves.
  const html = pass.tables.text.content(post.content, { id: post.id })
  return html.trim() === '' ? undefined : trusted(html)
}

export const templateWidgets: WidgetTable = { template, shortcode, 'theme-post-content': postContent }
