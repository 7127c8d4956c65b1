/** Instances of global widgets: the first element of a template, with the template's settings. */
import { readElement } from '../document/element.ts'
import { idOf, ownValue } from '../document/values.ts'
import type { ElementType } from '../pass/pass.ts'
import { enterDocument } from './document.ts'
import { drawReadElement } from './draw.ts'
import { referredDocument } from './reference.ts'

export const globalWidget: ElementType = (element, scope, pass) => {
  const document = referredDocument(idOf(ownValue(element.raw, 'templateID')), pass)
  const root = readElement(document?.elements[0])
  if (!document || root?.type !== 'widget') return undefined
  const inner = enterDocument(document, scope, pass)
  const around = { globalWidget: document.post.id, globalRoot: root.raw }
  // Instances are told apart by their own id; their rules have the class of the template.
  return inner && drawReadElement({ ...root, id: element.id }, { ...inner, ...around }, pass)
}
