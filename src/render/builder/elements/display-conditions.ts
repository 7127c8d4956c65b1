/**
 * Evaluates the display conditions of an element, `e_display_conditions`: groups are joined by OR, the conditions of a group by
 * AND.
 */

import type { Element } from '../document/element.ts'
import { isObject, ownValue, type RawSettings, textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'

const maxConditions = 100

/** Returns whether the element is shown. An unknown condition hides it. */
export function isShown({ id, settings }: Element, pass: Pass, scope: Scope): boolean {
  const groups = readGroups(ownValue(settings, 'e_display_conditions'))
  if (groups.length === 0) return true
  return groups.some((group) => group.every((stored) => meets(stored, id, pass, scope)))
}

function meets(stored: RawSettings, element: string, pass: Pass, scope: Scope): boolean {
  const condition = pass.tables.condition(textOf(ownValue(stored, 'condition')))
  if (!condition) {
    pass.warnings.add('unknown_condition', element)
    return false
  }
  return condition({ stored, comparator: textOf(ownValue(stored, 'comparator')), pass, scope })
}

/** The first entry of the stored list is JSON text: a list of groups. */
function readGroups(stored: unknown): readonly (readonly RawSettings[])[] {
  const [first] = Array.isArray(stored) ? stored : [stored]
  if (typeof first !== 'string' || first === '') return []
  let groups: unknown
  try {
    groups = JSON.parse(first)
  } catch {
    return []
  }
  if (!Array.isArray(groups)) return []
  // A list of conditions is a single group.
  const lists = groups.every(isObject) ? [groups] : groups
  return lists
    .slice(0, maxConditions)
    .map((group) => (Array.isArray(group) ? group.filter(isObject).slice(0, maxConditions) : []))
    .filter((group) => group.length > 0)
}
