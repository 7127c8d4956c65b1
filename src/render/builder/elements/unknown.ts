/** Elements of a type that the engine does not know: their children are drawn in place. */
import type { ElementType } from '../pass/pass.ts'
import { drawElements, inside } from './draw.ts'

export const unknownElement: ElementType = (element, scope, pass) => {
  pass.warnings.add('unknown_element', element.id)
  return drawElements(element.children, inside(scope), pass)
}
