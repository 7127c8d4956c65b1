/** What draws each type of element. */
import { atomicElements } from '../atomic/table.ts'
import type { Element } from '../document/element.ts'
import { container } from '../elements/container.ts'
import { globalWidget } from '../elements/global.ts'
import { column, section } from '../elements/section.ts'
import { unknownElement } from '../elements/unknown.ts'
import type { ElementType } from '../pass/pass.ts'
import { createWidgetElement } from '../widgets/element.ts'
import type { WidgetTable } from '../widgets/widget.ts'

export function createElementTypes(widgets: WidgetTable): (element: Element) => ElementType {
  const widget = createWidgetElement(widgets)
  const types: { readonly [type: string]: ElementType } = { container, section, column, widget, ...atomicElements }
  return ({ type, widgetType }) => {
    if (type === 'widget' && widgetType === 'global') return globalWidget
    // New-generation widgets are accepted by either name.
    const name = type === 'widget' && Object.hasOwn(atomicElements, widgetType) ? widgetType : type
    return (Object.hasOwn(types, name) && types[name]) || unknownElement
  }
}

/** Whether an element is drawn by rules of its own. */
export const createIsKnown =
  (elementType: (element: Element) => ElementType, widgets: WidgetTable) =>
  (element: Element): boolean => {
    const isWidget = element.type === 'widget' && element.widgetType !== 'global'
    if (isWidget && !Object.hasOwn(atomicElements, element.widgetType))
      return Object.hasOwn(widgets, element.widgetType)
    return elementType(element) !== unknownElement
  }
