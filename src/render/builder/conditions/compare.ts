/** Compares values as the comparators of display conditions do. */
import { isObject, ownValue, textOf } from '../document/values.ts'

/** `is` and `is_one_of` require one of the given values, `is_not` and `is_none_of` none of them. */
export function compareSets(comparator: string, has: readonly string[], wanted: readonly string[]): boolean {
  const shares = wanted.some((one) => has.includes(one))
  switch (comparator) {
    case 'is_not':
    case 'is_none_of':
    case 'not_contain':
      return !shares
    case 'is_empty':
      return has.length === 0
    case 'is_not_empty':
      return has.length > 0
    default:
      return shares
  }
}

export function compareTexts(comparator: string, has: string, wanted: string): boolean {
  switch (comparator) {
    case 'is_not':
    case 'is_none_of':
      return has !== wanted
    case 'contains':
      return has.includes(wanted)
    case 'not_contain':
      return !has.includes(wanted)
    case 'is_empty':
      return has === ''
    case 'is_not_empty':
      return has !== ''
    case 'is_before':
    case 'is_before_inclusive':
    case 'is_after':
    case 'is_after_inclusive':
    case 'is_less_than_inclusive':
    case 'is_greater_than_inclusive':
      return compareOrder(comparator, numberIfBoth(has, wanted))
    default:
      return has === wanted
  }
}

function numberIfBoth(has: string, wanted: string): number {
  const [first, second] = [Number(has), Number(wanted)]
  if (has !== '' && wanted !== '' && !Number.isNaN(first) && !Number.isNaN(second)) return first - second
  return has === wanted ? 0 : has < wanted ? -1 : 1
}

/** `order` is below 0 when the first value is the smaller one. */
export function compareOrder(comparator: string, order: number): boolean {
  switch (comparator) {
    case 'is_not':
      return order !== 0
    case 'is_before':
      return order < 0
    case 'is_before_inclusive':
    case 'is_less_than_inclusive':
      return order <= 0
    case 'is_after':
      return order > 0
    case 'is_after_inclusive':
    case 'is_greater_than_inclusive':
      return order >= 0
    default:
      return order === 0
  }
}

/** Returns the ids or names of one value or a list, bare or in `{ id }`. */
export function listOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return all.map((one) => textOf(isObject(one) ? ownValue(one, 'id') : one)).filter((text) => text !== '')
}
