/** Which elements of a document nothing draws by their own rules. Elements may come from anywhere: none of them is trusted. */

import { type Element, readElement } from '../document/element.ts'
import { limits } from '../document/limits.ts'

/** The types that no table has, each once, in the order of the document. */
export interface UnknownTypes {
  readonly widgets: readonly string[]
  readonly elements: readonly string[]
}

export function unknownTypes(elements: readonly unknown[], isKnown: (element: Element) => boolean): UnknownTypes {
  const widgets = new Set<string>()
  const others = new Set<string>()
  const stack = elements.toReversed()
  for (let left = limits.elements; stack.length > 0 && left > 0; left--) {
    const element = readElement(stack.pop())
    if (!element) continue
    if (!isKnown(element)) (element.type === 'widget' ? widgets : others).add(nameOf(element))
    for (const child of element.children.toReversed()) stack.push(child)
  }
  return { widgets: [...widgets], elements: [...others] }
}

const nameOf = ({ type, widgetType }: Element): string => (type === 'widget' ? widgetType : type).slice(0, 64)
