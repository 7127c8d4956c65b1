/** Draws the wrapper of classic widgets, and writes the rules of the widget inside. */

import { widgetClasses, widgetControls } from '../controls/widget-common.ts'
import { type ControlTable, createControlTable } from '../controls/write.ts'
import { desktop } from '../css/breakpoints.ts'
import type { Declaration } from '../css/rules.ts'
import type { Element } from '../document/element.ts'
import { objectOf, ownValue, textOf } from '../document/values.ts'
import { settingsOf, wrapperAttributes, writeRules } from '../elements/wrapper.ts'
import { type Child, h, isNothing, unread } from '../html/nodes.ts'
import type { WidgetDefault } from '../pass/host.ts'
import type { ElementType, Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { WidgetContext } from './context.ts'
import { unknownWidget } from './unknown.ts'
import type { Widget, WidgetTable } from './widget.ts'

export function createWidgetElement(widgets: WidgetTable): ElementType {
  const compiled = new Map<Widget, ControlTable>()
  const controlsOf = (widget: Widget): ControlTable => {
    let table = compiled.get(widget)
    if (!table) {
      table = createControlTable([...widgetControls, ...(widget.controls ?? [])])
      compiled.set(widget, table)
    }
    return table
  }
  return (element, scope, pass) => {
    const known = Object.hasOwn(widgets, element.widgetType) ? widgets[element.widgetType] : undefined
    return drawWidget(known, { element, scope, pass, controlsOf })
  }
}

interface Drawing {
  readonly element: Element
  readonly scope: Scope
  readonly pass: Pass
  readonly controlsOf: (widget: Widget) => ControlTable
}

function drawWidget(known: Widget | undefined, { element, scope, pass, controlsOf }: Drawing): Child {
  if (!known) {
    const message = `no widget is called ${element.widgetType}: its texts, links and pictures are shown without its own form`
    pass.warnings.add('unknown_widget', element.id, message)
  }
  const widget = known ?? unknownWidget
  if (pass.isForText && widget.isUnread) return undefined
  const reason = widget.undrawn?.(pass.records.source.services)
  if (reason !== undefined) {
    pass.warnings.add('not_drawn', element.id, reason)
    return undefined
  }
  const settings = settingsOf(element, scope, pass)
  const context = new WidgetContext({ element, settings, scope, pass })
  const content = widget.html(context)
  if (isNothing(content)) return undefined
  const type = element.widgetType.replace(/[^\w-]+/g, '')
  writeDefaults(type, widget, pass)
  writeRules(element, settings, controlsOf(widget), { scope, pass })
  const { wrapperClasses = [] } = widget
  const attributes = wrapperAttributes(element, settings, pass, {
    type: 'widget',
    classes: [
      scope.globalRoot === element.raw && `builder-global-${scope.globalWidget}`,
      ...(typeof wrapperClasses === 'function' ? wrapperClasses(context) : wrapperClasses),
      'builder-widget',
      `builder-widget-${type}`,
    ],
    classControls: [...widgetClasses, ...(widget.classes ?? [])],
    userClasses: '_css_classes',
    scriptSettings: widget.scriptSettings ?? [],
    attributes: { 'data-widget_type': `${type}.${settings.text('_skin') || 'default'}` },
  })
  return h('div', attributes, widget.isUnread ? unread(content) : content)
}

/** Writes the colours and fonts of the kit that a widget type uses by default, once per type. */
function writeDefaults(type: string, { defaults = [] }: Widget, pass: Pass): void {
  if (pass.usedWidgets.has(type)) return
  pass.usedWidgets.add(type)
  const { kit } = pass
  const rules = pass.sheets.of('defaults')
  for (const one of defaults) {
    const { selector, typography } = one
    const fonts = typography !== undefined && kit.hasTypographyDefaults ? kit.fontVariables(typography) : undefined
    const target = `.builder-widget-${type}${selector === '' ? '' : ` ${selector}`}`
    rules.add(desktop, target, [...colorsOf(one, pass), ...(fonts ?? [])])
  }
}

function colorsOf({ color, properties = ['color'], isInherited }: WidgetDefault, pass: Pass): Declaration[] {
  const { kit } = pass
  if (color === undefined || !kit.hasColorDefaults || !kit.hasColor(color)) return []
  if (!isInherited) return properties.map((property): Declaration => [property, colorOf(color)])
  writeTextColor(colorOf(color), pass)
  return []
}

const colorOf = (id: string): string => `var( --e-global-color-${id} )`

/** Without weight: the rules of sections win. The kit may set the colour of the page, which a document inherits. */
function writeTextColor(text: string, { kit, sheets }: Pass): void {
  const globals = objectOf(ownValue(kit.settings, '__globals__'))
  if ([kit.settings, globals].some((settings) => textOf(ownValue(settings, 'body_color')) !== '')) return
  const rules = sheets.of('defaults')
  rules.add(desktop, ':where(.builder)', [['color', text]])
  rules.add(desktop, ':where(.builder .builder)', [['color', 'inherit']])
}
