/**
 * Draws documents that elements refer to: templates, loop items, global widgets. The result depends on a referenced document
 * even while it is missing.
 */

import type { Child, ClassList } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { drawDocument, enterDocument } from './document.ts'

/** Returns a published document with elements; adds a warning when there is none. */
export function referredDocument(id: number | undefined, pass: Pass): DocumentRecord | undefined {
  const document = id === undefined ? undefined : pass.document(id)
  if (document && isUsable(document, pass)) return document
  pass.warnings.add('missing_reference')
  return undefined
}

function isUsable({ post, isBuilt, isUnreadable, elements }: DocumentRecord, { context }: Pass): boolean {
  if (post.status !== 'publish' || !isBuilt || isUnreadable || elements.length === 0) return false
  return post.password === '' || (context.unlocked ?? []).includes(post.id)
}

/** Draws another document with its wrapper. The current post stays that of the page, unless `around` sets another one. */
export function drawReferred(
  id: number | undefined,
  scope: Scope,
  pass: Pass,
  { around = {}, classes = [] }: { readonly around?: Partial<Scope>; readonly classes?: ClassList } = {},
): Child {
  const document = referredDocument(id, pass)
  const inner = document && enterDocument(document, scope, pass)
  return inner && drawDocument({ ...inner, ...around }, pass, { classes })
}
