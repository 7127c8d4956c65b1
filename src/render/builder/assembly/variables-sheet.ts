/** The sheet of the kit's variables: written when a style or custom CSS names one of them. */
import { desktop } from '../css/breakpoints.ts'
import { RuleSet } from '../css/rules.ts'
import { type Sheet, toSheet } from '../css/sheets.ts'
import { fontList } from '../css/values.ts'
import { variableText } from '../kit/variables.ts'
import type { Pass } from '../pass/pass.ts'

/** All sheets in cascade order: the variables stand behind the base sheet. */
export function withVariables(base: Sheet, sheets: readonly Sheet[], pass: Pass): Sheet[] {
  const variables = [...pass.kit.variables.values()]
  const named = variables.length === 0 ? new Set<string>() : namesIn(sheets)
  const used = variables.filter(({ property }) => named.has(property))
  for (const { id, kind, value } of used) {
    pass.depend(`variable:${id}`)
    if (kind === 'font') for (const family of fontList(value, () => undefined)?.families ?? []) pass.fonts.add(family)
  }
  if (used.length === 0) return [base, ...sheets]
  pass.depend('variables')
  const rules = new RuleSet()
  for (const variable of variables) {
    const text = variableText(variable, () => pass.warnings.add('unsafe_value'))
    if (text !== undefined) rules.add(desktop, ':root', [[variable.property, text]])
  }
  return [base, ...(rules.isEmpty ? [] : [toSheet('variables', rules.toString())]), ...sheets]
}

/** The custom properties that sheets read. */
function namesIn(sheets: readonly Sheet[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { css } of sheets) for (const [, name = ''] of css.matchAll(/var\(\s*(--[\w-]+)/g)) names.add(name)
  return names
}
