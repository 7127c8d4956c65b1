/** A built-in widget declares its settings, its HTML and its rules in one object. */
import type { WidgetDefault, WidgetOf } from '../pass/host.ts'
import type { WidgetContext } from './context.ts'

export type Widget = WidgetOf<WidgetContext>

/** Widgets by their type. */
export interface WidgetTable {
  readonly [type: string]: Widget
}

/** Returns its argument with its type checked. */
export const widget = (declared: Widget): Widget => declared

/** Texts that no widget styles have the colour and the font of the kit, not those of a theme. */
export const kitText: readonly WidgetDefault[] = [
  { selector: '', color: 'text', isInherited: true, typography: 'text' },
]

/** The author's own markup keeps its colours. */
export const kitFont: readonly WidgetDefault[] = [{ selector: '', typography: 'text' }]
