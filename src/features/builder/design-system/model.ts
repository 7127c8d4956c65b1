/** Builds the style sheet through which elements of the old generation use shared variables and classes. */
import {
  type Css,
  cleanValue,
  type StyleRule,
  styleSheet,
  type VariableValue,
  variantDeclarations,
} from '../../shared/atomic-styles.ts'
import type { ClassList, GlobalClass } from '../global-classes/model.ts'
import { type Variable, type Variables, valuesOf } from '../variables/model.ts'

/** Undefined when nothing is shared. */
export function sharedStyles(css: Css, { list }: Variables, { items }: ClassList): string | undefined {
  const active = list.filter(({ deletedAt }) => deletedAt === undefined)
  const colors = active.filter(
    ({ type, label, syncToV3 }) => syncToV3 && type === 'global-color-variable' && isNamePart(label),
  )
  const classes = Object.values(items).filter(({ sync_to_v3: isShared, label }) => isShared && isNamePart(label))
  if (colors.length === 0 && classes.length === 0) return undefined
  const variable = valuesOf({ list })
  return styleSheet([colorRule(css, colors), ...classes.flatMap((shared) => typographyRules(css, shared, variable))])
}

/** Checked on write, but an import may contain other labels. */
const isNamePart = (label: unknown) => typeof label === 'string' && /^[\w-]{1,64}$/.test(label)

const root = ':root'

function colorRule(css: Css, colors: readonly Variable[]): StyleRule {
  const declarations = colors.flatMap(({ label, value }): [string, string][] => {
    const clean = cleanValue(css, 'color', value)
    return clean === undefined ? [] : [[`--e-global-color-${label}`, clean]]
  })
  return { breakpoint: 'desktop', selector: root, declarations }
}

const typographyProperties: readonly string[] = [
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'text-decoration',
  'text-transform',
  'word-spacing',
]

/** Returns the typography of a class in its normal state, for each breakpoint. */
function typographyRules(css: Css, { label, variants }: GlobalClass, variable: VariableValue): StyleRule[] {
  return variants
    .filter(({ meta }) => meta.state === null)
    .map((variant) => ({
      breakpoint: variant.meta.breakpoint,
      selector: root,
      declarations: variantDeclarations(css, variant, variable)
        .filter(([property]) => typographyProperties.includes(property))
        .map(([property, value]) => [`--e-global-typography-${label}-${property}`, value] as const),
    }))
}
