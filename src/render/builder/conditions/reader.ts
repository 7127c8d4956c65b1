/** Display conditions about the reader. */
import { ownValue } from '../document/values.ts'
import type { Condition } from '../engine/pass.ts'

export const loginStatus: Condition = ({ stored, comparator, pass }) => {
  const isLoggedIn = !pass.reader().isVisitor
  const isWanted = (ownValue(stored, 'status') === 'logged_in') === isLoggedIn
  return comparator === 'is_not' ? !isWanted : isWanted
}
