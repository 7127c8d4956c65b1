/** `site-api/render`: the functions and types with which a host writes widgets, dynamic tags, shortcodes and conditions. */

export { background } from './controls/background.ts'
export { border, boxShadow, radius, textShadow } from './controls/border.ts'
export { type ClassControl, prefixClass } from './controls/classes.ts'
export {
  type Control,
  type ControlOptions,
  choice,
  color,
  compound,
  number,
  perItem,
  sides,
  size,
  type When,
} from './controls/control.ts'
export { typography } from './controls/typography.ts'
export type { Sheet } from './css/sheets.ts'
export type { Settings } from './document/settings.ts'
export type { Warning, WarningCode } from './document/warnings.ts'
export { filtered, trusted } from './html/markup.ts'
export { type Child, filled, h, type Markup, unread } from './html/nodes.ts'
export {
  type HostBlock as Block,
  type HostBlockCall as BlockCall,
  type HostCondition as Condition,
  type HostConditionContext as ConditionContext,
  type HostPass as Pass,
  type HostQuery as Query,
  type HostQueryChange as QueryChange,
  type HostQueryContext as QueryContext,
  type HostScope as Scope,
  type HostShortcode as Shortcode,
  type HostShortcodeCall as ShortcodeCall,
  type HostTag as Tag,
  type HostTagContext as TagContext,
  type HostWidget as Widget,
  type HostWidgetContext as WidgetContext,
  hostWidget as widget,
  type RenderOptions,
  type WidgetDefault,
} from './pass/host.ts'
export type {
  OverlayLocation,
  RenderContext,
  Rendered,
  RenderedOverlay,
  RenderLocation,
  TemplateContext,
} from './pass/render-context.ts'
export type { FeedEntry, HostServices, MenuItem } from './records/host-services.ts'
