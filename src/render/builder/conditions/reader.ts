/** Display conditions about the reader and the request. */
import { ownValue, textOf } from '../document/values.ts'
import type { Condition } from '../pass/pass.ts'
import { compareSets, compareTexts, listOf } from './compare.ts'

export const loginStatus: Condition = ({ stored, comparator, pass }) => {
  const isLoggedIn = !pass.reader().isVisitor
  const isWanted = (ownValue(stored, 'status') === 'logged_in') === isLoggedIn
  return comparator === 'is_not' ? !isWanted : isWanted
}

export const userRole: Condition = ({ stored, comparator, pass }) =>
  compareSets(comparator, pass.reader().user?.roles ?? [], listOf(ownValue(stored, 'roles')))

/** The address that the reader comes from. */
export const fromUrl: Condition = ({ stored, comparator, pass }) => {
  pass.depend('vary:request')
  const wanted = textOf(ownValue(stored, 'url')) || textOf(ownValue(stored, 'value'))
  return compareTexts(comparator, pass.context.referrer ?? '', wanted)
}
