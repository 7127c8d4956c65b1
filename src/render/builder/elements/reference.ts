/** Documents that elements name: templates, loop items, global widgets. Whoever names one depends on it, also while it is missing. */

import type { Child, ClassList } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { drawDocument, enterDocument } from './document.ts'

/** A published document that has elements; else a warning. */
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

/** Draws another document with its own wrapper. The current post stays that of the page, unless `around` says otherwise. */
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
