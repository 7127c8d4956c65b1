/** Writes the style sheet of the kit: its colours and fonts as variables, and its design settings as rules. */

import { background } from '../controls/background.ts'
import { borders, cssFilters, textShadow } from '../controls/border.ts'
import { type Control, choice, color, compound, number, sides, size } from '../controls/control.ts'
import { typography, typographyProperties } from '../controls/typography.ts'
import { createControlTable, writeControls } from '../controls/write.ts'
import { desktop } from '../css/breakpoints.ts'
import { type Declaration, RuleSet } from '../css/rules.ts'
import { type Sheet, toSheet } from '../css/sheets.ts'
import { fontList } from '../css/values.ts'
import { Settings } from '../document/settings.ts'
import { objectOf, ownValue, textOf } from '../document/values.ts'
import { createValues } from '../elements/control-values.ts'
import { customCss } from '../elements/custom-css.ts'
import { variableText } from '../kit/variables.ts'
import type { Pass } from '../pass/pass.ts'

export function writeKit(pass: Pass): void {
  const { kit, sheets, breakpoints } = pass
  const rules = sheets.of('kit')
  writeVariables(pass)
  const settings = new Settings(kit.settings, textOf)
  const selector = `.builder-kit-${kit.id}`
  writeControls(kitTable, settings, { rules, selector, breakpoints, valuesAt: createValues(settings, pass) })
  // Only users who may edit the kit write its settings, so its custom CSS is trusted.
  rules.addText(customCss(textOf(ownValue(kit.settings, 'custom_css')), selector, pass) ?? '')
}

