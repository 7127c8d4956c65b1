/** Joins the built-in widgets, tags, conditions and element types with those of the host, and with the tables of stored texts. */

import type { Render } from '../../index.ts'
import { atomicElements } from '../atomic/table.ts'
import { builtInConditions } from '../conditions/table.ts'
import type { BasePart } from '../css/sheets.ts'
import { type Element, readElement } from '../document/element.ts'
import { idOf, ownValue } from '../document/values.ts'
import { container } from '../elements/container.ts'
import { drawInside, enterDocument } from '../elements/document.ts'
import { drawElements, drawReadElement, inside } from '../elements/draw.ts'
import { referredDocument } from '../elements/reference.ts'
import { column, section } from '../elements/section.ts'
import type { PublicName } from '../html/serialize.ts'
import type { RenderOptions } from '../pass/host.ts'
import type { ElementType, Tables } from '../pass/pass.ts'
import { template } from '../shortcodes/template.ts'
import { builtInTags } from '../tags/table.ts'
import { createWidgetElement } from '../widgets/element.ts'
import { builtInWidgets } from '../widgets/table.ts'
import type { WidgetTable } from '../widgets/widget.ts'
import { createBaseParts } from './base-parts.ts'
import { baseParts } from './base-sheet.ts'
import { createContentTables, ownEntry } from './content-tables.ts'

export function createTables(host: RenderOptions, text: Render, publicName?: PublicName): Tables {
  const widgets = { ...builtInWidgets, ...host.widgets }
  const tags = { ...builtInTags, ...host.tags }
  const conditions = { ...builtInConditions, ...host.conditions }
  const widgetRules = Object.values(widgets).map(({ rules = '' }) => rules)
  let base: { readonly key: string; readonly parts: readonly BasePart[] } | undefined
  const elementType = createElementTypes(widgets)
  return {
    ...createContentTables(host, text, template),
    elementType,
    drawInside,
    isKnown: createIsKnown(elementType, widgets),
    undrawn: ({ type, widgetType }) =>
      type === 'widget' ? ownEntry(widgets, widgetType)?.undrawn?.(host.services ?? {}) : undefined,
    tag: (name) => ownEntry(tags, name),
    condition: (name) => ownEntry(conditions, name),
    baseParts: (breakpoints) => {
      const key = breakpoints.bands.map(({ device, query }) => device + query).join(' ') + breakpoints.tablet
      if (base?.key !== key) base = { key, parts: createBaseParts(baseParts(breakpoints, widgetRules), publicName) }
      return base.parts
    },
  }
}

// ---------------------------------------------------------------- element types

/** Draws an instance of a global widget: the first element of a template, with the settings of the template. */
const globalWidget: ElementType = (element, scope, pass) => {
  const document = referredDocument(idOf(ownValue(element.raw, 'templateID')), pass)
  const root = readElement(document?.elements[0])
  if (!document || root?.type !== 'widget') return undefined
  const inner = enterDocument(document, scope, pass)
  const around = { globalWidget: document.post.id, globalRoot: root.raw }
  // Rules have the class of the template; the id of the element distinguishes the instances.
  return inner && drawReadElement({ ...root, id: element.id }, { ...inner, ...around }, pass)
}

/** Draws the children of an element of an unknown type in its place. */
const unknownElement: ElementType = (element, scope, pass) => {
  pass.warnings.add('unknown_element', element.id)
  return drawElements(element.children, inside(scope), pass)
}

function createElementTypes(widgets: WidgetTable): (element: Element) => ElementType {
  const widget = createWidgetElement(widgets)
  const types: { readonly [type: string]: ElementType } = { container, section, column, widget, ...atomicElements }
  return ({ type, widgetType }) => {
    if (type === 'widget' && widgetType === 'global') return globalWidget
    // Stored documents name new-generation widgets as `widgetType` or as `elType`.
    const name = type === 'widget' && Object.hasOwn(atomicElements, widgetType) ? widgetType : type
    return (Object.hasOwn(types, name) && types[name]) || unknownElement
  }
}

/** Tells the elements that need no code of a host. */
export const createBuiltInTest = (): ((element: Element) => boolean) =>
  createIsKnown(createElementTypes(builtInWidgets), builtInWidgets)

/** Returns whether a table has the type of an element; all others are drawn as unknown. */
const createIsKnown =
  (elementType: (element: Element) => ElementType, widgets: WidgetTable) =>
  (element: Element): boolean => {
    const isWidget = element.type === 'widget' && element.widgetType !== 'global'
    if (isWidget && !Object.hasOwn(atomicElements, element.widgetType))
      return Object.hasOwn(widgets, element.widgetType)
    return elementType(element) !== unknownElement
  }
