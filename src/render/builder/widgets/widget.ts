/** A widget: the settings it reads, its HTML and its rules, in one object. */
import type { ClassControl } from '../controls/classes.ts'
import type { Control } from '../controls/control.ts'
import type { Child } from '../html/nodes.ts'
import type { WidgetContext } from './context.ts'

/** A widget: its HTML, and the settings that become rules and class names. */
export interface Widget {
  /** What is inside the wrapper. Nothing: the wrapper is left out. */
  html(widget: WidgetContext): Child
  /** Settings that become rules; `&` is the element's own selector. */
  readonly controls?: readonly Control[]
  /** Settings that become class names of the wrapper. */
  readonly classes?: readonly ClassControl[]
  /** Further class names of the wrapper. */
  readonly wrapperClasses?: readonly string[] | ((widget: WidgetContext) => readonly string[])
  /** Settings that a script of the page may need: they are written into `data-settings`. */
  readonly scriptSettings?: readonly string[]
  /** How it looks without any setting: CSS for the base sheet. */
  readonly rules?: string
  /** Colours and typography of the kit that count until the element or a global sets its own. */
  readonly defaults?: readonly WidgetDefault[]
  /** True: nothing of it is plain text. Menus, forms and lists of other posts. */
  readonly isUnread?: boolean
}

/** A colour or typography of the kit that a widget uses. */
export interface WidgetDefault {
  /** Below the wrapper: `.builder-heading-title`; empty for the wrapper itself. */
  readonly selector: string
  /** A colour of the kit, and the properties that take it. Default: `color`. */
  readonly color?: string
  readonly properties?: readonly string[]
  /** A typography of the kit. */
  readonly typography?: string
}

/** Widgets by their type. */
export interface WidgetTable {
  readonly [type: string]: Widget
}

/**
 * Returns its argument with its type checked.
 *
 * ```ts
 * import { h, widget } from 'site-api/render'
 *
 * export const hello = widget({ html: ({ settings }) => h('p', {}, settings.text('name')) })
 * ```
 */
export const widget = (declared: Widget): Widget => declared
