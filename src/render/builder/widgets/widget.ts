/** A built-in widget declares its settings, its HTML and its rules in one object. */
import type { WidgetOf } from '../pass/host.ts'
import type { WidgetContext } from './context.ts'

export type Widget = WidgetOf<WidgetContext>

/** Widgets by their type. */
export interface WidgetTable {
  readonly [type: string]: Widget
}

/** Returns its argument with its type checked. */
export const widget = (declared: Widget): Widget => declared
