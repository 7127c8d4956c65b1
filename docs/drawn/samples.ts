/** Sample values of settings, by what their names say. */

const px = (size: number) => ({ unit: 'px', size, sizes: [] })
const sides = { unit: 'px', top: '3', right: '4', bottom: '5', left: '6', isLinked: false }
const shadow = { horizontal: 1, vertical: 2, blur: 3, spread: 4, color: '#123456' }
const item = { _id: 'sample', title: 'Sample', color: '#123456', typography_typography: 'custom' }

/** The first pattern that matches a name gives the value. */
const samples: readonly (readonly [pattern: RegExp, value: unknown])[] = [
  [/^(?:system|custom)_(?:colors|typography)$/, [{ ...item, typography_font_family: 'Lora' }]],
  [
    /^active_breakpoints$/,
    ['widescreen', 'laptop', 'tablet_extra', 'tablet', 'mobile_extra', 'mobile'].map((key) => `viewport_${key}`),
  ],
  [/^viewport_mobile$/, 611],
  [/^viewport_/, 1311],
  [/^default_generic_fonts$/, 'Serif'],
  [/^custom_css$/, 'selector{color:#123456}'],
  [/^template$/, 'builder_canvas'],
  [/^content_wrapper_html_tag$/, 'aside'],
  [/^page_title_selector$/, 'h1.sample'],
  [/^space_between_widgets$/, { unit: 'px', size: 7, row: '7', column: '8' }],
  [/^body_overscroll_behavior$/, 'none'],
  [/^accessible_name$/, 'A sample'],
  [/^(?:close_button|overlay)$/, 'no'],
  [/^scrolling_direction$/, 'up'],
  [/selector$/, '.sample'],
  [/^devices_devices$/, ['desktop']],
  [/^(?:times_times|page_views_views|click_times)$/, 7],
  [/^times_period$/, 'day'],
  [/^times_count$/, 'close'],
  [/^horizontal_position$/, 'left'],
  [/^vertical_position$/, 'top'],
  [/^height_type$/, 'custom'],
  [/_(?:typography|css_filter)$/, 'custom'],
  [/font_family$/, 'Lora'],
  [/font_weight$/, '700'],
  [/text_transform$/, 'uppercase'],
  [/font_style$/, 'italic'],
  [/text_decoration$/, 'underline'],
  [/_shadow_position$/, 'inset'],
  [/_shadow_type$/, 'yes'],
  [/_shadow$/, shadow],
  [/_background$|^background$/, 'classic'],
  [/gradient_type$/, 'linear'],
  [/(?:^|_)border$/, 'dotted'],
  [/(?:color|color_b)$/, '#123456'],
  [/image$/, { id: '', url: 'https://files.example/back.png' }],
  [/(?:padding|margin|radius|border_width)$/, sides],
  [/opacity$/, { unit: 'px', size: 0.5 }],
  [/(?:brightness|contrast|saturate|blur|hue)$/, { unit: 'px', size: 50 }],
  [/(?:size|width|height|spacing|delay|time|automatically|offset|stop|angle|word)$/, px(7)],
]

export const sampleOf = (name: string): unknown => samples.find(([pattern]) => pattern.test(name))?.[1] ?? 'yes'

const GROUP = /^(.*?(?:typography|background|border|box_shadow|text_shadow|css_filters))_\w+$/

/** Names the row of a setting: settings that act together share one. */
export function familyOf(name: string, all: readonly string[]): string {
  const group = GROUP.exec(name)?.[1]
  if (group !== undefined) return group
  if (name.startsWith('viewport_') || name === 'active_breakpoints') return 'viewport'
  const start = all.filter((one) => name.startsWith(`${one}_`) && !GROUP.test(one)).sort((a, b) => a.length - b.length)
  return start[0] ?? name
}