function writeVariables(pass: Pass): void {
  const { kit, breakpoints } = pass
  const rules = pass.sheets.of('kit')
  const colors = createValues(new Settings({}, textOf), pass)('desktop')
  for (const { id, value } of kit.colors) {
    const text = colors.colorOf(value)
    if (text !== undefined) rules.add(desktop, ':root', [[`--e-global-color-${id}`, text]])
  }
  for (const { id, value } of kit.typography) {
    const valuesAt = createValues(new Settings(objectOf(value), textOf), pass)
    for (const breakpoint of breakpoints.active) {
      const values = valuesAt(breakpoint.key)
      const declarations = typographyProperties.flatMap(({ setting, css, read }): Declaration[] => {
        const text = read(values, `typography_${setting}`)
        return text === undefined ? [] : [[`--e-global-typography-${id}-${css}`, text]]
      })
      rules.add(breakpoint, ':root', declarations)
    }
  }
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BUTTONS = '& button, & input[type="button"], & input[type="submit"], & .builder-button'
const BUTTONS_HOVER = BUTTONS.split(', ')
  .flatMap((one) => [`${one}:hover`, `${one}:focus`])
  .join(', ')
const FIELDS = '& input:not([type="button"]):not([type="submit"]), & textarea, & .builder-field-textual'
const FIELDS_FOCUS = FIELDS.split(', ')
  .map((one) => `${one}:focus`)
  .join(', ')
const IMAGES_HOVER = '& img:hover'

const gaps: Control = compound(['space_between_widgets'], (values) => {
  const value = objectOf(values.raw('space_between_widgets'))
  const unit = ownValue(value, 'unit')
  // Older data stores one size for both gaps.
  const part = (name: string) => values.sizeOf({ unit, size: ownValue(value, name) ?? ownValue(value, 'size') })
  const [row, column] = [part('row'), part('column')]
  if (row === undefined || column === undefined) return undefined
  return [
    ['.builder-widget:not(:last-child)', [['--kit-widget-spacing', row]]],
    [
      '.builder-element',
      [
        ['--widgets-spacing', `${row} ${column}`],
        ['--widgets-spacing-row', row],
        ['--widgets-spacing-column', column],
      ],
    ],
  ]
})

const pageTitle: Control = compound(
  ['page_title_selector'],
  (values) => {
    const selector = textOf(values.rawDesktop('page_title_selector'))
    const safe = /^[\w .#>-]{1,200}$/.test(selector) ? selector : 'h1.entry-title'
    return [[safe, [['display', 'var(--page-title-display)']]]]
  },
  { defaults: { desktop: '' } },
)

const containerWidth: Control = compound(
  ['container_width'],
  (values) => {
    const width = values.size('container_width')
    if (width === undefined) return undefined
    return [
      ['.builder-section.builder-section-boxed > .builder-container', [['max-width', width]]],
      ['.e-con', [['--container-max-width', width]]],
    ]
  },
  { isResponsive: true },
)

const containerPadding = sides('container_padding', '.e-con', '--container-default-padding')

export const kitTable = createControlTable([
  color('body_color', '&', 'color'),
  ...typography('body_typography', '&'),
  ...background('body_background', '&'),
  size('paragraph_spacing', '& p', 'margin-block-end'),
  color('link_normal_color', '& a', 'color'),
  ...typography('link_normal_typography', '& a'),
  color('link_hover_color', '& a:hover', 'color'),
  ...typography('link_hover_typography', '& a:hover'),
  ...HEADINGS.flatMap((tag) => [
    color(`${tag}_color`, `& ${tag}`, 'color'),
    ...typography(`${tag}_typography`, `& ${tag}`),
  ]),
  color('button_text_color', BUTTONS, 'color'),
  ...background('button_background', BUTTONS),
  ...typography('button_typography', BUTTONS),
  ...borders('button', BUTTONS),
  textShadow('button_text_shadow', BUTTONS),
  sides('button_padding', BUTTONS, 'padding'),
  color('button_hover_text_color', BUTTONS_HOVER, 'color'),
  ...background('button_hover_background', BUTTONS_HOVER),
  ...borders('button_hover', BUTTONS_HOVER),
  ...borders('image', '& img'),
  number('image_opacity', '& img', 'opacity'),
  cssFilters('image_css_filters', '& img'),
  ...borders('image_hover', IMAGES_HOVER),
  number('image_hover_opacity', IMAGES_HOVER, 'opacity'),
  cssFilters('image_hover_css_filters', IMAGES_HOVER),
  color('form_label_color', '& label', 'color'),
  ...typography('form_label_typography', '& label'),
  color('form_field_text_color', FIELDS, 'color'),
  color('form_field_background_color', FIELDS, 'background-color'),
  ...typography('form_field_typography', FIELDS),
  ...borders('form_field', FIELDS),
  sides('form_field_padding', FIELDS, 'padding'),
  color('form_field_accent_color', FIELDS, 'accent-color'),
  color('form_field_focus_text_color', FIELDS_FOCUS, 'color'),
  color('form_field_focus_background_color', FIELDS_FOCUS, 'background-color'),
  ...borders('form_field_focus', FIELDS_FOCUS),
  choice('body_overscroll_behavior', ['auto', 'contain', 'none'], '&', 'overscroll-behavior'),
  gaps,
  containerWidth,
  containerPadding,
  pageTitle,
])

// ---------------------------------------------------------------- variables

/**
 * Returns the sheets that follow the base sheet, in cascade order. That of the variables is the first, and is written when a style or
 * custom CSS names one of them.
 */
export function withVariables(sheets: readonly Sheet[], pass: Pass): readonly Sheet[] {
  const named = namesIn(sheets)
  if (![...pass.kit.variableNames.values()].some(({ property }) => named.has(property))) return sheets
  const variables = [...pass.kit.variables.values()]
  const used = variables.filter(({ property }) => named.has(property))
  for (const { id, kind, value } of used) {
    pass.depend(`variable:${id}`)
    if (kind === 'font') for (const family of fontList(value, () => undefined)?.families ?? []) pass.fonts.add(family)
  }
  if (used.length === 0) return sheets
  pass.depend('variables')
  const rules = new RuleSet()
  for (const variable of variables) {
    const text = variableText(variable, () => pass.warnings.add('unsafe_value'))
    if (text !== undefined) rules.add(desktop, ':root', [[variable.property, text]])
  }
  return [...(rules.isEmpty ? [] : [toSheet('variables', rules.toString())]), ...sheets]
}

/** Returns the custom properties that the sheets read. */
function namesIn(sheets: readonly Sheet[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { css } of sheets) for (const [, name = ''] of css.matchAll(/var\(\s*(--[\w-]+)/g)) names.add(name)
  return names
}
